import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { demoCredentials } from '../../src/cli/demo.ts';
import { createLog } from '../../src/process/log.ts';
import { servedSchema } from '../../src/schema/served-schema.ts';
import { createGateway, type GatewayOptions } from '../../src/server/server.ts';
import { TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';

const { printed, subgraph } = await servedSchema(testConfig());
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const log = createLog('silent', { write: () => {} });

/** The text of the page at `/`, without its tags, in the words that a reader sees. */
async function home(url: string, headers: Record<string, string> = HTML): Promise<string> {
  const page = await (await fetch(url, { headers })).text();
  const [, body = ''] = page.split('<body>');
  return body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** Starts a gateway that no test calls an upstream through. */
async function start(settings: Partial<Config> = {}, options: GatewayOptions = {}) {
  const config = testConfig({ ACCOUNT_URL: new URL(DEAD_ADDRESS), ...settings });
  const gateway = await createGateway(config, { log, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe('the page at /', () => {
  const started = async () => start({ FORUM_URL: new URL('https://forum.example/base/') });

  test('names each API with its address, or the setting that lacks', async () => {
    const gateway = await started();
    const text = await home(gateway.url);
    expect(text).toContain(`account ${DEAD_ADDRESS} not called yet`);
    expect(text).toContain(`flex ${DEAD_ADDRESS} not called yet`);
    expect(text).toContain('crm not set: set CRM_URL cannot be called');
    expect(text).toContain('forum https://forum.example/base/ not called yet');
  });

  test('names the headers of the credentials, and none of the sandbox', async () => {
    const gateway = await started();
    const text = await home(gateway.url);
    for (const header of ['Authorization: Bearer', 'X-CRM-Token:', 'X-Forum-Authorization: Basic']) {
      expect(text).toContain(header);
    }
    expect(text).not.toContain('demo-admin');
  });

  test('links to pages that exist', async () => {
    const gateway = await started();
    const page = await (await fetch(gateway.url, { headers: HTML })).text();
    const paths = new Set([...page.matchAll(/href="([^":]*)"/g)].map(([, path = '']) => path));
    expect([...paths].sort()).toEqual(['graphql', 'health', 'ready', 'schema.graphql']); // a proxy may strip a prefix
    for (const path of paths) expect((await fetch(`${gateway.url}/${path}`, { headers: HTML })).status).toBe(200);
  });

  test('runs no script, is in no frame, and is stored by no cache', async () => {
    const gateway = await started();
    const response = await fetch(gateway.url, { headers: HTML });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/style-src 'sha256-[\w+/]{43}=';/);
    expect(policy).not.toContain('script-src');
    expect(await response.text()).not.toMatch(/<script|\son\w+=/);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('is a text for programs, which says what is where', async () => {
    const gateway = await started();
    for (const accept of ['application/json', '*/*']) {
      const response = await fetch(gateway.url, { headers: { accept } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      const text = await response.text();
      expect(text.split('\n').length).toBeLessThan(12);
      const paths = [...text.matchAll(/^(\/\S*) /gm)].map(([, path = '']) => path);
      expect(paths).toEqual(['/graphql', '/schema.graphql', '/health', '/ready', '/']);
      for (const path of paths) expect((await fetch(gateway.url + path, { headers: HTML })).status).toBe(200);
      for (const [page] of text.matchAll(/\w+\.md/g)) expect(existsSync(`docs/${page}`)).toBe(true);
    }
  });
});

test('the page at / shows how fast an API has answered, and calls none itself', async () => {
  const upstream = await stubUpstream(wellBehaved);
  const { url, execute } = await gatewayOver(upstream.url, {}, 'token');
  expect(await home(url)).toContain(`account ${upstream.url} not called yet`);
  expect(upstream.received).toEqual([]);

  await execute(TOKENS);

  expect(await home(url)).toMatch(/account \S+ reachable : last answer in \d+(\.\d)? ms, just now/);
  expect(upstream.received).toHaveLength(1);
});

test('the page at / says that an API is failing which answers with 503', async () => {
  const upstream = await stubUpstream(says('{}', { status: 503 }));
  const { url, execute } = await gatewayOver(upstream.url, {}, 'token');
  await execute('{ apiTokens { id } }');
  expect(await home(url)).toMatch(/account \S+ failing : answered with 503 in \d+(\.\d)? ms, just now/);
});

test('the page at / says that an API is unreachable, and that it is not called after many failures', async () => {
  const { url, execute } = await gatewayOver(DEAD_ADDRESS, {}, 'token');
  await execute(TOKENS);
  expect(await home(url)).toContain(`account ${DEAD_ADDRESS} unreachable: the last call failed just now`);

  for (let call = 0; call < 10; call += 1) await execute(TOKENS);
  expect(await home(url)).toContain(`account ${DEAD_ADDRESS} not called for now: it failed too often`);
});

test('the page at / shows the credentials of the sandbox, and a command to paste', async () => {
  const gateway = await start({ CRM_SHARES_TOKEN: 'true' }, { demo: demoCredentials });
  const text = await home(gateway.url);
  for (const { token } of demoCredentials.tokens) expect(text).toContain(`Authorization: Bearer ${token}`);
  expect(text).toContain(`X-Forum-Authorization: ${demoCredentials.forumAuthorization}`);
  expect(text).toContain(`account sandbox, ${DEAD_ADDRESS}`);
  expect(text).toContain('without it, Authorization serves the CRM, too');
  expect(text).toContain(`curl -s ${gateway.url}/graphql`);
});

describe('/schema.graphql', () => {
  const getter = async () => {
    const { url } = await start();
    return async (headers: Record<string, string> = {}) => fetch(`${url}/schema.graphql`, { headers });
  };

  test('is the schema as text', async () => {
    const get = await getter();
    const response = await get();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(printed());
  });

  test('is compressed for those who ask for that', async () => {
    const get = await getter();
    const length = Buffer.byteLength(printed());
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get({ 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      const sent = Number(response.headers.get('content-length'));
      expect(sent < length / 3).toBe(encoding !== null);
      expect(await response.text()).toBe(printed()); // fetch decompresses
    }
  });

  test('is not sent again to a caller that has it', async () => {
    const get = await getter();
    const etag = (await get()).headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const response = await get({ 'if-none-match': known });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is the schema of the subgraph where that is served', async () => {
    const gateway = await start({ SUBGRAPH: 'true' });
    const text = await (await fetch(`${gateway.url}/schema.graphql`)).text();
    expect(text).toBe(subgraph().sdl);
  });

  test.each(['/', '/schema.graphql'])(
    'HEAD %s answers as GET without a body, and other methods get 405',
    async (path) => {
      const gateway = await start();
      const head = await fetch(gateway.url + path, { method: 'HEAD', headers: HTML });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1_000);
      for (const method of ['POST', 'DELETE', 'OPTIONS']) {
        const refused = await fetch(gateway.url + path, { method, headers: HTML });
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      }
    },
  );
});

test.each([
  ['in production', { NODE_ENV: 'production' }],
  ['where GRAPHIQL is false', { GRAPHIQL: 'false' }],
] as const)('the pages are a bare 404 %s', async (_name, settings) => {
  const gateway = await start(settings);
  for (const path of ['/', '/schema.graphql', '/graphiql/graphiql.js']) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(gateway.url + path, { method, headers: HTML });
      expect(response.status).toBe(404);
      expect((await response.json()).errors[0].message).toBe('There is nothing here: GraphQL is at /graphql.');
    }
  }
});
