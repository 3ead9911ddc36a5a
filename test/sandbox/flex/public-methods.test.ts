import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { flexSandbox, publicRecord, published, refusal, uuid } from './support.ts';

const operations = ['list', 'get', 'create', 'update', 'delete', 'search'];
const open = Object.fromEntries(operations.map((name) => [name, true]));

describe('a method that is true has no restrictions, and needs no authorization', () => {
  test('create answers id, data, created_at and updated_at', async () => {
    const { callPublic, listed } = await published(open);
    const data = { a: [1], b: null };
    const { status, body, headers } = await callPublic('create', { data });
    expect(status).toBe(201);
    const stamps = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect(body).toEqual({ id: expect.stringMatching(uuid), data, ...stamps });
    expect(headers.get('set-cookie')).toBeNull();
    expect(await listed()).toMatchObject([{ data }]);
  });

  test('get answers one record, list an array of records, newest first', async () => {
    const { callPublic, create } = await published(open);
    const [first, second] = [await create({ n: 1 }), await create({ n: 2 })];
    expect(await callPublic('get', { id: first.id })).toMatchObject({ status: 200, body: first });
    expect((await callPublic('list')).body).toEqual([second, first]);
  });

  test('update changes the fields that it is sent', async () => {
    const { callPublic, create } = await published(open);
    const { id } = await create({ a: 1, b: 2 });
    const body = { id, data: { a: 1, b: 3 } };
    expect(await callPublic('update', { id, data: { b: 3 } })).toMatchObject({ status: 200, body });
    expect((await callPublic('get', { id })).body).toMatchObject({ data: { a: 1, b: 3 } });
  });

  test('delete removes the record', async () => {
    const { callPublic, create } = await published(open);
    const { id } = await create({});
    expect(await callPublic('delete', { id })).toMatchObject({ status: 200, body: { id } });
    for (const method of ['get', 'delete']) expect((await callPublic(method, { id })).status).toBe(404);
  });

  test('search takes q, sort, limit and offset, but neither filter nor fields', async () => {
    const { callPublic, create } = await published(open);
    for (const name of ['Ćma', 'Żuk', 'żaba']) await create({ name, kind: 'x' });
    const found = z.array(z.object({ name: z.string(), kind: z.string() }));
    const names = async (params: object) =>
      found.parse((await callPublic('search', params)).body).map(({ name }) => name);
    expect(await names({ q: 'Ż*' })).toEqual(['żaba', 'Żuk']);
    expect(await names({ sort: '-name', limit: 2 })).toEqual(['żaba', 'Żuk']);
    expect(await names({ sort: 'name', offset: '1', limit: '1' })).toEqual(['Żuk']);
    const ignored = { fields: 'name', filter: { name: 'Żuk' }, 'filter[name]': 'Żuk', search_in: 'kind' };
    expect(await names({ ...ignored, q: 'a' })).toHaveLength(2);
  });
});

test('GET takes parameters from the query', async () => {
  const { call } = await published(open);
  const get = (path: string) => call('GET', `/flex/db/d/${path}`);
  const { id } = publicRecord.parse((await get('create?data[a]=x&data[b]=y')).body);
  expect(await get(`get?id=${id}`)).toMatchObject({ status: 200, body: { data: { a: 'x', b: 'y' } } });
  expect((await get(`update?id=${id}&data[a]=z`)).body).toMatchObject({ data: { a: 'z', b: 'y' } });
  expect((await get('list?limit=1')).body).toHaveLength(1);
  expect((await get('search?q=nothing')).body).toEqual([]);
  expect((await get(`delete?id=${id}`)).status).toBe(200);
});

