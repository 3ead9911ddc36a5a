import { describe, expect, test } from 'vitest';
import { accountSandbox } from './support.ts';

describe('sizes', () => {
  test('the four documented sizes are kept', async () => {
    const { makeDashboard } = await accountSandbox();
    const sizes = ['quarter', 'half', 'three_quarters', 'full'];
    const { layout } = await makeDashboard({ layout: sizes.map((size) => ({ key: 'inbox', size })) });
    expect(layout.map(({ size }) => size)).toEqual(sizes);
  });

  test.each([
    ['module_header', 'full'],
    ['module_icons', 'full'],
    ['kpi', 'full'],
    ['quick_actions', 'full'],
    ['crm_stats', 'full'],
    ['marketing_stats', 'full'],
    ['inbox', 'half'],
    ['crm_deals', 'half'],
  ])('an unknown or missing size of %s is its default, %s', async (key, size) => {
    const { makeDashboard } = await accountSandbox();
    const { layout } = await makeDashboard({ layout: [{ key }, { key, size: 'huge' }, { key, size: 3 }] });
    expect(layout.map((entry) => entry.size)).toEqual([size, size, size]);
  });
});

describe('ids', () => {
  const assigned = async (...layout: object[]) => {
    const { makeDashboard } = await accountSandbox();
    return (await makeDashboard({ layout })).layout.map(({ id }) => id);
  };
  const key = 'inbox';

  test('valid ids stay', async () => {
    const ids = ['a', '0-_z', 'x'.repeat(32)];
    expect(await assigned(...ids.map((id) => ({ id, key })))).toEqual(ids);
  });
  test('a missing id becomes the key, then the key with -2, -3', async () => {
    expect(await assigned({ key }, { key }, { key: 'tasks' }, { key })).toEqual([
      'inbox',
      'inbox-2',
      'tasks',
      'inbox-3',
    ]);
  });
  test.each(['', 'x'.repeat(33), 'Upper', 'a.b', 'a b', 'ą', 'a\n', 7, null])('the id %j is replaced', async (id) => {
    expect(await assigned({ id, key })).toEqual(['inbox']);
  });
  test('the first of two equal ids stays, the second is replaced', async () => {
    expect(await assigned({ id: 'a', key }, { id: 'a', key })).toEqual(['a', 'inbox']);
  });
  test('an assigned id never takes one that another entry sends back', async () => {
    expect(await assigned({ key }, { id: 'inbox', key })).toEqual(['inbox-2', 'inbox']);
  });
  test('ids that are sent back name their entries after a change', async () => {
    const { call, admin, makeDashboard } = await accountSandbox();
    const { id, layout } = await makeDashboard({ layout: [{ key }, { key: 'tasks' }] });
    const { body } = await call('PATCH', `/toolkit/dashboards/${id}.json`, {
      token: admin.token,
      body: { dashboard: { layout: [{ key }, ...layout.toReversed()] } },
    });
    expect(body).toMatchObject({ layout: [{ id: 'inbox-2' }, { id: 'tasks' }, { id: 'inbox' }] });
  });
});

describe('tiles', () => {
  const attempt = async (layout: object[], sandboxed = accountSandbox()) => {
    const { call, admin } = await sandboxed;
    const body = { dashboard: { name: 'N', layout } };
    return call('POST', '/toolkit/dashboards.json', { token: admin.token, body });
  };
  const refused = { status: 422, body: { errors: { layout: [expect.any(String)] } } };

  test.each([0, 60])('a layout may have %i tiles', async (count) => {
    expect((await attempt(Array.from({ length: count }, () => ({ key: 'kpi' })))).status).toBe(201);
  });
  test('61 tiles are refused', async () => {
    expect(await attempt(Array.from({ length: 61 }, () => ({ key: 'kpi' })))).toMatchObject(refused);
  });
  test.each(['nonsense', '', 'Inbox', 'toString', 'flex_app', 'flex_app:', 'flex_app:1', 'crm_deals\0'])(
    'the unknown tile %j is refused',
    async (key) => {
      expect(await attempt([{ key }])).toMatchObject(refused);
    },
  );
  test('any tile can be placed in any context, also one of a module that is not enabled', async () => {
    const { makeDashboard } = await accountSandbox({ modules: [] });
    const layout = [{ key: 'organize_stats' }, { key: 'organize_projects' }, { key: 'organize_workinfos' }];
    expect((await makeDashboard({ context: 'cms', layout })).layout).toMatchObject(layout);
  });

  test('any active application of the account can be placed, and gets ids of allowed characters', async () => {
    const { sandbox, account, makeDashboard } = await accountSandbox();
    const { id } = sandbox.store.createFlexApplication({ account, id: '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10' });
    const key = `flex_app:${id}`;
    const { layout } = await makeDashboard({ layout: [{ key }, { key }] });
    expect(layout).toMatchObject([
      { id: 'flex_app-3f2a9c54', key },
      { id: 'flex_app-3f2a9c54-2', key },
    ]);
  });
  test('an inactive application, and one of another account, are refused', async () => {
    const context = await accountSandbox();
    const { store } = context.sandbox;
    const inactive = store.createFlexApplication({ account: context.account, active: false });
    const foreign = store.createFlexApplication({ account: store.createAccount().id });
    for (const { id } of [inactive, foreign]) {
      expect(await attempt([{ key: `flex_app:${id}` }], Promise.resolve(context))).toMatchObject(refused);
    }
  });
});
