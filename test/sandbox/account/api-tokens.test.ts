import { describe, expect, test } from 'vitest';
import { accountSandbox } from './support.ts';

const path = (id: number | string) => `/account/api_tokens/${id}.json`;
const list = '/account/api_tokens.json';
const wrap = (api_token: object) => ({ api_token });

test('POST answers 201 with the raw token and the documented fields, without a wrapper', async () => {
  const { call, admin } = await accountSandbox();
  const { status, body, headers } = await call('POST', list, {
    token: admin.token,
    body: wrap({
      name: 'Sync',
      kind: 'web_token',
      integration_app_code: 'app',
      for_account: true,
      expires_at: '2099-01-31',
    }),
  });
  expect(status).toBe(201);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual({
    id: expect.any(Number),
    token: expect.stringMatching(/^\S{32,}$/),
    kind: 'web_token',
    name: 'Sync',
    for_account: true,
    integration_app_code: 'app',
    expires_at: '2099-01-31',
    active: true,
  });
});

test('all fields of a token are optional: active is true and for_account false by default', async () => {
  const { makeToken } = await accountSandbox();
  expect(await makeToken({})).toMatchObject({
    kind: null,
    name: null,
    for_account: false,
    integration_app_code: null,
    expires_at: null,
    active: true,
  });
});

test('later reads show a masked fragment and never the raw value', async () => {
  const { call, makeToken, admin } = await accountSandbox();
  const { id, token } = await makeToken({ name: 'A', code: 'c', privileges: ['todo'] });
  const read = await call('GET', path(id), { token: admin.token });
  const patched = await call('PATCH', path(id), { token: admin.token, body: wrap({ name: 'B' }) });
  const listed = await call('GET', list, { token: admin.token });

  expect(read.body).toEqual({
    id,
    kind: null,
    name: 'A',
    for_account: false,
    integration_app_code: null,
    expires_at: null,
    active: true,
    code: 'c',
    privileges: ['todo'],
    token_info: expect.stringContaining('…'),
  });
  expect(listed.body).toContainEqual(patched.body);
  for (const { body } of [read, patched, listed]) expect(JSON.stringify(body)).not.toContain(token);
});

test.each(['x', 'short', 'demo-admin', '0123456789abcdef0123456789abcdef'])(
  'the masked fragment of "%s" gives away at most a quarter of it',
  async (token) => {
    const { sandbox, call, account } = await accountSandbox();
    sandbox.store.createUser({ account, token });
    const { body } = await call('GET', list, { token });
    const [{ token_info }] = body as [{ token_info: string }];
    const [head = '', tail = ''] = token_info.split('…');
    expect(token.startsWith(head) && token.endsWith(tail)).toBe(true);
    expect(head.length + tail.length).toBeLessThanOrEqual(token.length / 4);
  },
);

describe.each(['code', 'integration_app_code'])('a duplicate %s', (field) => {
  const taken = { status: 422, body: { errors: { [field]: [expect.any(String)] } } };

  test('is refused with 422 by field on POST and PATCH, also when another user has it', async () => {
    const { call, makeToken, admin, user } = await accountSandbox();
    await makeToken({ [field]: 'same' }, user().token);
    const other = await makeToken({ [field]: 'other' });
    const body = wrap({ [field]: 'same' });
    expect(await call('POST', list, { token: admin.token, body })).toMatchObject(taken);
    expect(await call('PATCH', path(other.id), { token: admin.token, body })).toMatchObject(taken);
    expect(await call('GET', path(other.id), { token: admin.token })).toMatchObject({ body: { [field]: 'other' } });
  });

  test('is allowed when it is the token itself, empty, null, or of another account', async () => {
    const { sandbox, call, makeToken, admin } = await accountSandbox();
    const { id } = await makeToken({ [field]: 'same' });
    for (const empty of ['', '', null, null]) expect(await makeToken({ [field]: empty })).toHaveProperty('id');
    const again = await call('PATCH', path(id), { token: admin.token, body: wrap({ [field]: 'same' }) });
    expect(again.status).toBe(200);
    const stranger = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
    expect(await makeToken({ [field]: 'same' }, stranger.token)).toHaveProperty('id');
  });

  test('is free again when its token is deleted', async () => {
    const { call, makeToken, admin } = await accountSandbox();
    await call('DELETE', path((await makeToken({ [field]: 'same' })).id), { token: admin.token });
    expect(await makeToken({ [field]: 'same' })).toHaveProperty('id');
  });
});

test('a duplicate code and a duplicate integration_app_code are reported at once', async () => {
  const { call, makeToken, admin } = await accountSandbox();
  const fields = { code: 'a', integration_app_code: 'b' };
  await makeToken(fields);
  const { body } = await call('POST', list, { token: admin.token, body: wrap(fields) });
  expect(body).toEqual({ errors: { code: [expect.any(String)], integration_app_code: [expect.any(String)] } });
});

