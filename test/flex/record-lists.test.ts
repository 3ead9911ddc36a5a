import { describe, expect, test } from 'vitest';
import { DB, DBS, flexGateway, flexShop, numbered, RECORDS } from './support.ts';

const tables = { orders: { fields: {} }, clients: { fields: {} } };

/** Matches the cursor of the row at an offset. It also holds the upstream id. */
const cursor = (offset: number) => expect.stringMatching(new RegExp(`^offset:${offset}:[0-9a-f-]{36}$`));

describe('FlexDb.records', () => {
  const list = (args: string, selection: string) => `{ flexDb(id: "shop") { records${args} { ${selection} } } }`;

  test('all pages and selections of the records in an operation cost one list call', async () => {
    const { ask, sandbox } = await flexShop(numbered(5));

    const data = await ask(`{ flexDb(id: "shop") {
      a: records(first: 2) { nodes { data } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
      b: records(first: 2, after: "offset:1") { edges { cursor node { data } } pageInfo { hasNextPage hasPreviousPage } }
      c: records(first: null, after: "offset:3") { nodes { data } pageInfo { hasNextPage endCursor } }
    } }`);
    expect(data).toEqual({
      flexDb: {
        a: {
          nodes: [{ data: { n: 5 } }, { data: { n: 4 } }],
          pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: cursor(0), endCursor: cursor(1) },
        },
        b: {
          edges: [
            { cursor: cursor(2), node: { data: { n: 3 } } },
            { cursor: cursor(3), node: { data: { n: 2 } } },
          ],
          pageInfo: { hasNextPage: true, hasPreviousPage: true },
        },
        c: { nodes: [{ data: { n: 1 } }], pageInfo: { hasNextPage: false, endCursor: cursor(4) } },
      },
    });
    expect(sandbox.calls()).toEqual([DB, RECORDS]);
  });

  test.each([
    ['(first: 1001)', 'first'],
    ['(after: "offset:1\\n")', 'after'],
  ])('%s is refused before the records are read', async (args, field) => {
    const { execute, sandbox } = await flexShop(numbered(1));

    const { data, errors } = await execute(list(args, 'nodes { id }'));

    expect(data).toEqual({ flexDb: { records: null } });
    expect(errors).toMatchObject([
      { path: ['flexDb', 'records'], extensions: { code: 'BAD_USER_INPUT', fields: [{ field }] } },
    ]);
    expect(sandbox.calls()).toEqual([DB]);
  });

  test('records(table:) returns only records of this table, and pages count within it', async () => {
    const { execute, makeRecords, sandbox, db } = await flexShop(numbered(3), { schema: { tables }, table: 'orders' });
    makeRecords(db, [{ n: 10 }], 'clients');
    makeRecords(db, [{ n: 20 }]);

    const { data } = await execute(`{ flexDb(id: "shop") {
      orders: records(table: "orders", first: 2) { nodes { table data } pageInfo { hasNextPage } }
      clients: records(table: "clients") { nodes { data } pageInfo { hasNextPage } }
      all: records { nodes { table } }
      none: records(table: "__proto__") { nodes { id } }
    } }`);

    const order = (n: number) => ({ table: 'orders', data: { n } });
    expect(data).toEqual({
      flexDb: {
        orders: { nodes: [order(3), order(2)], pageInfo: { hasNextPage: true } },
        clients: { nodes: [{ data: { n: 10 } }], pageInfo: { hasNextPage: false } },
        all: { nodes: [null, 'clients', 'orders', 'orders', 'orders'].map((table) => ({ table })) },
        none: { nodes: [] },
      },
    });
    expect(sandbox.calls()).toEqual([DB, RECORDS]);
  });

  test('the connection of records has no totalCount', async () => {
    const { execute, sandbox } = await flexShop(numbered(1));

    expect((await execute(list('', 'totalCount'))).errors).toMatchObject([
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ]);
    expect(sandbox.calls()).toEqual([]);
  });
});

