import { describe, expect, test } from 'vitest';
import { account } from '../endpoints/account.ts';
import { crm } from '../endpoints/crm.ts';
import { flex } from '../endpoints/flex.ts';
import { forum } from '../endpoints/forum.ts';
import { expectFailure, expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS, stubUpstream } from '../support/stub-upstream.ts';
import { rawQuery } from './raw-query.ts';

type Operations = Readonly<Record<string, readonly [endpoint: string, call: unknown, operation: string]>>;

const endpoint = 'GET /account/api_tokens.json';

async function overStub() {
  const upstream = await stubUpstream(wellBehaved);
  return { ...(await gatewayOver(upstream.url, {}, 'token')), upstream };
}

test.each<[api: string, rows: Operations, token: string | null, message: string]>([
  ['account', account, null, 'No credential: send the header `Authorization: Bearer <API_TOKEN>`.'],
  ['flex', flex, null, 'No credential: send the header `Authorization: Bearer <API_TOKEN>`.'],
  ['crm', crm, 'bearer', 'No credential for the CRM: send the header `X-CRM-Token: <API_TOKEN>`.'],
  ['forum', forum, 'bearer', 'No credential for the forum: send the header `X-Forum-Authorization'],
])('each operation of the %s API calls nothing without its credential, and names the header', async (...row) => {
  const [, rows, token, message] = row;
  const upstream = await stubUpstream(wellBehaved);
  const elsewhere = {
    CRM_URL: new URL(upstream.url),
    FORUM_URL: new URL(upstream.url),
    FLEX_URL: new URL(upstream.url),
  };
  const { execute } = await gatewayOver(DEAD_ADDRESS, elsewhere);
  for (const operation of Object.values(rows).map((each) => each[2])) {
    const { errors } = await execute(operation.replace('DB', '1').replace('RECORD', '1').replace('FORUM_POST', '1'), {
      token,
    });
    expect(errors, operation).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(errors[0]?.message, operation).toContain(message);
    expect(errors[0]?.extensions, operation).not.toHaveProperty('upstream');
  }
  expect(upstream.received).toEqual([]);
});

test('an operation without upstream calls needs no credential', async () => {
  const { ask } = await overStub();
  const data = await ask('{ __schema { queryType { name } } }', { token: null });
  expect(data).toEqual({ __schema: { queryType: { name: 'Query' } } });
});

describe('a malformed credential is refused before any call', () => {
  const malformed = { code: 'UNAUTHENTICATED', message: /malformed: send `Authorization: Bearer <API_TOKEN>`/ };

  test.each([
    ['another scheme', 'Basic ZGVtbzpkZW1v'],
    ['no scheme', 'canary'],
    ['no token', 'Bearer'],
    ['a space for a token', 'Bearer '],
    ['two words', 'Bearer one two'],
    ['two credentials', 'Bearer one, Bearer two'],
    ['a longer scheme', 'BearerX one'],
    ['a tab within', 'Bearer one\ttwo'],
    ['letters beyond ASCII', 'Bearer caf\u00e9'],
  ])('%s', async (_name, authorization) => {
    const { execute, upstream } = await overStub();
    expectFailure(await execute(TOKENS, { token: null, headers: { authorization } }), malformed);
    expect(upstream.received).toEqual([]);
    await expectHealthy(execute);
  });

  test('an empty header', async () => {
    const { execute, upstream } = await overStub();
    const result = await execute(TOKENS, { token: null, headers: { authorization: '' } });
    expectFailure(result, { code: 'UNAUTHENTICATED', message: /Authorization: Bearer <API_TOKEN>/ });
    expect(upstream.received).toEqual([]);
  });

  test('two headers: neither is chosen', async () => {
    const { execute, url, upstream } = await overStub();
    const answered = await rawQuery(url, TOKENS, ['authorization: Bearer one', 'authorization: Bearer two']);
    expect(answered).toContain('UNAUTHENTICATED');
    expect(upstream.received).toEqual([]);
    await expectHealthy(execute);
  });

  test.each([
    ['NUL', '\0'],
    ['a line end', '\n'],
    ['an escape', '\u001b'],
    ['DEL', '\x7f'],
    ['a byte that is no ASCII', '\xff'],
  ])('%s in it', async (_name, character) => {
    const { execute, url, upstream, logs } = await overStub();
    const answered = await rawQuery(url, TOKENS, [`authorization: Bearer canary${character}x`]);
    expect(answered).toMatch(/^HTTP\/1\.1 (200 OK[^]*UNAUTHENTICATED|400 Bad Request)/);
    expect(answered).not.toContain('canary');
    expect(logs.join('')).not.toContain('canary');
    expect(upstream.received).toEqual([]);
    await expectHealthy(execute);
  });

  test('a line end that would smuggle in a header of its own reaches no upstream', async () => {
    const { url, upstream } = await overStub();
    await rawQuery(url, TOKENS, ['authorization: Bearer one\r\n x-smuggled: yes']);
    expect(upstream.received).toEqual([]);
  });
});

