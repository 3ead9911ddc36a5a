import { expect, test } from 'vitest';
import { accountSandbox, refusal } from './support.ts';

const setField = (query: Record<string, string>) => `/account/set_field.json?${new URLSearchParams(query)}`;
const toolkit = { key: 'account.settings.modules', action_type: 'add', value: 'toolkit' };

test('set_field enables a module with parameters in the query and no body, and disabled again', async () => {
  const { as } = await accountSandbox({ modules: ['kb', 'crm'] });
  const post = (query: Record<string, string>) => as('POST', setField(query));

  const { key } = toolkit;
  expect(await post(toolkit)).toMatchObject({ status: 200, body: { key, value: ['crm', 'kb', 'toolkit'] } });
  expect(await post(toolkit)).toMatchObject({ status: 200, body: { value: ['crm', 'kb', 'toolkit'] } });
  expect(await post({ ...toolkit, action_type: 'remove' })).toMatchObject({ body: { value: ['crm', 'kb'] } });
});

test('a module is enabled for the whole account, and for no other account', async () => {
  const { as, call, user, stranger } = await accountSandbox({ modules: [] });
  const mail = '/toolkit/dashboards/widget.json?key=mail';
  await as('POST', setField({ ...toolkit, value: 'mail' }));
  expect((await call('GET', mail, { token: user().token })).status).toBe(200);
  expect((await call('GET', mail, { token: stranger().token })).status).toBe(404);
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
  const { as } = await accountSandbox();
  expect(await as('POST', setField({ ...toolkit, [parameter]: value }))).toMatchObject(refusal(parameter));
});

test('set_field ignores parameters in a body', async () => {
  const { as } = await accountSandbox();
  expect(await as('POST', '/account/set_field.json', toolkit)).toMatchObject(refusal('key', 'action_type', 'value'));
});
