import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { asAda, basic, forumGateway, saysXml } from '../forum/support.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { DEAD_ADDRESS, says } from '../support/stub-upstream.ts';

const ALL = '{ credentials { account flex crm forum } }';
const APIS = ['account', 'flex', 'crm', 'forum'] as const;

const CALLS = {
  account: 'GET /toolkit/dashboards/widget.json',
  flex: 'GET /flex/dbs/:id.json',
  crm: 'GET /app/contact_lists/:id.json',
  forum: 'GET /app/users/me.xml',
};

const states = (state: string) => ({ account: state, flex: state, crm: state, forum: state });

/** All APIs at one upstream, with a credential of each. */
async function credentialsOver(answer: RequestListener, settings: Parameters<typeof gatewayOver>[1] = {}) {
  const upstream = await recordingUpstream(answer);
  const url = new URL(upstream.url);
  const over = await gatewayOver(upstream.url, { FORUM_URL: url, CRM_URL: url, ...settings }, 'a-token');
  const headers = { ...asAda, 'x-crm-token': 'a-crm-token' };
  return {
    ...over,
    upstream,
    ask: async (query = ALL) => over.execute(query, { headers }),
  };
}

describe('credentials over the sandbox', () => {
  test('each API is asked once, by its smallest read', async () => {
    const { ask, sandbox } = await forumGateway();
    expect(await ask(ALL)).toEqual({ credentials: states('ACCEPTED') });
    expect(sandbox.calls().toSorted()).toEqual(Object.values(CALLS).toSorted());
  });

  test.each(APIS)('only what is selected is asked, however many aliases it has: %s', async (api) => {
    const { execute, sandbox } = await forumGateway();
    const { data } = await execute(`{ credentials { ${api} again: ${api} } other: credentials { ${api} } }`);
    expect(data).toEqual({ credentials: { [api]: 'ACCEPTED', again: 'ACCEPTED' }, other: { [api]: 'ACCEPTED' } });
    expect(sandbox.calls()).toEqual([CALLS[api]]);
    sandbox.forgetCalls();
    await execute('{ credentials { __typename } }');
    expect(sandbox.calls()).toEqual([]);
  });

  test('a wrong credential is refused by each API', async () => {
    const { ask, sandbox } = await forumGateway();
    const headers = {
      authorization: 'Bearer wrong',
      'x-crm-token': 'wrong',
      'x-forum-authorization': basic('ada', 'wrong'),
    };
    expect(await ask(ALL, { headers })).toEqual({ credentials: states('REFUSED') });
    expect(sandbox.calls()).toHaveLength(4);
  });

  test.each(['true', 'false'] as const)('without a credential no API is asked, CRM_SHARES_TOKEN=%s', async (shares) => {
    const { ask, sandbox } = await gateway({ CRM_SHARES_TOKEN: shares });
    expect(await ask(ALL, { token: null })).toEqual({ credentials: states('MISSING') });
    expect(sandbox.calls()).toEqual([]);
  });

  test('a CRM that does not take the token of the account has none', async () => {
    const { execute, sandbox } = await gateway({ CRM_SHARES_TOKEN: 'false' });
    const { data } = await execute('{ credentials { account crm } }');
    expect(data).toEqual({ credentials: { account: 'ACCEPTED', crm: 'MISSING' } });
    expect(sandbox.calls()).toEqual([CALLS.account]);
  });

  test('a malformed credential is refused without a call', async () => {
    const { ask, sandbox } = await forumGateway();
    const headers = {
      authorization: 'Basic YTpi',
      'x-crm-token': 'with space',
      'x-forum-authorization': `Basic ${btoa('no colon')}`,
    };
    expect(await ask(ALL, { headers })).toEqual({ credentials: states('REFUSED') });
    expect(sandbox.calls()).toEqual([]);
  });

  test('a token that is switched off is refused by the next operation', async () => {
    const { execute, sandbox } = await forumGateway();
    const created =
      'mutation { createApiToken(input: { name: "t" }) { ... on CreatedApiToken { token apiToken { id } } } }';
    const { data } = await execute(created);
    const { token, apiToken } = Object(data).createApiToken;
    const headers = { authorization: `Bearer ${token}` };
    const account = async () => (await execute('{ credentials { account flex } }', { headers })).data;
    expect(await account()).toEqual({ credentials: { account: 'ACCEPTED', flex: 'ACCEPTED' } });
    expect(await account()).toEqual({ credentials: { account: 'ACCEPTED', flex: 'ACCEPTED' } });
    await execute(`mutation { updateApiToken(id: "${apiToken.id}", input: { active: false }) { __typename } }`);
    expect(await account()).toEqual({ credentials: { account: 'REFUSED', flex: 'REFUSED' } });
    expect(sandbox.calls().filter((call) => call === CALLS.account)).toHaveLength(3);
  });
});

