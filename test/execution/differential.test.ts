import { createSchema, createYoga, isAsyncIterable } from 'graphql-yoga';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  parse,
  validate,
} from 'graphql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OperationPlan } from '../../src/execution/plan.ts';
import { executePlan } from './execute-plan.ts';

// Plans give the results and the errors of the standard executor.

const later = async <T>(value: T): Promise<T> => value;

const fail = (message: string) => () => {
  throw new Error(message);
};

class Pet {
  readonly name: string;
  readonly kind: string;

  constructor(name: string, kind: string) {
    this.name = name;
    this.kind = kind;
  }
}

const rex = new Pet('Rex', 'Dog');
const tom = new Pet('Tom', 'Cat');

const schema = createSchema({
  typeDefs: `
    type Query {
      text: String
      number: Int
      never: String!
      broken: String
      refused: String!
      late: String
      lateNever: String!
      lateFailure: String
      odd: Int
      returned: String
      pet: Animal
      pets: [Animal]
      somePets: [Animal!]
      allPets: [Animal!]!
      stranger: Animal
      petOrText: PetOrText
      nest: Nest
      nests: [Nest]
      matrix: [[Int]]
      mixed: [String]
      noList: [String]
      brokenList: [Int!]
      set: [Int]
      echo(text: String = "default", number: Int, flag: Boolean!, input: Input): String
      info(x: Int): String
      one(one: One): String
      method: String
      property: String
      checked: Checked
      enums: [Color]
    }
    type Mutation { step(n: Int!): Step fail: Step! }
    type Step { n: Int at: Int order: [Int!] }
    input One @oneOf { a: Int b: Int }
    directive @defer on INLINE_FRAGMENT
    input Input { a: Int! b: [String!] c: Input }
    interface Animal { name: String! friend: Animal }
    type Dog implements Animal { name: String! friend: Animal barks: Boolean }
    type Cat implements Animal { name: String! friend: Animal lives: Int! }
    type Text { text: String }
    union PetOrText = Dog | Cat | Text
    type Nest { id: ID! depth: Int child: Nest strict: Nest! late: Nest fails: String! siblings: [Nest!] }
    type Checked { ok: Boolean }
    enum Color { RED GREEN }
  `,
  resolvers: {
    Query: {
      text: () => 'text',
      number: () => later(7),
      never: () => null,
      broken: fail('broken'),
      refused: fail('refused'),
      late: () => later('late'),
      lateNever: () => later(null),
      lateFailure: () => later(null).then(fail('too late')),
      odd: () => 'no number',
      returned: () => new GraphQLError('returned', { extensions: { code: 'CODE' } }),
      pet: () => rex,
      pets: () => [rex, later(tom), null, later(null), new Error('lost'), later(null).then(fail('ran away'))],
      somePets: () => [rex, null, tom],
      allPets: () => [later(rex), later(null)],
      stranger: () => new Pet('?', 'Text'),
      petOrText: () => later({ kind: 'Text', text: 'x' }),
      nest: () => ({ depth: 1 }),
      nests: () => [{ depth: 1 }, later({ depth: 2 }), { depth: 3 }],
      matrix: () => [[1, later(2)], null, ['x'], later([4])],
      mixed: () => ['a', 1, true, null, {}],
      noList: () => 'no list',
      brokenList: () => [1, 'x', 2],
      set: () => new Set([1, 2]),
      echo: (_root: unknown, args: object) => JSON.stringify(args),
      info: (_root: unknown, args: object, context: object, info: GraphQLResolveInfo) => {
        const { fieldName, parentType, returnType, path, operation, variableValues, fieldNodes, fragments } = info;
        const names = [
          fieldName,
          String(parentType),
          String(returnType),
          operation.name?.value,
          Object.keys(fragments),
        ];
        return JSON.stringify([names, path, variableValues, fieldNodes.length, info.rootValue === root, args, context]);
      },
      checked: () => ({}),
      enums: () => ['RED', 'BLUE', later('GREEN')],
    },
    Mutation: {
      step: (_root: unknown, { n }: { n: number }, context: { order: number[] }) => {
        context.order.push(n);
        return later({ n, at: context.order.length, order: [...context.order] });
      },
      fail: () => later(null).then(fail('no step')),
    },
    Nest: {
      id: ({ depth }: { depth: number }) => `nest:${depth}`,
      child: ({ depth }: { depth: number }) => ({ depth: depth + 1 }),
      strict: ({ depth }: { depth: number }) => (depth > 2 ? null : { depth: depth + 1 }),
      late: ({ depth }: { depth: number }) => later(depth > 2 ? null : { depth: depth + 1 }),
      fails: ({ depth }: { depth: number }) =>
        depth % 2 ? later('fine') : later(null).then(fail(`fails at ${depth}`)),
      siblings: ({ depth }: { depth: number }) => [{ depth }, later({ depth: depth + 10 })],
    },
    Animal: { __resolveType: ({ kind }: Pet) => later(kind) },
    PetOrText: { __resolveType: ({ kind }: Pet) => kind },
    Dog: { friend: () => tom, barks: () => true },
    Cat: { friend: () => later(rex), lives: () => later(null) },
  },
});