test('list takes limit and offset, and has no highest limit, as search has', async () => {
  const { sandbox, database, callPublic, listedData } = await published(open);
  const rows = Array.from({ length: 250 }, (_, n) => ({ n }));
  sandbox.store.createFlexRecords(database, rows);
  expect(await listedData()).toHaveLength(20);
  expect(await listedData({ limit: 2, offset: 5 })).toEqual([{ n: 244 }, { n: 243 }]);
  expect(await listedData({ limit: 101 })).toHaveLength(101);
  expect(await listedData({ limit: '1000' })).toHaveLength(250);
  expect(await callPublic('search', { limit: 101 })).toMatchObject(refusal('limit'));
  for (const limit of [0, -1, 1.5, 'x', {}])
    expect(await callPublic('list', { limit })).toMatchObject(refusal('limit'));
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

  test('an unknown database or method, and an id in the place of the code', async () => {
    const { call, database } = await published(open);
    const paths = ['z/list', 'd/destroy', 'd/constructor', 'd/list.json', '%00/list', `${database}/list`];
    for (const path of paths) expect((await call('POST', `/flex/db/${path}`)).status, path).toBe(404);
  });

  test('a record of another database', async () => {
    const { callPublic, makeDatabase, makeRecord } = await published(open);
    await makeDatabase({ code: 'other' });
    const { id } = await makeRecord({ a: 1 }, null, 'other');
    for (const method of ['get', 'update', 'delete'])
      expect((await callPublic(method, { id, data: {} })).status).toBe(404);
  });
});

test('get, update and delete take an id: without one they are 422, and a number is one of the same digits', async () => {
  const { callPublic } = await published(open);
  for (const method of ['get', 'update', 'delete']) {
    for (const params of [{}, { id: '' }, { id: 7.5 }, { id: true }, { id: {} }, { id: null }]) {
      expect(await callPublic(method, params)).toMatchObject(refusal('id'));
    }
    expect((await callPublic(method, { id: 7, data: {} })).status).toBe(404);
  }
});

test('create without data is 422', async () => {
  const { callPublic } = await published(open);
  for (const params of [{}, { data: null }, { data: [] }, { data: 'x' }]) {
    expect(await callPublic('create', params)).toMatchObject(refusal('data'));
  }
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
    expect((await callPublic('update', { id, data: { a: 2, b: 2 } })).status).toBe(200);
    expect(await callPublic('update', { id, data: { a: null, b: 2 } })).toMatchObject(refusal('a'));
  });

  test('required_fields: an update must have them, whatever the record has, unless they are filled in', async () => {
    const required_fields = ['a', 'b', 'c'];
    const update = { required_fields, default_values: { b: 'default' }, auto_fields: { c: 'server' } };
    const { callPublic, makeRecord } = await published({ update });
    const { id } = await makeRecord({ a: 1, b: 2, c: 3 });

    expect(await callPublic('update', { id, data: { b: 4 } })).toMatchObject(refusal('a'));
    expect((await callPublic('update', { id, data: { a: 5 } })).body).toMatchObject({
      data: { a: 5, b: 2, c: 'server' },
    });
  });

  test('a required field that is not allowed can only be filled in', async () => {
    const options = { allowed_fields: ['a'], required_fields: ['b'] };
    const { callPublic } = await published({ create: options });
    expect(await callPublic('create', { data: { b: 1 } })).toMatchObject(refusal('b'));
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

test.each<[wrong: string, ...public_methods: object[]]>([
  ['method', { destroy: true }, { constructor: true }],
  ['value', { list: 'yes' }, { list: [] }],
  ['option', { list: { limit: 5 } }],
  ['allowed_fields', { create: { allowed_fields: 'a' } }],
  ['required_fields', { create: { required_fields: [1] } }],
  ['default_values', { create: { default_values: [] } }],
  ['auto_fields', { create: { auto_fields: ['ip'] } }, { create: { auto_fields: { ip: 7 } } }],
  ['allowed_params', { search: { allowed_params: true } }],
  ['scope_by', { list: { scope_by: ['a'] } }],
  ['scope_by without an auto_fields entry', { list: { scope_by: 'a' }, create: { auto_fields: { b: '{ip}' } } }],
])('public_methods with a wrong %s are refused with 422 by field', async (_wrong, ...wrong) => {
  const { postDatabase } = await flexSandbox();
  for (const public_methods of wrong) {
    expect(await postDatabase({ public_methods })).toMatchObject(refusal('public_methods'));
  }
});
