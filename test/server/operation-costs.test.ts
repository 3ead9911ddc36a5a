import { getNamedType, getNullableType, isListType, isNonNullType, isObjectType, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { testConfig } from '../support/gateway.ts';

const { schema, subgraph } = await servedSchema(testConfig());

type Variables = Readonly<Record<string, unknown>>;

/** The cost of a valid operation: the same when it is measured, and when it is known. */
function costOf(query: string, variableValues: Variables = {}, costs = new OperationCosts(testConfig())): number {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const { requested } = costs.of({ schema, document, variableValues });
  expect(costs.of({ schema, document, variableValues }).requested).toBe(requested);
  return requested;
}

const expectCost = (query: string, cost: number) => expect(costOf(query)).toBe(cost);

describe('an object counts 1, a value nothing', () => {
  test.each<[query: string, cost: number]>([
    ['{ __typename }', 0],
    ['{ client(id: 1) { id name } }', 1],
    ['{ client(id: 1) { id contact { id } } }', 2],
    ['{ a: client(id: 1) { id } b: client(id: 2) { id } }', 2],
    ['{ node(id: "Client:1") { id ... on Client { contact { id } } ... on Deal { client { id } } } }', 3],
  ])('%s', expectCost);
});

describe('a connection has the rows of its page', () => {
  test.each<[query: string, cost: number]>([
    ['{ posts { nodes { id } } }', 21],
    ['{ posts(first: 7) { nodes { id } } }', 8],
    ['{ posts(last: 7) { nodes { id } } }', 8],
    ['{ posts(first: 7, last: 3) { nodes { id } } }', 4],
    ['{ posts(first: null, last: 3) { nodes { id } } }', 4],
    ['{ posts(first: null) { nodes { id } } }', 21],
    ['{ posts(first: 0) { nodes { id } } }', 1],
    ['{ posts(first: -5) { nodes { id } } }', 1],
    ['{ posts(first: 7) { edges { cursor } } }', 8],
    ['{ posts(first: 7) { edges { node { id } } nodes { id } pageInfo { endCursor } } }', 23],
    ['{ posts(first: 7) { totalCount } }', 1],
    ['{ posts(first: 7) { nodes { comments(first: 3) { nodes { client { id } } } } } }', 1 + 7 * (1 + 1 + 3 * 2)],
    ['{ search(text: "a") { nodes { __typename } } }', 11],
    ['{ search(text: "a", first: null) { nodes { __typename } } }', 11],
    ['{ search(text: "a", first: 5) { failures { target } } }', 11],
    ['{ flexDb(id: 1) { records { nodes { id } } search(first: 4) { nodes { id } } } }', 27],
  ])('%s', expectCost);

  test('at most MAX_PAGE_SIZE: the field refuses more', () => {
    const query = 'query Q($n: Int) { posts(first: 2000000000) { nodes { id } } deals(first: $n) { nodes { id } } }';
    expect(costOf(query, { n: 2_000_000_000 })).toBe(2002);
    expect(costOf('{ posts { nodes { id } } }', {}, new OperationCosts(testConfig({ MAX_PAGE_SIZE: 5 })))).toBe(6);
  });
});

describe('a list has the items of its argument, or 10', () => {
  test.each<[query: string, cost: number]>([
    ['{ dashboards { name } }', 10],
    ['{ dashboards { layout { key } } }', 10 + 10 * 10],
    ['{ nodes(ids: ["Client:1", "Deal:2", "Deal:2"]) { id } }', 3],
    ['{ nodes(ids: "Client:1") { id } }', 1],
    ['{ nodes(ids: []) { id } }', 0],
    ['{ dashboardWidgets(keys: ["a", "b"]) { settings { name } } }', 2 * 11],
    ['{ clients(first: 2, filter: { cities: ["a"] }) { nodes { externalIds { system } } } }', 1 + 2 * 11],
  ])('%s', expectCost);

  test('such as that of representations, in a subgraph: references to one record are one item', () => {
    const costs = new OperationCosts(testConfig());
    const { schema } = subgraph();
    const client = (id: number) => ({ __typename: 'Client', id: `Client:${id}` });
    const references = Array.from({ length: 50 }, (_, n) => [
      client(n),
      client(n),
      { __typename: 'Client', upstreamId: n },
    ]);
    const byVariable = parse(
      'query Q($r: [_Any!]!) { _entities(representations: $r) { ... on Client { contact { id } } } }',
    );
    expect(costs.of({ schema, document: byVariable, variableValues: { r: references.flat() } }).requested).toBe(100);

    const literal = (fields: string) => `{ __typename: "Client", ${fields} }`;
    const given = ['upstreamId: 1', 'id: "Client:1"', 'upstreamId: $a', 'upstreamId: $b'].map(literal);
    const byLiteral = parse(
      `query Q($a: ID!, $b: ID!, $c: _Any!, $d: _Any!) { _entities(representations: [${given.join()}, $c, $d]) { __typename } }`,
    );
    expect(costs.of({ schema, document: byLiteral, variableValues: {} }).requested).toBe(5);
  });
});

describe('a write counts 10, for each item of a bulk mutation', () => {
  test.each<[query: string, cost: number]>([
    ['mutation { deleteDeal(id: 1) { __typename } }', 10],
    ['mutation { deleteDeal(id: 1) { ... on ValidationError { fields { field } } } }', 20],
    ['mutation { a: deleteDeal(id: 1) { __typename } b: deleteDeals(ids: [1, 2, 3]) { __typename } }', 40],
    ['mutation { createDeals(inputs: [{ name: "a" }, { name: "b" }]) { ... on Deal { client { id } } } }', 22],
  ])('%s', expectCost);
});

describe('variables', () => {
  const query = `query Q($n: Int = 7, $l: Int, $ids: [ID!] = ["Client:1", "Client:2"], $is: Boolean = false) {
    posts(first: $n, last: $l) { nodes { id } }
    nodes(ids: $ids) { id }
    me: client(id: 1) @include(if: $is) { id }
  }`;

  test.each<[what: string, variables: Variables, cost: number]>([
    ['have their defaults', {}, 8 + 2 + 1],
    ['have their values', { n: 3, ids: ['Client:1'] }, 4 + 1 + 1],
    ['may be null', { n: null, ids: null }, 21 + 0 + 1],
    ['limit a page together', { n: 50, l: 4 }, 5 + 2 + 1],
    ['of a single value stand for a list of one', { ids: 'Client:1' }, 8 + 1 + 1],
    ['that decide on a field count it', { is: false }, 8 + 2 + 1],
    ['below 0 count as 0', { n: -1 }, 1 + 2 + 1],
  ])('%s', (_what, variables, cost) => {
    expect(costOf(query, variables)).toBe(cost);
  });

  test.each(['x', '7', {}, [], [1], true, Infinity, Number.NaN, { length: 1e9 }, 1e300])(
    'that do not fit are left to GraphQL: %j',
    (value) => {
      expect(costOf(query, { n: value, l: value, ids: value })).toBeLessThan(2_000);
    },
  );

  test('with names of the prototype of objects have no value', () => {
    const named =
      'query Q($constructor: Int, $__proto__: Int) { a: posts(first: $constructor, last: $__proto__) { nodes { id } } }';
    expect(costOf(named)).toBe(21);
  });
});

describe('what the document itself leaves out costs nothing', () => {
  test.each([
    '{ posts @skip(if: true) { nodes { id } } __typename }',
    '{ posts @include(if: false) { nodes { id } } __typename }',
    '{ ... @include(if: true) @skip(if: true) { posts { nodes { id } } } __typename }',
    '{ ...f @skip(if: true) } fragment f on Query { posts { nodes { id } } }',
  ])('%s', (query) => {
    expect(costOf(query)).toBe(0);
  });

  test('but what it includes costs as much as ever', () => {
    expect(costOf('{ posts @skip(if: false) @include(if: true) { nodes { id } } }')).toBe(21);
  });
});

describe('fragments', () => {
  test('count at each spread, with the rows of the connection they are spread on', () => {
    const query = `query Q($n: Int) { a: deals(first: 5) { ...rows } b: deals(first: $n) { ...rows ...rows } }
      fragment rows on DealConnection { nodes { ...deal } } fragment deal on Deal { client { id } }`;
    expect(costOf(query, { n: 3 })).toBe(1 + 5 * 2 + 1 + 2 * 3 * 2);
    expect(costOf(query)).toBe(1 + 5 * 2 + 1 + 2 * 20 * 2);
  });

  /** Fragments that each spread the next one twice, in lists: their cost grows with two to the power of 60. */
  const exponential = (page: string) => {
    const fragments = Array.from(
      { length: 60 },
      (_, index) => `fragment f${index} on Post { ...f${index + 1} ...f${index + 1} }`,
    );
    return `query Q($n: Int) { posts(first: $n) { nodes { ...f0 } } } ${fragments.join(' ')}
      fragment f60 on Post { comments(${page}) { nodes { id } } }`;
  };

  test.each([
    ['of a known cost', 'first: 1'],
    ['of a cost that depends on variables', 'first: $n'],
  ])('that spread each other exponentially are measured once: %s', (_what, page) => {
    const document = parse(exponential(page));
    const costs = new OperationCosts(testConfig());
    const [one, none] = [1, 0].map((n) => costs.of({ schema, document, variableValues: { n } }).requested);
    expect([one, none]).toEqual([Number.MAX_SAFE_INTEGER, 1]);
  });

  test('that nest deeper than the stack cost more than any limit', () => {
    const fragments = Array.from({ length: 50_000 }, (_, index) => `fragment f${index} on Post { ...f${index + 1} }`);
    const document = parse(`{ post(id: 1) { ...f0 } } ${fragments.join(' ')} fragment f50000 on Post { id }`);
    expect(new OperationCosts(testConfig()).of({ schema, document }).requested).toBe(Number.MAX_SAFE_INTEGER);
  });
});

test('each list of the schema has a size: the arguments of pages belong to connections, and a list has one list argument', () => {
  const odd = Object.values({ ...schema.getTypeMap(), ...subgraph().schema.getTypeMap() })
    .filter((type) => isObjectType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, field })))
    .filter(({ at, field: { type, args } }) => {
      if (at.startsWith('__')) return false;
      const isConnection = getNamedType(type).name.endsWith('Connection');
      const hasPages = args.some(({ name }) => name === 'first' || name === 'last');
      const lists = args.filter(
        (argument) => isNonNullType(argument.type) && isListType(getNullableType(argument.type)),
      );
      const nullable = getNullableType(type);
      const isListOfLists = isListType(nullable) && isListType(getNullableType(nullable.ofType));
      return isConnection !== hasPages || lists.length > 1 || isListOfLists;
    });
  expect(odd.map(({ at }) => at)).toEqual([]);
});
