import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { freshSandbox } from '../support/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-seed-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Writes a seed file. A text is written as it is. */
function seedFile(contents: unknown): string {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, typeof contents === 'string' ? contents : JSON.stringify(contents));
  return file;
}

/** A sandbox with this seed, and reads of its lists. */
async function seeded(contents: unknown, options: { data?: string } = {}) {
  const { sandbox, call } = await freshSandbox({ seed: seedFile(contents), ...options });
  const headers = { Authorization: `Basic ${btoa('demo:demo')}` };
  return {
    sandbox,
    call,
    crm: async (path: string, token = 'demo-admin') => (await call('GET', `${path}?api_token=${token}`)).body,
    own: async (path: string, token = 'demo-admin') => (await call('GET', path, { token })).body,
    forum: async (path: string) => (await fetch(sandbox.urls.forum + path, { headers })).text(),
  };
}

const unknownTile = { dashboards: [{ name: 'D', layout: [{ key: 'nope' }] }] };

/** Why a seed is refused, without the name of the file. */
async function refusal(contents: unknown): Promise<string> {
  const started = startSandbox({ port: 0, seed: seedFile(contents) });
  const error = await started.then((sandbox) => sandbox.close()).catch((error: unknown) => error);
  const [, problem = ''] =
    /^The seed file ".*\d+\.json" cannot be used: (.*)\.$/.exec(String(error instanceof Error && error.message)) ?? [];
  return problem;
}