const root = {
  method: (args: object) => `called with ${JSON.stringify(args)}`,
  property: 'a property',
};

const documents: Readonly<Record<string, string>> = {
  'leaves, at once and later': '{ text number late method property __typename }',
  'aliases and merged selections':
    '{ a: text b: text nest { depth } nest { id } ...F } fragment F on Query { nest { child { id } } text }',
  'fields that fail': '{ text broken lateFailure odd returned number }',
  'a field that may not be null': '{ text never }',
  'a field that fails and may not be null': '{ late refused text }',
  'a promise of null that may not be null': '{ number lateNever broken }',
  'an interface': '{ pet { name __typename ... on Dog { barks friend { name } } ... on Cat { lives } } }',
  'a list of an interface, with errors in it': '{ pets { name ... on Cat { friend { name } } } }',
  'rows that may not be null': '{ somePets { name } text }',
  'a list and rows that may not be null': '{ allPets { name } }',
  'a row whose field may not be null': '{ pets { ... on Cat { lives } name } }',
  'a value of no possible type': '{ stranger { name } text }',
  'a union': '{ petOrText { ... on Text { text } ... on Dog { name } __typename } }',
  'objects within objects': '{ nest { id child { id child { id late { id } } } } }',
  'errors that climb':
    '{ nest { strict { strict { strict { id } } } child { strict { strict { id } } } } nests { depth late { strict { id } } } }',
  'rejections beside each other': '{ nests { depth fails child { fails } siblings { id fails child { fails } } } }',
  'lists of lists': '{ matrix mixed set }',
  'a value that is no list': '{ noList text }',
  'a row that does not fit': '{ brokenList enums }',
  'an empty selection by conditions':
    'query ($no: Boolean = false) { text @include(if: $no) nest @skip(if: true) { id } }',
  'an object without a field': 'query ($no: Boolean = false) { nest { id @include(if: $no) } }',
  conditions:
    'query ($yes: Boolean! = true) { text @skip(if: $yes) number @include(if: $yes) ... @skip(if: $yes) { late } ...F @include(if: $yes) } fragment F on Query { nest { depth @skip(if: $yes) id } }',
  arguments:
    '{ a: echo(flag: true) b: echo(text: null, number: 3, flag: false, input: { a: 1, b: "one", c: { a: 2 } }) }',
  info: 'query Info($x: Int = 3) { info(x: $x) other: info ...F } fragment F on Query { info(x: $x) }',
  introspection:
    '{ __schema { queryType { name fields { name type { kind ofType { name } } } } } __type(name: "Dog") { name interfaces { name } } missing: __type(name: "No") { name } }',
  'a mutation':
    'mutation { a: step(n: 1) { n at } b: step(n: 2) { at order } fine: __typename c: step(n: 3) { order } }',
  'a mutation that fails': 'mutation { a: step(n: 1) { n } fail { n } b: step(n: 2) { n } }',
};

/** The executor that Yoga brings. */
const { execute: executeStandard } = createYoga({ schema, maskedErrors: false, logging: false }).getEnveloped();

const args = (query: string, variableValues: Record<string, unknown> = {}): ExecutionArgs => ({
  schema,
  document: parse(query),
  rootValue: root,
  contextValue: { order: [] },
  variableValues,
});