describe('record(id), node and nodes', () => {
  test('all records of a database are read in one list call, by global id or upstream id', async () => {
    const { ask, sandbox, db, ids } = await flexShop(numbered(3));
    const [one, two, three] = ids;

    const data = await ask(
      `query ($one: ID!, $two: ID!, $ids: [ID!]!) {
        flexDb(id: "shop") { one: record(id: $one) { data } two: record(id: $two) { data } gone: record(id: "gone") { data } }
        nodes(ids: $ids) { id ... on FlexRecord { data } }
        node(id: $two) { __typename }
      }`,
      {
        variables: {
          one,
          two: `FlexRecord:${db}:${two}`,
          ids: [`FlexRecord:${db}:${three}`, `FlexRecord:${db}:gone`, `FlexRecord:${db}:${one}`],
        },
      },
    );
    expect(data).toEqual({
      flexDb: { one: { data: { n: 1 } }, two: { data: { n: 2 } }, gone: null },
      nodes: [
        { id: `FlexRecord:${db}:${three}`, data: { n: 3 } },
        null,
        { id: `FlexRecord:${db}:${one}`, data: { n: 1 } },
      ],
      node: { __typename: 'FlexRecord' },
    });
    expect(sandbox.calls().sort()).toEqual([RECORDS, DB]);
  });

  test('records of two databases are two list calls', async () => {
    const { ask, sandbox, makeDb, makeRecords } = await flexGateway();
    const ids = [makeDb(), makeDb()].flatMap((db) =>
      makeRecords(db, numbered(3)).map((id) => `FlexRecord:${db}:${id}`),
    );

    expect(await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids } })).toEqual({
      nodes: ids.map((id) => ({ id })),
    });
    expect(sandbox.calls()).toEqual([RECORDS, RECORDS]);
  });

  test('a record of another database is refused by its global id, and null by its upstream id', async () => {
    const { execute, makeDb, sandbox, db: other, ids } = await flexShop(numbered(1), { code: 'other' });
    const [record] = ids;
    const db = makeDb({ code: 'shop' });
    const read = (id: string) =>
      execute('query ($id: ID!) { flexDb(id: "shop") { record(id: $id) { data } } }', { variables: { id } });

    expect(await read(`${record}`)).toMatchObject({ data: { flexDb: { record: null } }, errors: [] });
    sandbox.forgetCalls();
    const { data, errors } = await read(`FlexRecord:${other}:${record}`);
    expect(data).toEqual({ flexDb: { record: null } });
    expect(errors).toMatchObject([
      { message: expect.stringContaining('another database'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(sandbox.calls()).toEqual([DB]);
    const wrong = await execute('query ($id: ID!) { node(id: $id) { id } }', {
      variables: { id: `FlexRecord:${db}:${record}` },
    });
    expect(wrong).toMatchObject({ data: { node: null }, errors: [] });
  });

  test('an id that is not of a record fails its own entry only', async () => {
    const { execute, db, ids } = await flexShop(numbered(1));
    const [record] = ids;
    const good = `FlexRecord:${db}:${record}`;

    const { data, errors } = await execute(
      `query ($ids: [ID!]!, $id: ID!) {
        nodes(ids: $ids) { id }
        flexDb(id: "shop") { good: record(id: $id) { id } empty: record(id: "") { id } other: record(id: "FlexDb:a") { id } }
      }`,
      {
        variables: { ids: ['FlexRecord:x', good, 'FlexRecord::', 'FlexRecord:..:1', `FlexRecord:${db}:..`], id: good },
      },
    );

    expect(data).toEqual({
      nodes: [null, { id: good }, null, null, null],
      flexDb: { good: { id: good }, empty: null, other: null },
    });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).sort()).toEqual([
      ['flexDb.empty', 'BAD_USER_INPUT'],
      ['flexDb.other', 'BAD_USER_INPUT'],
      ['nodes.0', 'BAD_USER_INPUT'],
      ['nodes.2', 'BAD_USER_INPUT'],
      ['nodes.3', 'BAD_USER_INPUT'],
    ]);
  });

  test('records of a database that does not exist are null', async () => {
    const { execute, makeDb, makeRecords, sandbox } = await flexGateway();
    const hidden = makeDb({}, sandbox.store.createAccount().id);
    const [record] = makeRecords(hidden, numbered(1));

    const { data, errors } = await execute('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      variables: { ids: ['FlexRecord:gone:1', `FlexRecord:${hidden}:${record}`] },
    });

    expect({ data, errors }).toEqual({ data: { nodes: [null, null] }, errors: [] });
  });
});

describe('FlexRecord.db', () => {
  test('the database is read once for all its records', async () => {
    const { execute, sandbox, db } = await flexShop(numbered(3), { name: 'Shop' });

    const { data } = await execute('query ($id: ID!) { flexDb(id: $id) { records { nodes { db { name code } } } } }', {
      variables: { id: db },
    });

    const owner = { db: { name: 'Shop', code: 'shop' } };
    expect(data).toEqual({ flexDb: { records: { nodes: [owner, owner, owner] } } });
    expect(sandbox.calls()).toEqual([DB, RECORDS]);
  });

  test('more databases than READS_AT_ONCE are read in one list call', async () => {
    const { ask, sandbox, makeDb, makeRecords } = await flexGateway({ READS_AT_ONCE: 4 });
    const ids = Array.from({ length: 5 }, (_, index) => {
      const db = makeDb({ name: `N${index}` });
      return `FlexRecord:${db}:${makeRecords(db, numbered(1))[0]}`;
    });

    const data = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on FlexRecord { db { name } } } }', {
      variables: { ids },
    });
    expect(data).toEqual({ nodes: ids.map((_, index) => ({ db: { name: `N${index}` } })) });
    expect(sandbox.calls()).toEqual([RECORDS, RECORDS, RECORDS, RECORDS, RECORDS, DBS]);
  });
});