test.each([
  ['name', 7],
  ['name', 'a\0b'],
  ['code', true],
  ['active', 'yes'],
  ['active', 1],
  ['expires_at', 'tomorrow'],
  ['expires_at', '2026-02-30'],
  ['expires_at', '2026-13-01T00:00:00Z'],
  ['expires_at', '2026-01-01T25:00:00Z'],
  ['expires_at', '2026-02-30T10:00Z'],
  ['expires_at', '2026-01-01T10:00+2'],
  ['expires_at', '2026-01-01 '],
  ['expires_at', 1767225600],
  ['kind', 'session'],
  ['kind', 3],
  ['integration_app_code', []],
  ['for_account', 'yes'],
  ['privileges', 'todo'],
  ['privileges', [1]],
])('a %s of %j is refused with 422 by field, on POST and on PATCH', async (field, value) => {
  const { call, makeToken, admin } = await accountSandbox();
  const { id } = await makeToken({});
  const request = { token: admin.token, body: wrap({ [field]: value }) };
  const refusal = { status: 422, body: { errors: { [field]: [expect.any(String)] } } };
  expect(await call('POST', list, request)).toMatchObject(refusal);
  expect(await call('PATCH', path(id), request)).toMatchObject(refusal);
});

test.each([
  ...['2099-01-31', '2099-01-31T10:00:00Z', '2099-01-31T10:00:00.5+02:00', '2099-01-31T10:00:00'],
  ...['2030-01-01T10:00Z', '2030-01-01T10:00+02:00', '2030-01-01T10:00:00+0200', '2030-01-01T10:00:00+02'],
  ...['2030-01-01 13:00:00', '2030-01-01 08:00:00 +0200', '2030-01-01t08:00:00z'],
])('expires_at %s reads back as it was written', async (expires_at) => {
  const { call, makeToken, admin } = await accountSandbox();
  const { id } = await makeToken({ expires_at });
  expect(await call('GET', path(id), { token: admin.token })).toMatchObject({ body: { expires_at } });
});

test.each([
  [null, null],
  ['', null],
  ['api_token', 'api_token'],
  ['web_token', 'web_token'],
])('kind %j reads back as %j', async (kind, expected) => {
  const { makeToken } = await accountSandbox();
  expect(await makeToken({ kind })).toMatchObject({ kind: expected });
});

test('an expires_at that is the empty text is no expiry', async () => {
  const { call, makeToken, admin } = await accountSandbox();
  const { id } = await makeToken({ expires_at: '' });
  expect(await call('GET', path(id), { token: admin.token })).toMatchObject({ body: { expires_at: null } });
  await call('PATCH', path(id), { token: admin.token, body: wrap({ expires_at: '2099-01-01' }) });
  const patched = await call('PATCH', path(id), { token: admin.token, body: wrap({ expires_at: '' }) });
  expect(patched).toMatchObject({ status: 200, body: { expires_at: null } });
});

describe('PATCH', () => {
  const all = {
    name: 'N',
    code: 'c',
    active: false,
    expires_at: '2099-01-01',
    kind: 'web_token',
    integration_app_code: 'i',
    for_account: true,
    privileges: ['todo'],
  };

  test('answers 200 with the record, and changes only what it was given', async () => {
    const { call, makeToken, admin } = await accountSandbox();
    const { id } = await makeToken(all);
    const patched = await call('PATCH', path(id), { token: admin.token, body: wrap({ name: 'New' }) });
    expect(patched).toMatchObject({ status: 200, body: { id, ...all, name: 'New' } });
    expect((await call('GET', path(id), { token: admin.token })).body).toEqual(patched.body);
  });

  test('PATCH with null clears every field', async () => {
    const { call, makeToken, admin } = await accountSandbox();
    const { id } = await makeToken(all);
    const cleared = Object.fromEntries(Object.keys(all).map((field) => [field, null]));
    await call('PATCH', path(id), { token: admin.token, body: wrap(cleared) });
    expect((await call('GET', path(id), { token: admin.token })).body).toMatchObject({
      name: null,
      code: null,
      active: true,
      expires_at: null,
      kind: null,
      integration_app_code: null,
      for_account: false,
      privileges: [],
    });
  });
});

describe('DELETE', () => {
  test('removes a token: 204, then 404, and it no longer works', async () => {
    const { call, makeToken, admin } = await accountSandbox();
    const { id, token } = await makeToken({});
    expect(await call('DELETE', path(id), { token: admin.token })).toMatchObject({ status: 204, body: null });
    expect((await call('GET', path(id), { token: admin.token })).status).toBe(404);
    expect((await call('DELETE', path(id), { token: admin.token })).status).toBe(404);
    expect((await call('GET', list, { token })).status).toBe(401);
  });

  test('keeps a token of the whole account, which still works', async () => {
    const { call, makeToken, admin } = await accountSandbox();
    const { id, token } = await makeToken({ for_account: true });
    expect((await call('DELETE', path(id), { token: admin.token })).status).toBe(204);
    expect((await call('GET', path(id), { token })).status).toBe(200);
  });

  test('a token may delete itself', async () => {
    const { call, makeToken } = await accountSandbox();
    const { id, token } = await makeToken({});
    expect((await call('DELETE', path(id), { token })).status).toBe(204);
    expect((await call('GET', list, { token })).status).toBe(401);
  });
});

test.each([undefined, {}, { api_token: null }, { api_token: [] }, { name: 'X' }])(
  'a body without its wrapper is 400: %j',
  async (body) => {
    const { call, admin } = await accountSandbox();
    expect(await call('POST', list, { token: admin.token, body })).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    });
  },
);
