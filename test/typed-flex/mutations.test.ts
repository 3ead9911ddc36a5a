import { describe, expect, test } from 'vitest';
import { snapshotFile } from './snapshot-files.ts';
import { sharedTypedDatabase } from './support.ts';
import { CREATE, gatewayOverText, RECORDS, REFUSAL, SEARCH, UPDATE } from '../flex/support.ts';

const DELETE = 'DELETE /flex/dbs/:db_id/records/:id.json';

const definition = {
  title: { type: 'string', required: true },
  count: 'integer',
  price: 'number',
  done: 'boolean',
  due_at: 'datetime',
};
const schema = { tables: { tasks: { fields: definition }, notes: { fields: { text: 'text' } } } };

const openShop = sharedTypedDatabase({ code: 'shop', schema });

const ALL = `__typename id title count price done dueAt extra`;
const creation = `mutation ($input: CreateShopTaskInput!) { createShopTask(input: $input) { ${REFUSAL} ... on ShopTask { ${ALL} } } }`;
const change = `mutation ($id: ID!, $input: UpdateShopTaskInput!) { updateShopTask(id: $id, input: $input) { ${REFUSAL} ... on ShopTask { ${ALL} } } }`;
const deletion = `mutation ($id: ID!) { deleteShopTask(id: $id) { ${REFUSAL} ... on DeletedNode { deletedId } } }`;

describe('a creation', () => {
  test('sends the table and the values under the keys of the definition', async () => {
    const { ask, sandbox } = await openShop();
    const input = {
      title: 'Oak',
      count: '9007199254740993',
      price: '19.90',
      done: false,
      dueAt: '2026-03-01T08:00:00.000Z',
      extra: { size: { w: 3 } },
    };

    expect(await ask(creation, { variables: { input } })).toEqual({
      createShopTask: {
        ...input,
        __typename: 'ShopTask',
        id: expect.stringMatching(/^ShopTask:./),
        price: '19.9',
      },
    });
    expect(sandbox.calls()).toEqual([CREATE]);
    expect(sandbox.requests[0]?.body).toEqual({
      record: {
        table_name: 'tasks',
        data: {
          title: 'Oak',
          count: 9_007_199_254_740_993n,
          price: 19.9,
          done: false,
          due_at: '2026-03-01T08:00:00.000Z',
          size: { w: 3 },
        },
      },
    });
  });

  test('with null is another write than without the field, under one key', async () => {
    const { execute } = await openShop();
    const absent = 'absent: createShopTask(input: { title: "x" }) { ... on ShopTask { id } }';
    const none = 'none: createShopTask(input: { title: "x", price: null }) { ... on ShopTask { id } }';
    const under = async (text: string) => execute(`mutation { ${text} }`, { headers: { 'idempotency-key': 'k' } });
    const first = await under(`${absent} ${none}`);
    expect(first.errors).toEqual([]);
    expect((await under(`${none} ${absent}`)).data).toEqual(first.data);
  });

  test('without an optional field sends no key, and with null sends null', async () => {
    const { ask, sandbox } = await openShop();

    expect(await ask(creation, { variables: { input: { title: 'Oak', count: null } } })).toMatchObject({
      createShopTask: { title: 'Oak', count: null, done: null, extra: {} },
    });
    expect(sandbox.requests[0]?.body).toEqual({ record: { table_name: 'tasks', data: { title: 'Oak', count: null } } });
  });

  test('without a required field is no valid operation', async () => {
    const { execute, sandbox } = await openShop();

    expect((await execute(creation, { variables: { input: { count: 1 } } })).errors).toMatchObject([
      { extensions: { outcome: 'REFUSED' } },
    ]);
    expect(sandbox.calls()).toEqual([]);
  });

  test('that upstream refuses names the fields of the input', async () => {
    const { ask } = await openShop();

    const data = await ask(creation, {
      variables: { input: { title: '', dueAt: '2026-03-01T08:00:00Z' } },
    });
    expect(data).toMatchObject({
      createShopTask: { __typename: 'ValidationError', fields: [{ field: 'title', messages: ['is required'] }] },
    });
  });

  test('with a key of a field in `extra` is refused before any call', async () => {
    const { ask, sandbox } = await openShop();

    expect(await ask(creation, { variables: { input: { title: 'Oak', extra: { due_at: 'x' } } } })).toMatchObject({
      createShopTask: { __typename: 'ValidationError', fields: [{ field: 'extra.due_at' }] },
    });
    expect(sandbox.calls()).toEqual([]);
  });

  test.each(['9223372036854775808', '1.5', 'x', 1.5, 2 ** 53])('takes no integer %j', async (count) => {
    const { execute, sandbox } = await openShop();

    expect((await execute(creation, { variables: { input: { title: 'Oak', count } } })).errors).toMatchObject([
      { message: expect.stringContaining('Expected a whole number of 64 bits') },
    ]);
    expect(sandbox.calls()).toEqual([]);
  });
});

