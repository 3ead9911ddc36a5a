import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { crmKinds } from '../../src/sandbox/crm/answers.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Call, callAt, freshSandbox } from '../support/sandbox.ts';
import { basic, requestsOf, texts } from './forum/support.ts';

const MARCH = () => new Date('2026-03-01T10:00:00Z');

/** The sandbox of the tests that read only: filling one takes longer than most of them. */
let shared: Sandbox;

beforeAll(async () => {
  shared = await startSandbox({ port: 0, now: MARCH });
});

afterAll(() => shared.close());

const displayed = z.object({
  current_id: z.int().nullable(),
  dashboards: z.array(z.object({ id: z.int(), name: z.string() })),
});

const call: Call = (...request) => callAt(shared.urls.account)(...request);
const freshDemo = () => freshSandbox({ demo: true, now: MARCH });

test('demo-admin, demo-editor and demo-member have the permissions that they are named after', async () => {
  const { call } = await freshDemo();
  for (const [token, accountTokens, newDashboard] of [
    ['demo-admin', 200, 201],
    ['demo-editor', 403, 201],
    ['demo-member', 403, 403],
  ] as const) {
    expect((await call('GET', '/account/api_tokens.json?for_account=yes', { token })).status).toBe(accountTokens);
    const body = { dashboard: { name: 'N' } };
    expect((await call('POST', '/toolkit/dashboards.json', { token, body })).status).toBe(newDashboard);
  }
});

test('each start gives the same databases, with their ids, CRM records, except for their tokens, and suggestions', async () => {
  const { sandbox: other } = await freshDemo();
  const contents = async ({ urls }: Sandbox) => {
    const { body } = await callAt(urls.flex)('GET', '/flex/dbs.json', { token: 'demo-admin' });
    const suggestions = await fetch(`${urls.forum}/`, { headers: { Authorization: `Basic ${btoa('demo:demo')}` } });
    const records = [];
    for (const path of ['/app/clients.json', '/app.json', '/app/deals.json']) {
      const { body } = await callAt(urls.crm)('GET', `${path}?api_token=demo-admin`);
      records.push(z.array(record.transform((each) => ({ ...each, token: null, uid: null }))).parse(body));
    }
    return {
      databases: z.array(z.object({ id: z.uuid(), code: z.string() })).parse(body),
      records,
      suggestions: await suggestions.text(),
    };
  };
  const first = await contents(shared);
  expect(first.databases).toHaveLength(3);
  expect(await contents(other)).toEqual(first);
});

test('demo-member, who has no permission, may change and delete what takes none', async () => {
  const { sandbox, call } = await freshDemo();
  const token = 'demo-member';
  const crm = callAt(sandbox.urls.crm);
  const write = async (method: string, path: string, body: object) =>
    (await call(method, path, { token, body })).status;
  expect(await write('POST', '/account/api_tokens.json', { api_token: { name: 'Mine' } })).toBe(201);
  const selection = { context: 'crm', dashboard_id: 'builtin' };
  expect(await write('PATCH', '/toolkit/dashboards/select.json', selection)).toBe(200);
  expect(await write('POST', '/flex/dbs/guestbook/records.json', { record: { data: { message: 'Hi' } } })).toBe(201);
  expect(await write('DELETE', '/flex/dbs/guestbook.json', {})).toBe(204);
  for (const path of ['/app/clients/1.json', '/app/deals/1.json']) {
    expect((await crm('DELETE', `${path}?api_token=${token}`)).status).toBe(200);
  }
  const account = { account: { prefix: 'quay' }, user: { login: 'q', email: 'q@example.com', password: 'longenough' } };
  expect((await crm('POST', '/app/account.json', { body: { api_token: token, ...account } })).status).toBe(201);
});

test('demo-inactive and demo-expired show how a token is refused', async () => {
  for (const token of ['demo-inactive', 'demo-expired']) {
    expect((await call('GET', '/account/api_tokens.json', { token })).status).toBe(401);
  }
});

test('the demo has a user for each way to be shown a dashboard', async () => {
  const shown = async (context: string, token: string) => {
    const { body } = await call('GET', `/toolkit/dashboards/widgets.json?context=${context}`, { token });
    const { current_id, dashboards } = displayed.parse(body);
    return dashboards.find(({ id }) => id === current_id)?.name ?? null;
  };
  expect(await shown('main', 'demo-editor')).toBe('Editorial desk'); // selected
  expect(await shown('main', 'demo-member')).toBe('Company overview'); // the company default
  expect(await shown('cms', 'demo-member')).toBeNull(); // built-in
});

