import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DB, flexGateway, flexShop, numbered, SEARCH } from './support.ts';

const variables = ['$yes: Boolean = true', '$no: Boolean = false', '$names: [String!] = ["v"]'];

/**
 * Searches databases. Each search gives its data, the windows requested from upstream as `limit@offset`, the fields, and the
 * numbers of its rows.
 */
async function searches() {
  const { ask, sandbox, makeDb, makeRecords } = await flexGateway();
  const databases = new Map<number, string>();
  return async (count: number, args: string, selection: string, fragments = '') => {
    const db = databases.get(count) ?? makeDb();
    if (!databases.has(count)) makeRecords(db, numbered(count).toReversed());
    databases.set(count, db);
    sandbox.forgetCalls();
    const used = variables.filter((declared) => selection.includes(declared.split(':')[0] ?? ''));
    const declared = used.length > 0 ? `(${used.join()})` : '';
    const data = await ask(`query ${declared} { flexDb(id: "${db}") { search${args} { ${selection} } } } ${fragments}`);
    const [first, ...rest] = sandbox.calls();
    expect(first).toBe(DB);
    expect(rest.filter((call) => call !== SEARCH)).toEqual([]);
    const queries = sandbox.requests.slice(1).map(({ query }) => query);
    return {
      data,
      windows: queries.map(({ limit, offset }) => `${limit}@${offset}`),
      fields: queries.map(({ fields }) => fields),
      ns: [...JSON.stringify(data).matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n)),
    };
  };
}

const through = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the rows of a search', () => {
  test('are read in windows of 100 at most', async () => {
    const searching = await searches();
    for (const [args, count, expected, length] of [
      ['', 25, ['20@0'], 20],
      ['(first: null)', 25, ['20@0'], 20],
      ['(first: 1)', 3, ['1@0'], 1],
      ['(first: 100)', 120, ['100@0'], 100],
      ['(first: 101)', 120, ['100@0', '1@100'], 101],
      ['(first: 250)', 260, ['100@0', '100@100', '50@200'], 250],
      ['(first: 250)', 120, ['100@0', '100@100'], 120],
      ['(first: 300)', 200, ['100@0', '100@100', '100@200'], 200],
      ['(first: 1000)', 20, ['100@0'], 20],
      ['(first: 0)', 20, [], 0],
    ] as const) {
      const { windows, ns } = await searching(count, args, 'nodes { data }');
      expect({ windows, ns }, `search${args} of ${count}`).toEqual({ windows: expected, ns: through(1, length) });
    }
  });

  test('cursors are offsets, and the next page starts after them', async () => {
    const { windows, data } = await (
      await searches()
    )(
      10,
      '(first: 2, after: "offset:4")',
      'edges { cursor node { data } } pageInfo { startCursor endCursor hasPreviousPage }',
    );

    expect(windows).toEqual(['2@5']);
    expect(data).toEqual({
      flexDb: {
        search: {
          edges: [
            { cursor: 'offset:5', node: { data: { n: 6 } } },
            { cursor: 'offset:6', node: { data: { n: 7 } } },
          ],
          pageInfo: { startCursor: 'offset:5', endCursor: 'offset:6', hasPreviousPage: true },
        },
      },
    });
  });

  test('a page over several calls keeps its offset', async () => {
    const searching = await searches();
    const { windows, ns } = await searching(300, '(first: 150, after: "offset:49")', 'nodes { data }');
    expect({ windows, ns }).toEqual({ windows: ['100@50', '50@150'], ns: through(51, 200) });
  });

  test('nodes and edges together are read once', async () => {
    const searching = await searches();
    const both = 'nodes { id } edges { node { id } } pageInfo { endCursor }';
    expect((await searching(5, '(first: 2)', both)).windows).toEqual(['2@0']);
  });
});

test('without `first`, a search takes MAX_PAGE_SIZE records where that is less than 20', async () => {
  const { ask, queries } = await flexShop(numbered(9), { settings: { MAX_PAGE_SIZE: 5 } });

  const page = { nodes: [9, 8, 7, 6, 5].map((n) => ({ data: { n } })) };
  expect(await ask('{ flexDb(id: "shop") { records { nodes { data } } search { nodes { data } } } }')).toEqual({
    flexDb: { records: page, search: page },
  });
  expect(queries()).toContainEqual({ limit: '5', offset: '0' });
});

