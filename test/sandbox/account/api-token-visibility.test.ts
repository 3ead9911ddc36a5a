import { expect, test } from 'vitest';
import { accountSandbox, ids } from './support.ts';

const path = (id: number | string) => `/account/api_tokens/${id}.json`;
const list = '/account/api_tokens.json';
const accountList = '/account/api_tokens.json?for_account=yes';
const wrap = (api_token: object) => ({ api_token });

test('the list holds the tokens of the caller, as a bare array', async () => {
  const { call, makeToken, user } = await accountSandbox();
  const member = user();
  await makeToken({});
  const { id } = await makeToken({}, member.token);
  const { body } = await call('GET', list, { token: member.token });
  expect(ids(body)).toEqual([expect.any(Number), id]);
});

test('for_account=yes lists the tokens of the whole account to those with account settings', async () => {
  const { call, makeToken, user } = await accountSandbox();
  const [one, other] = [user('account_settings'), user('account_settings')];
  const { id } = await makeToken({ for_account: true }, one.token);
  expect(ids((await call('GET', accountList, { token: other.token })).body)).toEqual([id]);
  expect((await call('GET', accountList, { token: user('dashboard_advanced').token })).status).toBe(403);
});

test("another user's token is 404, even with account settings, and so is a token that is none", async () => {
  const { as, makeToken, user } = await accountSandbox();
  const { id } = await makeToken({}, user().token);
  expect((await as('GET', path(id))).status).toBe(404);
  expect((await as('PATCH', path(id), wrap({ name: 'X' }))).status).toBe(404);
  expect((await as('DELETE', path(id))).status).toBe(404);
  for (const none of ['abc', '0', '-1', '1.5', '01', '99999999999999999999', '%31%00']) {
    expect((await as('GET', path(none))).status, none).toBe(404);
  }
});

test("another user's token of the whole account is seen and changed with account settings only", async () => {
  const { call, makeToken, user } = await accountSandbox();
  const { id } = await makeToken({ for_account: true });
  const [manager, member] = [user('account_settings'), user()];
  const change = { body: wrap({ name: 'X' }) };
  expect((await call('GET', path(id), { token: member.token })).status).toBe(404);
  expect((await call('PATCH', path(id), { token: member.token, ...change })).status).toBe(404);
  expect((await call('PATCH', path(id), { token: manager.token, ...change })).status).toBe(200);
});

test('without account settings a token is not made one of the whole account, and such a one is not changed', async () => {
  const { sandbox, call, makeToken, user } = await accountSandbox();
  const owner = user('account_settings');
  const ofAccount = await makeToken({ for_account: true }, owner.token);
  sandbox.store.setPermissions(owner.id, []);
  const own = await makeToken({}, owner.token);
  const attempt = (method: string, at: string, fields: object) =>
    call(method, at, { token: owner.token, body: wrap(fields) });

  expect((await attempt('POST', list, { for_account: true })).status).toBe(403);
  expect((await attempt('PATCH', path(own.id), { for_account: true })).status).toBe(403);
  expect((await attempt('PATCH', path(ofAccount.id), { name: 'X' })).status).toBe(403);
  expect((await attempt('PATCH', path(ofAccount.id), { for_account: false })).status).toBe(403);
  expect((await attempt('PATCH', path(own.id), { name: 'X' })).status).toBe(200);
});

test('two accounts never see each other', async () => {
  const { call, makeToken, stranger } = await accountSandbox();
  const { id } = await makeToken({ for_account: true });
  const { token } = stranger();
  expect((await call('GET', path(id), { token })).status).toBe(404);
  expect((await call('DELETE', path(id), { token })).status).toBe(404);
  expect((await call('GET', accountList, { token })).body).toEqual([]);
  expect(ids((await call('GET', list, { token })).body)).not.toContain(id);
});
