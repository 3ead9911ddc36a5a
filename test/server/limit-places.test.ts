import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gateway } from '../support/gateway.ts';

// An operation beyond a limit is told where in its document it passes the limit, and what to do.

async function refusalOf(query: string, settings: Partial<Config>, variables?: Readonly<Record<string, unknown>>) {
  const { execute } = await gateway(settings);
  const { errors } = await execute(query, variables && { variables });
  expect(errors).toHaveLength(1);
  const [error] = errors;
  expect(error?.extensions['code']).toBe('QUERY_LIMIT_EXCEEDED');
  return error;
}

const NESTED = `{
  mine: clients(first: 1000) {
    nodes { deals(first: 1000) { nodes { id } } }
  }
}`;

describe('MAX_COST', () => {
  test.each<[name: string, query: string, told: string, line: number, column: number]>([
    [
      'of two lists of one length names the outer one',
      NESTED,
      'The operation exceeds MAX_COST: 1002001, and 200000 is the limit. `clients(first: 1000)` at `mine` costs 1002001 of it: page it with `first: 100`.',
      2,
      3,
    ],
    [
      'names the longest list',
      '{ clients(first: 300) { nodes { deals(last: 1000) { nodes { id } } } } }',
      '`deals(last: 1000)` at `clients.nodes.deals` costs 300300 of it: page it with `last: 600`.',
      1,
      33,
    ],
    [
      'looks into fragments, and past what costs little',
      '{ node(id: "Client:1") { id } ...All } fragment All on Query { forumCategories { id } ... on Query { clients(first: 1000) { edges { ...C } } } } fragment C on ClientEdge { node { deals(first: 900) { nodes { id } } } }',
      '`clients(first: 1000)` at `clients` costs',
      1,
      102,
    ],
    [
      'tells the size by default',
      '{ clients(first: 2) { nodes { deals(first: 9) { nodes { client { posts { nodes { id } } } } } } } }',
      '`posts(first: 20)` at `clients.nodes.deals.nodes.client.posts` costs',
      1,
      66,
    ],
  ])('%s', async (_name, query, told, line, column) => {
    const error = await refusalOf(query, { MAX_DEPTH: 20, MAX_COST: query.includes('first: 2)') ? 300 : 200_000 });
    expect(error?.message).toContain(told);
    expect(error).toMatchObject({ locations: [{ line, column }] });
  });

  test('knows the size of a variable, and its advice fits', async () => {
    const query = 'query Q($n: Int!) { clients(first: $n) { nodes { deals(first: 50) { nodes { id } } } } }';
    const error = await refusalOf(query, { MAX_COST: 3_000 }, { n: 80 });
    expect(error?.message).toContain('`clients(first: 80)` at `clients` costs 4161 of it: page it with `first: 50`.');
    const { execute } = await gateway({ MAX_COST: 3_000 });
    expect((await execute(query, { variables: { n: 50 } })).errors).toEqual([]);
  });

  test('tells how many ids to send at once', async () => {
    const query = 'mutation M($ids: [ID!]!) { deleteClients(ids: $ids) { __typename } }';
    const error = await refusalOf(query, { MAX_COST: 49 }, { ids: ['1', '2', '3', '4', '5', '6'] });
    expect(error?.message).toMatch(
      /`deleteClients\(6 ids\)` at `deleteClients` costs \d+ of it: send 4 ids at once\.$/,
    );
  });

  test('tells that shorter lists do not suffice', async () => {
    const error = await refusalOf('{ clients(first: 2) { nodes { deals(first: 2) { nodes { id } } } } }', {
      MAX_COST: 2,
    });
    expect(error?.message).toMatch(/costs 9 of it: select fewer lists in it\.$/);
  });
});

test.each<
  [name: string, settings: Partial<Config>, query: string, path: string, at: readonly [line: number, column: number]]
>([
  [
    'MAX_DEPTH',
    { MAX_DEPTH: 3 },
    '{ me: clients { nodes { deals { nodes { id } } } } }',
    'me.nodes.deals.nodes',
    [1, 33],
  ],
  [
    'MAX_DEPTH',
    { MAX_DEPTH: 3 },
    '{ clients { totalCount ...A } } fragment A on ClientConnection { nodes { deals { ... { nodes { id } } } } }',
    'clients.nodes.deals.nodes',
    [1, 88],
  ],
  ['MAX_ALIASES', { MAX_ALIASES: 2 }, '{ a: __typename b: __typename c: __typename }', 'c', [1, 31]],
  [
    'MAX_ALIASES',
    { MAX_ALIASES: 3 },
    '{ a: clients { ...T } b: clients { ...T } } fragment T on ClientConnection { t: totalCount }',
    'b.t',
    [1, 78],
  ],
  [
    'MAX_DIRECTIVES',
    { MAX_DIRECTIVES: 1 },
    '{ clients @skip(if: false) { totalCount @include(if: true) } }',
    'clients.totalCount',
    [1, 30],
  ],
])('%s is passed at a place that is told', async (setting, settings, query, path, [line, column]) => {
  const error = await refusalOf(query, settings);
  expect(error?.message).toContain(`The operation exceeds ${setting}: `);
  expect(error?.message).toMatch(new RegExp(`It is passed at \`${path.replaceAll('.', '\\.')}\`: \\w+`));
  expect(error).toMatchObject({ locations: [{ line, column }] });
});

test('directives of the operation itself are at no field', async () => {
  const { execute } = await gateway({ MAX_DIRECTIVES: 1 });
  const { errors } = await execute('query\n  Q @a @b { clients { totalCount } }');
  expect(errors.filter(({ extensions }) => extensions?.['code'] === 'QUERY_LIMIT_EXCEEDED')).toEqual([
    expect.objectContaining({
      message: 'The operation exceeds MAX_DIRECTIVES: 2, and 1 is the limit.',
      locations: [{ line: 1, column: 1 }],
    }),
  ]);
});

test('MAX_TOKENS is passed at a token', async () => {
  const error = await refusalOf('{ a: __typename\n  b: __typename }', { MAX_TOKENS: 5 });
  expect(error).toMatchObject({ locations: [{ line: 2, column: 4 }] });
});

test('names of any length are cut', async () => {
  const error = await refusalOf(`{ ${'x'.repeat(5_000)}: clients(first: 900) { nodes { id } } }`, { MAX_COST: 10 });
  expect(error?.message.length).toBeLessThan(500);
});
