import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { says } from '../support/stub-upstream.ts';
import { crm as crmRows } from '../endpoints/crm.ts';
import { rawQuery } from './raw-query.ts';

// Which credential reaches the CRM, and where in a request it goes.

const RECORD = '{"id":1,"name":"x"}';
const DEAL = '{ deal(id: 1) { name } }';
const TOKENS = '{ apiTokens { name } }';

const CREATE = 'mutation { createDeal(input: { name: "x" }) { __typename } }';

/** An account API and a CRM, each on an origin of its own unless told otherwise. */
async function overBoth(settings: Partial<Config> = {}) {
  const account = await recordingUpstream(says('[]'));
  const crm = await recordingUpstream((request, response) => {
    const isList = request.method === 'GET' && /^\/app(\/clients|\/deals)?\.json/.test(request.url ?? '');
    says(isList ? '[]' : RECORD)(request, response);
  });
  const over = await gatewayOver(account.url, { CRM_URL: new URL(crm.url), ...settings }, 'bearer-token');
  return { ...over, account, crm };
}

describe('X-CRM-Token goes where the API takes it', () => {
  test.each(Object.values(crmRows))('%s', async (endpoint, _call, query) => {
    const call = endpoint.replace(':id', '1');
    const { execute, crm, account } = await overBoth();
    const { errors } = await execute(query, { headers: { 'x-crm-token': 'crm-token' } });
    expect(errors).toEqual([]);
    expect(account.requests).toEqual([]);
    const [request] = crm.requests;
    expect(crm.requests).toHaveLength(1);
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.headers).not.toHaveProperty('x-crm-token');
    expect(JSON.stringify(request)).not.toContain('bearer-token');
    if (/^(GET|DELETE)/.test(call)) {
      expect(`${request?.method} ${request?.url}`).toBe(`${call}?api_token=crm-token`);
      expect(request?.body).toBe('');
    } else {
      expect(`${request?.method} ${request?.url}`).toBe(call);
      expect(JSON.parse(request?.body ?? '')).toMatchObject({ api_token: 'crm-token' });
    }
  });

  test.each([
    'secret/prefix',
    'a+b',
    'a&b=c',
    '100%',
    '%2f',
    'a#b',
    'a?b',
    '"\\',
    "!$'()*,;:@[]{}|^`~<>",
    'x'.repeat(1_000),
  ])('unchanged, however it has to be written: %s', async (token) => {
    const { execute, crm } = await overBoth();
    await execute(DEAL, { headers: { 'x-crm-token': token } });
    await execute(CREATE, { headers: { 'x-crm-token': token } });
    const [read, written] = crm.requests;
    const { pathname, searchParams, hash } = new URL(read?.url ?? '', crm.url);
    expect([pathname, [...searchParams], hash]).toEqual(['/app/deals/1.json', [['api_token', token]], '']);
    expect(JSON.parse(written?.body ?? '')).toEqual({ api_token: token, deal: { name: 'x' } });
  });
});

