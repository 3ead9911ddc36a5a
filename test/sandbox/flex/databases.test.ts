import { describe, expect, test } from 'vitest';
import { flex } from '../../endpoints/flex.ts';
import { requestsTo } from '../endpoints.ts';
import { flexDatabase, flexSandbox, refusal, uuid } from './support.ts';

const wrap = (db: object) => ({ db });
const full = {
  name: 'Shop',
  code: 'shop',
  app_id: '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10',
  schema: { fields: { title: { type: 'string', required: true }, price: 'number' }, indexed_fields: ['title'] },
  public_methods: { list: true, create: { allowed_fields: ['title'] } },
};

test('POST answers 201 with the database, bare, and GET reads it by id and by code', async () => {
  const { as, postDatabase } = await flexSandbox();
  const { status, body } = await postDatabase(full);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(uuid),
    ...full,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const { id } = body as { id: string };
  expect(await as('GET', `/flex/dbs/${id}.json`)).toMatchObject({ status: 200, body: full });
  expect((await as('GET', '/flex/dbs/shop.json')).body).toEqual(body);
  expect((await as('GET', '/flex/dbs.json')).body).toEqual([body]);
});

test('only the name of a database is required', async () => {
  const { as, postDatabase } = await flexSandbox();
  expect(await postDatabase({})).toMatchObject({
    status: 201,
    body: { name: 'D', code: null, app_id: null, schema: null, public_methods: null },
  });
  expect(await as('POST', '/flex/dbs.json', wrap({}))).toMatchObject(refusal('name'));
});

test('id and code stand for each other in every private path', async () => {
  const { as, makeDatabase } = await flexSandbox();
  const { id } = await makeDatabase({ code: 'd', schema: { fields: { a: 'string' } } });
  for (const [index, name] of [id, 'd'].entries()) {
    const made = await as('POST', `/flex/dbs/${name}/records.json`, { record: { data: { a: 'x' } } });
    const record = (made.body as { id: string }).id;
    const path = `/flex/dbs/${name}/records/${record}.json`;
    const edit = { field: 'fields', old_string: index ? 'text' : 'string', new_string: index ? 'string' : 'text' };
    const statuses = [
      made,
      await as('PATCH', path, { record: { data: { a: 'y' } } }),
      await as('GET', `/flex/dbs/${name}/records.json`),
      await as('GET', `/flex/dbs/${name}/search.json`),
      await as('DELETE', path),
      await as('PATCH', `/flex/dbs/${name}/replace.json`, edit),
      await as('PATCH', `/flex/dbs/${name}.json`, wrap({ name: 'E' })),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 200, 200, 200, 204, 200, 200]);
  }
  expect((await as('DELETE', '/flex/dbs/d.json')).status).toBe(204);
});

describe('code', () => {
  test('is unique: 422 by field, on POST and on PATCH, and in every account, because public addresses name none', async () => {
    const { sandbox, call, as, postDatabase } = await flexSandbox();
    await postDatabase({ code: 'same' });
    expect(await postDatabase({ code: 'same' })).toMatchObject(refusal('code'));
    await postDatabase({ code: 'other' });
    expect(await as('PATCH', '/flex/dbs/other.json', wrap({ code: 'same' }))).toMatchObject(refusal('code'));
    expect((await as('PATCH', '/flex/dbs/same.json', wrap({ code: 'same' }))).status).toBe(200);
    const { token } = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
    const body = wrap({ name: 'N', code: 'same' });
    expect(await call('POST', '/flex/dbs.json', { token, body })).toMatchObject(refusal('code'));
  });

  test('is free again when its database is deleted, and databases without one are many', async () => {
    const { as, postDatabase } = await flexSandbox();
    await postDatabase({ code: 'same' });
    await as('DELETE', '/flex/dbs/same.json');
    for (const code of ['same', null, null, '', '']) expect((await postDatabase({ code })).status).toBe(201);
  });

  test('has 1 to 100 letters, digits, - and _, and is neither a uuid nor a number, as ids are', async () => {
    const { as, postDatabase } = await flexSandbox();
    const wrong = [
      '..',
      '.',
      'a/b',
      'a b',
      'ą',
      'a.json',
      'a\0',
      'x'.repeat(101),
      full.app_id,
      full.app_id.toUpperCase(),
      7,
      '7',
      '007',
    ];
    await postDatabase({ code: 'd' });
    for (const code of wrong) {
      expect(await postDatabase({ code }), String(code)).toMatchObject(refusal('code'));
      expect(await as('PATCH', '/flex/dbs/d.json', wrap({ code })), String(code)).toMatchObject(refusal('code'));
    }
  });

  test('may be any other word', async () => {
    const { as, postDatabase, postRecord, search } = await flexSandbox();
    for (const code of ['search', 'records', 'replace', 'dbs', 'list', '__proto__', '7a', '-7', 'A-b_c']) {
      await postDatabase({ code, schema: { fields: { a: 'string' } } });
      expect((await as('GET', `/flex/dbs/${code}.json`)).body).toMatchObject({ code });
      expect((await postRecord({ data: { a: 'x' } }, code)).status).toBe(201);
      expect(await search({}, code)).toMatchObject([{ a: 'x' }]);
    }
  });
});

