import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { sandboxSettings } from '../../src/cli/demo.ts';
import { TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

const LISTED = 'https://app.example';
const CORS_ORIGINS = [LISTED, 'http://localhost:3000'];

async function overStub(settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(wellBehaved);
  return gatewayOver(upstream.url, { CORS_ORIGINS, ...settings }, 'token');
}

type Allowed = Readonly<Record<string, string>>;

/** The headers by which a browser decides. */
const allowing = ({ headers }: Response): Allowed =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

async function preflight(url: string, origin: string, path = '/graphql'): Promise<Response> {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  return fetch(url + path, { method: 'OPTIONS', headers: { ...asked, origin } });
}

async function operation(url: string, origin: string): Promise<Response> {
  const headers = { origin, 'content-type': 'application/json', authorization: 'Bearer token' };
  return fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: TOKENS }) });
}

/** The headers of a preflight and of the operation itself. */
async function corsOf(url: string, origin: string) {
  return { preflight: allowing(await preflight(url, origin)), operation: allowing(await operation(url, origin)) };
}

describe('web pages of other origins', () => {
  test('are allowed nothing by default', async () => {
    const { url } = await overStub({ CORS_ORIGINS: [] });
    for (const origin of [LISTED, 'http://localhost:3000', 'null', url]) {
      expect(await corsOf(url, origin)).toEqual({ preflight: {}, operation: {} });
    }
  });

  test('may call when they are listed, with each header that the gateway reads', async () => {
    const { url } = await overStub();
    for (const origin of CORS_ORIGINS) {
      const readable = {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'X-Request-Id, Retry-After',
      };
      expect(await corsOf(url, origin)).toEqual({
        preflight: {
          ...readable,
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers':
            'Authorization, Content-Type, Idempotency-Key, X-CRM-Token, X-Forum-Authorization, X-Trivium-Cost, X-Trivium-Not-Sent, X-Trivium-Timeout-Ms, X-Trivium-Trace, X-Request-Id, traceparent, tracestate, GraphQL-Require-Preflight, Apollo-Require-Preflight, apollographql-client-name, apollographql-client-version, sentry-trace, baggage, x-requested-with',
          'access-control-max-age': '7200',
        },
        operation: readable,
      });
    }
  });

  test('may send the headers of CORS_HEADERS, too', async () => {
    const { CORS_HEADERS } = readConfig({ CORS_HEADERS: ' X-Tenant,x_app.Version ' });
    const { url } = await overStub({ CORS_HEADERS });
    const { headers } = await preflight(url, LISTED);
    expect(headers.get('access-control-allow-headers')).toMatch(
      /^Authorization, .*, x-requested-with, X-Tenant, x_app\.Version$/,
    );
    const forPublic = await overStub({ CORS_HEADERS, PUBLIC: 'true' });
    const shown = (await preflight(forPublic.url, LISTED)).headers.get('access-control-allow-headers');
    expect(shown).toMatch(/^Content-Type, .*, X-Tenant, x_app\.Version$/);
  });

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://APP.example',
    'localhost',
    'null', // a sandboxed frame, or a file
  ])('may not when they are not: %s', async (origin) => {
    const { url } = await overStub();
    expect(await corsOf(url, origin)).toEqual({ preflight: {}, operation: {} });
  });

  test('may send cookies where FLEX_COOKIES names some', async () => {
    const { url } = await overStub({ FLEX_COOKIES: ['flex_key'] });
    const credentials = { 'access-control-allow-credentials': 'true' };
    expect(await corsOf(url, LISTED)).toMatchObject({ preflight: credentials, operation: credentials });
  });

  test('a cache is told that the answer depends on the origin', async () => {
    const { url } = await overStub();
    expect((await preflight(url, LISTED)).headers.get('vary')).toBe('Origin');
  });
});

