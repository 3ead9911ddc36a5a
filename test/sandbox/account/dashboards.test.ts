import { describe, expect, test } from 'vitest';
import { accountSandbox, ids, refusal } from './support.ts';

const list = '/toolkit/dashboards.json';
const path = (id: number | string) => `/toolkit/dashboards/${id}.json`;
const wrap = (dashboard: object) => ({ dashboard });

test('POST answers 201 with the dashboard, bare; the context is main, it is not shared and no default', async () => {
  const { as } = await accountSandbox({ now: () => new Date('2026-05-01T08:00:00Z') });
  const layout = [{ id: 'mine', key: 'inbox', size: 'full', config: { scope: 'all' } }];
  expect(await as('POST', list, wrap({ name: 'Start', layout }))).toMatchObject({
    status: 201,
    body: {
      id: expect.any(Number),
      name: 'Start',
      context: 'main',
      layout,
      shared: false,
      is_default: false,
      editable: true,
      updated_at: '2026-05-01T08:00:00.000Z',
    },
  });
});

test.each([
  ['crm', ['module_header', 'crm_stats', 'crm_deals', 'crm_clients', 'crm_contacts', 'crm_notes']],
  ['cms', ['module_header', 'cms_stats', 'cms_sites', 'cms_domains', 'cms_pages', 'cms_change_log']],
  ['main', ['module_header', 'module_icons']],
])('without a layout POST takes the standard layout of its context %s', async (context, keys) => {
  const { makeDashboard } = await accountSandbox();
  const { layout, ...made } = await makeDashboard({ context });
  expect(made).toMatchObject({ context });
  expect(layout.map(({ key }) => key)).toEqual(keys);
  // `cms` is the default of a header's module, and defaults are omitted on save.
  expect(layout[0]?.config).toEqual(
    { main: { module: 'main', frame: 'box' }, crm: { module: 'crm' }, cms: {} }[context],
  );
});

const long = (length: number) => '🙂'.repeat(length);

test('a name may have 100 characters', async () => {
  const { makeDashboard } = await accountSandbox();
  expect(await makeDashboard({ name: long(100) })).toMatchObject({ name: long(100) });
});

test.each<[field: string, methods: string, values: unknown[]]>([
  ['name', 'POST', [undefined]],
  ['name', 'POST and PATCH', [null, '', '  ', 7, long(101), 'a\0b']],
  ['context', 'POST', ['organize', 'mail', 'kb', 'marketing', 'account', 'elsewhere', '', 1]],
  ['layout', 'POST and PATCH', ['none', ['inbox'], [{ id: 'a' }], [{ key: 1 }]]],
  ['shared', 'POST', ['yes']],
  ['is_default', 'POST and PATCH', [1]],
])('a wrong %s is refused with 422 by field, on %s', async (field, methods, values) => {
  const { as, makeDashboard } = await accountSandbox();
  const { id } = await makeDashboard();
  for (const value of values) {
    const body = wrap({ name: 'N', [field]: value });
    const refused = { status: 422, body: { errors: { [field]: expect.any(Array) } } };
    expect(await as('POST', list, body), String(value)).toMatchObject(refused);
    if (methods !== 'POST') expect(await as('PATCH', path(id), body), String(value)).toMatchObject(refused);
  }
});

describe('PATCH', () => {
  test('answers 200, changes what it was given and nothing else, and moves updated_at', async () => {
    let now = new Date('2026-05-01T08:00:00Z');
    const { as, makeDashboard } = await accountSandbox({ now: () => now });
    const before = await makeDashboard({ layout: [{ key: 'inbox' }] });
    now = new Date('2026-05-02T08:00:00Z');
    const renamed = await as('PATCH', path(before.id), wrap({ name: 'New' }));
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({ ...before, name: 'New', updated_at: '2026-05-02T08:00:00.000Z' });
    expect((await as('GET', path(before.id))).body).toEqual(renamed.body);
  });

  test('changes the layout, and restores the standard layout by null', async () => {
    const { as, makeDashboard } = await accountSandbox();
    const { id } = await makeDashboard();
    const layout = [{ id: 'x', key: 'kpi', size: 'half', config: {} }];
    expect((await as('PATCH', path(id), wrap({ layout }))).body).toMatchObject({ name: 'Mine', layout });
    const standard = { layout: [{ key: 'module_header' }, { key: 'module_icons' }] };
    expect((await as('PATCH', path(id), wrap({ layout: null }))).body).toMatchObject(standard);
  });

  test('ignores context and shared, which only POST takes', async () => {
    const { as, makeDashboard } = await accountSandbox();
    const { id } = await makeDashboard();
    const { status, body } = await as('PATCH', path(id), wrap({ context: 'crm', shared: true }));
    expect({ status, body }).toMatchObject({ status: 200, body: { context: 'main', shared: false } });
  });
});

