import { describe, expect, test } from 'vitest';
import { answering, publicDatabase } from './answering.ts';

const crmRecords: readonly [path: string, key: string, fields: object, list?: string][] = [
  ['clients', 'client', { name: 'N' }, '/app/clients.json'],
  ['posts', 'post', { title: 'T' }, '/app.json'],
  ['deals', 'deal', { name: 'D' }, '/app/deals.json'],
  ['contacts', 'contact', { name: 'C' }],
  ['contact_lists', 'contact_list', { name: 'L' }],
];

test.each(['wrapped', 'bare:wrapped'] as const)(
  '%s: each record that is written is inside its key, and a token has its raw value',
  async (mode) => {
    const { answersToWrites } = await answering(mode);
    const answers = await answersToWrites();
    for (const { name, body, wrapped } of answers) expect(body, name).toEqual(wrapped);
    expect(answers[0]?.body).toMatchObject({ api_token: { id: 2, token: expect.any(String) } });
  },
);

describe('wrapped', () => {
  test.each(crmRecords)(
    '%s of the CRM are inside their key, and lists of them in turn',
    async (path, key, fields, list) => {
      const { crm } = await answering('wrapped');
      const one = { [key]: expect.objectContaining({ id: 1, ...fields }) };
      expect(await crm('POST', `/app/${path}.json`, { [key]: fields })).toMatchObject({ status: 201, body: one });
      expect(await crm('GET', `/app/${path}/1.json`)).toMatchObject({ status: 200, body: one });
      if (path !== 'posts') expect((await crm('PUT', `/app/${path}/1.json`, { [key]: {} })).body).toEqual(one);
      if (list === undefined) return;
      expect((await crm('GET', list)).body).toEqual({ [`${key}s`]: [one[key]] });
      expect((await crm('GET', list)).body).toEqual([one]);
      expect((await crm('GET', list)).body).toEqual({ [`${key}s`]: [one[key]] });
    },
  );

  test('tokens and dashboards are inside their key; a selection and the displayed dashboard are not', async () => {
    const { as } = await answering('wrapped');
    await as('POST', '/account/api_tokens.json', { api_token: { name: 'N' } });
    expect((await as('GET', '/account/api_tokens/2.json')).body).toMatchObject({ api_token: { id: 2 } });
    expect((await as('GET', '/account/api_tokens.json')).body).toMatchObject({ api_tokens: [{ id: 1 }, { id: 2 }] });
    const dashboard = { dashboard: { id: 1, name: 'D' } };
    await as('POST', '/toolkit/dashboards.json', { dashboard: { name: 'D' } });
    expect((await as('GET', '/toolkit/dashboards.json')).body).toMatchObject([dashboard]);
    expect((await as('GET', '/toolkit/dashboards/1.json')).body).toMatchObject(dashboard);
    const displayed = await as('GET', '/toolkit/dashboards/widgets.json?context=main');
    expect(displayed.body).toMatchObject({ current_id: 1, dashboards: [{ id: 1 }] });
    const selection = { context: 'main', dashboard_id: 'builtin' };
    expect((await as('PATCH', '/toolkit/dashboards/select.json', selection)).body).toEqual(selection);
  });

  test('databases and records are inside their key, those of public methods too; found records are flat', async () => {
    const { as, anonymous, sandbox, account } = await answering('wrapped');
    const { id: database } = sandbox.store.createFlexDatabase(account, publicDatabase);
    const [id = ''] = sandbox.store.createFlexRecords(database, [{ a: 1 }]);
    expect((await as('GET', '/flex/dbs/d.json')).body).toMatchObject({ db: { code: 'd' } });
    expect((await as('GET', '/flex/dbs.json')).body).toMatchObject({ dbs: [{ code: 'd' }] });
    const record = { id, data: { a: 1 } };
    expect((await as('GET', '/flex/dbs/d/records.json')).body).toMatchObject([{ record }]);
    expect((await as('GET', '/flex/dbs/d/search.json')).body).toMatchObject([{ id, a: 1 }]);
    const call = async (method: string, body: object) =>
      (await anonymous('POST', `/flex/db/d/${method}`, { body })).body;
    expect(await call('list', {})).toMatchObject({ records: [record] });
    expect(await call('search', {})).toMatchObject([{ id, a: 1 }]);
    expect(await call('get', { id })).toMatchObject({ record });
    expect(await call('update', { id, data: { a: 2 } })).toMatchObject({ record: { id, data: { a: 2 } } });
    expect(await call('delete', { id })).toEqual({ id });
  });

  test('an empty list is inside the plural, or bare', async () => {
    const { crm } = await answering('wrapped');
    expect((await crm('GET', '/app/deals.json')).body).toEqual({ deals: [] });
    expect((await crm('GET', '/app/deals.json')).body).toEqual([]);
  });

  test('deletions, refusals and the forum are as in full', async () => {
    const { as, crm, forum } = await answering('wrapped');
    await crm('POST', '/app/deals.json', { deal: { name: 'D' } });
    expect((await crm('DELETE', '/app/deals/1.json')).body).toBe('ok');
    const refused = await crm('POST', '/app/clients.json', { client: {} });
    expect(refused).toMatchObject({ status: 422, body: { errors: { name: ["can't be blank"] } } });
    expect((await forum.get('/app/users/me.xml')).text).toMatch(/^<\?xml[^>]*>\s*<user>/);
    expect(await as('DELETE', '/account/api_tokens/1.json')).toMatchObject({ status: 204, body: null });
  });
});
