import { memoize1 } from '@graphql-tools/utils';
import { executeSync, getIntrospectionQuery, type GraphQLSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { testConfig } from '../support/gateway.ts';
import { servedWith } from '../typed-flex/snapshot-files.ts';

// Introspection counts in the cost of an operation, by what the served schema has.

const { MAX_COST } = testConfig();

function costIn(schema: GraphQLSchema, query: string): number {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return new OperationCosts(testConfig()).of({ schema, document }).requested;
}

const TYPES = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time'];

/** A schema with databases of fields of all kinds, each with public methods. */
function typed(databases: number, fieldsOfEach: number, isPublic = false) {
  const fields = Array.from({ length: fieldsOfEach }, (_, index) => [`field${index}`, TYPES[index % TYPES.length]]);
  const records = Array.from({ length: databases }, (_, index) => ({
    id: String(index + 1),
    code: `database-${index + 1}`,
    schema: { fields: Object.fromEntries(fields), indexed_fields: ['field0', 'field1', 'field2'] },
    public_methods: { list: true, get: true, create: true },
  }));
  return servedWith(records, isPublic);
}

const SCHEMAS: readonly (readonly [what: string, make: () => Promise<GraphQLSchema>])[] = [
  ['without types of databases', async () => (await servedSchema(testConfig())).schema],
  ['of a subgraph', async () => (await servedSchema(testConfig())).subgraph().schema],
  ['with 100 databases of 50 fields', async () => (await typed(100, 50)).schema],
  ['with the most fields that can have types', async () => (await typed(20, 1_000)).schema],
  ['of anonymous callers', async () => (await typed(100, 50, true)).schema],
];

const schemaOf = memoize1((make: () => Promise<GraphQLSchema>) => make());

/** GraphiQL's query, which asks for all that a schema has. Codegen, Relay and other tools ask for a part of it. */
const GRAPHIQL = getIntrospectionQuery({
  schemaDescription: true,
  inputValueDeprecation: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  oneOf: true,
});

/** The fragments of that query. */
const FULL_TYPE = GRAPHIQL.slice(GRAPHIQL.indexOf('fragment FullType'));
const OF_FIELDS = FULL_TYPE.slice(FULL_TYPE.indexOf('fragment InputValue'));

/** `count` selections, each under an alias of its own. */
const aliased = (count: number, selection: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');

/** The number of objects and values below a value. */
function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  const inner = parts.reduce<number>((sum, part) => sum + partsIn(part), 0);
  return inner + (Array.isArray(value) ? 0 : parts.filter((part) => !Array.isArray(part)).length) + countOfItems(parts);
}

/** The objects in lists, each of which counts as one. */
function countOfItems(parts: readonly unknown[]): number {
  return parts.reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 0);
}

/** The cost of a query for each object and value that it returns. */
const unitIn = (schema: GraphQLSchema, query: string) =>
  costIn(schema, query) / partsIn(executeSync({ schema, document: parse(query) }).data);

const graphiqlUnitIn = memoize1((schema: GraphQLSchema) => unitIn(schema, GRAPHIQL));

describe.each(SCHEMAS)('introspection of a schema %s', (_what, make) => {
  test('fits MAX_COST easily for GraphiQL', async () => {
    const cost = costIn(await schemaOf(make), GRAPHIQL);
    expect(cost).toBeGreaterThan(12_000);
    expect(cost).toBeLessThan(0.6 * MAX_COST);
  });

  test.each([
    ['without descriptions', getIntrospectionQuery({ descriptions: false })],
    ['of the fields', '{ __schema { types { name fields { name description args { name } } } } }'],
    ['of inputs and enums', '{ __schema { types { inputFields { name } enumValues { name } } } }'],
    ['of the wrapped types', '{ __schema { types { fields { type { kind ofType { kind ofType { kind } } } } } } }'],
    ['of unions', '{ __schema { types { kind name possibleTypes { name } } } }'],
  ])('counts what it returns, as for GraphiQL: %s', async (_part, query) => {
    const schema = await schemaOf(make);
    const ratio = unitIn(schema, query) / graphiqlUnitIn(schema);
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.4);
  });

  test('counts a type by its name as the largest one', async () => {
    const schema = await schemaOf(make);
    const types = Object.values(schema.getTypeMap());
    const largest = Math.max(...types.map((type) => ('getFields' in type ? Object.keys(type.getFields()).length : 0)));
    const fields = (name: string) =>
      costIn(schema, `{ __type(name: "${name}") { fields { name } inputFields { name } } }`);
    const unit = costIn(schema, '{ __schema { types { name } } }') / (2 * types.length);
    expect(fields('PageInfo')).toBe(fields('Query'));
    expect(fields('Query')).toBeGreaterThan(unit * largest);
  });

  test.each([
    ['of the types', `{ __schema { ${aliased(40, 'types { ...FullType }')} } } ${FULL_TYPE}`],
    [
      'of the fields',
      `{ __schema { types { ${aliased(49, 'fields { name description args { ...InputValue } type { ...TypeRef } }')} } } } ${OF_FIELDS}`,
    ],
    [
      'of fields in fields',
      '{ __schema { types { fields { type { a: fields { name } b: fields { name } c: fields { name } } } } } }',
    ],
  ])('is refused for many aliases %s', async (_aliases, query) => {
    expect(costIn(await schemaOf(make), query)).toBeGreaterThan(MAX_COST);
  });
});
