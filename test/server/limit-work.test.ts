import { type DocumentNode, getOperationAST, Kind, parse, TypeInfo, validate, ValidationContext, visit } from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { DocumentSizes } from '../../src/operation/document-sizes.ts';
import { testConfig } from '../support/gateway.ts';

// The place where a document passes a limit is found in a time that grows as the document does. Work is counted, as clocks vary.

const { schema } = await servedSchema(testConfig());

/** Parses a document, and counts how often the selections of its inline fragments are read. */
function counted(query: string) {
  let reads = 0;
  const document: DocumentNode = visit(parse(query), {
    [Kind.INLINE_FRAGMENT]: {
      leave: ({ selectionSet, ...node }) =>
        Object.defineProperty(node, 'selectionSet', {
          enumerable: true,
          get: () => {
            reads += 1;
            return selectionSet;
          },
        }),
    },
  });
  return { document, reads: () => reads };
}

function operationOf(document: DocumentNode) {
  const node = getOperationAST(document);
  if (!node) throw new Error('The document has no operation.');
  return node;
}

const nested = (depth: number, opening: string, inside: string) =>
  `${opening.repeat(depth)}${inside}${'}'.repeat(depth)}`;

function readsOfSizes(depth: number): number {
  const { document, reads } = counted(`{ ${nested(depth, '... {', '__type '.repeat(12))} }`);
  const sizes = new DocumentSizes(new ValidationContext(schema, document, new TypeInfo(schema), () => {}));
  expect(sizes.placeOf(operationOf(document), '__type', 10).path).toBe('__type');
  return reads();
}

test('of nested selections', () => {
  expect(readsOfSizes(400)).toBeLessThan(400 * 4);
});

test('of what costs most', () => {
  const depth = 400;
  const { document, reads } = counted(
    `{ ${nested(depth, '... {', 'clients(first: 900) { totalCount nodes { id } }')} }`,
  );
  const costs = new OperationCosts(testConfig({ MAX_COST: 10 }));
  const refusal = costs.refusal({ schema, document }, { requested: 901, limit: 10 });
  expect(refusal.errors).toMatchObject([{ message: expect.stringContaining('page it with `first: 9`') }]);
  expect(reads()).toBeLessThan(depth * 4);
});

test('of what costs most, by the variables of the request', () => {
  const depth = 200;
  const levels = Array.from(
    { length: depth },
    (_none, index) => `a${index}: posts(first: $n) { totalCount nodes { id } } ... {`,
  );
  const document = parse(`query ($n: Int) { ${levels.join(' ')} __typename ${'}'.repeat(depth)} }`);
  expect(validate(schema, document)).toEqual([]);
  let reads = 0;
  const variableValues = {
    get n() {
      reads += 1;
      return 5;
    },
  };
  const costs = new OperationCosts(testConfig({ MAX_COST: 10 }));
  const { requested } = costs.of({ schema, document, variableValues });
  expect(requested).toBe(depth * 6);
  const forCost = reads;
  costs.refusal({ schema, document, variableValues }, { requested, limit: 10 });
  expect(reads - forCost).toBeLessThan(forCost * 4);
});