describe('`localhost` in CORS_ORIGINS', () => {
  test('allows the pages of this machine, on any port', async () => {
    const { url } = await overStub({ CORS_ORIGINS: [LISTED, 'localhost'] });
    for (const host of ['localhost', 'localhost:5173', '127.0.0.1:3000', '[::1]:8080']) {
      for (const origin of [`http://${host}`, `https://${host}`]) {
        expect((await preflight(url, origin)).headers.get('access-control-allow-origin')).toBe(origin);
      }
    }
    expect((await preflight(url, LISTED)).headers.get('access-control-allow-origin')).toBe(LISTED);
  });

  test.each([
    'localhost',
    'null',
    'http://localhost.evil.example',
    'http://evil.example',
    'http://evil-localhost',
    'http://127.0.0.1.evil.example:3000',
    'http://localhost:3000.evil.example',
    'http://localhost:3000/path',
    'http://127.0.0.2:3000',
    'ftp://localhost:3000',
    'http://localhost:3000 http://evil.example',
  ])('does not allow %s', async (origin) => {
    const { url } = await overStub({ CORS_ORIGINS: ['localhost'] });
    expect(await corsOf(url, origin)).toEqual({ preflight: {}, operation: {} });
  });

  test('is what the sandbox sets, unless CORS_ORIGINS is set', () => {
    const urls = { account: 'http://a', flex: 'http://a', crm: 'http://a', forum: 'http://b' };
    expect(sandboxSettings(urls, readConfig({})).CORS_ORIGINS).toBe('localhost');
    expect(sandboxSettings(urls, readConfig({ CORS_ORIGINS: LISTED }))).not.toHaveProperty('CORS_ORIGINS');
  });
});

describe('a page of a listed origin can read', () => {
  test('each answer beside GraphQL, and a wrong path', async () => {
    const { url } = await overStub();
    for (const [path, status] of [
      ['/health', 200],
      ['/ready', 200],
      ['/', 200],
      ['/api/graphql', 404],
    ] as const) {
      expect((await preflight(url, LISTED, path)).status).toBe(204);
      const response = await fetch(url + path, { headers: { origin: LISTED, accept: 'application/json' } });
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBe(LISTED);
    }
  });

  test('the 503 of a gateway that ends', async () => {
    const upstream = await stubUpstream(() => {});
    const { url, close } = await gatewayOver(upstream.url, { CORS_ORIGINS, SHUTDOWN_TIMEOUT_MS: 50 });
    const answered = operation(url, LISTED);
    await expect.poll(() => upstream.received.length).toBe(1);
    const closed = close();
    const response = await answered;
    expect(response.status).toBe(503);
    expect(response.headers.get('access-control-allow-origin')).toBe(LISTED);
    expect(await response.text()).toContain('SHUTTING_DOWN');
    await closed;
  });
});

describe('an origin that is not allowed', () => {
  const warnings = (logs: readonly string[]) =>
    logs
      .map((line): { level: number; origin?: string; msg: string } => JSON.parse(line))
      .filter(({ level }) => level === 40);

  test('is logged once, with the setting to add it to', async () => {
    const { url, logs } = await overStub();
    for (const origin of ['http://localhost:5173', LISTED, 'http://localhost:5173', 'null', 'https://other.example']) {
      await corsOf(url, origin);
    }
    expect(warnings(logs)).toMatchObject([
      { origin: 'http://localhost:5173', msg: expect.stringMatching(/add it to CORS_ORIGINS$/) },
      { origin: 'null', msg: expect.stringContaining('a file') },
      { origin: 'https://other.example' },
    ]);
  });

  test('is not logged when it is the own one, or no origin', async () => {
    const { url, logs } = await overStub();
    const origins = [
      url,
      url.replace('http:', 'https:'),
      `${url}/?token=canary`,
      'canary',
      `https://${'a.'.repeat(150)}example`,
    ];
    for (const origin of origins) await operation(url, origin);
    const headers = { origin: 'https://behind-a-proxy.example', 'sec-fetch-site': 'same-origin' };
    await fetch(`${url}/health`, { headers });
    expect(warnings(logs)).toEqual([]);
  });

  test('is one of a hundred that are kept at most', async () => {
    const { url, logs } = await overStub();
    for (let number = 0; number < 110; number += 1) {
      await fetch(`${url}/health`, { headers: { origin: `https://app-${number}.example` } });
    }
    expect(warnings(logs)).toHaveLength(100);
  });
});
