import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { gatewayOverAnswers } from '../account/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { DB, flexShop, RECORDS, REFUSAL, UPDATE } from './support.ts';

const tables = {
  orders: { fields: { total: 'number', note: 'text' }, indexed_fields: ['total'] },
  clients: { fields: { name: { type: 'string', required: true } } },
};

const update = `mutation ($id: ID!, $input: UpdateFlexRecordInput!) {
  updateFlexRecord(id: $id, input: $input) { ${REFUSAL} ... on FlexRecord { id table data } }
}`;

const single = { schema: { fields: { total: 'number' } } };
const orders = { schema: { tables }, table: 'orders' };

/** A gateway over a database with a record, in a table or without. `change` updates the record, and has no error. */
async function prepared(database: Parameters<typeof flexShop>[1]) {
  const gateway = await flexShop([{ total: 1, note: 'a' }], database);
  const id = `FlexRecord:${gateway.db}:${gateway.ids[0]}`;
  return { ...gateway, id, change: (input: object) => gateway.ask(update, { variables: { id, input } }) };
}

describe('the table of an update', () => {
  test.each([
    ['a given table is sent, in one call', orders, { table: 'orders' }, [UPDATE], { table_name: 'orders' }],
    [
      'without a table, the current one is read and sent, so that upstream does not move the record',
      orders,
      {},
      [DB, RECORDS, UPDATE],
      { table_name: 'orders' },
    ],
    ['without a table, in a single table, none is sent and no record is read', single, {}, [DB, UPDATE], {}],
    [
      'without a table, in a database without a schema, the record tells that it has none',
      {},
      {},
      [DB, RECORDS, UPDATE],
      {},
    ],
    ['null moves the record to the null table, in one call', orders, { table: null }, [UPDATE], { table_name: null }],
  ])('%s', async (_what, database, table, calls, sent: { table_name?: string | null }) => {
    const { change, sandbox, id } = await prepared(database);

    const changed = { __typename: 'FlexRecord', id, table: sent.table_name ?? null, data: { total: 2 } };
    expect(await change({ ...table, data: { total: 2 } })).toEqual({ updateFlexRecord: changed });
    expect(sandbox.calls()).toEqual(calls);
    expect(sandbox.requests.at(-1)?.body).toEqual({ record: { ...sent, data: { total: 2 } } });
  });

  test('data is sent as it is given, and shown as upstream converts it', async () => {
    const { change, sandbox } = await prepared(orders);

    expect(await change({ data: { total: '3' } })).toMatchObject({ updateFlexRecord: { data: { total: 3 } } });
    expect(sandbox.requests.at(-1)?.body).toMatchObject({ record: { data: { total: '3' } } });
  });

  test('a record of the null table in a database with tables stays there', async () => {
    const { change, sandbox } = await prepared(orders);
    await change({ table: null, data: {} });
    sandbox.forgetCalls();

    expect(await change({ data: { n: 1 } })).toMatchObject({ updateFlexRecord: { table: null, data: { n: 1 } } });
    expect(sandbox.calls()).toEqual([DB, RECORDS, UPDATE]);
  });

  const withTables = { id: '7', schema: { tables: { orders: { fields: {} } } } };

  test.each([false, true])(
    'an update is refused before the write when upstream does not return the table: merge %s',
    async (merge) => {
      const { ask, received } = await gatewayOverAnswers({
        'GET /flex/dbs/7.json': withTables,
        'GET /flex/dbs/7/records.json': [{ id: 'r', data: { n: 1 } }],
      });

      const data = await ask(update, {
        variables: { id: 'FlexRecord:7:r', input: { data: { n: 2 }, merge } },
      });
      expect(data).toMatchObject({
        updateFlexRecord: {
          __typename: 'ValidationError',
          message: expect.stringContaining('null table'),
          fields: [{ field: 'table' }],
        },
      });
      expect(received.filter((call) => !call.startsWith('GET '))).toEqual([]);
      expect(received).toHaveLength(2);
    },
  );

  test('a table that upstream does not return is not needed without tables, or with a given table', async () => {
    const { execute, received, sent } = await gatewayOverAnswers({
      'GET /flex/dbs/7.json': { id: '7', schema: { fields: {} } },
      'PATCH /flex/dbs/7/records/r.json': { id: 'r', data: {} },
    });

    await execute(update.replace('table data', ''), { variables: { id: 'FlexRecord:7:r', input: { data: {} } } });
    expect(received).toEqual(['GET /flex/dbs/7.json', 'PATCH /flex/dbs/7/records/r.json']);
    await execute(update.replace('table data', ''), {
      variables: { id: 'FlexRecord:7:r', input: { table: 't', data: {} } },
    });
    expect(received.slice(2)).toEqual(['PATCH /flex/dbs/7/records/r.json']);
    expect(sent.filter((body) => body !== '')).toEqual([
      '{"record":{"data":{}}}',
      '{"record":{"table_name":"t","data":{}}}',
    ]);
  });
});

