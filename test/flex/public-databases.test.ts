import { describe, expect, test } from 'vitest';
import { numbered } from './support.ts';
import { all, book, GET, gatewayOverReplies, LIST, NOBODY, SEARCH } from './public-support.ts';

describe('list', () => {
  test('list reads the newest records first, without any credential, in one POST', async () => {
    const { ask, sandbox, makeRecords, db } = await book();
    const [first, second] = makeRecords(db, numbered(2));

    const data = await ask(
      '{ publicFlexDb(code: "book") { code list { nodes { id upstreamId code data createdAt updatedAt } } } }',
      NOBODY,
    );

    const stamp = expect.stringMatching(/^\d{4}-.*Z$/);
    const record = (id: string | undefined, n: number) => ({
      id: `PublicFlexRecord:book:${id}`,
      upstreamId: id,
      code: 'book',
      data: { n },
      createdAt: stamp,
      updatedAt: stamp,
    });
    expect(data).toEqual({
      publicFlexDb: {
        code: 'book',
        list: { nodes: [record(second, 2), record(first, 1)] },
      },
    });
    expect(sandbox.calls()).toEqual([LIST]);
    expect(sandbox.requests[0]?.query).toEqual({});
  });

  test.each([
    ['(first: 2)', 'nodes { data }', [[2, 0]]],
    ['(first: 2, after: "offset:0")', 'nodes { data }', [[2, 1]]],
    ['(first: 2)', 'nodes { data } pageInfo { hasNextPage endCursor }', [[3, 0]]],
    ['(first: 2)', 'pageInfo { hasNextPage }', [[1, 2]]],
    ['', 'nodes { id }', [[20, 0]]],
    [
      '(first: 101)',
      'edges { cursor } nodes { id }',
      [
        [100, 0],
        [1, 100],
      ],
    ],
    ['', 'pageInfo { hasPreviousPage }', []],
  ])('list%s of { %s } calls upstream for its window only', async (args, selection, windows) => {
    const { ask, bodies, makeRecords, db } = await book();
    makeRecords(db, numbered(120));

    await ask(`{ publicFlexDb(code: "book") { list${args} { ${selection} } } }`, NOBODY);
    expect(bodies()).toEqual(windows.map(([limit, offset]) => ({ limit, offset })));
  });

  test.each(['list', 'search'])(
    'the end cursor of a page of %s starts the next page, until the last one',
    async (method) => {
      const { execute, makeRecords, db } = await book();
      makeRecords(db, numbered(5));
      const pages: unknown[] = [];
      for (const after of [null, 'offset:1', 'offset:3']) {
        const { data } = await execute(
          `query ($after: String) { publicFlexDb(code: "book") { page: ${method}(first: 2, after: $after) { nodes { data } pageInfo { hasNextPage hasPreviousPage endCursor } } } }`,
          { ...NOBODY, variables: { after } },
        );
        pages.push(data);
      }
      const page = (ns: number[], endCursor: string, hasNextPage: boolean, hasPreviousPage: boolean) => ({
        publicFlexDb: {
          page: { nodes: ns.map((n) => ({ data: { n } })), pageInfo: { hasNextPage, hasPreviousPage, endCursor } },
        },
      });
      expect(pages).toEqual([
        page([5, 4], 'offset:1', true, false),
        page([3, 2], 'offset:3', true, true),
        page([1], 'offset:4', false, true),
      ]);
    },
  );

  test.each([
    ['list(first: -1)', 'first'],
    ['list(first: 1001)', 'first'],
    ['list(after: "x")', 'after'],
    ['search(first: -1)', 'first'],
    ['search(first: 1001)', 'first'],
    ['search(after: "offset:-1")', 'after'],
    ['search(sort: { field: "-a" })', 'sort.field'],
  ])('the invalid argument of %s is refused before any call', async (field, argument) => {
    const { execute, sandbox } = await book();

    const { errors } = await execute(`{ publicFlexDb(code: "book") { ${field} { nodes { id } } } }`, NOBODY);

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: argument }] } }]);
    expect(sandbox.calls()).toEqual([]);
  });
});