describe('a well-formed credential is passed on as it is', () => {
  test.each([
    ['any ASCII', 'Bearer a!#$%&\'*+-.^_`|~/=,;"<>[]{}()Z', 'Bearer a!#$%&\'*+-.^_`|~/=,;"<>[]{}()Z'],
    ['a scheme in lower case', 'bearer token', 'Bearer token'],
    ['more spaces', 'Bearer   token', 'Bearer token'],
    ['1,000 characters', `Bearer ${'x'.repeat(1_000)}`, `Bearer ${'x'.repeat(1_000)}`],
  ])('%s', async (_name, authorization, sent) => {
    const seen: (string | undefined)[] = [];
    const upstream = await stubUpstream((request, response) => {
      seen.push(request.headers.authorization);
      wellBehaved(request, response);
    });
    const { execute } = await gatewayOver(upstream.url);
    expect((await execute(TOKENS, { token: null, headers: { authorization } })).errors).toEqual([]);
    expect(seen).toEqual([sent]);
  });

  test('no other header of the caller is passed on', async () => {
    const seen: string[] = [];
    const upstream = await stubUpstream((request, response) => {
      seen.push(...Object.keys(request.headers));
      wellBehaved(request, response);
    });
    const { execute } = await gatewayOver(upstream.url);
    await execute(TOKENS, {
      token: 'one',
      headers: { cookie: 'a=b', 'x-crm-token': 'c', 'x-forwarded-for': '1.2.3.4', 'x-forum-authorization': 'Basic x' },
    });
    expect(seen.sort()).toEqual(['accept', 'accept-encoding', 'authorization', 'connection', 'content-type', 'host']);
  });

  test('concurrent operations each use their own credential', async () => {
    const upstream = await stubUpstream((request, response) => {
      const id = Number(/\d+/.exec(request.headers.authorization ?? '')?.[0]);
      response.end(JSON.stringify([{ id }]));
    });
    const { execute } = await gatewayOver(upstream.url);
    const callers = Array.from({ length: 50 }, (_none, index) => String(index + 1));
    const answers = await Promise.all(callers.map((caller) => execute(TOKENS, { token: `caller-${caller}` })));
    expect(answers.map(({ data }) => data)).toEqual(callers.map((upstreamId) => ({ apiTokens: [{ upstreamId }] })));
  });
});

describe('a credential that upstream refuses', () => {
  test.each(['unknown', 'demo-expired', 'demo-inactive'])('%s', async (token) => {
    const { execute, sandbox } = await gateway({}, { demo: true });
    const expected = { code: 'UNAUTHENTICATED', message: /refused the credential of the Authorization header/ };
    expectFailure(await execute(TOKENS, { token }), { ...expected, endpoint, status: 401 });
    expect(sandbox.calls()).toEqual([endpoint]);
    expect((await execute(TOKENS)).errors).toEqual([]);
  });
});