test('the flex_app tile of the company overview is available', async () => {
  const { body } = await call('GET', '/toolkit/dashboards/widgets.json?context=main', { token: 'demo-member' });
  expect(body).toMatchObject({
    layout: expect.arrayContaining([expect.objectContaining({ id: 'flex_app-3f2a9c54' })]),
  });
});

test('there is a flexible database of each kind, linked to an application, with its records', async () => {
  const token = 'demo-member';
  expect((await call('GET', '/flex/dbs.json', { token })).body).toMatchObject([
    { code: 'products', app_id: expect.any(String), schema: { fields: {} }, public_methods: null },
    { code: 'tracker', app_id: expect.any(String), schema: { tables: { people: {}, tasks: {} } } },
    { code: 'guestbook', app_id: expect.any(String), public_methods: { create: {}, list: {} } },
  ]);
  for (const [code, count] of Object.entries({ products: 300, tracker: 246, guestbook: 25 })) {
    expect((await call('GET', `/flex/dbs/${code}/records.json`, { token })).body).toHaveLength(count);
  }
});

test('the guest book shows a browser its own entries', async () => {
  const Cookie = `flex_key=${'2'.repeat(32)}`;
  expect((await call('POST', '/flex/db/guestbook/list', { headers: { Cookie } })).body).toHaveLength(6);
  expect((await call('POST', '/flex/db/guestbook/list')).body).toEqual([]);
});

const record = z.looseObject({ id: z.int() });
const dated = record.extend({ created_at: z.string() });

describe('the CRM', () => {
  const listed = async (path: string) => {
    const { body } = await call('GET', `${path}?api_token=demo-member`);
    return z.array(record).parse(body);
  };
  const distinct = (records: readonly Record<string, unknown>[], field: string) =>
    new Set(records.map((each) => each[field]));

  test('the demo CRM has 250 clients of many kinds', async () => {
    const clients = await listed('/app/clients.json');
    expect(clients).toHaveLength(250);
    expect(distinct(clients, 'name').size).toBeGreaterThan(200);
    expect(distinct(clients, 'email').size).toBe(250);
    expect(distinct(clients, 'kind')).toEqual(new Set(['buyer', 'seller']));
    expect(clients.filter((client) => client['contacts_count'] === 1)).toHaveLength(80);
    for (const { email } of clients) expect(email).toMatch(/^[a-z]+\.[a-z]+\d+@example\.(com|org|net)$/);
    for (const field of ['string1', 'decimal1', 'external_id', 'paid_total', 'tax_no', 'city']) {
      expect(clients.filter((client) => client[field] !== null).length).toBeGreaterThan(40);
    }
    expect(clients.some((client) => Number(client['posts_count']) > 1)).toBe(true);
  });

  test('has 400 tasks and 250 comments on them', async () => {
    const posts = await listed('/app.json');
    const comments = posts.filter(({ task_kind }) => task_kind === 'comment');
    const tasks = posts.filter(({ task_kind }) => task_kind !== 'comment');
    expect([tasks.length, comments.length]).toEqual([400, 250]);
    const sum = tasks.reduce((sum, { comments_cache }) => sum + Number(comments_cache), 0);
    expect(sum).toBe(250);
    expect(distinct(comments, 'post_id').size).toBeGreaterThan(100);
    expect(tasks.slice(0, 100).filter(({ client_id }) => client_id !== null).length).toBeGreaterThan(90);
    expect(tasks.filter(({ client_id }) => client_id === null).length).toBeGreaterThan(10);
    expect(tasks.filter(({ closed }) => closed).length).toBeGreaterThan(10);
    expect(tasks.filter((task) => task['duplicate_from_id'] !== null).length).toBeGreaterThan(10);
    expect(distinct(tasks, 'task_kind').size).toBe(9);
    expect(distinct(tasks, 'responsible_id').size).toBe(3);
  });

  test.each([
    ['/app/clients.json', 'avatar_file_name avatar_content_type avatar_file_size avatar_updated_at sensitive_data'],
    ['/app.json', 'response response_user_id answer answered last_action_status abstract help_link help_content'],
    ['/app.json', 'spam_kind spam_score spam_report user_spam_report'],
    ['/app.json', 'email email_to email_cc email_bcc email_recipient email_reply_to'],
  ])('a few records of %s show %s, and most do not', async (path, fields) => {
    const records = await listed(path);
    for (const field of fields.split(' ')) {
      const shown = records.filter((record) => record[field] !== null).length;
      expect(shown, field).toBeGreaterThanOrEqual(5);
      expect(shown, field).toBeLessThan(records.length / 4);
    }
  });

  test('has 120 deals, most of them with a client', async () => {
    const deals = await listed('/app/deals.json');
    expect(deals).toHaveLength(120);
    expect(deals.filter(({ client_id }) => client_id !== null)).toHaveLength(108);
    for (const { price } of deals) expect(price).toMatch(/^\d+\.\d\d$/);
  });

  test('all records have all keys that the document lists, clients the map of their external ids, and no other', async () => {
    for (const path of ['/app/clients.json', '/app.json', '/app/deals.json']) {
      const further = path === '/app/clients.json' ? ['external_ids'] : [];
      const expected = [...(crmKinds.get(path)?.keys ?? []), ...further].toSorted();
      for (const record of await listed(path)) expect(Object.keys(record).sort()).toEqual(expected);
    }
  });

  test('has 80 contacts and 3 contact lists', async () => {
    const status = async (path: string) => (await call('GET', `${path}?api_token=demo-member`)).status;
    expect([await status('/app/contacts/80.json'), await status('/app/contacts/81.json')]).toEqual([200, 404]);
    expect([await status('/app/contact_lists/3.json'), await status('/app/contact_lists/4.json')]).toEqual([200, 404]);
  });

  test.each(['/app/clients.json', '/app.json'])(
    '%s tells of the months before now, in order, and nothing happens before what it needs',
    async (path) => {
      const datedRecords = async (path: string) => z.array(dated).parse(await listed(path));
      const records = await datedRecords(path);
      const times = records.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted());
      expect(times[0]?.slice(0, 4)).toBe('2025');
      expect(times.at(-1)?.slice(0, 10)).toBe('2026-03-01');
      const known = new Map((await datedRecords('/app/clients.json')).map((each) => [each.id, each]));
      for (const { created_at, client_id } of records) {
        const client = known.get(Number(client_id ?? 0));
        if (client) expect(client.created_at <= created_at).toBe(true);
      }
    },
  );
});