describe('without X-CRM-Token the bearer token goes to the CRM', () => {
  test('the bearer token is sent to a CRM of the same origin', async () => {
    const { execute, account } = await overBoth();
    const upstream = await recordingUpstream(says(RECORD));
    const shared = await gatewayOver(upstream.url, { CRM_URL: new URL('/elsewhere', upstream.url) }, 'bearer-token');
    await shared.execute(DEAL);
    expect(upstream.received).toEqual(['GET /elsewhere/app/deals/1.json?api_token=bearer-token']);
    expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization');
    await execute(TOKENS);
    expect(account.received).toHaveLength(1);
  });

  test('the bearer token is sent with CRM_SHARES_TOKEN=true', async () => {
    const { execute, crm } = await overBoth({ CRM_SHARES_TOKEN: 'true' });
    await execute(DEAL);
    expect(crm.received).toEqual(['GET /app/deals/1.json?api_token=bearer-token']);
    await execute(DEAL, { headers: { 'x-crm-token': 'crm-token' } });
    expect(crm.received[1]).toBe('GET /app/deals/1.json?api_token=crm-token');
  });

  test.each(['http://127.0.0.1:1', 'https://127.0.0.1', 'http://localhost'])(
    'and nowhere else: another port, scheme or name is another origin: %s',
    async (account) => {
      const crm = await recordingUpstream(says(RECORD));
      const { port } = new URL(crm.url);
      const url = account.endsWith(':1') ? account : `${account}:${port}`;
      const { execute } = await gatewayOver(url, { CRM_URL: new URL(crm.url) }, 'bearer-token');
      expect((await execute(DEAL)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(crm.received).toEqual([]);
    },
  );
});

test('where the bearer token is shared, and there is neither, the error names both headers', async () => {
  const { execute, crm } = await overBoth({ CRM_SHARES_TOKEN: 'true' });
  const refusal = async (headers: Readonly<Record<string, string>>) =>
    (await execute(DEAL, { token: null, headers })).errors.map(({ message }) => message);
  expect(await refusal({})).toEqual([
    'No credential for the CRM: send the header `X-CRM-Token: <API_TOKEN>`, or `Authorization: Bearer <API_TOKEN>`, which serves it too.',
  ]);
  expect(await refusal({ authorization: 'Basic YTpi' })).toEqual([
    'The Authorization header is malformed: send `Authorization: Bearer <API_TOKEN>`.',
  ]);
  expect(crm.received).toEqual([]);
});

test('X-CRM-Token is none for the account and flex APIs', async () => {
  const { execute, account } = await overBoth();
  const headers = { 'x-crm-token': 'crm-token' };
  const { errors } = await execute('{ apiTokens { name } flexDbs { code } }', { token: null, headers });
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  expect(account.received).toEqual([]);
  await execute('{ apiTokens { name } flexDbs { code } }', { headers });
  expect(account.received).toHaveLength(2);
  expect(JSON.stringify(account.requests)).not.toContain('crm-token');
});

describe('a malformed X-CRM-Token is refused before any call, and none takes its place', () => {
  const refused = { message: /X-CRM-Token header is malformed/, extensions: { code: 'UNAUTHENTICATED' } };

  test.each([
    ['an empty one', ''],
    ['spaces', '   '],
    ['a space within', 'one two'],
    ['a tab within', 'one\ttwo'],
    ['a scheme', 'Bearer one'],
    ['a letter beyond ASCII', 'caf\u00e9'],
  ])('%s', async (_name, token) => {
    const { execute, crm } = await overBoth({ CRM_SHARES_TOKEN: 'true' });
    const { errors } = await execute(DEAL, { headers: { 'x-crm-token': token } });
    expect(errors).toMatchObject([{ message: expect.stringMatching(refused.message), extensions: refused.extensions }]);
    expect(crm.received).toEqual([]);
    expect((await execute(DEAL, { headers: { 'x-crm-token': 'good' } })).errors).toEqual([]);
  });

  test.each([
    ['two of them', ['x-crm-token: canary', 'x-crm-token: canary']],
    ['two, one of them empty', ['x-crm-token: canary', 'x-crm-token:']],
    ['an emoji', [`x-crm-token: canary${Buffer.from('🚀').toString('latin1')}`]],
    ['two bearer tokens', ['authorization: Bearer canary', 'authorization: Bearer canary']],
  ])('%s', async (_name, lines) => {
    const { url, crm, logs } = await overBoth({ CRM_SHARES_TOKEN: 'true' });
    const answer = await rawQuery(url, DEAL, lines);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*UNAUTHENTICATED/);
    expect(`${answer}${logs.join('')}`).not.toContain('canary');
    expect(crm.received).toEqual([]);
  });

  test.each([
    ['NUL', 'canary\0'],
    ['a line end', 'canary\nx'],
    ['a line end without a name behind it', 'canary\r\nx'],
    ['an escape', '\u001bcanary'],
    ['DEL', 'canary\x7f'],
  ])('%s is no HTTP at all', async (_name, token) => {
    const { url, crm } = await overBoth({ CRM_SHARES_TOKEN: 'true' });
    const answer = await rawQuery(url, DEAL, [`x-crm-token: ${token}`, 'authorization: Bearer good']);
    expect(answer).toMatch(/^HTTP\/1\.1 (400 Bad Request|200 OK[^]*UNAUTHENTICATED)/);
    expect(answer).not.toContain('canary');
    expect(crm.received).toEqual([]);
  });
});

test.each([
  ['X-CRM-Token', { 'x-crm-token': 'crm-token' }],
  ['Authorization', {}],
])('a 401 of the CRM names the header that was used: %s', async (name, headers) => {
  const crm = await recordingUpstream(says('{"error":"login_required"}', { status: 401 }));
  const settings = { CRM_URL: new URL(crm.url), CRM_SHARES_TOKEN: 'true' } as const;
  const { execute } = await gatewayOver(crm.url, settings, 'bearer-token');
  expect((await execute(DEAL, { headers })).errors).toMatchObject([
    {
      message: `The crm API refused the credential of the ${name} header.`,
      extensions: {
        code: 'UNAUTHENTICATED',
        upstream: { api: 'crm', endpoint: 'GET /app/deals/:id.json', status: 401 },
      },
    },
  ]);
});