describe('hasNextPage of a search', () => {
  test('costs one additional row with the rows', async () => {
    const searching = await searches();
    for (const [count, args, expected, hasNextPage] of [
      [5, '(first: 3)', ['4@0'], true],
      [4, '(first: 3)', ['4@0'], true],
      [3, '(first: 3)', ['4@0'], false],
      [2, '(first: 3)', ['4@0'], false],
      [0, '(first: 3)', ['4@0'], false],
      [101, '(first: 100)', ['100@0', '1@100'], true],
      [100, '(first: 100)', ['100@0', '1@100'], false],
      [99, '(first: 100)', ['100@0'], false],
      [250, '(first: 200)', ['100@0', '100@100', '1@200'], true],
      [8, '(first: 3, after: "offset:4")', ['4@5'], false],
      [9, '(first: 3, after: "offset:4")', ['4@5'], true],
      [1, '(first: 0)', ['1@0'], true],
      [0, '(first: 0)', ['1@0'], false],
    ] as const) {
      for (const selection of [
        'nodes { data } pageInfo { hasNextPage }',
        'pageInfo { hasNextPage endCursor } edges { cursor }',
      ]) {
        const { windows, data } = await searching(count, args, selection);
        expect(windows, `search${args} of ${count}`).toEqual(expected);
        expect(data).toMatchObject({ flexDb: { search: { pageInfo: { hasNextPage } } } });
      }
    }
  });

  test('the additional row is not in the page', async () => {
    const searching = await searches();
    const { ns, data } = await searching(5, '(first: 3)', 'nodes { data } pageInfo { hasNextPage endCursor }');

    expect(ns).toEqual([1, 2, 3]);
    expect(data).toMatchObject({ flexDb: { search: { pageInfo: { endCursor: 'offset:2' } } } });
  });

  test('alone reads one row after the page, and costs nothing when it is not selected, or skipped', async () => {
    const searching = await searches();
    for (const [count, hasNextPage] of [
      [4, true],
      [3, false],
      [0, false],
    ] as const) {
      const { windows, data } = await searching(count, '(first: 3)', 'pageInfo { hasNextPage }');
      expect(windows).toEqual(['1@3']);
      expect(data).toEqual({ flexDb: { search: { pageInfo: { hasNextPage } } } });
    }
    for (const [selection, windows] of [
      ['__typename pageInfo { hasPreviousPage }', []],
      ['nodes { id } pageInfo { hasNextPage @skip(if: $yes) endCursor }', ['3@0']],
      ['__typename nodes @include(if: $no) { id }', []],
    ] as const)
      expect((await searching(5, '(first: 3)', selection)).windows, selection).toEqual(windows);
  });
});

