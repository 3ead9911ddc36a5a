import { describe, expect, test } from 'vitest';
import { accountSandbox, refusal } from './support.ts';

const path = (id: number | string) => `/account/api_tokens/${id}.json`;
const list = '/account/api_tokens.json';
const wrap = (api_token: object) => ({ api_token });

test('POST answers 201 with the raw token and the documented fields, without a wrapper', async () => {
  const { as } = await accountSandbox();
  const documented = {
    kind: 'web_token',
    name: 'Sync',
    for_account: true,
    integration_app_code: 'app',
    expires_at: '2099-01-31',
  };
  const { status, body, headers } = await as('POST', list, wrap(documented));
  expect(status).toBe(201);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const token = expect.stringMatching(/^\S{32,}$/);
  expect(body).toEqual({ id: expect.any(Number), token, active: true, ...documented });
});

const nothing = { kind: null, name: null, for_account: false, integration_app_code: null, expires_at: null };

test('all fields of a token are optional: active is true and for_account false by default', async () => {
  const { makeToken } = await accountSandbox();
  expect(await makeToken({})).toMatchObject({ ...nothing, active: true });
});

test('later reads show a masked fragment and never the raw value', async () => {
  const { as, makeToken } = await accountSandbox();
  const { id, token } = await makeToken({ name: 'A', code: 'c', privileges: ['todo'] });
  const read = await as('GET', path(id));
  const patched = await as('PATCH', path(id), wrap({ name: 'B' }));
  const listed = await as('GET', list);

  const later = { code: 'c', privileges: ['todo'], token_info: expect.stringContaining('…') };
  expect(read.body).toEqual({ id, ...nothing, name: 'A', active: true, ...later });
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
  test('is refused with 422 by field on POST and PATCH, also when another user has it', async () => {
    const { as, makeToken, user } = await accountSandbox();
    await makeToken({ [field]: 'same' }, user().token);
    const other = await makeToken({ [field]: 'other' });
    const body = wrap({ [field]: 'same' });
    expect(await as('POST', list, body)).toMatchObject(refusal(field));
    expect(await as('PATCH', path(other.id), body)).toMatchObject(refusal(field));
    expect(await as('GET', path(other.id))).toMatchObject({ body: { [field]: 'other' } });
  });

  test('is allowed when it is the token itself, of another account, of a deleted token, empty or null', async () => {
    const { as, makeToken, stranger } = await accountSandbox();
    const { id } = await makeToken({ [field]: 'same' });
    for (const empty of ['', '', null, null]) expect(await makeToken({ [field]: empty })).toHaveProperty('id');
    expect((await as('PATCH', path(id), wrap({ [field]: 'same' }))).status).toBe(200);
    expect(await makeToken({ [field]: 'same' }, stranger().token)).toHaveProperty('id');
    await as('DELETE', path(id));
    expect(await makeToken({ [field]: 'same' })).toHaveProperty('id');
  });
});

test('a duplicate code and a duplicate integration_app_code are reported at once', async () => {
  const { as, makeToken } = await accountSandbox();
  const fields = { code: 'a', integration_app_code: 'b' };
  await makeToken(fields);
  expect(await as('POST', list, wrap(fields))).toMatchObject(refusal(...Object.keys(fields)));
});

test.each<[field: string, ...values: unknown[]]>([
  ['name', 7, 'a\0b'],
  ['code', true],
  ['active', 'yes', 1],
  ['expires_at', 'tomorrow', '2026-02-30', '2026-13-01T00:00:00Z', '2026-01-01T25:00:00Z', '2026-02-30T10:00Z'],
  ['expires_at', '2026-01-01T10:00+2', '2026-01-01 ', 1767225600],
  ['kind', 'session', 3],
  ['integration_app_code', []],
  ['for_account', 'yes'],
  ['privileges', 'todo', [1]],
])('a wrong %s (%j …) is refused with 422 by field, on POST and on PATCH', async (field, ...values) => {
  const { as, makeToken } = await accountSandbox();
  const { id } = await makeToken({});
  for (const value of values) {
    expect(await as('POST', list, wrap({ [field]: value })), String(value)).toMatchObject(refusal(field));
    expect(await as('PATCH', path(id), wrap({ [field]: value })), String(value)).toMatchObject(refusal(field));
  }
});

test.each([
  ...['2099-01-31', '2099-01-31T10:00:00Z', '2099-01-31T10:00:00.5+02:00', '2099-01-31T10:00:00'],
  ...['2030-01-01T10:00Z', '2030-01-01T10:00+02:00', '2030-01-01T10:00:00+0200', '2030-01-01T10:00:00+02'],
  ...['2030-01-01 13:00:00', '2030-01-01 08:00:00 +0200', '2030-01-01t08:00:00z'],
])('expires_at %s reads back as it was written', async (expires_at) => {
  const { as, makeToken } = await accountSandbox();
  const { id } = await makeToken({ expires_at });
  expect(await as('GET', path(id))).toMatchObject({ body: { expires_at } });
});

test('an empty kind is null, and an empty expires_at is no expiry', async () => {
  const { as, makeToken } = await accountSandbox();
  for (const kind of [null, '']) expect(await makeToken({ kind })).toMatchObject({ kind: null });
  for (const kind of ['api_token', 'web_token']) expect(await makeToken({ kind })).toMatchObject({ kind });
  const { id } = await makeToken({ expires_at: '' });
  expect(await as('GET', path(id))).toMatchObject({ body: { expires_at: null } });
  await as('PATCH', path(id), wrap({ expires_at: '2099-01-01' }));
  expect(await as('PATCH', path(id), wrap({ expires_at: '' }))).toMatchObject({
    status: 200,
    body: { expires_at: null },
  });
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
    const { as, makeToken } = await accountSandbox();
    const { id } = await makeToken(all);
    const patched = await as('PATCH', path(id), wrap({ name: 'New' }));
    expect(patched).toMatchObject({ status: 200, body: { id, ...all, name: 'New' } });
    expect((await as('GET', path(id))).body).toEqual(patched.body);
  });

  test('PATCH with null clears every field', async () => {
    const { as, makeToken } = await accountSandbox();
    const { id } = await makeToken(all);
    await as('PATCH', path(id), wrap(Object.fromEntries(Object.keys(all).map((field) => [field, null]))));
    const cleared = { ...nothing, code: null, active: true, privileges: [] };
    expect((await as('GET', path(id))).body).toMatchObject(cleared);
  });
});

describe('DELETE', () => {
  test('removes a token: 204, then 404, and it no longer works', async () => {
    const { as, call, makeToken } = await accountSandbox();
    const { id, token } = await makeToken({});
    expect(await as('DELETE', path(id))).toMatchObject({ status: 204, body: null });
    expect((await as('GET', path(id))).status).toBe(404);
    expect((await as('DELETE', path(id))).status).toBe(404);
    expect((await call('GET', list, { token })).status).toBe(401);
  });

  test('keeps a token of the whole account, which still works', async () => {
    const { as, call, makeToken } = await accountSandbox();
    const { id, token } = await makeToken({ for_account: true });
    expect((await as('DELETE', path(id))).status).toBe(204);
    expect((await call('GET', path(id), { token })).status).toBe(200);
  });

  test('a token may delete itself', async () => {
    const { call, makeToken } = await accountSandbox();
    const { id, token } = await makeToken({});
    expect((await call('DELETE', path(id), { token })).status).toBe(204);
    expect((await call('GET', list, { token })).status).toBe(401);
  });
});