describe('credentials over other upstreams', () => {
  /** A response of the API, JSON or XML. */
  const both = (status: number, headers = {}): RequestListener => {
    const [json, xml] = [says('{}', { status, headers }), saysXml('<user/>', { status, headers })];
    return (request, response) => (request.url?.endsWith('.xml') ? xml : json)(request, response);
  };

  test('403 is an accepted credential', async () => {
    const { ask } = await credentialsOver(both(403));
    expect(await ask()).toMatchObject({ data: { credentials: states('ACCEPTED') }, errors: [] });
  });

  test('404 is an accepted credential where a record was asked for; the user of the forum is always there', async () => {
    const { ask } = await credentialsOver(both(404));
    const { data, errors } = await ask();
    expect(data).toEqual({ credentials: { ...states('ACCEPTED'), forum: null } });
    expect(errors).toMatchObject([{ path: ['credentials', 'forum'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test.each([
    ['503', both(503), 'UPSTREAM_UNAVAILABLE'],
    ['429', both(429, { 'retry-after': '5' }), 'UPSTREAM_RATE_LIMITED'],
    ['a web page', says('<html></html>', { headers: { 'content-type': 'text/html' } }), 'UPSTREAM_BAD_RESPONSE'],
    ['302', both(302, { location: '/login' }), 'UPSTREAM_BAD_RESPONSE'],
  ])('%s is null with an error of each field', async (_name, answer, code) => {
    const { ask } = await credentialsOver(answer);
    const { data, errors } = await ask();
    expect(data).toEqual({ credentials: { account: null, flex: null, crm: null, forum: null } });
    expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions?.['code']]).toSorted()).toEqual(
      APIS.map((api) => [api, code]).toSorted(),
    );
  });

  test('an API that is down, or has no address, costs its own field', async () => {
    const { ask } = await credentialsOver(both(200), { CRM_URL: new URL(DEAD_ADDRESS), FORUM_URL: undefined });
    const { data, errors } = await ask();
    expect(data).toEqual({ credentials: { account: 'ACCEPTED', flex: 'ACCEPTED', crm: null, forum: null } });
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(errors)).not.toMatch(/a-token|a-crm-token|lovelace/);
  });

  test('no answer is kept, and no call is shared, though upstream allows both', async () => {
    const { ask, upstream } = await credentialsOver(both(200, { etag: '"1"', 'cache-control': 'max-age=60' }));
    await Promise.all([ask(), ask()]);
    await ask();
    expect(upstream.requests).toHaveLength(12);
    for (const { headers } of upstream.requests) expect(headers).not.toHaveProperty('if-none-match');
  });

  test('the calls count in the budget of the operation', async () => {
    const { ask } = await credentialsOver(both(200), { MAX_UPSTREAM_CALLS: 2 });
    const { data, errors } = await ask();
    expect(Object.values(Object(data).credentials).filter((state) => state === null)).toHaveLength(2);
    expect(errors.map(({ extensions }) => extensions?.['code'])).toEqual(Array(2).fill('QUERY_LIMIT_EXCEEDED'));
  });
});

test('each check costs as much as an object', async () => {
  const { execute } = await forumGateway({ MAX_COST: 4 });
  expect((await execute('{ credentials { account flex crm } }')).errors).toEqual([]);
  expect((await execute(ALL)).errors).toMatchObject([{ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
});