describe('permissions', () => {
  test('creating and changing dashboards needs dashboard_advanced, deleting and selecting do not', async () => {
    const { sandbox, call, makeDashboard, select, user } = await accountSandbox();
    const author = user('dashboard_advanced');
    const { id } = await makeDashboard({}, author.token);
    sandbox.store.setPermissions(author.id, ['account_settings']);
    const attempt = (method: string, at: string, fields?: object) =>
      call(method, at, { token: author.token, body: fields && wrap(fields) });

    expect((await attempt('POST', list, { name: 'N' })).status).toBe(403);
    expect((await attempt('POST', list, { name: 'N', shared: true })).status).toBe(403);
    expect((await attempt('PATCH', path(id), { name: 'N' })).status).toBe(403);
    expect((await attempt('GET', path(id))).body).toMatchObject({ editable: false });
    expect((await select('main', id, author.token)).status).toBe(200);
    expect((await attempt('DELETE', path(id))).status).toBe(204);
  });

  test('any user with account settings, and no other, creates, changes and deletes company dashboards', async () => {
    const { call, makeDashboard, user } = await accountSandbox();
    const { id } = await makeDashboard({ shared: true });
    const [editor, manager] = [user('dashboard_advanced'), user('account_settings', 'dashboard_advanced')];
    const statuses = async ({ token }: { token: string }) => {
      const created = await call('POST', list, { token, body: wrap({ name: 'N', shared: true }) });
      const changed = await call('PATCH', path(id), { token, body: wrap({ name: 'N' }) });
      return [created.status, changed.status, (await call('DELETE', path(id), { token })).status];
    };
    const readBy = async ({ token }: { token: string }) => await call('GET', path(id), { token });

    expect(await statuses(editor)).toEqual([403, 403, 403]);
    expect(await readBy(editor)).toMatchObject({ status: 200, body: { editable: false, name: 'Mine' } });
    expect((await readBy(manager)).body).toMatchObject({ editable: true });
    expect(await statuses(manager)).toEqual([201, 200, 204]);
    expect((await readBy(manager)).status).toBe(404);
  });

  test("another user's own dashboard is 404 and in no list", async () => {
    const { as, makeDashboard, user, shown } = await accountSandbox();
    const { id } = await makeDashboard({}, user('dashboard_advanced').token);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? wrap({ name: 'N' }) : undefined;
      expect((await as(method, path(id), body)).status).toBe(404);
    }
    expect((await as('GET', list)).body).toEqual([]);
    expect((await shown('main')).dashboards).toEqual([]);
  });

  test('two accounts never see each other, not even company dashboards', async () => {
    const { call, makeDashboard, select, stranger } = await accountSandbox();
    const { id } = await makeDashboard({ shared: true, is_default: true });
    const { token } = stranger();
    expect((await call('GET', path(id), { token })).status).toBe(404);
    expect((await call('DELETE', path(id), { token })).status).toBe(404);
    expect((await select('main', id, token)).status).toBe(404);
    expect((await call('GET', list, { token })).body).toEqual([]);
    await makeDashboard({ shared: true, is_default: true }, token);
    expect((await call('GET', list, { token })).body).toHaveLength(1);
  });
});

test('the list holds company and own dashboards, as a bare array, and is filtered by context', async () => {
  const { call, makeDashboard, user } = await accountSandbox();
  const { token } = user('dashboard_advanced');
  await makeDashboard(); // the admin's own
  const company = await makeDashboard({ shared: true });
  const own = await makeDashboard({ context: 'cms' }, token);
  const listed = (query = '') => call('GET', list + query, { token });
  expect(ids((await listed()).body)).toEqual([company.id, own.id]);
  expect(ids((await listed('?context=cms')).body)).toEqual([own.id]);
  expect((await listed('?context=account')).body).toEqual([]);
  expect(await listed('?context=elsewhere')).toMatchObject(refusal('context'));
});

describe('the default', () => {
  test('setting a default clears the flag on the previous default of the same context, by POST and by PATCH', async () => {
    const { as, makeDashboard } = await accountSandbox();
    const first = await makeDashboard({ shared: true, is_default: true });
    const ofCrm = await makeDashboard({ context: 'crm', shared: true, is_default: true });
    const second = await makeDashboard({ shared: true, is_default: true });
    const defaults = async () => {
      const { body } = await as('GET', list);
      return ids((body as { is_default: boolean }[]).filter(({ is_default }) => is_default));
    };
    expect(await defaults()).toEqual([ofCrm.id, second.id]);
    await as('PATCH', path(first.id), wrap({ is_default: true }));
    expect(await defaults()).toEqual([first.id, ofCrm.id]);
    await as('PATCH', path(first.id), wrap({ name: 'Still', is_default: null }));
    expect(await defaults()).toEqual([first.id, ofCrm.id]);
    await as('PATCH', path(first.id), wrap({ is_default: false }));
    expect(await defaults()).toEqual([ofCrm.id]);
  });

  test('a default that is no company dashboard is refused with 422', async () => {
    const { as, makeDashboard } = await accountSandbox();
    const body = wrap({ name: 'N', is_default: true });
    expect(await as('POST', list, body)).toMatchObject(refusal('is_default'));
    const { id } = await makeDashboard();
    expect(await as('PATCH', path(id), body)).toMatchObject(refusal('is_default'));
    expect((await as('GET', path(id))).body).toMatchObject({ name: 'Mine' });
  });
});

test('a refused request changes nothing', async () => {
  const { as, makeDashboard, shown } = await accountSandbox();
  const { id } = await makeDashboard({ shared: true, is_default: true });
  const body = wrap({ name: 'N', shared: true, is_default: true, layout: [{ key: 'nonsense' }] });
  expect((await as('POST', list, body)).status).toBe(422);
  expect((await as('GET', list)).body).toHaveLength(1);
  expect((await shown('main')).current_id).toBe(id);
});

test('the endpoints work while the module toolkit is disabled', async () => {
  const { as, makeDashboard } = await accountSandbox({ modules: [] });
  const { id } = await makeDashboard();
  expect((await as('GET', path(id))).status).toBe(200);
});