/** A result as a caller sees it. Errors are ordered by their paths: the order in which promises settle is no part of it. */
function shown({ data, errors = [] }: ExecutionResult) {
  const texts = errors.map((error) => JSON.stringify(error));
  return { data: JSON.stringify(data), errors: texts.sort() };
}

async function standardResult(given: ExecutionArgs): Promise<ExecutionResult> {
  const result = await executeStandard(given);
  if (isAsyncIterable(result)) throw new Error('The result is in parts.');
  return result;
}

async function planResult(given: ExecutionArgs): Promise<ExecutionResult> {
  const result = executePlan(given);
  if (!result) throw new Error('There is no plan.');
  return result;
}

describe('a plan gives what the standard executor gives', () => {
  test.each(Object.entries(documents))('%s', async (_name, query) => {
    expect(validate(schema, parse(query))).toEqual([]);
    const expected = shown(await standardResult(args(query)));

    const given = args(query);
    expect(shown(await planResult(given))).toEqual(expected);
    expect(shown(await planResult({ ...given, contextValue: { order: [] } }))).toEqual(expected); // by the same plan
  });

  test('for each value of the variables that select fields', async () => {
    const query = `query ($yes: Boolean!, $x: Int) {
      text @include(if: $yes) late @skip(if: $yes) info(x: $x) nest { id @include(if: $yes) depth @skip(if: $yes) } }`;
    const { document } = args(query);
    for (const variables of [{ yes: true, x: 1 }, { yes: false, x: 2 }, { yes: true, x: null }, { yes: false }]) {
      const expected = shown(await standardResult(args(query, variables)));
      expect(shown(await planResult({ ...args(query, variables), document }))).toEqual(expected);
    }
  });

  test('for a null in the place of such a variable, which its default makes valid', async () => {
    const { document } = args('query ($yes: Boolean = true) { text @include(if: $yes) }');
    for (const variables of [{ yes: null }, {}, { yes: null }]) {
      const given = { ...args('{ text }', variables), document };
      expect(shown(await planResult(given))).toEqual(shown(await standardResult(given)));
    }
  });

  test('for each operation of a document', async () => {
    const query = 'query A { text } query B { number } mutation C { step(n: 1) { n } }';
    const { document } = args(query);
    for (const operationName of ['A', 'B', 'C', 'A']) {
      const expected = shown(await standardResult({ ...args(query), operationName }));
      expect(shown(await planResult({ ...args(query), document, operationName }))).toEqual(expected);
    }
  });
});

describe('the standard executor executes what has no plan', () => {
  test.each([
    ['an unknown operation', 'query A { text }', {}, 'B'],
    ['several operations and no name', 'query A { text } query B { text }', {}],
    ['a fragment for a later part', '{ text ... @defer { late } }', {}],
    ['a key that objects treat in another way', '{ __proto__: text }', {}],
  ])('%s', (_name, query, variables, operationName?: string) => {
    expect(executePlan({ ...args(query, variables), operationName })).toBeUndefined();
  });
});

test('a failure does not leave the promises beside it without a handler', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const result = await planResult(args('{ lateFailure nests { fails } never }'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);

  expect(result.data).toBeNull();
  expect(unhandled).toEqual([]);
});

test('rows that are at hand are completed without a promise', () => {
  expect(executePlan(args('{ text nest { id child { depth } } matrix: set }'))).not.toBeInstanceOf(Promise);
});

test('a plan is made once, unless it is larger than its document: then it is not kept', async () => {
  const selection = vi.spyOn(OperationPlan.prototype, 'selection');
  onTestFinished(() => selection.mockRestore());
  const plannedSelections = async (query: string) => {
    const given = args(query);
    const expected = shown(await standardResult(given));
    selection.mockClear();
    for (const _time of ['first', 'second']) expect(shown(await planResult(given))).toEqual(expected);
    return selection.mock.calls.length;
  };
  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_none, index) => `a${index}: ${field}`).join(' ');
  const large = `{ ${aliases(50, 'nest { ...F }')} } fragment F on Nest { ${aliases(100, 'depth')} }`;

  expect(await plannedSelections('{ nest { depth id } }')).toBe(1);
  expect(await plannedSelections(large)).toBe(2 * 50);
});
