import { expect, test } from 'vitest';
import { freshSandbox } from '../support/sandbox.ts';

const demo = () => freshSandbox({ demo: true });

test.each([
  ['demo-admin', 200, 201],
  ['demo-editor', 403, 201],
  ['demo-member', 403, 403],
])('%s signs in with the permissions that it is named after', async (token, accountTokens, newDashboard) => {
  const { call } = await demo();
  expect((await call('GET', '/account/api_tokens.json?for_account=yes', { token })).status).toBe(accountTokens);
  const body = { dashboard: { name: 'N' } };
  expect((await call('POST', '/toolkit/dashboards.json', { token, body })).status).toBe(newDashboard);
});

test.each(['demo-inactive', 'demo-expired'])('%s shows how a token is refused', async (token) => {
  const { call } = await demo();
  expect((await call('GET', '/account/api_tokens.json', { token })).status).toBe(401);
});

test('each way to be shown a dashboard occurs', async () => {
  const { call } = await demo();
  const shown = async (context: string, token: string) => {
    const { body } = await call('GET', `/toolkit/dashboards/widgets.json?context=${context}`, { token });
    const { current_id, dashboards } = body as {
      current_id: number | null;
      dashboards: { id: number; name: string }[];
    };
    return dashboards.find(({ id }) => id === current_id)?.name ?? null;
  };
  expect(await shown('main', 'demo-editor')).toBe('Editorial desk'); // selected
  expect(await shown('main', 'demo-member')).toBe('Company overview'); // the company default
  expect(await shown('cms', 'demo-member')).toBeNull(); // built-in
});

test('the flex_app tile of the company overview is available', async () => {
  const { call } = await demo();
  const { body } = await call('GET', '/toolkit/dashboards/widgets.json?context=main', { token: 'demo-member' });
  expect(body).toMatchObject({
    layout: expect.arrayContaining([expect.objectContaining({ id: 'flex_app-3f2a9c54' })]),
  });
});

test('there is a flexible database of each kind, linked to an application', async () => {
  const { call } = await demo();
  const { body } = await call('GET', '/flex/dbs.json', { token: 'demo-member' });
  expect(body).toMatchObject([
    { code: 'products', app_id: expect.any(String), schema: { fields: {} }, public_methods: null },
    { code: 'tracker', app_id: expect.any(String), schema: { tables: { people: {}, tasks: {} } } },
    { code: 'guestbook', app_id: expect.any(String), public_methods: { create: {}, list: {} } },
  ]);
});

test.each([
  ['products', 300],
  ['tracker', 246],
  ['guestbook', 25],
])('the database %s has %i records', async (code, count) => {
  const { call } = await demo();
  expect((await call('GET', `/flex/dbs/${code}/records.json`, { token: 'demo-member' })).body).toHaveLength(count);
});

test('the guest book shows a browser its own entries', async () => {
  const { call } = await demo();
  const Cookie = `flex_key=${'2'.repeat(32)}`;
  expect((await call('POST', '/flex/db/guestbook/list', { headers: { Cookie } })).body).toHaveLength(6);
  expect((await call('POST', '/flex/db/guestbook/list')).body).toEqual([]);
});

test('without demo data the store is empty', async () => {
  const { call } = await freshSandbox({ demo: false });
  expect((await call('GET', '/account/api_tokens.json', { token: 'demo-admin' })).status).toBe(401);
});
