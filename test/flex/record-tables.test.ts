import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { CREATE, DB, flexGateway, flexShop, RECORDS, REFUSAL } from './support.ts';

const TABLES = { tables: { orders: { fields: {} }, clients: { fields: {} } } };
const READ = 'GET /flex/dbs/7.json';
const LIST = 'GET /flex/dbs/7/records.json';
const CREATED = 'POST /flex/dbs/7/records.json';

describe('FlexRecord.table, where upstream sends records without table_name', () => {
  const rows = [
    { id: 1, data: {} },
    { id: 2, data: {} },
  ];
  const tables = '{ flexDb(id: "FlexDb:7") { records { nodes { id table } } } }';

  test.each([
    ['has no schema', null],
    ['has one table', { fields: { a: 'text' } }],
  ])('is null when the database %s, at the cost of one read of the database', async (_what, schema) => {
    const { ask, received } = await gatewayOverAnswers({ [READ]: { id: 7, schema }, [LIST]: rows });

    expect(await ask(tables)).toMatchObject({ flexDb: { records: { nodes: [{ table: null }, { table: null }] } } });
    expect(received).toEqual([LIST, READ]);
  });

  test.each([
    ['has tables', { id: 7, schema: TABLES }],
    ['does not send its schema', { id: 7 }],
  ])('is an error of each record when the database %s, and no further call', async (_what, database) => {
    const { execute, received } = await gatewayOverAnswers({ [READ]: database, [LIST]: rows });

    const { data, errors } = await execute(tables);

    expect(data).toMatchObject({
      flexDb: { records: { nodes: [{ id: 'FlexRecord:7:1', table: null }, { table: null }] } },
    });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']])).toEqual([
      ['flexDb.records.nodes.0.table', 'UPSTREAM_BAD_RESPONSE'],
      ['flexDb.records.nodes.1.table', 'UPSTREAM_BAD_RESPONSE'],
    ]);
    expect(received).toEqual([LIST, READ]);
  });

  const written = async (mutation: string, more: Readonly<Record<string, unknown>> = {}) => {
    const { ask, received } = await gatewayOverAnswers({
      [CREATED]: { id: 'r', data: {} },
      'PATCH /flex/dbs/7/records/r.json': { id: 'r', data: {} },
      ...more,
    });
    return { data: await ask(`mutation { result: ${mutation} { ... on FlexRecord { id table } } }`), received };
  };

  describe.each([
    ['createFlexRecord', 'db: "FlexDb:7"'],
    ['updateFlexRecord', 'id: "FlexRecord:7:r"'],
  ])('after %s', (field, args) => {
    test.each([
      ['the one that it has when the list shows it', [{ id: 'r', table_name: 't1' }], 't1'],
      ['null when the list lacks the key', [{ id: 'r' }], null],
      ['null when the list cannot be read', undefined, null],
    ])('with null it is %s', async (_what, list, table) => {
      const mutation = `${field}(${args}, input: { table: null, data: {} })`;
      const { data, received } = await written(mutation, list && { [LIST]: list });
      expect(data).toEqual({ result: { id: 'FlexRecord:7:r', table } });
      expect(received.slice(1)).toEqual([LIST]);
    });

    test.each([
      ['that it has, null included, when the list shows it', [{ id: 'r', table_name: null }], null],
      ['that was sent when the list lacks the key', [{ id: 'r' }], 't1'],
      ['that was sent when the list cannot be read', undefined, 't1'],
    ])('with a table it is the one %s', async (_what, list, table) => {
      const mutation = `${field}(${args}, input: { table: "t1", data: {} })`;
      const { data, received } = await written(mutation, list && { [LIST]: list });
      expect(data).toEqual({ result: { id: 'FlexRecord:7:r', table } });
      expect(received.slice(1)).toEqual([LIST]);
    });
  });
});

