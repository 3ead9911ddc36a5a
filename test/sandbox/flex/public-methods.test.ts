import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { flexSandbox, refusal, uuid } from './support.ts';

const operations = ['list', 'get', 'create', 'update', 'delete', 'search'];
const open = Object.fromEntries(operations.map((name) => [name, true]));
const answered = z.looseObject({ id: z.string(), data: z.record(z.string(), z.unknown()) });

/** A database `d` with these public methods. */
async function published(public_methods: object = open, schema: unknown = null) {
  const context = await flexSandbox();
  const { id } = await context.makeDatabase({ public_methods, schema });
  const create = async (data: unknown) => answered.parse((await context.callPublic('create', { data })).body);
  return { ...context, database: id, create };
}

describe('a method that is true has no restrictions, and needs no authorization', () => {
  test('create answers id, data, created_at and updated_at', async () => {
    const { callPublic, listed } = await published();
    const { status, body, headers } = await callPublic('create', { data: { a: [1], b: null } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(uuid),
      data: { a: [1], b: null },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(headers.get('set-cookie')).toBeNull();
    expect(await listed()).toMatchObject([{ data: { a: [1], b: null } }]);
  });

  test('get answers one record, list an array of records, newest first', async () => {
    const { callPublic, create } = await published();
    const [first, second] = [await create({ n: 1 }), await create({ n: 2 })];
    expect(await callPublic('get', { id: first.id })).toMatchObject({ status: 200, body: first });
    expect((await callPublic('list')).body).toEqual([second, first]);
  });

  test('update changes the fields that it is sent', async () => {
    const { callPublic, create } = await published();
    const { id } = await create({ a: 1, b: 2 });
    expect(await callPublic('update', { id, data: { b: 3 } })).toMatchObject({
      status: 200,
      body: { id, data: { a: 1, b: 3 } },
    });
    expect((await callPublic('get', { id })).body).toMatchObject({ data: { a: 1, b: 3 } });
  });

  test('delete removes the record', async () => {
    const { callPublic, create } = await published();
    const { id } = await create({});
    expect(await callPublic('delete', { id })).toMatchObject({ status: 200, body: { id } });
    for (const method of ['get', 'delete']) expect((await callPublic(method, { id })).status).toBe(404);
  });

  test('search takes q, sort, limit and offset, but neither filter nor fields', async () => {
    const { callPublic, create } = await published();
    for (const name of ['Ćma', 'Żuk', 'żaba']) await create({ name, kind: 'x' });
    const names = async (params: object) =>
      z
        .array(z.object({ name: z.string(), kind: z.string() }))
        .parse((await callPublic('search', params)).body)
        .map(({ name }) => name);
    expect(await names({ q: 'Ż*' })).toEqual(['żaba', 'Żuk']);
    expect(await names({ sort: '-name', limit: 2 })).toEqual(['żaba', 'Żuk']);
    expect(await names({ sort: 'name', offset: '1', limit: '1' })).toEqual(['Żuk']);
    expect(
      await names({ fields: 'name', filter: { name: 'Żuk' }, 'filter[name]': 'Żuk', search_in: 'kind', q: 'a' }),
    ).toHaveLength(2);
  });
});

test('GET takes parameters from the query', async () => {
  const { call } = await published();
  const get = (path: string) => call('GET', `/flex/db/d/${path}`);
  const { id } = answered.parse((await get('create?data[a]=x&data[b]=y')).body);
  expect(await get(`get?id=${id}`)).toMatchObject({ status: 200, body: { data: { a: 'x', b: 'y' } } });
  expect((await get(`update?id=${id}&data[a]=z`)).body).toMatchObject({ data: { a: 'z', b: 'y' } });
  expect((await get('list?limit=1')).body).toHaveLength(1);
  expect((await get('search?q=nothing')).body).toEqual([]);
  expect((await get(`delete?id=${id}`)).status).toBe(200);
});

test('list takes limit and offset', async () => {
  const { sandbox, database, callPublic } = await published();
  sandbox.store.createFlexRecords(
    database,
    Array.from({ length: 30 }, (_, n) => ({ n })),
  );
  const listed = async (params: object) =>
    z
      .array(answered)
      .parse((await callPublic('list', params)).body)
      .map(({ data }) => data['n']);
  expect(await listed({})).toHaveLength(20);
  expect(await listed({ limit: 2, offset: 5 })).toEqual([24, 23]);
  for (const limit of [0, -1, 1.5, 'x', {}])
    expect(await callPublic('list', { limit })).toMatchObject(refusal('limit'));
});

test('list has no highest limit, as search has', async () => {
  const { callPublic, sandbox, database } = await published();
  sandbox.store.createFlexRecords(
    database,
    Array.from({ length: 250 }, (_, n) => ({ n })),
  );
  expect((await callPublic('list', { limit: 101 })).body).toHaveLength(101);
  expect((await callPublic('list', { limit: '1000' })).body).toHaveLength(250);
  expect(await callPublic('search', { limit: 101 })).toMatchObject(refusal('limit'));
});

describe('404', () => {
  test.each(operations)('%s, when it is off', async (method) => {
    for (const methods of [{}, { [method]: false }, { [method]: null }]) {
      const { callPublic } = await published(methods);
      expect((await callPublic(method)).status).toBe(404);
    }
    const { callPublic } = await published({ [method]: true });
    expect((await callPublic(method)).status).not.toBe(404);
  });

  test.each([
    '/flex/db/z/list',
    '/flex/db/d/destroy',
    '/flex/db/d/constructor',
    '/flex/db/d/list.json',
    '/flex/db/%00/list',
  ])('%s', async (path) => {
    const { call } = await published();
    expect((await call('POST', path)).status).toBe(404);
  });

  test('an id in the place of the code', async () => {
    const { call, database } = await published();
    expect((await call('POST', `/flex/db/${database}/list`)).status).toBe(404);
  });

  test('a record of another database', async () => {
    const { callPublic, makeDatabase, makeRecord } = await published();
    await makeDatabase({ code: 'other' });
    const { id } = await makeRecord({ a: 1 }, null, 'other');
    for (const method of ['get', 'update', 'delete'])
      expect((await callPublic(method, { id, data: {} })).status).toBe(404);
  });
});

test.each([{}, { id: '' }, { id: 7.5 }, { id: true }, { id: {} }, { id: null }])(
  'get, update and delete without an id (%j) are 422',
  async (params) => {
    const { callPublic } = await published();
    for (const method of ['get', 'update', 'delete'])
      expect(await callPublic(method, params)).toMatchObject(refusal('id'));
  },
);

test('get, update and delete take a number as an id: that of a record with the same digits', async () => {
  const { callPublic } = await published();
  for (const method of ['get', 'update', 'delete'])
    expect((await callPublic(method, { id: 7, data: {} })).status).toBe(404);
});

test.each([{}, { data: null }, { data: [] }, { data: 'x' }])('create without data (%j) is 422', async (params) => {
  const { callPublic } = await published();
  expect(await callPublic('create', params)).toMatchObject(refusal('data'));
});

describe('options', () => {
  test('allowed_fields: others are ignored, on update too, and stay as they were', async () => {
    const options = { allowed_fields: ['a'] };
    const { callPublic, create, makeRecord } = await published({ create: options, update: options });
    expect((await create({ a: 1, b: 2, __proto__: 3 })).data).toEqual({ a: 1 });
    const { id } = await makeRecord({ a: 1, approved: true });
    expect((await callPublic('update', { id, data: { a: 2, approved: false } })).body).toMatchObject({
      data: { a: 2, approved: true },
    });
  });

  test('required_fields: missing ones are 422 by field', async () => {
    const options = { required_fields: ['a', 'b'] };
    const { callPublic, makeRecord } = await published({ create: options, update: options });
    for (const data of [{}, { a: null, b: '' }])
      expect(await callPublic('create', { data })).toMatchObject(refusal('a', 'b'));
    expect((await callPublic('create', { data: { a: 0, b: false } })).status).toBe(201);
    const { id } = await makeRecord({ a: 1, b: 2 });
    expect((await callPublic('update', { id, data: { a: 2 } })).status).toBe(200);
    expect(await callPublic('update', { id, data: { a: null } })).toMatchObject(refusal('a'));
  });

  test('a required field that is not allowed can only be filled in', async () => {
    const options = { allowed_fields: ['a'], required_fields: ['b'] };
    expect(await (await published({ create: options })).callPublic('create', { data: { b: 1 } })).toMatchObject(
      refusal('b'),
    );
    const { create } = await published({ create: { ...options, default_values: { b: 2 } } });
    expect((await create({ b: 1 })).data).toEqual({ b: 2 });
  });

  test('default_values fill in missing fields', async () => {
    const { create } = await published({ create: { default_values: { state: 'new', tags: [1], n: 0 } } });
    expect((await create({ state: 'old', n: null })).data).toEqual({ state: 'old', tags: [1], n: null });
  });

  test('allowed_params: other parameters of the search are ignored', async () => {
    const { callPublic, create } = await published({ create: true, search: { allowed_params: ['q'] } });
    for (const n of [1, 2]) await create({ n });
    expect((await callPublic('search', { limit: 1, sort: 'n' })).body).toMatchObject([{ n: 2 }, { n: 1 }]);
    expect((await callPublic('search', { q: '1', limit: 1000 })).body).toMatchObject([{ n: 1 }]);
  });
});

describe('tables', () => {
  const schema = { tables: { t: { fields: { n: { type: 'integer', required: true } }, indexed_fields: ['n'] } } };

  test('create stores the record in the null table, and does not validate it', async () => {
    const { callPublic, listed } = await published(open, schema);
    expect((await callPublic('create', { table_name: 't', data: { n: 'x' } })).status).toBe(201);
    expect(await listed()).toMatchObject([{ table_name: null, data: { n: 'x' } }]);
  });

  test('list and get see the records of all tables mixed', async () => {
    const { callPublic, create, makeRecord } = await published(open, schema);
    const { id } = await makeRecord({ n: 1 }, 't');
    await create({ n: 'x' });
    for (const table_name of [undefined, 't', 'z']) {
      expect((await callPublic('list', { table_name })).body).toMatchObject([{ data: { n: 'x' } }, { data: { n: 1 } }]);
    }
    expect((await callPublic('get', { id })).body).toMatchObject({ data: { n: 1 } });
  });

  test('update and delete do not look at the table', async () => {
    const { callPublic, makeRecord, listed, search } = await published(open, schema);
    const { id } = await makeRecord({ n: 1 }, 't');
    expect((await callPublic('update', { id, data: { n: 'x' } })).status).toBe(200);
    expect(await listed()).toMatchObject([{ table_name: 't', data: { n: 'x' } }]);
    expect(await search({ table_name: 't', 'filter[n]': '1' })).toEqual([]);
    expect((await callPublic('delete', { id })).status).toBe(200);
  });

  test('search honours table_name', async () => {
    const { callPublic, create, makeRecord } = await published(open, schema);
    await makeRecord({ n: 1 }, 't');
    await create({ n: 2 });
    expect((await callPublic('search', { table_name: 't' })).body).toMatchObject([{ n: 1 }]);
    for (const table_name of [undefined, 'z']) {
      expect(await callPublic('search', { table_name })).toMatchObject({
        status: 400,
        body: { available_tables: ['t'] },
      });
    }
  });

  test('the rules of a single table apply to public methods', async () => {
    const { callPublic, create } = await published(open, { fields: { n: { type: 'integer', required: true } } });
    expect((await create({ n: '5' })).data).toEqual({ n: 5 });
    expect(await callPublic('create', { data: {} })).toMatchObject(refusal('n'));
  });
});

test.each([
  ['destroy', { destroy: true }],
  ['an operation called like a method of objects', { constructor: true }],
  ['yes', { list: 'yes' }],
  ['a list', { list: [] }],
  ['an unknown option', { list: { limit: 5 } }],
  ['allowed_fields', { create: { allowed_fields: 'a' } }],
  ['required_fields', { create: { required_fields: [1] } }],
  ['default_values', { create: { default_values: [] } }],
  ['auto_fields', { create: { auto_fields: ['ip'] } }],
  ['an auto field that is no text', { create: { auto_fields: { ip: 7 } } }],
  ['allowed_params', { search: { allowed_params: true } }],
  ['scope_by', { list: { scope_by: ['a'] } }],
  ['scope_by without an auto_fields entry', { list: { scope_by: 'a' }, create: { auto_fields: { b: '{ip}' } } }],
])('public_methods with a wrong %s are refused with 422 by field', async (_, public_methods) => {
  const { postDatabase } = await flexSandbox();
  expect(await postDatabase({ public_methods })).toMatchObject(refusal('public_methods'));
});