describe('an update without data', () => {
  test.each([
    ['a table', { table: 'clients' }, 'clients'],
    ['the null table', { table: null }, null],
    ['a table, and null for the data', { table: 'clients', data: null, merge: false }, 'clients'],
  ])('sends %s alone, in one call, and upstream keeps the data', async (_what, input, table) => {
    const { change, sandbox, id } = await prepared({ schema: { tables: { ...tables, clients: { fields: {} } } } });

    const moved = { __typename: 'FlexRecord', id, table, data: { total: 1, note: 'a' } };
    expect(await change(input)).toEqual({ updateFlexRecord: moved });
    expect(sandbox.calls()).toEqual([UPDATE]);
    expect(sandbox.requests.at(-1)?.body).toEqual({ record: { table_name: table } });
  });

  test.each([
    [{}, 'input', 'changes nothing: give at least one field'],
    [{ data: null, merge: null }, 'input', 'changes nothing: give at least one field'],
    [{ merge: true }, 'data', 'is required for a merge'],
    [{ table: 'orders', data: null, merge: true }, 'data', 'is required for a merge'],
  ])('%j is refused before a call, also where the id has the code of its database', async (input, field, message) => {
    const { ask, sandbox, ids } = await prepared({ ...orders, code: 'shop' });
    sandbox.forgetCalls();
    const id = `FlexRecord:shop:${ids[0]}`;

    const refusal = { __typename: 'ValidationError', fields: [{ field, messages: [message] }] };
    const bulk = `mutation ($inputs: [FlexRecordChange!]!) { updateFlexRecords(inputs: $inputs) { ${REFUSAL} } }`;
    expect(await ask(update, { variables: { id, input } })).toMatchObject({ updateFlexRecord: refusal });
    expect(await ask(bulk, { variables: { inputs: [{ id, input }] } })).toMatchObject({ updateFlexRecords: [refusal] });
    expect(sandbox.calls()).toEqual([]);
  });

  test('with `ifUpdatedAt` reads the record first, as each update does', async () => {
    const { ask, sandbox, id } = await prepared(orders);
    const ifUpdatedAt = `mutation ($id: ID!, $at: DateTime) {
      updateFlexRecord(id: $id, input: { table: "orders" }, ifUpdatedAt: $at) { ${REFUSAL} }
    }`;
    const read = z.object({ node: z.object({ updatedAt: z.string() }) });
    const { node } = read.parse(
      await ask('query ($id: ID!) { node(id: $id) { ... on FlexRecord { updatedAt } } }', { variables: { id } }),
    );
    sandbox.forgetCalls();

    const stale = await ask(ifUpdatedAt, { variables: { id, at: '2020-01-01T00:00:00Z' } });
    expect(stale).toMatchObject({ updateFlexRecord: { __typename: 'ConflictError' } });
    expect(sandbox.calls()).toEqual([RECORDS]);
    const fresh = await ask(ifUpdatedAt, { variables: { id, at: node.updatedAt } });
    expect(fresh).toMatchObject({ updateFlexRecord: { __typename: 'FlexRecord' } });
    expect(sandbox.calls()).toEqual([RECORDS, RECORDS, UPDATE]);
  });
});

