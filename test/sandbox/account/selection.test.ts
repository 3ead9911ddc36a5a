import { describe, expect, test } from 'vitest';
import { accountSandbox, refusal } from './support.ts';

const contexts = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'];

test('the selected dashboard is shown, then the company default, then the built-in layout', async () => {
  const { as, makeDashboard, select, shown } = await accountSandbox();
  expect((await shown('main')).current_id).toBeNull();
  const company = await makeDashboard({ shared: true, is_default: true });
  const own = await makeDashboard();
  await select('main', '');
  expect((await shown('main')).current_id).toBe(company.id);
  await select('main', own.id);
  expect((await shown('main')).current_id).toBe(own.id);
  await select('main', 'builtin');
  expect((await shown('main')).current_id).toBeNull();
  await select('main', '');
  await as('DELETE', `/toolkit/dashboards/${company.id}.json`);
  expect((await shown('main')).current_id).toBeNull();
});

test('a created dashboard becomes the selected one for its creator, in its context, and for nobody else', async () => {
  const { makeDashboard, shown, user } = await accountSandbox();
  const { id } = await makeDashboard({ context: 'crm', shared: true });
  expect((await shown('crm')).current_id).toBe(id);
  expect((await shown('main')).current_id).toBeNull();
  expect((await shown('crm', user().token)).current_id).toBeNull();
});

test('users select separately: the company default is shown to who has selected nothing, and to nobody else', async () => {
  const { makeDashboard, select, shown, user } = await accountSandbox();
  const [undecided, decided] = [user(), user()];
  await select('main', 'builtin', decided.token);
  const { id } = await makeDashboard({ shared: true, is_default: true });
  expect((await shown('main', undecided.token)).current_id).toBe(id);
  expect((await shown('main', decided.token)).current_id).toBeNull();
});

test('deleting a dashboard reverts the selection of everybody who had it', async () => {
  const { as, makeDashboard, select, shown, user } = await accountSandbox();
  const company = await makeDashboard({ shared: true, is_default: true });
  const gone = await makeDashboard({ shared: true });
  const member = user();
  await select('main', gone.id, member.token);
  expect((await shown('main', member.token)).current_id).toBe(gone.id);
  await as('DELETE', `/toolkit/dashboards/${gone.id}.json`);
  expect((await shown('main', member.token)).current_id).toBe(company.id);
  expect((await shown('main')).current_id).toBe(company.id);
});

describe('select', () => {
  test.each(contexts)('works in the context %s and answers what was selected', async (context) => {
    const { select } = await accountSandbox();
    for (const dashboard_id of ['builtin', '']) {
      expect(await select(context, dashboard_id)).toMatchObject({ status: 200, body: { context, dashboard_id } });
    }
  });

  test('takes the integer id of a visible dashboard of its context', async () => {
    const { makeDashboard, select, shown, user } = await accountSandbox();
    const { id } = await makeDashboard();
    expect(await select('main', id)).toMatchObject({ status: 200, body: { context: 'main', dashboard_id: id } });
    expect((await select('main', id, user().token)).status).toBe(404);
    const ofCrm = await makeDashboard({ context: 'crm' });
    expect(await select('main', ofCrm.id)).toMatchObject(refusal('dashboard_id'));
    expect((await select('main', ofCrm.id + 1)).status).toBe(404);
    expect((await shown('main')).current_id).toBe(id);
  });

  test('refuses a dashboard_id or a context that is none', async () => {
    const { as, makeDashboard, select } = await accountSandbox();
    await makeDashboard();
    for (const id of [undefined, null, 'default', '1', 1.5, true, []]) {
      expect(await select('main', id), String(id)).toMatchObject(refusal('dashboard_id'));
    }
    for (const context of [undefined, 'elsewhere', '']) {
      const body = { context, dashboard_id: 'builtin' };
      expect(await as('PATCH', '/toolkit/dashboards/select.json', body)).toMatchObject(refusal('context'));
    }
  });
});
