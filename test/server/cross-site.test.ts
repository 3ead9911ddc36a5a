import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { sendRaw } from './wire.ts';

const LISTED = 'https://app.example';
const EVIL = 'https://evil.example';
const COOKIE = { cookie: 'theme=dark; flex_key=0123456789abcdef' };
const QUERY = '{ publicFlexDb(code: "book") { list { nodes { id } } } }';
const MUTATION = 'mutation { createPublicFlexRecord(code: "book", input: { data: {} }) { __typename } }';

type Headers = Readonly<Record<string, string>>;

/** The ways on which a request is answered: the direct one for a body with a length, and two through Yoga. */
const WAYS = ['POST', 'POST in chunks', 'GET'] as const;
type Way = (typeof WAYS)[number];

async function gatewayWithCookies(settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(says('[]'));
  const { url, logs } = await gatewayOver(upstream.url, {
    FLEX_COOKIES: ['flex_key'],
    CORS_ORIGINS: [LISTED],
    ...settings,
  });
  const send = async (way: Way, headers: Headers, query = QUERY) => {
    const response = await (way === 'GET'
      ? fetch(`${url}/graphql?${new URLSearchParams({ query })}`, { headers })
      : fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          ...(way === 'POST'
            ? { body: JSON.stringify({ query }) }
            : { body: new Blob([JSON.stringify({ query })]).stream(), duplex: 'half' as const }),
        }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { url, host: new URL(url).host, upstream, logs, send };
}

/** A header that no web page of another origin can add to a request without a preflight. */
const PREFLIGHTED = { 'graphql-require-preflight': '1' };

describe.each(WAYS)('a request with a cookie of FLEX_COOKIES, %s', (way) => {
  test.each<[name: string, headers: Headers]>([
    ['of an origin that is not listed', { origin: EVIL }],
    ['of a sandboxed page', { origin: 'null' }],
    ['of an origin that begins like a listed one', { origin: `${LISTED}.evil.example` }],
    ['of two origins', { origin: `${LISTED}, ${EVIL}` }],
    ['of an origin that is not listed, on the same site', { origin: EVIL, 'sec-fetch-site': 'same-site' }],
    ['of another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused before any call', async (_name, headers) => {
    const { upstream, send } = await gatewayWithCookies();
    for (const query of way === 'GET' ? [QUERY] : [QUERY, MUTATION]) {
      const { status, text } = await send(way, { ...COOKIE, ...PREFLIGHTED, ...headers }, query);
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({
        errors: [
          {
            message: expect.stringContaining('CORS_ORIGINS'),
            extensions: { code: 'FORBIDDEN', outcome: 'REFUSED' },
          },
        ],
      });
      expect(text).not.toContain('evil');
    }
    expect(upstream.received).toEqual([]);
  });

  test('of the own host that a browser calls another site, by its scheme, is refused', async () => {
    const { host, upstream, send } = await gatewayWithCookies();
    const headers = { ...COOKIE, ...PREFLIGHTED, origin: `http://${host}`, 'sec-fetch-site': 'cross-site' };
    expect((await send(way, headers)).status).toBe(403);
    expect(upstream.received).toEqual([]);
  });

  test('of the own origin, of a listed one, or of a program is served', async () => {
    const { host, upstream, send } = await gatewayWithCookies();
    const served: Headers[] = [
      {},
      { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
      { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }, // behind a proxy that ends TLS
      { origin: LISTED },
      { origin: LISTED, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of served) {
      expect((await send(way, { ...COOKIE, ...PREFLIGHTED, ...headers })).status).toBe(200);
    }
    expect(upstream.received).toHaveLength(served.length);
  });
});

test('with `localhost` in CORS_ORIGINS pages of this machine are served with the cookie, and no other ones', async () => {
  const { send } = await gatewayWithCookies({ CORS_ORIGINS: ['localhost'] });
  const statusOf = async (origin: string) =>
    (await send('POST', { ...COOKIE, origin, 'sec-fetch-site': 'cross-site' })).status;
  expect(await statusOf('http://127.0.0.1:5173')).toBe(200);
  for (const origin of [LISTED, 'http://localhost.evil.example', 'null']) expect(await statusOf(origin)).toBe(403);
});

describe.each(WAYS)('a request without a cookie of FLEX_COOKIES is served from anywhere, %s', (way) => {
  test.each<[name: string, cookies: Headers, settings: Partial<Config>]>([
    ['without any cookie', {}, {}],
    ['with another cookie', { cookie: 'theme=flex_key; flex_key2=a; Flex_Key=b' }, {}],
    ['with a cookie where FLEX_COOKIES names none', COOKIE, { FLEX_COOKIES: [] }],
  ])('%s', async (_name, cookies, settings) => {
    const { send } = await gatewayWithCookies(settings);
    const { status } = await send(way, { ...cookies, origin: EVIL, 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(200);
  });
});

describe('a GET with a cookie of FLEX_COOKIES', () => {
  test('needs a header that no link and no image can carry', async () => {
    const { upstream, send } = await gatewayWithCookies();
    for (const headers of [{}, { origin: LISTED }, { 'sec-fetch-site': 'same-origin' }]) {
      const { status, text } = await send('GET', { ...COOKIE, ...headers });
      expect(status).toBe(403);
      expect(text).toContain('GraphQL-Require-Preflight');
    }
    expect(upstream.received).toEqual([]);
    expect((await send('GET', { ...COOKIE, 'graphql-require-preflight': '1' })).status).toBe(200);
    expect((await send('GET', { ...COOKIE, 'apollo-require-preflight': '' })).status).toBe(200);
  });

  test('a page of a listed origin can read the refusal', async () => {
    const { send } = await gatewayWithCookies();
    const { headers } = await send('GET', { ...COOKIE, origin: LISTED });
    expect(headers.get('access-control-allow-origin')).toBe(LISTED);
  });

  test('opens GraphiQL from a link, and executes nothing', async () => {
    const { upstream, send } = await gatewayWithCookies();
    const { status, text } = await send('GET', { ...COOKIE, accept: 'text/html', 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(200);
    expect(text).toMatch(/^<!doctype html>[^]*GraphiQL/);
    expect(upstream.received).toEqual([]);
  });

  test('is refused to a link where GraphiQL is off', async () => {
    const { upstream, send } = await gatewayWithCookies({ GRAPHIQL: 'false' });
    const { status } = await send('GET', { ...COOKIE, accept: 'text/html', 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
    expect(upstream.received).toEqual([]);
  });
});

test('one cookie among several headers counts, too', async () => {
  const { url, upstream } = await gatewayWithCookies();
  const body = JSON.stringify({ query: QUERY });
  const headers = ['host: x', `origin: ${EVIL}`, 'content-type: application/json', 'connection: close'];
  const cookies = ['cookie: theme=dark', 'cookie:\tflex_key =a', 'cookie: flex_key=b'];
  const answered = await sendRaw(
    url,
    ['POST /graphql HTTP/1.1', ...headers, ...cookies, `content-length: ${body.length}`],
    body,
  );
  expect(answered).toMatch(/^HTTP\/1\.1 403 /);
  expect(upstream.received).toEqual([]);
});

test('a preflight is answered: a browser sends no cookie with it', async () => {
  const { url } = await gatewayWithCookies();
  const headers = { ...COOKIE, origin: LISTED, 'access-control-request-method': 'GET' };
  expect((await fetch(`${url}/graphql`, { method: 'OPTIONS', headers })).status).toBe(204);
});

test('a refused request has a line in the log, with its status and nothing of the caller', async () => {
  const { send, logs } = await gatewayWithCookies();
  await send('POST', { ...COOKIE, origin: EVIL });
  const lines = logs.map((line): unknown => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ level: 40, origin: EVIL }),
    expect.objectContaining({ level: 30, status: 403, msg: 'request refused' }),
  ]);
  expect(lines[1]).not.toHaveProperty('origin');
  expect(logs.join('')).not.toContain('0123456789abcdef');
});
