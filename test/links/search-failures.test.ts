import { describe, expect, test } from 'vitest';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { saysJson } from '../support/stub-crm.ts';
import { DEAD_ADDRESS, says } from '../support/stub-upstream.ts';
import { DBS, gatewayOverFinds, linkedGateway, parametersOf } from './support.ts';

// The failures that a search reports for targets that it could not search.

const QUERY = '{ search(text: "oak") { nodes { ... on Node { id } } failures { target code message } } }';
const FOUND = ['Client:1', 'Post:2', 'Deal:3', 'FlexRecord:shop:r', 'ForumPost:5'];

/** The found records without those of the lost types. */
const allBut = (...lost: readonly string[]) =>
  FOUND.filter((id) => !lost.some((type) => id.startsWith(`${type}:`))).map((id) => ({ id }));
const failure = (target: string, code: string, message: RegExp) => ({
  target,
  code,
  message: expect.stringMatching(message),
});

const HTML = says('<html><body>Maintenance</body></html>', { headers: { 'content-type': 'text/html' } });

describe('a target that fails loses only its own results, and reports the reason', () => {
  test.each([
    ['/app/clients.json', 'Client', 'CLIENTS'],
    ['/app.json', 'Post', 'POSTS'],
    ['/app/deals.json', 'Deal', 'DEALS'],
    ['/flex/dbs.json', 'FlexRecord', 'FLEX_RECORDS'],
    ['/flex/dbs/shop/search.json', 'FlexRecord', 'FLEX_RECORDS'],
    ['/', 'ForumPost', 'FORUM_POSTS'],
  ])('%s: 500, 403, 429, 404, HTML', async (path, type, target) => {
    for (const [answer, code] of [
      [says('', { status: 500 }), 'UPSTREAM_UNAVAILABLE'],
      [says('', { status: 403 }), 'FORBIDDEN'],
      [says('', { status: 401 }), 'UNAUTHENTICATED'],
      [says('', { status: 429 }), 'UPSTREAM_RATE_LIMITED'],
      [says('', { status: 404 }), 'UPSTREAM_BAD_RESPONSE'],
      [HTML, 'UPSTREAM_BAD_RESPONSE'],
    ] as const) {
      const { ask } = await gatewayOverFinds({ [path]: answer });
      const data = await ask(QUERY);
      expect(data).toEqual({ search: { nodes: allBut(type), failures: [failure(target, code, /./)] } });
      expect(JSON.stringify(data)).not.toMatch(/https?:|127\.0\.0\.1|api_token/);
    }
  });

  test('a target that does not answer fails at its deadline', async () => {
    const deadlines = heldDeadlines();
    const { execute, calls } = await gatewayOverFinds({ '/app.json': () => {} }, HELD);
    const answer = execute(QUERY);
    await deadlines.comeWhen(1, () => calls().length, 6);
    const { data } = await answer;
    expect(data).toEqual({
      search: { nodes: allBut('Post'), failures: [failure('POSTS', 'UPSTREAM_TIMEOUT', /did not answer/)] },
    });
  });

  test('a target that refuses connections', async () => {
    const { execute } = await gatewayOverFinds({}, { FORUM_URL: new URL(DEAD_ADDRESS) });
    expect((await execute(QUERY)).data).toEqual({
      search: { nodes: allBut('ForumPost'), failures: [failure('FORUM_POSTS', 'UPSTREAM_UNAVAILABLE', /FORUM_URL/)] },
    });
  });

  test('in production its message has no advice for operators, as errors have none', async () => {
    const { execute } = await gatewayOverFinds({}, { FORUM_URL: new URL(DEAD_ADDRESS), NODE_ENV: 'production' });
    const { data } = await execute(QUERY);
    expect(data).toMatchObject({ search: { failures: [{ message: 'The forum API refuses connections.' }] } });
  });

  test('a target whose records lack the searched keys', async () => {
    const { execute } = await gatewayOverFinds({ '/app/deals.json': saysJson([{ id: 1 }, { id: 2 }]) });
    expect((await execute(QUERY)).data).toEqual({
      search: { nodes: allBut('Deal'), failures: [failure('DEALS', 'UPSTREAM_BAD_RESPONSE', /`name`, `description`/)] },
    });
  });

  test('all targets at once', async () => {
    const dead = new URL(DEAD_ADDRESS);
    const { ask } = await gatewayOverFinds({}, { ACCOUNT_URL: dead, CRM_URL: dead, FORUM_URL: dead });
    const data = await ask(QUERY);
    const down = ['CLIENTS', 'POSTS', 'DEALS', 'FLEX_RECORDS', 'FORUM_POSTS'];
    expect(data).toEqual({
      search: { nodes: [], failures: down.map((target) => failure(target, 'UPSTREAM_UNAVAILABLE', /./)) },
    });
  });

  test('targets beyond the limit of upstream calls', async () => {
    const { execute, calls } = await gatewayOverFinds({}, { MAX_UPSTREAM_CALLS: 2 });
    const { data } = await execute(QUERY);
    const lost = ['DEALS', 'FLEX_RECORDS', 'FORUM_POSTS'];
    expect(data).toEqual({
      search: {
        nodes: allBut('Deal', 'FlexRecord', 'ForumPost'),
        failures: lost.map((target) => failure(target, 'QUERY_LIMIT_EXCEEDED', /MAX_UPSTREAM_CALLS/)),
      },
    });
    expect(calls()).toHaveLength(2);
  });
});