describe('table_name as the empty text, which means no table', () => {
  const SEARCHED = 'GET /flex/dbs/7/search.json?table_name=&fields=id&limit=5&offset=0';
  const CHANGED = 'PATCH /flex/dbs/7/records/1.json';
  const row = { id: 1, table_name: '', data: { n: 1 } };

  test('is null in a list, in a read by id, in a search and after a write', async () => {
    const { ask } = await gatewayOverAnswers({
      [READ]: { id: 7, schema: TABLES },
      [LIST]: [row, { ...row, id: 2, table_name: 'orders' }],
      [SEARCHED]: [{ id: 1, n: 1 }],
      [CREATED]: row,
      [CHANGED]: { id: 1, data: {} },
    });

    expect(
      await ask(`{
        flexDb(id: "FlexDb:7") { records { nodes { table } } search(table: "", first: 5) { nodes { table } } }
        node(id: "FlexRecord:7:1") { ... on FlexRecord { table } }
      }`),
    ).toEqual({
      flexDb: {
        records: { nodes: [{ table: null }, { table: 'orders' }] },
        search: { nodes: [{ table: null }] },
      },
      node: { table: null },
    });
    expect(
      await ask(`mutation {
        createFlexRecord(db: "FlexDb:7", input: { table: null, data: {} }) { ... on FlexRecord { table } }
        updateFlexRecord(id: "FlexRecord:7:1", input: { table: "", data: {} }) { ... on FlexRecord { table } }
      }`),
    ).toEqual({ createFlexRecord: { table: null }, updateFlexRecord: { table: null } });
  });

  test('names no table in a change that keeps the table of the record', async () => {
    const { ask, received, sent } = await gatewayOverAnswers({
      [READ]: { id: 7, schema: TABLES },
      [LIST]: [row],
      [CHANGED]: row,
    });

    await ask('mutation { updateFlexRecord(id: "FlexRecord:7:1", input: { data: { n: 2 } }) { __typename } }');

    expect(received).toEqual([READ, LIST, CHANGED]);
    expect(JSON.parse(sent.at(-1) ?? '')).toEqual({ record: { data: { n: 2 } } });
  });
});

