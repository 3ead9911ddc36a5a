import { describe, expect, test } from 'vitest';
import { accountSandbox, refusal } from './support.ts';

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

const key = 'inbox';

test.each<[rule: string, sent: object[], answered: string[]]>([
  ['valid ids stay', ['a', '0-_z', 'x'.repeat(32)].map((id) => ({ id, key })), ['a', '0-_z', 'x'.repeat(32)]],
  [
    'a missing id becomes the key, then the key with -2, -3',
    [{ key }, { key }, { key: 'tasks' }, { key }],
    ['inbox', 'inbox-2', 'tasks', 'inbox-3'],
  ],
  [
    'an invalid id is replaced',
    ['', 'x'.repeat(33), 'Upper', 'a.b', 'a b', 'ą', 'a\n', 7, null].map((id) => ({ id, key })),
    ['inbox', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `inbox-${number}`)],
  ],
  [
    'the first of two equal ids stays, the second is replaced',
    [
      { id: 'a', key },
      { id: 'a', key },
    ],
    ['a', 'inbox'],
  ],
  ['an assigned id is none that another entry sends back', [{ key }, { id: 'inbox', key }], ['inbox-2', 'inbox']],
])('%s', async (_rule, layout, answered) => {
  const { makeDashboard } = await accountSandbox();
  expect((await makeDashboard({ layout })).layout.map(({ id }) => id)).toEqual(answered);
});

test('ids that are sent back name their entries after a change', async () => {
  const { as, makeDashboard } = await accountSandbox();
  const { id, layout } = await makeDashboard({ layout: [{ key }, { key: 'tasks' }] });
  const dashboard = { layout: [{ key }, ...layout.toReversed()] };
  const { body } = await as('PATCH', `/toolkit/dashboards/${id}.json`, { dashboard });
  expect(body).toMatchObject({ layout: [{ id: 'inbox-2' }, { id: 'tasks' }, { id: 'inbox' }] });
});

describe('tiles', () => {
  test('a layout may have 0 to 60 tiles; 61 are refused', async () => {
    const { postDashboard } = await accountSandbox();
    const tiles = (count: number) => Array.from({ length: count }, () => ({ key: 'kpi' }));
    for (const count of [0, 60]) expect((await postDashboard({ layout: tiles(count) })).status).toBe(201);
    expect(await postDashboard({ layout: tiles(61) })).toMatchObject(refusal('layout'));
  });

  test('an unknown tile is refused', async () => {
    const { postDashboard } = await accountSandbox();
    for (const key of ['nonsense', '', 'Inbox', 'toString', 'flex_app', 'flex_app:', 'flex_app:1', 'crm_deals\0']) {
      expect(await postDashboard({ layout: [{ key }] }), key).toMatchObject(refusal('layout'));
    }
  });

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

  test("the case of an application's id in a key does not matter, and an assigned id is in lower case", async () => {
    const { sandbox, account, as, makeDashboard, shown } = await accountSandbox();
    sandbox.store.createFlexApplication({ account, id: '3F2a9c54-7d1e-4b86-9a0f-5c8e21d47b10' });
    const key = 'flex_app:3f2A9C54-7D1E-4B86-9A0F-5C8E21D47B10';

    const { layout } = await makeDashboard({ layout: [{ key }] });

    expect(layout).toMatchObject([{ id: 'flex_app-3f2a9c54', key }]);
    expect((await shown('main')).layout).toMatchObject([{ key }]);
    expect((await as('GET', `/toolkit/dashboards/widget.json?key=${key}`)).body).toMatchObject({ key });
  });

  test('an inactive application, and one of another account, are refused', async () => {
    const { sandbox, account, postDashboard } = await accountSandbox();
    const inactive = sandbox.store.createFlexApplication({ account, active: false });
    const foreign = sandbox.store.createFlexApplication({ account: sandbox.store.createAccount().id });
    for (const { id } of [inactive, foreign]) {
      expect(await postDashboard({ layout: [{ key: `flex_app:${id}` }] })).toMatchObject(refusal('layout'));
    }
  });
});
