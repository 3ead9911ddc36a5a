import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answering, publicDatabase } from './answering.ts';

const record = z.looseObject({ id: z.unknown() });

/** The keys of an object, in the order in which they were sent. */
function keysOf(body: unknown): string[] {
  return Object.keys(z.record(z.string(), z.unknown()).parse(body));
}

describe('lean', () => {
  test('a token has the documented keys alone, in another order; what is empty is null or missing in turn', async () => {
    const { as } = await answering('lean');
    const created = await as('POST', '/account/api_tokens.json', { api_token: { name: 'N', code: 'c', kind: '' } });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      x_unknown: expect.anything(),
      active: true,
      expires_at: null,
      for_account: false,
      name: 'N',
      kind: null,
      token: expect.any(String),
      id: '2',
    });
    const keys = ['x_unknown', 'active', 'expires_at', 'for_account', 'name', 'kind', 'token', 'id'];
    expect(keysOf(created.body)).toEqual(keys);
    const { body } = await as('GET', '/account/api_tokens.json');
    const [first, second] = z.array(z.unknown()).parse(body);
    const start = ['x_unknown', 'token_info', 'active'];
    expect(keysOf(first)).toEqual([...start, 'integration_app_code', 'for_account', 'kind', 'id']);
    expect(keysOf(second)).toEqual([...start, 'expires_at', 'for_account', 'name', 'kind', 'id']);
  });

  test('a dashboard, its layout and the displayed dashboard have ids as texts and unknown keys', async () => {
    const { as } = await answering('lean');
    const layout = [{ key: 'tasks', config: { scope: 'mine' } }];
    const dashboard = {
      x_unknown: expect.anything(),
      id: '1',
      name: 'N',
      context: 'main',
      layout: [{ x_unknown: expect.anything(), id: 'tasks', key: 'tasks', size: 'half', config: { scope: 'mine' } }],
      shared: false,
      is_default: false,
      editable: true,
      updated_at: expect.any(String),
    };
    const created = await as('POST', '/toolkit/dashboards.json', { dashboard: { name: 'N', layout } });
    expect(created.body).toEqual(dashboard);
    expect((await as('GET', '/toolkit/dashboards/widgets.json?context=main')).body).toEqual({
      x_unknown: expect.anything(),
      current_id: '1',
      layout: dashboard.layout,
      dashboards: [dashboard],
    });
  });

  test('a database has no stamps, and a record has no table', async () => {
    const { as, anonymous } = await answering('lean');
    const created = await as('POST', '/flex/dbs.json', { db: publicDatabase });
    const unknown = { x_unknown: expect.anything() };
    expect(created.body).toEqual({ ...unknown, id: expect.any(String), ...publicDatabase, app_id: null });
    const data = { b: '', a: [], id: 7 };
    const stamps = { created_at: expect.any(String), updated_at: expect.any(String) };
    const nested = { x_unknown: expect.anything(), id: expect.any(String), data, ...stamps };
    expect((await as('POST', '/flex/dbs/d/records.json', { record: { data } })).body).toEqual(nested);
    expect((await as('GET', '/flex/dbs/d/records.json')).body).toEqual([nested]);
    expect((await anonymous('POST', '/flex/db/d/list', { body: {} })).body).toEqual([nested]);
  });

  test('a found record has the fields of its data and no unknown key', async () => {
    const { as } = await answering('lean');
    await as('POST', '/flex/dbs.json', { db: { name: 'D', code: 'd' } });
    await as('POST', '/flex/dbs/d/records.json', { record: { data: { a: 1, b: '' } } });
    const { body } = await as('GET', '/flex/dbs/d/search.json');
    const [found] = z.array(z.unknown()).parse(body);
    expect(keysOf(found)).toEqual(['updated_at', 'created_at', 'id', 'b', 'a']);
  });

  test('a client has references as texts, and no map of external ids', async () => {
    const { crm, user } = await answering('lean');
    const contact = record.parse((await crm('POST', '/app/contacts.json', { contact: { name: 'C' } })).body);
    const { body } = await crm('POST', '/app/clients.json', {
      client: { name: 'N', contact_id: contact.id, integer1: 7, external_ids: { shop: '12' } },
    });
    expect(body).toMatchObject({ id: '1', contact_id: '1', creator_id: String(user), integer1: 7, external_id: '12' });
    expect(body).not.toHaveProperty('external_ids');
    const empty = ['tax_no', 'post_code', 'city', 'street'];
    expect(empty.filter((key) => Object.hasOwn(record.parse(body), key))).toHaveLength(2);
  });

  test.each([
    ['deals', 'deal', ['x_unknown', 'external_ids', 'price', 'description', 'name', 'id']],
    ['contacts', 'contact', ['x_unknown', 'email', 'last_name', 'description', 'name', 'id']],
    ['contact_lists', 'contact_list', ['x_unknown', 'name', 'id']],
  ])('%s have no stamps', async (path, key, keys) => {
    const { crm } = await answering('lean');
    const { body } = await crm('POST', `/app/${path}.json`, {
      [key]: { name: 'N', ...(key === 'deal' && { price: '1.5', external_ids: { shop: '1' } }) },
    });
    expect(keysOf(body)).toEqual(keys);
  });

  test('an empty list stays one, and a deletion and a refusal stay as they are', async () => {
    const { as, crm } = await answering('lean');
    expect((await crm('GET', '/app/deals.json')).body).toEqual([]);
    await crm('POST', '/app/clients.json', { client: { name: 'N' } });
    expect((await crm('DELETE', '/app/clients/1.json')).body).toBe('ok');
    expect((await as('DELETE', '/account/api_tokens/1.json')).status).toBe(204);
    const refused = await crm('GET', '/app/clients.json');
    expect(refused).toMatchObject({ status: 401, body: { error: 'login_required' } });
  });

  test('XML has its elements in another order, space around typed values, and elements that are unknown', async () => {
    const { forum, sandbox, account } = await answering('lean');
    sandbox.store.createForumCategory(account, 'Ideas');
    const { status, text } = await forum.post('/app/posts.xml', '<post><title> T </title></post>');
    expect(status).toBe(201);
    expect(text).toMatch(/<post>\n {2}<x-unknown>new<\/x-unknown>\n {2}<votes-cache type="integer">\s+0\s+</);
    expect(text).toMatch(/<id type="integer">\s+1\s+<\/id>/);
    expect(text).toMatch(/<created-at type="datetime">\s+\S+Z\s+</);
    expect(text).toContain('<title> T </title>');
    // `agent`, `content` and `responsible-id` are empty: the second of them is missing.
    const nil = [...text.matchAll(/<([a-z-]+)[^>]* nil="true"\/>/g)].map(([, name]) => name);
    expect(nil).toEqual(['responsible-id', 'agent']);
    expect(text).not.toContain('<content');
  });

  test('a suggestion with its comments comes before them', async () => {
    const { forum, sandbox, account } = await answering('lean');
    sandbox.store.createForumCategory(account, 'Ideas');
    await forum.post('/app/posts.xml', '<post><title>T</title></post>');
    const { text } = await forum.get('/app/posts/1.xml');
    expect(text).toMatch(/<hash>\n {2}<post>[^]*<\/post>\n {2}<comments type="array"\/>\n<\/hash>/);
  });
});
