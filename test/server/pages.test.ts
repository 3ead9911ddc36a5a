import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { demoCredentials } from '../../src/cli/demo.ts';
import { createLog } from '../../src/observe/log.ts';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { createGateway, type GatewayOptions } from '../../src/edge/server.ts';
import { testConfig } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';

const { printed, subgraph } = await servedSchema(testConfig());
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const log = createLog('silent', { write: () => {} });

/** The page at `/`, and the settings that its script shows. */
async function home(url: string) {
  const page = await (await fetch(url, { headers: HTML })).text();
  const [, settings = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(page) ?? [];
  return { page, settings: JSON.parse(settings) };
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

  test('has each API with its address, or the setting that lacks', async () => {
    const { url } = await started();
    expect((await home(url)).settings.apis).toMatchObject([
      { name: 'account', address: DEAD_ADDRESS },
      { name: 'flex', address: DEAD_ADDRESS },
      { name: 'crm', setting: 'CRM_URL' },
      { name: 'forum', address: 'https://forum.example/base/' },
    ]);
  });

  test('has the headers of the credentials, and none of the sandbox', async () => {
    const { url } = await started();
    const { page, settings } = await home(url);
    expect(settings.credentials).toMatchObject([
      { header: 'Authorization: Bearer <API_TOKEN>' },
      { header: 'X-CRM-Token: <API_TOKEN>', more: '' },
      { header: 'X-Forum-Authorization: Basic <login:password in base64>' },
    ]);
    expect(page).not.toContain('demo-admin');
  });

  test('links to pages that exist', async () => {
    const gateway = await started();
    const page = await (await fetch(gateway.url, { headers: HTML })).text();
    const paths = new Set([...page.matchAll(/href="([^":]*)"/g)].map(([, path = '']) => path));
    expect([...paths].sort()).toEqual(['graphql', 'health', 'home.css', 'ready', 'schema.graphql']); // a proxy may strip a prefix
    for (const path of paths) expect((await fetch(`${gateway.url}/${path}`, { headers: HTML })).status).toBe(200);
  });

  test('runs its own script alone, is in no frame, and is stored by no cache', async () => {
    const gateway = await started();
    const response = await fetch(gateway.url, { headers: HTML });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self'; style-src 'self';");
    const [own, ...others] =
      (await response.text()).match(/<script(?! type="application\/json")[^>]*>[^<]*|\son\w+=/g) ?? [];
    expect([own, others]).toEqual(['<script type="module" src="home.js">', []]);
    expect((await fetch(`${gateway.url}/home.js`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
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

test('the page at / has the credentials of the sandbox', async () => {
  const { url } = await start({ CRM_SHARES_TOKEN: 'true' }, { demo: demoCredentials });
  const { settings } = await home(url);
  expect(settings.demo).toEqual(demoCredentials);
  expect(settings.credentials).toContainEqual(
    expect.objectContaining({ api: 'crm', more: '; without it, Authorization serves the CRM, too' }),
  );
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