describe('get', () => {
  test('get reads one record; a record that does not exist is null', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await book();
    const [id] = makeRecords(db, numbered(1));

    const data = await ask(
      'query ($id: ID!) { publicFlexDb(code: "book") { one: get(id: $id) { id data } none: get(id: "gone") { id } } }',
      { ...NOBODY, variables: { id } },
    );
    expect(data).toEqual({ publicFlexDb: { one: { id: `PublicFlexRecord:book:${id}`, data: { n: 1 } }, none: null } });
    expect(sandbox.calls()).toEqual([GET, GET]);
    expect(bodies()).toEqual(expect.arrayContaining([{ id }, { id: 'gone' }]));
  });

  test('get returns null when upstream answers null', async () => {
    const { ask } = await gatewayOverReplies([{ body: null }]);

    expect(await ask('{ publicFlexDb(code: "book") { get(id: "x") { id } } }', NOBODY)).toEqual({
      publicFlexDb: { get: null },
    });
  });
});

describe('search', () => {
  const tables = { a: { fields: { n: 'integer', t: 'text' }, indexed_fields: ['t'] }, b: { fields: {} } };

  test('search sends its arguments and nests the data of flat records', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await book(all, { tables });
    makeRecords(
      db,
      [
        { n: 1, t: 'one' },
        { n: 2, t: 'once' },
      ],
      'a',
    );
    makeRecords(db, [{ t: 'one' }], 'b');

    const data = await ask(
      `{ publicFlexDb(code: "book") {
        search(query: "on*", table: "a", sort: { field: "n", direction: DESC }, first: 5) { nodes { id data createdAt } }
      } }`,
      NOBODY,
    );
    expect(data).toMatchObject({
      publicFlexDb: {
        search: {
          nodes: [{ data: { n: 2, t: 'once' } }, { data: { n: 1, t: 'one' }, createdAt: expect.any(String) }],
        },
      },
    });
    expect(sandbox.calls()).toEqual([SEARCH]);
    expect(bodies()).toEqual([{ q: 'on*', table_name: 'a', sort: '-n', limit: 5, offset: 0 }]);
  });

  test.each(['', '(table: "gone")', '(table: "__proto__")'])(
    'search%s without a known table is refused with a list of the tables',
    async (args) => {
      const { execute } = await book(all, { tables });

      const { errors } = await execute(
        `{ publicFlexDb(code: "book") { search${args} { nodes { id } pageInfo { hasNextPage endCursor } } } }`,
        NOBODY,
      );

      expect(errors).toMatchObject([
        {
          path: ['publicFlexDb', 'search'],
          extensions: { code: 'BAD_USER_INPUT', availableTables: ['a', 'b'] },
        },
      ]);
    },
  );

  test.each([
    ['flat', { id: 1, n: 1, created_at: '2026-03-01T08:00:00Z', updated_at: null }, { n: 1 }],
    ['flat, with a field called data', { id: 1, n: 1, data: { a: 1 } }, { n: 1, data: { a: 1 } }],
    ['flat, with a text called data', { id: 1, data: 'a' }, { data: 'a' }],
    ['nested', { id: 1, data: { n: 1 }, created_at: null, updated_at: null }, { n: 1 }],
    ['nested, with its table', { id: 1, data: { n: 1 }, table_name: 'a' }, { n: 1 }],
  ])('search reads records from upstream in this form: %s', async (_form, record, expected) => {
    const { ask } = await gatewayOverReplies([{ body: [record] }]);

    const data = await ask('{ publicFlexDb(code: "book") { search { nodes { upstreamId data } } } }', NOBODY);
    expect(data).toEqual({ publicFlexDb: { search: { nodes: [{ upstreamId: '1', data: expected }] } } });
  });
});

describe('a method that is off, or a code that is unknown', () => {
  test.each([
    ['list', 'list { nodes { id } pageInfo { hasNextPage } }'],
    ['search', 'search { nodes { id } pageInfo { hasNextPage } }'],
  ])('%s is BAD_USER_INPUT at `code`', async (_field, selection) => {
    const { execute } = await book({});

    for (const code of ['book', 'gone']) {
      const { data, errors } = await execute(`{ publicFlexDb(code: "${code}") { code ${selection} } }`, NOBODY);
      expect(data).toMatchObject({ publicFlexDb: { code } });
      expect(errors).toMatchObject([
        {
          message: expect.stringContaining('code'),
          extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'code' }] },
        },
      ]);
    }
  });
});

test('publicFlexDb makes no call for a field that is not selected', async () => {
  const { execute, sandbox } = await book();

  expect((await execute('{ publicFlexDb(code: "book") { code __typename } }', NOBODY)).data).toEqual({
    publicFlexDb: { code: 'book', __typename: 'PublicFlexDb' },
  });
  expect(sandbox.calls()).toEqual([]);
});