describe('the forum', () => {
  const reader = (login: string) => {
    const get = async (path: string) => (await requestsOf(shared.urls.forum, basic(login, 'demo')).get(path)).text;
    return { get, all: async (path: string, name: string) => texts(await get(path), name) };
  };

  test('lets in demo, emil and mia with the password demo', async () => {
    const logins = { demo: 'Nora Harbour', emil: 'Emil Lindqvist', mia: 'Mia Okafor' };
    for (const [login, name] of Object.entries(logins)) {
      const { all } = reader(login);
      expect(await all('/app/users/me.xml', 'name')).toEqual([name]);
      expect(await all('/app/users/team.xml', 'login')).toEqual(Object.keys(logins));
    }
  });

  test('has 5 categories with 60 suggestions, more than a page in the first', async () => {
    const { all } = reader('mia');
    const names = await all('/app/categories.xml', 'name');
    expect(names).toEqual(['Pomysły i uwagi', 'Möbel &amp; Holz', 'Sklep/Dostawy', 'Website', 'Różne']);
    const paths = names.flatMap((name) => {
      const path = `/${encodeURIComponent(name.replace('&amp;', '&'))}`;
      return [path, `${path}?page=2`];
    });
    const pages = await Promise.all(paths.map((path) => all(path, 'id')));
    expect(pages.map(({ length }) => length)).toEqual([20, 10, 8, 0, 8, 0, 7, 0, 7, 0]);
    expect(new Set(pages.flat()).size).toBe(60);
    const { body } = await call('GET', '/app.json?api_token=demo-member');
    const posts = z.array(record).parse(body);
    for (const { id, kind } of posts.filter(({ category_id }) => category_id !== null)) {
      expect({ kind, listed: pages.flat().includes(String(id)) }).toEqual({ kind: 'suggestion', listed: true });
    }
  });

  test('has suggestions with votes, comments, umlauts and what must be escaped', async () => {
    const { get, all } = reader('demo');
    const list = await get('/');
    for (const part of ['ö', 'ż', '&amp;', '&lt;', '🪑', '👍']) expect(list).toContain(part);
    const votes = texts(list, 'votes-cache').map(Number);
    expect(votes).toEqual(votes.toSorted((one, other) => other - one));
    expect(new Set(votes).size).toBeGreaterThan(10);
    const commented = texts(list, 'comments-cache').map(Number);
    expect(commented.filter((count) => count > 0).length).toBeGreaterThan(5);
    const id = texts(list, 'id')[commented.findIndex((count) => count > 0)];
    expect((await all(`/app/posts/${id}.xml`, 'comment')).length).toBeGreaterThan(0);
  });
});
