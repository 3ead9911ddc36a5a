import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

async function overStub(settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(wellBehaved);
  return { ...(await gatewayOver(upstream.url, settings, 'token')), upstream };
}

const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,authorization',
};

/** The headers by which a browser decides, of a preflight and of the operation itself. */
async function corsOf(url: string, origin: string) {
  const preflight = await fetch(`${url}/graphql`, { method: 'OPTIONS', headers: { ...PREFLIGHT, origin } });
  const headers = { origin, 'content-type': 'application/json', authorization: 'Bearer token' };
  const operation = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: TOKENS }) });
  const allowing = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')));
  return { preflight: allowing(preflight), operation: allowing(operation) };
}

describe('web pages of other origins', () => {
  test('are allowed nothing by default', async () => {
    const { url } = await overStub();
    for (const origin of ['https://app.example', 'http://localhost:3000', 'null', url]) {
      expect(await corsOf(url, origin)).toEqual({ preflight: {}, operation: {} });
    }
  });

  const CORS_ORIGINS = ['https://app.example', 'http://localhost:3000'];

  test.each(CORS_ORIGINS)('may call when they are listed: %s', async (origin) => {
    const { url } = await overStub({ CORS_ORIGINS });
    const { preflight, operation } = await corsOf(url, origin);
    expect(preflight).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringMatching(/content-type/i),
    });
    expect(preflight['access-control-allow-headers']).toMatch(/authorization/i);
    expect(operation).toMatchObject({ 'access-control-allow-origin': origin });
  });

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://APP.example',
    'null', // a sandboxed frame, or a file
  ])('may not when they are not: %s', async (origin) => {
    const { url } = await overStub({ CORS_ORIGINS });
    const { preflight, operation } = await corsOf(url, origin);
    for (const headers of [preflight, operation]) {
      expect([origin, '*']).not.toContain(headers['access-control-allow-origin']);
    }
  });

  test('a cache is told that the answer depends on the origin', async () => {
    const { url } = await overStub({ CORS_ORIGINS });
    const headers = { ...PREFLIGHT, origin: 'https://app.example' };
    const response = await fetch(`${url}/graphql`, { method: 'OPTIONS', headers });
    expect(response.headers.get('vary')).toMatch(/origin/i);
  });
});

describe('GraphiQL', () => {
  const page = async (settings: Partial<Config>, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') => {
    const { url } = await overStub(settings);
    const response = await fetch(`${url}/graphql`, { headers: { accept } });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  test('is served to a browser, and loads nothing from elsewhere', async () => {
    const { status, type, text } = await page({});
    expect(status).toBe(200);
    expect(type).toMatch(/^text\/html/);
    expect(text).toContain('trivium');
    expect(text).not.toMatch(/<(script|link|img)[^>]+(src|href)="?https?:/);
  });

  test('may run its own scripts only, ask this gateway only, and be in no frame', async () => {
    const { url } = await overStub();
    const response = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
    await response.arrayBuffer();
    const { headers } = response;
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'script-src': expect.stringMatching(/^'sha256-[\w+/]{43}=' 'sha256-[\w+/]{43}='$/),
      'style-src': "'unsafe-inline'",
      'img-src': 'data:',
      'font-src': 'data:',
      'worker-src': 'blob:',
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  test('is served in production where it is asked for', async () => {
    expect(await page({ NODE_ENV: 'production', GRAPHIQL: 'true' })).toMatchObject({ status: 200 });
  });

  test.each([
    ['when it is switched off', { GRAPHIQL: 'false' }],
    ['in production', { NODE_ENV: 'production' }],
  ] as const)('is not served %s', async (_name, settings) => {
    const { status, text } = await page(settings);
    expect(status).toBe(400);
    expect(text).not.toMatch(/<html|graphiql/i);
  });

  test('is not served to a program', async () => {
    expect((await page({}, 'application/json')).type).not.toMatch(/html/);
    expect((await page({}, '*/*')).type).not.toMatch(/html/);
  });
});

describe('the pages beside GraphQL', () => {
  test('/health and /ready answer without a credential and without a call', async () => {
    const { url, upstream } = await overStub();
    const upstreams = { account: 'ok', flex: 'ok' }; // those that have an address
    for (const path of ['health', 'ready']) {
      for (const search of ['', '?from=probe']) {
        const response = await fetch(`${url}/${path}${search}`);
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual({ status: 'ok', ...(path === 'ready' && { upstreams }) });
      }
      expect((await fetch(`${url}/${path}`, { method: 'HEAD' })).status).toBe(200);
    }
    expect(upstream.received).toEqual([]);
  });

  test.each(['/', '/nowhere', '/graphqlx', '/GRAPHQL', '/..%2fgraphql', '/graphql%00', '/favicon.ico'])(
    '%s is not found, and tells nothing',
    async (path) => {
      const { url } = await overStub();
      for (const accept of ['text/html', 'application/json']) {
        const response = await fetch(url + path, { headers: { accept } });
        expect(response.status).toBe(404);
        const [error] = (await response.json()).errors;
        expect(error.message).toBe('There is nothing here: GraphQL is at /graphql.');
      }
    },
  );
});