describe('a seed file', () => {
  test('fills every resource with its records', async () => {
    const { crm, own, forum } = await seeded({
      contacts: [{ first_name: 'Cy' }],
      contactLists: [{ name: 'Newsletter' }],
      clients: [{ name: 'Ada', contact_id: 1, discount: 2.5, created_at: '2026-01-02T03:04:05Z' }],
      deals: [{ name: 'Refit', client_id: 1, price: '10.50' }],
      posts: [
        { title: 'Call', client_id: 1, closed: true },
        { task_kind: 'comment', post_id: 1, content: 'Done' },
      ],
      forumCategories: [{ name: 'Ideas' }],
      forumPosts: [{ title: 'More oak', votes_cache: 3 }],
      dashboards: [{ name: 'Mine', context: 'crm', layout: [{ key: 'tasks' }] }],
      flexDbs: [
        {
          code: 'products',
          name: 'Products',
          schema: { fields: { name: 'string', price: 'number' } },
          records: [{ data: { name: 'Oak', price: '12.5' } }],
        },
      ],
      apiTokens: [{ token: 'second-token', name: 'Second', user_id: 2 }],
    });

    expect(await crm('/app/clients.json')).toEqual([
      expect.objectContaining({ id: 1, name: 'Ada', discount: '2.5', created_at: '2026-01-02T03:04:05.000Z' }),
    ]);
    expect(await crm('/app/contacts/1.json')).toMatchObject({ first_name: 'Cy' });
    expect(await crm('/app/contact_lists/1.json')).toMatchObject({ name: 'Newsletter' });
    expect(await crm('/app/deals.json')).toMatchObject([{ id: 1, name: 'Refit', client_id: 1, price: '10.50' }]);
    expect(await crm('/app.json')).toMatchObject([
      { id: 1, title: 'Call', client_id: 1, closed: true, comments_cache: 1 },
      { id: 2, task_kind: 'comment', post_id: 1 },
      { id: 3, title: 'More oak', category_id: 1 },
    ]);
    expect(await forum('/Ideas')).toContain('<votes-cache type="integer">3</votes-cache>');
    expect(await own('/toolkit/dashboards.json')).toMatchObject([{ name: 'Mine', layout: [{ key: 'tasks' }] }]);
    expect(await own('/flex/dbs/products/records.json')).toMatchObject([{ data: { name: 'Oak', price: 12.5 } }]);
    expect(await own('/account/api_tokens.json', 'second-token')).toMatchObject([{ name: 'Demo' }, { name: 'Second' }]);
  });

  test('that is empty leaves everything empty but the callers, who are those of the demo data', async () => {
    const { crm, own, forum } = await seeded({});
    for (const path of ['/app/clients.json', '/app.json', '/app/deals.json']) {
      for (const token of ['demo-admin', 'demo-editor', 'demo-member']) expect(await crm(path, token)).toEqual([]);
    }
    for (const path of ['/flex/dbs.json', '/toolkit/dashboards.json']) expect(await own(path)).toEqual([]);
    expect(await forum('/app/users/me.xml')).toContain('Nora Harbour');
  });

  test('with users has these callers alone', async () => {
    const user = { name: 'A <b>', token: 'a-token', login: 'Ann', password: 'secret' };
    const { sandbox, call } = await seeded({ users: [{ ...user, permissions: ['account_settings'] }] });
    const status = async (token: string) => (await call('GET', '/flex/dbs.json', { token })).status;
    expect([await status('a-token'), await status('demo-admin')]).toEqual([200, 401]);
    const headers = { Authorization: `Basic ${btoa('ann:secret')}` };
    expect((await fetch(`${sandbox.urls.forum}/app/users/me.xml`, { headers })).status).toBe(200);
    expect(sandbox.callers).toMatchObject([{ name: 'A <b>', token: 'a-token', login: 'ann' }]);
    const page = await (await fetch(sandbox.urls.account, { headers: { Accept: 'text/html' } })).text();
    expect(page).toContain('A &lt;b&gt;');
    expect(page).not.toContain('demo-admin');
  });

  test('gives its ids to the records, and the lowest free ones to the others', async () => {
    const { crm, own } = await seeded({
      clients: [{ name: 'A' }, { name: 'B', id: 1 }, { name: 'C', id: 40 }, { name: 'D' }],
      flexDbs: [{ name: 'D', id: '3F2A9C54-7D1E-4B86-9A0F-5C8E21D47B10', records: [] }],
    });
    expect(await crm('/app/clients.json')).toMatchObject([
      { id: 1, name: 'B' },
      { id: 2, name: 'A' },
      { id: 3, name: 'D' },
      { id: 40, name: 'C' },
    ]);
    expect(await own('/flex/dbs.json')).toMatchObject([{ id: '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10' }]);
  });

  test('lets a record name one that comes later', async () => {
    const { crm } = await seeded({ posts: [{ title: 'A', duplicate_from_id: 2 }, { title: 'B' }] });
    expect(await crm('/app.json')).toMatchObject([{ duplicate_from_id: 2 }, { duplicate_from_id: null }]);
  });

  test('is what a reset goes back to', async () => {
    const { call, crm } = await seeded({ clients: [{ id: 7, name: 'Ada' }] });
    const before = await crm('/app/clients.json');
    await call('DELETE', '/app/clients/7.json?api_token=demo-admin');
    expect(await crm('/app/clients.json')).toEqual([]);
    await call('POST', '/sandbox/reset');
    expect(await crm('/app/clients.json')).toEqual(before);
  });

  test('gives its place to the one that a reset has as its body, until the next one', async () => {
    const { call, crm, sandbox } = await seeded({ clients: [{ id: 7, name: 'Ada' }] });
    const users = [{ name: 'Eve', token: 'eve', permissions: [] }];
    const reset = await call('POST', '/sandbox/reset', { body: { users, clients: [{ id: 3, name: 'Bob' }] } });
    expect(reset.status).toBe(204);
    const names = async () => (await call('GET', '/app/clients.json?api_token=eve')).body;
    expect(await names()).toMatchObject([{ id: 3, name: 'Bob' }]);
    expect((await call('GET', '/app/clients.json?api_token=demo-admin')).status).toBe(401);
    expect(sandbox.callers).toMatchObject([{ name: 'Eve', token: 'eve' }]);

    await call('DELETE', '/app/clients/3.json?api_token=eve');
    await call('POST', '/sandbox/reset');
    expect(await names()).toMatchObject([{ id: 3, name: 'Bob' }]);
    await call('POST', '/sandbox/reset', { body: {} });
    expect(await crm('/app/clients.json')).toEqual([]);
  });

  test('that a reset cannot use changes nothing', async () => {
    const { call, crm } = await seeded({ clients: [{ id: 7, name: 'Ada' }] });
    for (const [body, reason] of [
      [{ clients: [{ name: 7 }] }, 'clients[0].name must be a string.'],
      [unknownTile, 'dashboards[0].layout has an unknown tile: nope.'],
      [{ client: [] }, 'the body has the unknown field "client"'],
    ] as const) {
      const error = expect.stringContaining(`The seed cannot be used: ${reason}`);
      expect(await call('POST', '/sandbox/reset', { body })).toMatchObject({ status: 400, body: { error } });
      expect(await crm('/app/clients.json')).toMatchObject([{ id: 7, name: 'Ada' }]);
    }
  });

  test('fills an empty data file only, and is checked all the same', async () => {
    const data = join(folder, 'data.db');
    const first = await seeded({ clients: [{ name: 'Ada' }] }, { data });
    await first.sandbox.close();
    const second = await seeded({ clients: [{ name: 'Bob' }] }, { data });
    expect(await second.crm('/app/clients.json')).toMatchObject([{ name: 'Ada' }]);
    await second.sandbox.close();
    await expect(seeded(unknownTile, { data })).rejects.toThrow('dashboards[0].layout has an unknown tile');
  });
});

