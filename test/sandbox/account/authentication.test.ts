import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { account } from '../../endpoints/account.ts';
import { requestsTo } from '../endpoints.ts';
import { accountSandbox } from './support.ts';

const list = '/account/api_tokens.json';
const refused = { status: 401, body: { error: 'login_required' } };

describe('a request without a working token is refused with 401', () => {
  test.each(requestsTo(account))('%s %s', async (method, path) => {
    const { call } = await accountSandbox();
    expect(await call(method, path)).toMatchObject(refused);
    expect(await call(method, path, { token: 'unknown' })).toMatchObject(refused);
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic admin-token', 'admin-token', 'Bearer admin-token more'])(
    'the header "%s" is malformed',
    async (header) => {
      const { sandbox, account } = await accountSandbox();
      sandbox.store.createUser({ account, token: 'admin-token' });
      const { status } = await fetch(sandbox.urls.account + list, { headers: { Authorization: header } });
      expect(status).toBe(401);
    },
  );
});

test('an inactive token does not authorize: it stops working and works again as active is set', async () => {
  const { call, makeToken, admin } = await accountSandbox();
  const inactive = await makeToken({ active: false });
  expect(await call('GET', list, { token: inactive.token })).toMatchObject(refused);
  const { id, token } = await makeToken({});
  const setActive = (active: boolean) =>
    call('PATCH', `/account/api_tokens/${id}.json`, { token: admin.token, body: { api_token: { active } } });

  await setActive(false);
  expect(await call('GET', list, { token })).toMatchObject(refused);
  await setActive(true);
  expect(await call('GET', list, { token })).toMatchObject({ status: 200 });
});

describe('a token does not authorize after expires_at', () => {
  test.each([
    ['2026-03-01', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T11:59:59.999Z', '2026-03-01T12:00:00.001Z'],
    ['2026-03-01T12:00:00+02:00', '2026-03-01T09:59:59Z', '2026-03-01T10:00:01Z'],
    ['2026-03-01T12:00:00', '2026-03-01T11:59:59Z', '2026-03-01T12:00:01Z'],
    ['2026-03-01T12:00', '2026-03-01T11:59:59Z', '2026-03-01T12:00:01Z'],
    ['2026-03-01T12:00Z', '2026-03-01T11:59:59Z', '2026-03-01T12:00:01Z'],
    ['2026-03-01T12:00+0200', '2026-03-01T09:59:59Z', '2026-03-01T10:00:01Z'],
    ['2026-03-01T12:00:00,5-02', '2026-03-01T14:00:00.4Z', '2026-03-01T14:00:00.6Z'],
    ['2026-03-01 12:00:00', '2026-03-01T11:59:59Z', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:00 +0200', '2026-03-01T09:59:59Z', '2026-03-01T10:00:01Z'],
    ['2026-03-01T12:00:60Z', '2026-03-01T12:00:58Z', '2026-03-01T12:01:00Z'],
  ])('%s: works at %s, not at %s', async (expires_at, before, after) => {
    vi.stubEnv('TZ', 'Pacific/Auckland'); // where the sandbox runs must not matter
    onTestFinished(() => void vi.unstubAllEnvs());
    let now = new Date('2026-01-01T00:00:00Z');
    const { call, makeToken } = await accountSandbox({ now: () => now });
    const { token } = await makeToken({ expires_at });

    now = new Date(before);
    expect(await call('GET', list, { token })).toMatchObject({ status: 200 });
    now = new Date(after);
    expect(await call('GET', list, { token })).toMatchObject(refused);
  });

  test.each([null, '', undefined])('a token with expires_at %j never expires', async (expires_at) => {
    let now = new Date();
    const { call, makeToken } = await accountSandbox({ now: () => now });
    const { token } = await makeToken({ expires_at });
    now = new Date('2999-01-01T00:00:00Z');
    expect(await call('GET', list, { token })).toMatchObject({ status: 200 });
  });
});

describe('the rights of a token are those of its owner, narrowed by its privileges', () => {
  test.each<[name: string, owner: 'admin' | 'editor', privileges: string[], left: string[]]>([
    ['an empty list of privileges leaves all permissions of the owner', 'admin', [], ['settings', 'dashboards']],
    ['a list of privileges leaves the permissions that it names', 'admin', ['account_settings'], ['settings']],
    ['a list of privileges takes those that it does not name', 'admin', ['dashboard_advanced'], ['dashboards']],
    [
      'a list of privileges never adds a permission that the owner lacks',
      'editor',
      ['account_settings', 'dashboard_advanced'],
      ['dashboards'],
    ],
    ['a list without a permission of the owner leaves no permission', 'editor', ['account_settings', 'whatever'], []],
  ])('%s', async (_name, owner, privileges, left) => {
    const { call, makeToken, admin, user } = await accountSandbox();
    const { token } = await makeToken({ privileges }, (owner === 'admin' ? admin : user('dashboard_advanced')).token);
    const settings = await call('GET', '/account/api_tokens.json?for_account=yes', { token });
    const dashboards = await call('POST', '/toolkit/dashboards.json', { token, body: { dashboard: { name: 'N' } } });
    expect({ settings: settings.status, dashboards: dashboards.status }).toEqual({
      settings: left.includes('settings') ? 200 : 403,
      dashboards: left.includes('dashboards') ? 201 : 403,
    });
  });

  test('a token loses a permission when its owner loses it', async () => {
    const { sandbox, call, admin } = await accountSandbox();
    sandbox.store.setPermissions(admin.id, ['todo']);
    const { status } = await call('GET', '/account/api_tokens.json?for_account=yes', { token: admin.token });
    expect(status).toBe(403);
  });
});
