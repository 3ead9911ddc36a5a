import { describe, expect, test } from 'vitest';
import type { Module } from '../../../src/sandbox/account/accounts.ts';
import { accountSandbox, refusal } from './support.ts';

const widget = (key: string) => `/toolkit/dashboards/widget.json?key=${encodeURIComponent(key)}`;
const header = (module: string) => ['module_header', { module }] as const;
const framed = (module: string) => ['module_header', { module, frame: 'box' }] as const;
const icons = (place: string) => ['module_icons', { icons: place, title: 'hide' }] as const;
const plain = (...keys: string[]) => keys.map((key) => [key, {}] as const);

const builtIn: Record<string, readonly (readonly [string, object])[]> = {
  main: [framed('main'), ['module_icons', {}]],
  crm: [header('crm'), ...plain('crm_stats', 'crm_deals', 'crm_clients', 'crm_contacts', 'crm_notes')],
  cms: [header('cms'), ...plain('cms_stats', 'cms_sites', 'cms_domains', 'cms_pages', 'cms_change_log')],
  organize: [framed('organize'), icons('organize')],
  mail: [framed('mail'), icons('mail')],
  kb: [header('kb'), ...plain('kb_stats', 'kb_knowledge_bases', 'kb_comments', 'kb_entries', 'kb_entry_urls')],
  marketing: [header('marketing'), ...plain('marketing_stats', 'marketing_campaigns')],
  account: [framed('account'), icons('account')],
};

test.each(Object.entries(builtIn))('the built-in layout of %s', async (context, tiles) => {
  const { shown } = await accountSandbox();
  const { current_id, layout, dashboards } = await shown(context);
  expect({ current_id, dashboards }).toEqual({ current_id: null, dashboards: [] });
  expect(layout.map(({ key, config }) => [key, config])).toEqual(tiles);
  expect(layout.map(({ id }) => id)).toEqual(tiles.map(([key]) => key));
});

test('widgets.json answers the displayed dashboard and the dashboards of its context', async () => {
  const { as, makeDashboard, shown } = await accountSandbox();
  const company = await makeDashboard({ shared: true });
  await makeDashboard({ context: 'crm' });
  const own = await makeDashboard({ layout: [{ key: 'kpi' }] });
  const { current_id, layout, dashboards } = await shown('main');
  expect({ current_id, layout }).toEqual({ current_id: own.id, layout: own.layout });
  expect(dashboards).toEqual([company, own]);
  expect((await as('GET', `/toolkit/dashboards/${own.id}.json`)).body).toEqual(own);
});

test('widgets.json requires a known context', async () => {
  const { as } = await accountSandbox();
  for (const query of ['', '?context=', '?context=elsewhere']) {
    expect(await as('GET', `/toolkit/dashboards/widgets.json${query}`), query).toMatchObject(refusal('context'));
  }
});

describe('a tile of a module that is not enabled is unavailable', () => {
  const tiles: Record<Exclude<Module, 'toolkit'>, string[]> = {
    crm: ['crm_stats', 'crm_deals', 'crm_clients', 'crm_contacts', 'crm_notes'],
    cms: ['cms_pages', 'cms_stats', 'cms_sites', 'cms_change_log', 'cms_domains'],
    organize: ['organize_stats', 'organize_projects', 'organize_workinfos'],
    mail: ['mail'],
    kb: ['kb_stats', 'kb_knowledge_bases', 'kb_entries', 'kb_comments', 'kb_entry_urls'],
    marketing: ['marketing_stats', 'marketing_campaigns'],
  };
  const needNone = ['kpi', 'quick_actions', 'inbox', 'activity', 'tasks', 'chats', 'todo', 'ai_request'];
  const everything = [...needNone, ...Object.values(tiles).flat()].map((key) => ({ key }));
  const keysOf = (layout: { key: string }[]) => layout.map(({ key }) => key);

  test.each(Object.entries(tiles))('%s', async (module, keys) => {
    const { as, sandbox, account, makeDashboard, shown } = await accountSandbox();
    const { id } = await makeDashboard({ layout: everything });
    sandbox.store.disableModule(account, module as Module);

    const left = keysOf(everything).filter((key) => !keys.includes(key));
    expect(keysOf((await shown('main')).layout)).toEqual(left);
    for (const key of keys) expect((await as('GET', widget(key))).status).toBe(404);
    const saved = await as('GET', `/toolkit/dashboards/${id}.json`);
    expect(keysOf((saved.body as { layout: { key: string }[] }).layout)).toEqual(keysOf(everything));

    sandbox.store.enableModule(account, module as Module);
    expect(keysOf((await shown('main')).layout)).toEqual(keysOf(everything));
  });

  test('module_header and module_icons are available whichever modules are enabled', async () => {
    const { makeDashboard, shown } = await accountSandbox({ modules: ['crm'] });
    const layout = [
      { key: 'module_header', config: { module: 'kb' } },
      { key: 'module_icons', config: { icons: 'crm' } },
    ];
    await makeDashboard({ layout });
    expect((await shown('main')).layout).toMatchObject(layout);
  });
});