describe('a search requests these fields of the data from upstream', () => {
  test.each([
    ['all, without the argument', 'nodes { data }', undefined],
    ['all, with null', 'nodes { data(fields: null) }', undefined],
    ['these, with it', 'nodes { data(fields: ["n", "m"]) }', 'n,m'],
    ['these through edges', 'edges { node { data(fields: ["n"]) } }', 'n'],
    ['the union over aliases', 'nodes { a: data(fields: ["n"]) b: data(fields: ["m", "n"]) }', 'n,m'],
    ['the union over nodes and edges', 'nodes { data(fields: ["n"]) } edges { node { data(fields: ["m"]) } }', 'n,m'],
    ['the union over aliases of nodes', 'x: nodes { data(fields: ["n"]) } y: nodes { data(fields: ["m"]) }', 'n,m'],
    ['all, where one of them wants all', 'nodes { a: data(fields: ["n"]) b: data }', undefined],
    ['nothing of it, when it is not selected', 'nodes { id createdAt table }', 'id'],
    ['nothing of it, for the cursors', 'pageInfo { endCursor }', 'id'],
    ['nothing of it, for none of its fields', 'nodes { data(fields: []) }', 'id'],
    ['nothing of it, to know whether there is more', 'pageInfo { hasNextPage }', 'id'],
    ['a variable', 'nodes { data(fields: $names) }', 'v'],
    [
      'what is included',
      'nodes { id data(fields: ["n"]) @include(if: $no) b: data(fields: ["m"]) @skip(if: $no) }',
      'm',
    ],
  ])('%s', async (_name, selection, expected) => {
    expect((await (await searches())(2, '(first: 1)', selection)).fields).toEqual([expected]);
  });

  test('the union of the fields in all fragments', async () => {
    const selection = 'nodes { ...A ... on Node { ... on FlexRecord { b: data(fields: ["m"]) } } } ...C';
    const fragments = `
      fragment A on FlexRecord { a: data(fields: ["n"]) }
      fragment C on FlexRecordConnection { edges { node { ...D } } }
      fragment D on FlexRecord { d: data(fields: ["k"]) }`;

    const { fields } = await (await searches())(2, '(first: 1)', selection, fragments);

    expect(fields.map((names) => names?.split(',').sort())).toEqual([['k', 'm', 'n']]);
  });

  test('each selection returns only its own fields of the union', async () => {
    const { data } = await (await searches())(1, '', 'nodes { a: data(fields: ["n"]) b: data(fields: ["m"]) }');

    expect(data).toEqual({ flexDb: { search: { nodes: [{ a: { n: 1 }, b: {} }] } } });
  });
});

test('two different searches of an operation are two calls, identical ones are one', async () => {
  const { execute, sandbox } = await flexShop(numbered(3));

  await execute(`{ flexDb(id: "shop") {
    a: search(query: "1") { nodes { id } } b: search(query: "1") { nodes { id } } c: search(query: "2") { nodes { id } }
  } }`);

  expect(sandbox.calls()).toEqual([DB, SEARCH, SEARCH]);
});

test('the search of each database of a list is one call', async () => {
  const { ask, sandbox, makeDb } = await flexGateway();
  for (const code of ['a', 'b', 'c']) makeDb({ code });

  await ask('{ flexDbs { code search { nodes { data } pageInfo { hasNextPage } } } }');
  expect(sandbox.calls()).toEqual(['GET /flex/dbs.json', SEARCH, SEARCH, SEARCH]);
});

test('a page that needs more calls than one operation may make is refused with a reason', async () => {
  const { execute, sandbox } = await flexShop(numbered(400), { settings: { MAX_UPSTREAM_CALLS: 3 } });

  expect((await execute('{ flexDb(id: "shop") { search(first: 300) { nodes { id } } } }')).errors).toMatchObject([
    { message: expect.stringContaining('MAX_UPSTREAM_CALLS'), extensions: { code: 'QUERY_LIMIT_EXCEEDED' } },
  ]);
  expect(sandbox.calls()).toEqual([DB, SEARCH, SEARCH]);
});

test('an invalid row fails its own fields only; a response that is not a list is one error of the search', async () => {
  const search = (id: string) => `GET /flex/dbs/${id}/search.json?limit=20&offset=0`;
  const { execute } = await gatewayOverAnswers({
    'GET /flex/dbs.json': [{ id: 'a' }, { id: 'b' }],
    [search('a')]: [
      { id: 1, created_at: 'soon', n: 1 },
      { id: 2, created_at: '2026-03-01T08:00:00Z', n: 2 },
    ],
    [search('b')]: { rows: [] },
  });

  const { data, errors } = await execute('{ flexDbs { id search { nodes { createdAt data } } } }');

  expect(data).toMatchObject({
    flexDbs: [
      {
        search: {
          nodes: [
            { createdAt: null, data: { n: 1 } },
            { createdAt: '2026-03-01T08:00:00Z', data: { n: 2 } },
          ],
        },
      },
      { search: null },
    ],
  });
  expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).sort()).toEqual([
    ['flexDbs.0.search.nodes.0.createdAt', 'UPSTREAM_BAD_RESPONSE'],
    ['flexDbs.1.search', 'UPSTREAM_BAD_RESPONSE'],
  ]);
});