describe('an update', () => {
  test('reads the record and sends its values with the new ones, each with its digits', async () => {
    const { ask, sandbox, makeRecords } = await openShop();
    const [id = ''] = makeRecords([{ title: 'Oak', count: 9_007_199_254_740_993n, done: true, size: 3 }], 'tasks');

    expect(await ask(change, { variables: { id, input: { price: '0.5', done: null } } })).toEqual({
      updateShopTask: {
        __typename: 'ShopTask',
        id: `ShopTask:${id}`,
        title: 'Oak',
        count: '9007199254740993',
        price: '0.5',
        done: null,
        dueAt: null,
        extra: { size: 3 },
      },
    });
    expect(sandbox.calls()).toEqual([RECORDS, UPDATE]);
    expect(sandbox.requests[1]?.body).toEqual({
      record: {
        table_name: 'tasks',
        data: { title: 'Oak', count: 9_007_199_254_740_993n, price: 0.5, done: null, size: 3 },
      },
    });
  });

  test('of a record of another table finds none, and changes nothing', async () => {
    const { ask, sandbox, makeRecords } = await openShop();
    const [id = ''] = makeRecords([{ text: 'a note' }], 'notes');

    expect(await ask(change, { variables: { id: `ShopTask:${id}`, input: { title: 'Oak' } } })).toMatchObject({
      updateShopTask: { __typename: 'NotFoundError' },
    });
    expect(sandbox.calls()).toEqual([RECORDS]);
  });

  test('of a global id of another type is refused before any call', async () => {
    const { ask, sandbox } = await openShop();

    expect(await ask(change, { variables: { id: 'ShopNote:1', input: { title: 'Oak' } } })).toMatchObject({
      updateShopTask: { __typename: 'ValidationError', fields: [{ field: 'id' }] },
    });
    expect(sandbox.calls()).toEqual([]);
  });
});

describe('a deletion', () => {
  test('of a record that it has deleted under its key is given again, and no record of another table goes', async () => {
    const { execute, makeRecords } = await openShop();
    const [id = ''] = makeRecords([{ title: 'a' }], 'tasks');
    const [note = ''] = makeRecords([{ text: 'b' }], 'notes');
    const under = async (key: string, given: string) =>
      execute(deletion, { variables: { id: given }, headers: { 'idempotency-key': key } });

    const first = await under('one', id);
    expect(first.data).toEqual({ deleteShopTask: { __typename: 'DeletedNode', deletedId: `ShopTask:${id}` } });
    expect((await under('one', id)).data).toEqual(first.data);
    expect((await under('other', id)).data).toMatchObject({ deleteShopTask: { __typename: 'NotFoundError' } });
    expect((await under('note', note)).data).toMatchObject({ deleteShopTask: { __typename: 'NotFoundError' } });
    const { data } = await execute('query ($id: ID!) { node(id: $id) { id } }', {
      variables: { id: `ShopNote:${note}` },
    });
    expect(data).toEqual({ node: { id: `ShopNote:${note}` } });
  });

  test('deletes a record of the table, and no other one', async () => {
    const { execute, sandbox, makeRecords } = await openShop();
    const [id = '', kept = ''] = [...makeRecords([{ title: 'Oak' }], 'tasks'), ...makeRecords([{}], 'notes')];

    const gone = await execute(deletion, { variables: { id: `ShopTask:${id}` } });
    const refused = await execute(deletion, { variables: { id: kept } });

    expect(gone.data).toEqual({ deleteShopTask: { __typename: 'DeletedNode', deletedId: `ShopTask:${id}` } });
    expect(refused.data).toMatchObject({ deleteShopTask: { __typename: 'NotFoundError' } });
    expect(sandbox.calls()).toEqual([RECORDS, DELETE, RECORDS]);
  });
});

test('what was written is found by its values, long integers by all of their digits', async () => {
  const { execute, ask, sandbox } = await openShop();
  for (const count of ['9007199254740995', '9007199254740996']) {
    await execute(creation, { variables: { input: { title: count, count } } });
  }
  sandbox.forgetCalls();

  const data = await ask('{ shop { tasks(filter: { count: 9007199254740995 }) { nodes { title count } } } }');
  expect(data).toEqual({ shop: { tasks: { nodes: [{ title: '9007199254740995', count: '9007199254740995' }] } } });
  expect(sandbox.calls()).toEqual([SEARCH]);
});

test('messages about one part of an input under several names of upstream are all kept', async () => {
  const refused = { 'data.title': ['is odd'], title: ['is short'], data: ['is new'], '': ['is late'] };
  const FLEX_SCHEMA = await snapshotFile({ id: '7', code: 'shop', schema });
  const { ask } = await gatewayOverText(JSON.stringify({ errors: refused }), {
    status: 422,
    settings: { FLEX_SCHEMA },
  });

  expect(await ask(`mutation { createShopTask(input: { title: "x" }) { ${REFUSAL} } }`)).toMatchObject({
    createShopTask: {
      fields: [
        { field: 'title', messages: ['is odd', 'is short'] },
        { field: 'input', messages: ['is new', 'is late'] },
      ],
    },
  });
});

test('a change without a field is refused before a call', async () => {
  const { ask, sandbox } = await openShop();
  const fields = [{ field: 'input', messages: ['changes nothing: give at least one field'] }];
  const data = await ask(change, { variables: { id: 'ShopTask:1', input: {} } });
  expect(data).toEqual({ updateShopTask: expect.objectContaining({ fields }) });
  expect(sandbox.calls()).toEqual([]);
});