describe('merge', () => {
  test.each([
    ['its table', { data: { total: 9 } }, 'orders', { total: 9, note: 'a' }],
    ['the given table', { table: null, data: { more: 1 } }, null, { total: 1, note: 'a', more: 1 }],
  ])('merge sends the current values, overwritten by the given ones, and %s', async (_which, input, table, merged) => {
    const { change, sandbox } = await prepared(orders);

    expect(await change({ ...input, merge: true })).toMatchObject({ updateFlexRecord: { table, data: merged } });
    expect(sandbox.calls()).toEqual([RECORDS, UPDATE]);
    expect(sandbox.requests.at(-1)?.body).toEqual({ record: { table_name: table, data: merged } });
  });

  test('merge overwrites a value by null and keeps an absent one; without merge all data is replaced', async () => {
    const { change } = await prepared({});

    expect(await change({ data: { note: null }, merge: true })).toMatchObject({
      updateFlexRecord: { data: { total: 1, note: null } },
    });
    for (const merge of [false, null, undefined]) {
      expect(await change({ data: { last: 1 }, merge })).toMatchObject({ updateFlexRecord: { data: { last: 1 } } });
    }
  });

  test('merge keeps __proto__ and constructor as plain keys', async () => {
    const { execute, sent } = await gatewayOverAnswers({
      'GET /flex/dbs/7/records.json': [{ id: 'r', table_name: null, data: JSON.parse('{"__proto__":{"a":1},"z":1}') }],
      'PATCH /flex/dbs/7/records/r.json': { id: 'r' },
    });

    const input = { data: JSON.parse('{"constructor":2,"z":3}'), merge: true };
    await execute(update.replace('table data', ''), { variables: { id: 'FlexRecord:7:r', input } });

    expect(sent.at(-1)).toBe('{"record":{"data":{"__proto__":{"a":1},"z":3,"constructor":2}}}');
    expect(Object.prototype).not.toHaveProperty('a');
  });

  describe('merge does not turn a number that JavaScript would round into a text', () => {
    const merge = async (stored: string, data: object) => {
      const record = `[{"id":"r","table_name":null,"data":${stored}}]`;
      const stub = await stubUpstream((request, response) => {
        says(request.method === 'GET' ? record : '{"id":"r"}')(request, response);
      });
      const { execute } = await gatewayOver(stub.url, {}, 'secret');
      const input = { data, merge: true };
      const { errors } = await execute(update.replace('table data', ''), {
        variables: { id: 'FlexRecord:7:r', input },
      });
      return { errors, received: stub.received };
    };

    test.each([
      ['list.0', '{"list":[9007199254740992]}', { n: 1 }],
      ['n', '{"n":9007199254740993}', { m: 1 }],
      ['n', '{"n":0.1234567890123456789}', { m: 1 }],
      ['a.n', '{"a":{"n":-9007199254740993},"n":9007199254740993}', { n: 1 }],
    ])('at %s of %s', async (path, stored, data) => {
      const { errors, received } = await merge(stored, data);

      expect(errors).toMatchObject([
        {
          message: expect.stringContaining(`number at ${path} has more digits than JavaScript holds`),
          extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
        },
      ]);
      expect(received).toEqual(['GET /flex/dbs/7/records.json']);
    });

    test.each([
      ['{"n":9007199254740993}', { n: '9007199254740994' }],
      ['{"n":0.1234567890123456789}', { n: '0.2' }],
      ['{"n":"9007199254740993"}', { m: 1 }],
    ])('%s is written with %j: the number is replaced, or a text already', async (stored, data) => {
      const { errors, received } = await merge(stored, data);

      expect(errors).toEqual([]);
      expect(received).toContain('PATCH /flex/dbs/7/records/r.json');
    });
  });
});

describe('an update of a record that does not exist', () => {
  test.each([
    [{ data: {} }, [DB, RECORDS]],
    [{ data: { n: 1 }, merge: true }, [RECORDS]],
    [{ data: {}, table: 'orders' }, [UPDATE]],
  ])('a missing record is a NotFoundError, and nothing is written: %j', async (input, calls) => {
    const { ask, sandbox, db } = await flexShop([], { schema: { tables } });

    expect(await ask(update, { variables: { id: `FlexRecord:${db}:gone`, input } })).toMatchObject({
      updateFlexRecord: { __typename: 'NotFoundError' },
    });
    expect(sandbox.calls()).toEqual(calls);
  });
});

test('a response without the record makes the gateway read the record', async () => {
  const { ask, received } = await gatewayOverAnswers({
    'PATCH /flex/dbs/7/records/r.json': { ok: true },
    'GET /flex/dbs/7/records.json': [{ id: 'r', table_name: 't', data: { n: 2 } }],
  });

  const data = await ask(update, {
    variables: { id: 'FlexRecord:7:r', input: { table: 't', data: { n: 2 } } },
  });
  expect(data).toMatchObject({ updateFlexRecord: { id: 'FlexRecord:7:r', table: 't', data: { n: 2 } } });
  expect(received).toEqual(['PATCH /flex/dbs/7/records/r.json', 'GET /flex/dbs/7/records.json']);
});

test('a record that was read before an update is read again after it', async () => {
  const { ask, sandbox, id } = await prepared(orders);

  const data = await ask(
    `mutation ($id: ID!) {
      a: updateFlexRecord(id: $id, input: { data: { total: 2 }, merge: true }) { ... on FlexRecord { data } }
      b: updateFlexRecord(id: $id, input: { data: { note: "b" }, merge: true }) { ... on FlexRecord { data } }
    }`,
    { variables: { id } },
  );
  expect(data).toEqual({ a: { data: { total: 2, note: 'a' } }, b: { data: { total: 2, note: 'b' } } });
  expect(sandbox.calls()).toEqual([RECORDS, UPDATE, RECORDS, UPDATE]);
});