describe('a table whose search fails', () => {
  const tables = { tables: { good: { fields: {} }, bad: { fields: {} }, worse: { fields: {} } } };
  const search = (failing: readonly string[]) =>
    gatewayOverFinds({
      '/flex/dbs.json': saysJson([{ id: 'shop', schema: tables }]),
      '/flex/dbs/shop/search.json': (request, response) => {
        const table = parametersOf(request.url).get('table_name') ?? '';
        if (failing.includes(table)) response.writeHead(503).end();
        else response.end(JSON.stringify([{ id: table, created_at: null, updated_at: null }]));
      },
    });
  const RECORDS =
    '{ search(text: "oak", in: [FLEX_RECORDS]) { nodes { ... on FlexRecord { table } } failures { target code } } }';

  test('loses the records of that table only', async () => {
    const { ask } = await search(['bad']);
    expect(await ask(RECORDS)).toEqual({
      search: {
        nodes: [{ table: 'good' }, { table: 'worse' }],
        failures: [{ target: 'FLEX_RECORDS', code: 'UPSTREAM_UNAVAILABLE' }],
      },
    });
  });

  test('is reported once when all tables fail', async () => {
    const { execute } = await search(['good', 'bad', 'worse']);
    expect((await execute(RECORDS)).data).toEqual({
      search: { nodes: [], failures: [{ target: 'FLEX_RECORDS', code: 'UPSTREAM_UNAVAILABLE' }] },
    });
  });
});

describe('a missing credential is a failure of its targets, without a call', () => {
  const targets = ['CLIENTS', 'POSTS', 'DEALS', 'FLEX_RECORDS', 'FORUM_POSTS'];
  const unauthenticated = (header: RegExp, ...places: readonly string[]) =>
    places.map((target) => failure(target, 'UNAUTHENTICATED', header));

  test('of the forum', async () => {
    const { ask, calls } = await gatewayOverFinds();
    expect(await ask(QUERY, { headers: {} })).toEqual({
      search: { nodes: allBut('ForumPost'), failures: unauthenticated(/X-Forum-Authorization/, 'FORUM_POSTS') },
    });
    expect(calls()).not.toContain('GET /');
  });

  test('of the CRM, with CRM_SHARES_TOKEN=false', async () => {
    const { ask, sandbox } = await linkedGateway({ CRM_SHARES_TOKEN: 'false' });
    expect(await ask(QUERY)).toEqual({
      search: { nodes: [], failures: unauthenticated(/X-CRM-Token/, 'CLIENTS', 'POSTS', 'DEALS') },
    });
    expect(sandbox.calls().toSorted()).toEqual(['GET /', DBS]);
  });

  test('of all APIs', async () => {
    const { ask, calls } = await gatewayOverFinds();
    expect(await ask(QUERY, { token: null, headers: {} })).toMatchObject({
      search: { nodes: [], failures: targets.map((target) => ({ target, code: 'UNAUTHENTICATED' })) },
    });
    expect(calls()).toEqual([]);
  });
});

test('the code of a failure is the one that an error of the same call has', async () => {
  const { execute } = await gatewayOverFinds({
    '/app/clients.json': says('', { status: 429, headers: { 'retry-after': '7' } }),
  });
  const { data, errors } = await execute(
    '{ search(text: "oak", in: [CLIENTS]) { failures { code message } } clients { nodes { id } } }',
  );
  const [error] = errors;
  expect(data).toEqual({
    search: { failures: [{ code: error?.extensions['code'], message: error?.message }] },
    clients: null,
  });
});
