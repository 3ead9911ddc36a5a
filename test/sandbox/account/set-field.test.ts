import { expect, test } from 'vitest';
import { accountSandbox } from './support.ts';

const setField = (query: Record<string, string>) => `/account/set_field.json?${new URLSearchParams(query)}`;
const toolkit = { key: 'account.settings.modules', action_type: 'add', value: 'toolkit' };

test('set_field enables a module with parameters in the query and no body, and disabled again', async () => {
  const { call, admin } = await accountSandbox({ modules: ['kb', 'crm'] });
  const post = (query: Record<string, string>) => call('POST', setField(query), { token: admin.token });

  expect(await post(toolkit)).toMatchObject({
    status: 200,
    body: { key: 'account.settings.modules', value: ['crm', 'kb', 'toolkit'] },
  });
  expect(await post(toolkit)).toMatchObject({ status: 200, body: { value: ['crm', 'kb', 'toolkit'] } });
  expect(await post({ ...toolkit, action_type: 'remove' })).toMatchObject({ body: { value: ['crm', 'kb'] } });
});

test('a module is enabled for the whole account, and for no other account', async () => {
  const { sandbox, call, admin, user } = await accountSandbox({ modules: [] });
  const mail = '/toolkit/dashboards/widget.json?key=mail';
  const stranger = sandbox.store.createUser({ account: sandbox.store.createAccount().id });
  await call('POST', setField({ ...toolkit, value: 'mail' }), { token: admin.token });
  expect((await call('GET', mail, { token: user().token })).status).toBe(200);
  expect((await call('GET', mail, { token: stranger.token })).status).toBe(404);
});

test('set_field needs the permission account_settings', async () => {
  const { call, user } = await accountSandbox();
  const { token } = user('dashboard_advanced', 'todo');
  expect((await call('POST', setField(toolkit), { token })).status).toBe(403);
});

test.each([
  ['key', 'account.settings.name'],
  ['action_type', 'toggle'],
  ['value', 'warp_drive'],
])('an unknown %s is refused with 422 by its name', async (parameter, value) => {
  const { call, admin } = await accountSandbox();
  const query = { ...toolkit, [parameter]: value };
  expect(await call('POST', setField(query), { token: admin.token })).toMatchObject({
    status: 422,
    body: { errors: { [parameter]: [expect.any(String)] } },
  });
});

test('set_field ignores parameters in a body', async () => {
  const { call, admin } = await accountSandbox();
  const { status, body } = await call('POST', '/account/set_field.json', { token: admin.token, body: toolkit });
  expect(status).toBe(422);
  expect(Object.keys((body as { errors: object }).errors)).toEqual(['key', 'action_type', 'value']);
});
