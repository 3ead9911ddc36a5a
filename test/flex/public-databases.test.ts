import { describe, expect, test } from 'vitest';
import { numbered } from './support.ts';
import { all, book, GET, gatewayOverReplies, LIST, NOBODY, SEARCH } from './public-support.ts';

describe('list', () => {
  test('list reads the newest records first, without any credential, in one POST', async () => {
    const { execute, sandbox, makeRecords, db } = await book();
    const [first, second] = makeRecords(db, numbered(2));

    const { data, errors } = await execute(
      '{ publicFlexDb(code: "book") { code list { id data createdAt updatedAt } } }',
      NOBODY,
    );

    const stamp = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      publicFlexDb: {
        code: 'book',
        list: [
          { id: second, data: { n: 2 }, createdAt: stamp, updatedAt: stamp },
          { id: first, data: { n: 1 }, createdAt: stamp, updatedAt: stamp },
        ],
      },
    });
    expect(sandbox.calls()).toEqual([LIST]);
    expect(sandbox.requests[0]?.query).toEqual({});
  });

  test('list sends its limit and offset', async () => {
    const { execute, bodies, makeRecords, db } = await book();
    makeRecords(db, numbered(5));

    const { data } = await execute('{ publicFlexDb(code: "book") { list(limit: 2, offset: 1) { data } } }', NOBODY);

    expect(data).toEqual({ publicFlexDb: { list: [{ data: { n: 4 } }, { data: { n: 3 } }] } });
    expect(bodies()).toEqual([{ limit: 2, offset: 1 }]);
  });

  test.each([
    ['list(limit: 0)', 'limit'],
    ['list(limit: -1)', 'limit'],
    ['list(limit: 101)', 'limit'],
    ['list(offset: -1)', 'offset'],
    ['search(limit: 0)', 'limit'],
    ['search(limit: 101)', 'limit'],
    ['search(offset: -1)', 'offset'],
    ['search(sort: { field: "-a" })', 'sort.field'],
  ])('the invalid argument of %s is refused before any call', async (field, argument) => {
    const { execute, sandbox } = await book();

    const { errors } = await execute(`{ publicFlexDb(code: "book") { ${field} { id } } }`, NOBODY);

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: argument }] } }]);
    expect(sandbox.calls()).toEqual([]);
  });

  test('list returns the records of all tables', async () => {
    const { execute, makeRecords, db } = await book(all, { tables: { a: { fields: {} }, b: { fields: {} } } });
    makeRecords(db, [{ n: 1 }], 'a');
    makeRecords(db, [{ n: 2 }], 'b');

    expect((await execute('{ publicFlexDb(code: "book") { list { data } } }', NOBODY)).data).toEqual({
      publicFlexDb: { list: [{ data: { n: 2 } }, { data: { n: 1 } }] },
    });
  });
});

describe('get', () => {
  test('get reads one record; a record that does not exist is null', async () => {
    const { execute, sandbox, bodies, makeRecords, db } = await book();
    const [id] = makeRecords(db, numbered(1));

    const { data, errors } = await execute(
      'query ($id: ID!) { publicFlexDb(code: "book") { one: get(id: $id) { id data } none: get(id: "gone") { id } } }',
      { ...NOBODY, variables: { id } },
    );

    expect(errors).toEqual([]);
    expect(data).toEqual({ publicFlexDb: { one: { id, data: { n: 1 } }, none: null } });
    expect(sandbox.calls()).toEqual([GET, GET]);
    expect(bodies()).toEqual(expect.arrayContaining([{ id }, { id: 'gone' }]));
  });

  test('get returns null when upstream answers null', async () => {
    const { execute } = await gatewayOverReplies([{ body: null }]);

    const { data, errors } = await execute('{ publicFlexDb(code: "book") { get(id: "x") { id } } }', NOBODY);

    expect({ data, errors }).toEqual({ data: { publicFlexDb: { get: null } }, errors: [] });
  });
});

describe('search', () => {
  const tables = { a: { fields: { n: 'integer', t: 'text' }, indexed_fields: ['t'] }, b: { fields: {} } };

  test('search sends its arguments and nests the data of flat records', async () => {
    const { execute, sandbox, bodies, makeRecords, db } = await book(all, { tables });
    makeRecords(
      db,
      [
        { n: 1, t: 'one' },
        { n: 2, t: 'once' },
      ],
      'a',
    );
    makeRecords(db, [{ t: 'one' }], 'b');

    const { data, errors } = await execute(
      `{ publicFlexDb(code: "book") {
        search(query: "on*", table: "a", sort: { field: "n", direction: DESC }, limit: 5, offset: 0) { id data createdAt }
      } }`,
      NOBODY,
    );

    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      publicFlexDb: {
        search: [{ data: { n: 2, t: 'once' } }, { data: { n: 1, t: 'one' }, createdAt: expect.any(String) }],
      },
    });
    expect(sandbox.calls()).toEqual([SEARCH]);
    expect(bodies()).toEqual([{ q: 'on*', table_name: 'a', sort: '-n', limit: 5, offset: 0 }]);
  });

  test.each(['', '(table: "gone")', '(table: "__proto__")'])(
    'search%s without a known table is refused with a list of the tables',
    async (args) => {
      const { execute } = await book(all, { tables });

      const { errors } = await execute(`{ publicFlexDb(code: "book") { search${args} { id } } }`, NOBODY);

      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', availableTables: ['a', 'b'] } }]);
    },
  );

  test.each([
    ['flat', { id: 1, n: 1, created_at: '2026-03-01T08:00:00Z', updated_at: null }, { n: 1 }],
    ['flat, with a field called data', { id: 1, n: 1, data: { a: 1 } }, { n: 1, data: { a: 1 } }],
    ['flat, with a text called data', { id: 1, data: 'a' }, { data: 'a' }],
    ['nested', { id: 1, data: { n: 1 }, created_at: null, updated_at: null }, { n: 1 }],
    ['nested, with its table', { id: 1, data: { n: 1 }, table_name: 'a' }, { n: 1 }],
  ])('search reads records from upstream in this form: %s', async (_form, record, expected) => {
    const { execute } = await gatewayOverReplies([{ body: [record] }]);

    const { data, errors } = await execute('{ publicFlexDb(code: "book") { search { id data } } }', NOBODY);

    expect(errors).toEqual([]);
    expect(data).toEqual({ publicFlexDb: { search: [{ id: '1', data: expected }] } });
  });
});

describe('a method that is off, or a code that is unknown', () => {
  test.each([
    ['list', 'list { id }'],
    ['search', 'search { id }'],
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

  test.each([
    'createPublicFlexRecord(code: $code, data: {})',
    'updatePublicFlexRecord(code: $code, id: 1, data: {})',
    'deletePublicFlexRecord(code: $code, id: 1)',
  ])('%s is a NotFoundError', async (field) => {
    const { execute } = await book({});

    for (const code of ['book', 'gone']) {
      const { data, errors } = await execute(`mutation ($code: String!) { result: ${field} { __typename } }`, {
        ...NOBODY,
        variables: { code },
      });
      expect(errors).toEqual([]);
      expect(data).toEqual({ result: { __typename: 'NotFoundError' } });
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
