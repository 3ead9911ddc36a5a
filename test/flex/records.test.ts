import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { CREATE, DB, flexGateway, flexShop, numbered, RECORDS, REFUSAL } from './support.ts';

const DELETE = 'DELETE /flex/dbs/:db_id/records/:id.json';
const tables = {
  orders: { fields: { total: { type: 'number', required: true }, note: 'text' } },
  clients: { fields: { name: { type: 'string', required: true } } },
};

const create = `mutation ($db: ID!, $input: FlexRecordInput!) {
  createFlexRecord(db: $db, input: $input) { ${REFUSAL} ... on FlexRecord { id upstreamId table data createdAt updatedAt } }
}`;

describe('createFlexRecord', () => {
  test.each([
    ['global id', (id: string) => `FlexDb:${id}`, [DB, CREATE]],
    ['id', (id: string) => id, [DB, CREATE]],
    ['code', () => 'shop', [DB, CREATE]],
  ] as const)('creates a record in a database given by its %s', async (_by, named, calls) => {
    const { ask, sandbox, db } = await flexShop();

    const data = await ask(create, {
      variables: { db: named(db), input: { data: { b: [1], a: null } } },
    });
    expect(data).toMatchObject({
      createFlexRecord: {
        id: expect.stringMatching(new RegExp(`^FlexRecord:${db}:.{36}$`)),
        table: null,
        data: { b: [1], a: null },
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(sandbox.calls()).toEqual(calls);
    expect(sandbox.requests.at(-1)).toMatchObject({ body: { record: { data: { b: [1], a: null } } } });
  });

  test('sends the table; upstream validates and converts the data by its rules', async () => {
    const { ask, bodies, makeDb } = await flexGateway();
    const db = `FlexDb:${makeDb({ schema: { tables } })}`;

    const input = { table: 'orders', data: { total: '12.50', note: 'x' } };
    expect(await ask(create, { variables: { db, input } })).toMatchObject({
      createFlexRecord: { table: 'orders', data: { total: 12.5, note: 'x' } },
    });
    expect(bodies()).toEqual([{ record: { table_name: 'orders', data: { total: '12.50', note: 'x' } } }]);
  });

  test('a field that the response lacks is read from the list when it is selected', async () => {
    const { execute, received } = await gatewayOverAnswers({
      'POST /flex/dbs/7/records.json': { id: 'r', data: { n: 1 } },
      'GET /flex/dbs/7/records.json': [{ id: 'r', table_name: 't', data: {}, created_at: '2026-03-01T08:00:00Z' }],
    });
    const mutation = (fields: string) =>
      `mutation { createFlexRecord(db: "FlexDb:7", input: { table: "t", data: {} }) { ... on FlexRecord { ${fields} } } }`;

    expect((await execute(mutation('id data'))).data).toEqual({
      createFlexRecord: { id: 'FlexRecord:7:r', data: { n: 1 } },
    });
    expect(received).toEqual(['POST /flex/dbs/7/records.json']);
    expect((await execute(mutation('table createdAt updatedAt'))).data).toEqual({
      createFlexRecord: { table: 't', createdAt: '2026-03-01T08:00:00Z', updatedAt: null },
    });
    expect(received.slice(1)).toEqual(['POST /flex/dbs/7/records.json', 'GET /flex/dbs/7/records.json']);
  });
});

describe('deleteFlexRecord', () => {
  const remove = 'mutation ($id: ID!) { deleteFlexRecord(id: $id) { __typename ... on DeletedNode { deletedId } } }';

  test('deletes one record in one call and returns its global id', async () => {
    const { ask, sandbox, db, ids } = await flexShop(numbered(2));
    const [first, second] = ids;

    expect(await ask(remove, { variables: { id: `FlexRecord:${db}:${first}` } })).toEqual({
      deleteFlexRecord: { __typename: 'DeletedNode', deletedId: `FlexRecord:${db}:${first}` },
    });
    expect(sandbox.calls()).toEqual([DELETE]);
    expect(await ask('{ flexDb(id: "shop") { records { nodes { upstreamId } } } }')).toEqual({
      flexDb: { records: { nodes: [{ upstreamId: second }] } },
    });
  });

  test.each(['', 'r', 'FlexRecord:', 'FlexRecord:a', 'FlexRecord:7:', 'FlexRecord::r', 'FlexDb:7', ':r'])(
    'the id %j is not of a record, so it is refused before any call',
    async (id) => {
      const { ask, sandbox } = await flexGateway();

      const data = await ask(`mutation ($id: ID!) { deleteFlexRecord(id: $id) { ${REFUSAL} } }`, {
        variables: { id },
      });
      expect(data).toEqual({
        deleteFlexRecord: {
          __typename: 'ValidationError',
          message: expect.stringContaining('FlexRecord'),
          fields: [{ field: 'id', messages: [expect.any(String)] }],
        },
      });
      expect(sandbox.calls()).toEqual([]);
    },
  );
});

describe('data(fields:)', () => {
  test('data(fields:) returns only the requested fields that the record has, in the requested order', async () => {
    const { execute, sandbox } = await flexShop([JSON.parse('{"a":1,"b":null,"__proto__":{"x":1},"c":3}')]);

    const { data } = await execute(`{ flexDb(id: "shop") { records { nodes {
      some: data(fields: ["c", "b", "toString", "gone"]) proto: data(fields: ["__proto__"]) none: data(fields: []) all: data
    } } } }`);

    expect(JSON.stringify(data)).toBe(
      '{"flexDb":{"records":{"nodes":[{"some":{"c":3,"b":null},"proto":{"__proto__":{"x":1}},"none":{},' +
        '"all":{"a":1,"b":null,"__proto__":{"x":1},"c":3}}]}}}',
    );
    expect(sandbox.calls()).toEqual([DB, RECORDS]);
  });
});
