import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DB, flexGateway, flexShop, REFUSAL } from './support.ts';

const UPDATE = 'PATCH /flex/dbs/:id.json';
const update = `mutation ($id: ID!, $input: UpdateFlexDbInput!) {
  updateFlexDb(id: $id, input: $input) { ${REFUSAL} ... on FlexDb { id code } }
}`;

describe('a definition that is read and written back keeps', () => {
  test('the columns of its indexes, by `indexes`', async () => {
    const { execute, makeDb, bodies } = await flexGateway();
    const schema = { fields: { a: 'string', b: 'string' }, indexes: { idx_str_2: 'a', idx_str_1: 'b' } };
    const id = `FlexDb:${makeDb({ schema })}`;
    const read = 'query ($id: ID!) { flexDb(id: $id) { tables { indexedFields fields { name indexColumn } } } }';

    const before = await execute(read, { variables: { id } });
    const table = {
      fields: ['a', 'b'].map((name) => ({ name, type: 'STRING' })),
      indexes: [
        { column: 'idx_str_2', field: 'a' },
        { column: 'idx_str_1', field: 'b' },
      ],
    };
    await execute(update, { variables: { id, input: { schema: { table } } } });

    expect(bodies().at(-1)).toEqual({ db: { schema } });
    expect(await execute(read, { variables: { id } })).toMatchObject({ data: before.data, errors: [] });
    expect(before.data).toEqual({
      flexDb: {
        tables: [
          {
            indexedFields: null,
            fields: [
              { name: 'a', indexColumn: 'idx_str_2' },
              { name: 'b', indexColumn: 'idx_str_1' },
            ],
          },
        ],
      },
    });
  });

  test('everything, by `raw` and `publicMethodsRaw`: unknown parts, and {} as other than true', async () => {
    const schema = { fields: { z: { type: 'string', label: 'Z' } }, indexes: { idx_str_3: 'z' }, version: 2 };
    const public_methods = { list: {}, get: true, export: { format: 'csv' }, delete: false };
    const { execute, ask, sent } = await gatewayOverAnswers({
      'GET /flex/dbs/7.json': { id: 7, schema, public_methods },
      'PATCH /flex/dbs/7.json': { id: 7 },
    });

    expect(await ask('{ flexDb(id: "FlexDb:7") { schema publicMethodsRaw } }')).toEqual({
      flexDb: { schema, publicMethodsRaw: public_methods },
    });
    const input = { schema: { raw: schema }, publicMethodsRaw: public_methods };
    await execute(update.replace('... on FlexDb { id code }', ''), { variables: { id: 'FlexDb:7', input } });

    expect(JSON.parse(sent.at(-1) ?? '')).toEqual({ db: { schema, public_methods } });
  });

  test('nothing of public methods that null clears', async () => {
    const { execute, sent } = await gatewayOverAnswers({ 'PATCH /flex/dbs/7.json': { id: 7 } });

    await execute(update.replace('... on FlexDb { id code }', ''), {
      variables: { id: 'FlexDb:7', input: { publicMethodsRaw: null } },
    });

    expect(sent).toEqual(['{"db":{"public_methods":null}}']);
  });
});

test.each([
  [{ schema: { table: { fields: [], indexes: [], indexedFields: [] } } }, 'schema.table.indexes'],
  [
    {
      schema: {
        tables: [
          {
            name: 't',
            fields: [],
            indexes: [
              { column: 'idx_str_1', field: 'a' },
              { column: 'idx_str_1', field: 'b' },
            ],
          },
        ],
      },
    },
    'schema.tables.0.indexes.1.column',
  ],
  [{ publicMethods: [], publicMethodsRaw: {} }, 'publicMethodsRaw'],
])('%j is refused at %s before any call', async (input, field) => {
  const { ask, received } = await gatewayOverAnswers({});

  expect(await ask(update, { variables: { id: 'FlexDb:7', input } })).toMatchObject({
    updateFlexDb: { __typename: 'ValidationError', fields: [{ field }] },
  });
  expect(received).toEqual([]);
});

test('a field of a type that the gateway does not know is named by its text', async () => {
  const { execute } = await gatewayOverAnswers({
    'GET /flex/dbs/7.json': { id: 7, schema: { fields: { a: 'geo', b: { type: 'money' }, c: 'text', d: {} } } },
  });
  const read = (field: string) => execute(`{ flexDb(id: "FlexDb:7") { tables { fields { ${field} } } } }`);

  expect(await read('typeText')).toMatchObject({
    data: { flexDb: { tables: [{ fields: ['geo', 'money', 'text', null].map((typeText) => ({ typeText })) }] } },
    errors: [],
  });
  expect((await read('type')).errors).toHaveLength(2);
});

test('fields whose names are whole numbers come first, in the schema and in the data', async () => {
  const { execute, ask, sent } = await gatewayOverAnswers({
    'GET /flex/dbs/7.json': { id: 7, schema: JSON.parse('{"fields":{"b":"text","2":"text","1":"text"}}') },
    'PATCH /flex/dbs/7.json': { id: 7 },
  });

  expect(await ask('{ flexDb(id: "FlexDb:7") { tables { fields { name } } } }')).toEqual({
    flexDb: { tables: [{ fields: ['1', '2', 'b'].map((name) => ({ name })) }] },
  });

  const fields = ['b', '2', '1'].map((name) => ({ name, type: 'TEXT' }));
  const input = { schema: { table: { fields, indexedFields: ['b', '2', '1'] } } };
  await execute(update.replace('... on FlexDb { id code }', ''), { variables: { id: 'FlexDb:7', input } });
  expect(sent.at(-1)).toBe(
    '{"db":{"schema":{"fields":{"1":"text","2":"text","b":"text"},"indexed_fields":["b","2","1"]}}}',
  );
});

describe('a change of the code', () => {
  test('by the old code reads the id first, so that the database is found afterwards', async () => {
    const { ask, received } = await gatewayOverAnswers({
      'GET /flex/dbs/old.json': { id: 7, code: 'old' },
      'PATCH /flex/dbs/7.json': { ok: true },
      'GET /flex/dbs/7.json': { id: 7, code: 'new' },
    });

    expect(await ask(update, { variables: { id: 'old', input: { code: 'new' } } })).toEqual({
      updateFlexDb: { __typename: 'FlexDb', id: 'FlexDb:7', code: 'new' },
    });
    expect(received).toEqual(['GET /flex/dbs/old.json', 'PATCH /flex/dbs/7.json', 'GET /flex/dbs/7.json']);
  });

  test.each([
    ['by the global id', (id: string) => `FlexDb:${id}`, { code: 'new' }, [UPDATE]],
    ['by the code', () => 'old', { code: null }, [DB, UPDATE]],
    ['that is none, by the code', () => 'old', { name: 'New' }, [UPDATE]],
  ])('%s costs no more calls than needed', async (_by, given, input, calls) => {
    const { ask, sandbox, db } = await flexShop([], { code: 'old' });

    expect(await ask(update, { variables: { id: given(db), input } })).toMatchObject({
      updateFlexDb: { id: `FlexDb:${db}` },
    });
    expect(sandbox.calls()).toEqual(calls);
  });
});