/** Records with these fields, and a name unless they give one. */
const named = (...more: object[]) => more.map((fields) => ({ name: 'A', ...fields }));
const flexDb = (fields: object) => ({ flexDbs: named({ schema: { fields: { price: 'number' } }, ...fields }) });

describe('a seed file is refused with the place in it and what it takes', () => {
  const permissions = 'account_settings, dashboard_advanced, crm_notes_index, todo';
  test.each<[contents: unknown, problem: string | RegExp]>([
    [[], 'the file must be an object'],
    ['{"clients":\n{"a" 1}}', 'it is not JSON: see line 2, column 6'],
    ['', 'it is not JSON'],
    [{ client: [] }, /^the file has the unknown field "client": it takes users, .* and forumPosts$/],
    [{ clients: { name: 'A' } }, 'clients must be a list'],
    [{ clients: ['A'] }, 'clients[0] must be an object'],
    [{ clients: named({}, { name: 7 }) }, 'clients[1].name must be a string'],
    [{ clients: named({ name: ' ' }) }, "clients[0].name can't be blank"],
    [{ clients: [{ email: 'a@b.example' }] }, "clients[0].name can't be blank"],
    [{ clients: named({ nmae: 'B' }) }, 'clients[0] has the unknown field "nmae": the nearest that it takes is name'],
    [{ clients: named({ id: 0 }) }, 'clients[0].id must be a whole number of 1 or more'],
    [{ clients: named({ created_at: 'soon' }) }, 'clients[0].created_at must be a date and a time'],
    [{ users: named({ login: 'a' }) }, 'users[0] must have both login and password, or neither'],
    [{ users: named({ permissions: ['x'] }) }, `users[0].permissions[0] must be one of ${permissions}`],
    [{ users: named({ token: 'a b' }) }, 'users[0].token must be 1 to 200 letters, digits and -._~+/='],
    [flexDb({ id: 'products' }), 'flexDbs[0].id must be a uuid'],
    [
      flexDb({ records: [{ data: {} }, { data: { price: 'x' } }] }),
      'flexDbs[0].records[1].price is not of type number',
    ],
    [flexDb({ records: [{ price: 1 }] }), 'flexDbs[0].records[0].data must be an object (and 1 more)'],
    [flexDb({ schema: { fields: { price: 'money' } } }), /^flexDbs\[0\]\.schema fields\.price/],
    [
      { dashboards: named({ is_default: true }) },
      'dashboards[0] is_default is for company dashboards only: it needs shared',
    ],
    [unknownTile, 'dashboards[0].layout has an unknown tile: nope'],
    [{ posts: [{ task_kind: 'comment', content: 'x' }] }, "posts[0].post_id can't be blank"],
    [{ forumPosts: [{ title: 'A' }] }, 'forumPosts[0] needs one of forumCategories'],
    [{ users: [], clients: named({}) }, 'clients[0] needs a user'],
  ])('%j', async (contents, problem) => {
    const told = await refusal(contents);
    if (typeof problem === 'string') expect(told).toBe(problem);
    else expect(told).toMatch(problem);
  });

  test.each<[place: string, list: string, contents: object]>([
    ['deals[0].client_id', 'clients', { deals: named({ client_id: 1 }) }],
    ['clients[0].contact_id', 'contacts', { clients: named({ contact_id: 2 }), contacts: named({}) }],
    ['clients[0].creator_id', 'users', { clients: named({ creator_id: 4 }) }],
    ['posts[0].duplicate_from_id', 'posts or forumPosts', { posts: [{ title: 'A', duplicate_from_id: 9 }] }],
    ['apiTokens[0].user_id', 'users', { users: named({}), apiTokens: [{ token: 't', user_id: 2 }] }],
    ['forumPosts[0].category_id', 'forumCategories', { forumPosts: [{ title: 'A', category_id: 1 }] }],
  ])('a reference to an absent record: %s is no id of %s', async (place, list, contents) => {
    expect(await refusal(contents)).toBe(`${place} is no id of ${list}`);
  });

  const logins = [{ login: 'a' }, { login: ' A' }].map((login) => ({ ...login, password: 'p' }));
  const onePost = (id: number) => [{ title: 'A', id }];
  test.each<[place: string, first: string, contents: object]>([
    ['clients[1].id', 'clients[0]', { clients: named({ id: 3 }, { id: 3 }) }],
    ['forumPosts[0].id', 'posts[0]', { posts: onePost(3), forumCategories: named({}), forumPosts: onePost(3) }],
    ['apiTokens[0].token', 'users[0]', { users: named({ token: 't' }), apiTokens: [{ token: 't' }] }],
    ['users[1].login', 'users[0]', { users: named(...logins) }],
    ['flexDbs[1].code', 'flexDbs[0]', { flexDbs: named({ code: 'c' }, { code: 'c' }) }],
  ])('a value that two records have: %s is that of %s', async (place, first, contents) => {
    expect(await refusal(contents)).toBe(`${place} is that of ${first}, too`);
  });

  test('a file that does not exist, is a folder, is not UTF-8, or is larger than 20 MB', async () => {
    const isRefused = (name: string, reason: string) =>
      expect(startSandbox({ port: 0, seed: join(folder, name) })).rejects.toThrow(reason);
    await isRefused('none.json', 'it does not exist');
    await isRefused('.', 'it is a folder');
    writeFileSync(join(folder, 'bytes.json'), new Uint8Array([0x22, 0xff, 0x22]));
    await isRefused('bytes.json', 'it is not UTF-8');
    writeFileSync(join(folder, 'bytes.json'), Buffer.alloc(20 * 1024 * 1024 + 1, ' '));
    await isRefused('bytes.json', 'it is larger than 20 MB');
  });

  test('no message holds a value, or a line break', async () => {
    const wrong = [
      '{"users":[{"name":"A","token":"canary"]}',
      { users: [{ name: 'A', token: 'canary canary' }] },
      { users: [{ name: 'A', token: 'canary' }], apiTokens: [{ token: 'canary' }] },
      { clients: [{ name: 'A', 'a\nb': 'canary' }] },
    ];
    for (const contents of wrong) expect(await refusal(contents)).toMatch(/^(?!.*canary).+$/);
  });
});
