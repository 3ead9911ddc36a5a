import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everything, graphiqlTabs } from '../../src/cli/graphiql-tabs.ts';
import { isObject } from '../../src/formats/decode.ts';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';
import { credentials, demoGateway, demoSandbox, recordingProxy } from './everything-support.ts';

test('the query over all APIs is in docs/queries.md and among the tabs of GraphiQL', () => {
  const page = readFileSync(new URL('../../docs/queries.md', import.meta.url), 'utf8');
  expect(page).toContain(everything);
  expect(graphiqlTabs(true).defaultTabs?.map(({ query }) => query)).toContain(everything);
});

test('the query over all APIs makes eight upstream calls', async () => {
  const { ask, sandbox } = await demoGateway();

  expect(await ask(everything)).toMatchObject({
    displayedDashboard: { layout: expect.arrayContaining([expect.objectContaining({ flexDbs: expect.any(Array) })]) },
    publicFlexDb: { list: { nodes: expect.any(Array) } },
    deals: { nodes: [{ client: { name: expect.any(String) } }] },
    forumPost: { title: expect.any(String), post: { client: { name: expect.any(String) } } },
  });
  expect(sandbox.calls().sort()).toEqual(
    [
      'GET /toolkit/dashboards/widgets.json',
      'GET /flex/dbs.json',
      'POST /flex/db/:db_code/list',
      'GET /app/deals.json',
      'GET /app/clients/:id.json',
      'GET /app/posts/:post_id.xml',
      'GET /app/posts/:id.json',
      'GET /app/clients/:id.json',
    ].sort(),
  );
});

test('each upstream sees its own credential, and no other', async () => {
  const sandbox = await demoSandbox();
  const [account, flex, crm, forum] = await Promise.all(
    [sandbox.urls.account, sandbox.urls.flex, sandbox.urls.crm, sandbox.urls.forum].map(recordingProxy),
  );
  const urls = { ACCOUNT_URL: account, FLEX_URL: flex, CRM_URL: crm, FORUM_URL: forum };
  const proxied = Object.entries(urls).map(([name, proxy]) => [name, new URL(proxy?.url ?? '')]);
  const { execute } = await demoGateway(Object.fromEntries(proxied), sandbox);

  const { errors } = await execute(everything);

  expect(errors).toEqual([]);
  const [bearer, crmToken, login] = ['demo-admin', 'demo-editor', 'ZGVtbzpkZW1v'];
  const seen = [account, flex, crm, forum].map((proxy) =>
    (proxy?.requests ?? []).map((sent) =>
      [bearer, crmToken, login].filter((secret) => JSON.stringify(sent).includes(secret)),
    ),
  );
  expect(seen[0]).toEqual([[bearer]]);
  expect(flex?.requests.map(({ method, headers }) => [method, headers.authorization]).sort()).toEqual([
    ['GET', 'Bearer demo-admin'],
    ['POST', undefined],
  ]);
  expect(seen[1]?.flat()).toEqual([bearer]);
  expect(seen[2]).toEqual([[crmToken], [crmToken], [crmToken], [crmToken]]);
  expect(crm?.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(seen[3]).toEqual([[login]]);
  expect(forum?.requests[0]?.headers.authorization).toBe(credentials['x-forum-authorization']);
});

interface Loss {
  /** The data without the failing API. */
  readonly left: (data: Record<string, unknown>) => Record<string, unknown>;
  /** The calls to the API itself, and to the others. */
  readonly calls: { readonly failing: number; readonly answered: number };
}

/** The expected data and calls while one API fails, by its setting. */
const without: Readonly<Record<string, Loss>> = {
  ACCOUNT_URL: {
    left: (data) => ({ ...data, displayedDashboard: { layout: null } }),
    calls: { failing: 1, answered: 6 },
  },
  FLEX_URL: {
    left: (data) => ({
      ...data,
      displayedDashboard: nulled(data['displayedDashboard'], 'flexDbs'),
      publicFlexDb: { list: null },
    }),
    calls: { failing: 2, answered: 6 },
  },
  CRM_URL: {
    left: (data) => ({ ...data, deals: null, forumPost: nulled(data['forumPost'], 'post') }),
    calls: { failing: 2, answered: 4 },
  },
  FORUM_URL: { left: (data) => ({ ...data, forumPost: null }), calls: { failing: 1, answered: 5 } },
};

/** The value with null under every occurrence of the key. */
function nulled(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => nulled(item, key));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, name === key ? null : nulled(child, key)]),
  );
}

const failures: readonly (readonly [name: string, url: () => Promise<string>])[] = [
  ['refuses connections', async () => DEAD_ADDRESS],
  ['hangs', async () => (await stubUpstream(() => {})).url],
  [
    'answers HTML',
    async () => (await stubUpstream(says('<html></html>', { headers: { 'content-type': 'text/html' } }))).url,
  ],
  ['answers 500', async () => (await stubUpstream(says('oh', { status: 500 }))).url],
];

describe.each(Object.entries(without))('while the API of %s', (setting, { left, calls }) => {
  test.each(failures)('%s, the rest of the answer is the same to the byte, in time', async (how, url) => {
    const deadlines = heldDeadlines();
    const { execute, sandbox } = await demoGateway();
    const healthy = await execute(everything);
    sandbox.forgetCalls();
    const { execute: executeDown } = await demoGateway({ [setting]: new URL(await url()), ...HELD }, sandbox);

    const answer = executeDown(everything);
    // One deadline, and nothing beyond it; none at all where it is not needed.
    if (how === 'hangs') await deadlines.comeWhen(calls.failing, () => sandbox.calls().length, calls.answered);
    const { data, errors } = await answer;

    expect(healthy.errors).toEqual([]);
    expect(JSON.stringify(data)).toBe(JSON.stringify(isObject(healthy.data) && left(healthy.data)));
    expect(sandbox.calls()).toHaveLength(calls.answered);
    expect(errors.length).toBeGreaterThan(0);
    for (const { extensions } of errors) expect(extensions['code']).toMatch(/^UPSTREAM_/);
  });
});

test('a hundred reads by id of an API that hangs end within one deadline', async () => {
  const deadlines = heldDeadlines();
  const { url, received } = await stubUpstream(() => {});
  const { execute } = await demoGateway({ FORUM_URL: new URL(url), READS_AT_ONCE: 8, ...HELD });

  const answer = execute('{ posts(first: 100) { nodes { title forumPost { id } } } }');
  await deadlines.comeWhen(8, () => received.length, 8);
  const { data, errors } = await answer;

  expect(data).toMatchObject({
    posts: { nodes: expect.arrayContaining([{ title: expect.any(String), forumPost: null }]) },
  });
  expect(new Set(errors.map(({ extensions }) => extensions['code']))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
});