test.each([
  ['crm_notes', 'crm_notes_index'],
  ['todo', 'todo'],
] as const)('the tile %s needs the permission %s', async (key, permission) => {
  const { call, user, makeDashboard, shown } = await accountSandbox();
  await makeDashboard({ shared: true, is_default: true, layout: [{ key }, { key: 'inbox' }] });
  const [holder, other] = [user(permission), user('dashboard_advanced')];
  expect((await shown('main', holder.token)).layout).toHaveLength(2);
  expect((await shown('main', other.token)).layout).toMatchObject([{ key: 'inbox' }]);
  expect((await call('GET', widget(key), { token: holder.token })).status).toBe(200);
  expect((await call('GET', widget(key), { token: other.token })).status).toBe(404);
});

test('a flex_app tile is available while its application is active, in its own account', async () => {
  const { sandbox, account, as, call, stranger, makeDashboard, shown } = await accountSandbox();
  const { id } = sandbox.store.createFlexApplication({ account, name: 'Order desk' });
  const key = `flex_app:${id}`;
  await makeDashboard({ layout: [{ key }] });
  expect((await shown('main')).layout).toMatchObject([{ key }]);
  expect((await as('GET', widget(key))).body).toEqual({ key, name: 'Order desk', settings: {}, config: {} });
  expect((await call('GET', widget(key), { token: stranger().token })).status).toBe(404);

  sandbox.store.setFlexApplicationActive(id, false);
  expect((await shown('main')).layout).toEqual([]);
  expect((await as('GET', widget(key))).status).toBe(404);
});

describe('widget.json', () => {
  const settings = async (key: string, modules: Module[] = ['crm', 'mail']) => {
    const { as } = await accountSandbox({ modules });
    return (await as('GET', widget(key))).body;
  };

  test('describes settings with and without a documented default; config holds the defaults', async () => {
    expect(await settings('mail')).toEqual({
      key: 'mail',
      name: expect.any(String),
      settings: {
        scope: { options: ['all', 'mine'], default: null, multiple: false, text: false },
        filter: { options: ['all', 'unread'], default: null, multiple: false, text: false },
        limit: { options: ['5', '10', '15', '20'], default: '5', multiple: false, text: false },
      },
      config: { limit: '5' },
    });
  });

  test('describes lists and texts', async () => {
    const actions = ['new_task', 'new_cms_page'];
    expect(await settings('quick_actions')).toMatchObject({
      settings: {
        hidden_actions: { options: expect.arrayContaining(actions), default: null, multiple: true, text: false },
        custom_name: { options: null, default: null, multiple: false, text: true },
        custom_url: { options: null, default: null, multiple: false, text: true },
      },
      config: {},
    });
  });

  test('offers icons of enabled modules only, main and account always', async () => {
    expect(await settings('module_icons')).toMatchObject({
      settings: { icons: { options: ['main', 'crm', 'mail', 'account'], default: 'main' } },
      config: { icons: 'main', title: 'show' },
    });
  });

  test('a key that names no tile is 404, and so is none', async () => {
    const { as } = await accountSandbox();
    const keys = [
      '',
      'nonsense',
      'toString',
      '__proto__',
      'flex_app:',
      'flex_app:3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10',
    ];
    for (const key of keys) expect((await as('GET', widget(key))).status, key).toBe(404);
    expect((await as('GET', '/toolkit/dashboards/widget.json')).status).toBe(404);
  });
});