test.each<[field: string, values: unknown[]]>([
  ['name', ['', ' ', null, 7, 'a\0']],
  ['app_id', ['shop', 7]],
  ['schema', ['fields', []]],
  ['public_methods', [true, []]],
])('a %s of %j is refused with 422 by field, on POST and on PATCH', async (field, values) => {
  const { as, postDatabase } = await flexDatabase();
  for (const value of values) {
    expect(await postDatabase({ [field]: value })).toMatchObject(refusal(field));
    expect(await as('PATCH', '/flex/dbs/d.json', wrap({ [field]: value }))).toMatchObject(refusal(field));
  }
});

test.each([
  ['schema', (deep: string) => `{"fields":${deep}}`],
  ['schema', (deep: string) => `{"fields":{"a":${deep}}}`],
  ['schema', (deep: string) => `{"fields":{"a":"string"},"indexed_fields":[${deep}]}`],
  ['schema', (deep: string) => `{"fields":{"a":"string"},"indexes":{"idx_str_1":${deep}}}`],
  ['public_methods', (deep: string) => `{"list":${deep}}`],
  ['public_methods', (deep: string) => `{"create":{"default_values":{"a":${deep}}}}`],
])('a %s that is nested 10,000 levels deep is 422, however it is', async (field, nested) => {
  const { asText } = await flexSandbox();
  const value = nested('['.repeat(10_000) + ']'.repeat(10_000));
  const { status, text } = await asText('POST', '/flex/dbs.json', `{"db":{"name":"D","${field}":${value}}}`);
  expect({ status, body: JSON.parse(text) }).toMatchObject(refusal(field));
});

test('all errors of a database are reported at once', async () => {
  const { postDatabase } = await flexSandbox();
  const wrong = { name: '', code: '..', app_id: 'x', schema: 1, public_methods: 1 };
  expect(await postDatabase(wrong)).toMatchObject(refusal(...Object.keys(wrong)));
});

test('PATCH changes only the fields that it is sent', async () => {
  const { as, postDatabase } = await flexSandbox();
  await postDatabase(full);
  const { status, body } = await as('PATCH', '/flex/dbs/shop.json', wrap({ name: 'New' }));
  expect({ status, body }).toMatchObject({ status: 200, body: { ...full, name: 'New' } });
  expect((await as('GET', '/flex/dbs/shop.json')).body).toEqual(body);
});

test('PATCH with null clears every field but the name', async () => {
  const { as, postDatabase } = await flexSandbox();
  const { id } = (await postDatabase(full)).body as { id: string };
  const nothing = { code: null, app_id: null, schema: null, public_methods: null };
  await as('PATCH', '/flex/dbs/shop.json', wrap(nothing));
  expect((await as('GET', `/flex/dbs/${id}.json`)).body).toMatchObject({ name: 'Shop', ...nothing });
});

test('DELETE removes the database together with its records', async () => {
  const { as, makeDatabase, makeRecord, listed } = await flexDatabase();
  const { id } = await makeRecord({ a: 1 });
  expect(await as('DELETE', '/flex/dbs/d.json')).toMatchObject({ status: 204, body: null });
  expect((await as('GET', '/flex/dbs/d.json')).status).toBe(404);
  expect((await as('DELETE', '/flex/dbs/d.json')).status).toBe(404);
  await makeDatabase();
  expect(await listed()).toEqual([]);
  expect((await as('DELETE', `/flex/dbs/d/records/${id}.json`)).status).toBe(404);
});

const ofDatabase = requestsTo(flex).filter(([, path]) => path.startsWith('/flex/dbs/1'));

test.each(ofDatabase)('%s %s needs a token (401), and does not see another account (404)', async (method, path) => {
  const { sandbox, call, account, makeDatabase } = await flexSandbox();
  const { id } = await makeDatabase({ schema: { fields: { a: 'string' } } });
  const colleague = sandbox.store.createUser({ account });
  const stranger = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
  for (const name of [id, 'd', 'nothing', '%00']) {
    const named = path.replace('dbs/1', `dbs/${name}`);
    expect((await call(method, named)).status).toBe(401);
    expect((await call(method, named, { token: stranger.token })).status).toBe(404);
  }
  expect((await call('GET', '/flex/dbs.json', { token: stranger.token })).body).toEqual([]);
  expect((await call('GET', '/flex/dbs.json', { token: colleague.token })).body).toHaveLength(1);
});
