import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

async function overStub(settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(wellBehaved);
  return { ...(await gatewayOver(upstream.url, settings, 'token')), upstream };
}

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
    expect(text).toContain('name="viewport"');
    expect(text).not.toMatch(/<(script|link|img)[^>]+(src|href)="?(https?:|\/\/)/);
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
      'script-src': expect.stringMatching(/^'nonce-[\w+/]{22}=='$/),
      'style-src': "'self' 'unsafe-inline'",
      'img-src': 'data:',
      'font-src': 'data:',
      'worker-src': "'self'",
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
    const neverCalled = { state: 'ok', last: {} };
    const upstreams = { account: neverCalled, flex: neverCalled }; // those that have an address
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

  test.each(['/nowhere', '/graphqlx', '/GRAPHQL', '/..%2fgraphql', '/graphql%00', '/favicon.ico'])(
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