describe('records(untabled: true)', () => {
  test('are the records of no table, from the same list call', async () => {
    const { ask, sandbox, makeRecords, db } = await flexShop([{ n: 1 }], { schema: TABLES, table: 'orders' });
    makeRecords(db, [{ n: 2 }]);

    const data = await ask(`{ flexDb(id: "shop") {
      none: records(untabled: true) { nodes { table data } }
      explicit: records(table: null, untabled: true) { nodes { data } }
      all: records(untabled: false) { nodes { data } }
    } }`);
    expect(data).toEqual({
      flexDb: {
        none: { nodes: [{ table: null, data: { n: 2 } }] },
        explicit: { nodes: [{ data: { n: 2 } }] },
        all: { nodes: [{ data: { n: 2 } }, { data: { n: 1 } }] },
      },
    });
    expect(sandbox.calls()).toEqual([DB, RECORDS]);
  });

  test('cannot be combined with a table', async () => {
    const { execute, sandbox } = await flexShop();

    const { errors } = await execute(
      '{ flexDb(id: "shop") { records(table: "orders", untabled: true) { nodes { id } } } }',
    );

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'untabled' }] } }]);
    expect(sandbox.calls()).toEqual([DB]);
  });

  test('are all records of a database without tables, even if upstream sends no table_name', async () => {
    const { ask, received } = await gatewayOverAnswers({
      [READ]: { id: 7, schema: null },
      [LIST]: [{ id: 1, data: {} }],
    });

    const data = await ask(
      '{ flexDb(id: "FlexDb:7") { none: records(untabled: true) { nodes { data } } one: records(table: "x") { nodes { data } } } }',
    );
    expect(data).toEqual({ flexDb: { none: { nodes: [{ data: {} }] }, one: { nodes: [] } } });
    expect(received).toEqual([LIST, READ]);
  });

  test('are an error when upstream does not tell the tables of records', async () => {
    const { execute } = await gatewayOverAnswers({ [READ]: { id: 7, schema: TABLES }, [LIST]: [{ id: 1, data: {} }] });

    const { errors } = await execute('{ flexDb(id: "FlexDb:7") { records(untabled: true) { nodes { id } } } }');

    expect(errors).toMatchObject([{ path: ['flexDb', 'records'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });
});

describe('createFlexRecord without a table', () => {
  const create = (db: string, input: string) =>
    `mutation { createFlexRecord(db: "${db}", input: { ${input} }) { ${REFUSAL} ... on FlexRecord { table } } }`;

  test('is refused in a database with tables, given by its code or id, and writes nothing', async () => {
    const { ask, sandbox, db } = await flexShop([], { schema: TABLES });

    for (const given of ['shop', `FlexDb:${db}`]) {
      expect(await ask(create(given, 'data: {}'))).toMatchObject({
        createFlexRecord: { __typename: 'ValidationError', fields: [{ field: 'table' }] },
      });
    }
    expect(sandbox.calls()).toEqual([DB, DB]);
  });

  test('is what null says, in one call by the global id', async () => {
    const { ask, sandbox, db } = await flexShop([], { schema: TABLES });

    expect(await ask(create(`FlexDb:${db}`, 'table: null, data: {}'))).toMatchObject({
      createFlexRecord: { __typename: 'FlexRecord', table: null },
    });
    expect(sandbox.calls()).toEqual([CREATE]);
  });

  test.each([
    ['no schema', null],
    ['one table', { fields: {} }],
    ['a schema that is not sent', undefined],
    ['a schema of another form', 'odd'],
  ])('is sent to a database with %s', async (_what, schema) => {
    const { execute, received } = await gatewayOverAnswers({
      [READ]: { id: 7, ...(schema !== undefined && { schema }) },
      [CREATED]: { id: 'r', data: {} },
    });

    expect((await execute(create('FlexDb:7', 'data: {}'))).data).toMatchObject({
      createFlexRecord: { __typename: 'FlexRecord' },
    });
    expect(received).toEqual([READ, CREATED]);
  });
});

describe('a global id of a record with the code of its database', () => {
  const [UPDATE, DELETE] = ['PATCH /flex/dbs/:db_id/records/:id.json', 'DELETE /flex/dbs/:db_id/records/:id.json'];

  test('is answered with the id of its database', async () => {
    const { execute, sandbox, db, ids } = await flexShop([{ n: 1 }]);
    const [record] = ids;
    const variables = { id: `FlexRecord:shop:${record}` };
    const id = `FlexRecord:${db}:${record}`;

    const read = await execute(
      'query ($id: ID!) { node(id: $id) { id } flexDb(id: "shop") { record(id: $id) { id } } }',
      { variables },
    );
    expect(read).toMatchObject({ data: { node: { id }, flexDb: { record: { id } } }, errors: [] });
    expect(sandbox.calls().sort()).toEqual([RECORDS, DB]);
    sandbox.forgetCalls();

    const written = await execute(
      `mutation ($id: ID!) {
        updateFlexRecord(id: $id, input: { table: null, data: {} }) { ... on FlexRecord { id } }
        deleteFlexRecord(id: $id) { ... on DeletedNode { deletedId } }
      }`,
      { variables },
    );
    expect(written.data).toEqual({ updateFlexRecord: { id }, deleteFlexRecord: { deletedId: id } });
    expect(sandbox.calls()).toEqual([DB, UPDATE, DB, DELETE]);
  });

  test('costs one read of the database for all its records, and none with the id of the database', async () => {
    const { execute, sandbox, makeRecords, db } = await flexShop();
    const records = makeRecords(db, [{ n: 1 }, { n: 2 }]);
    const nodes = async (name: string) =>
      execute('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
        variables: { ids: records.map((record) => `FlexRecord:${name}:${record}`) },
      });

    const byCode = await nodes('shop');
    expect(sandbox.calls()).toEqual([DB, RECORDS]);
    sandbox.forgetCalls();
    const byId = await nodes(db);
    expect(sandbox.calls()).toEqual([RECORDS]);
    expect(byCode.data).toEqual(byId.data);
  });

  test('is null for a code that does not exist', async () => {
    const { execute, sandbox } = await flexGateway();

    expect(await execute('{ node(id: "FlexRecord:gone:1") { id } }')).toMatchObject({
      data: { node: null },
      errors: [],
    });
    expect(sandbox.calls()).toEqual([DB]);
  });
});
