import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphiqlTabs } from '../../src/cli/graphiql-tabs.ts';
import { createLog } from '../../src/observe/log.ts';
import { createGateway, type Gateway } from '../../src/edge/server.ts';
import { testConfig } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';

const log = createLog('silent', { write: () => {} });
const HTML = { accept: 'text/html' };

describe('the page of GraphiQL', () => {
  let gateway: Gateway;
  let page: string;
  let paths: readonly string[];
  beforeAll(async () => {
    const config = testConfig({ ACCOUNT_URL: new URL(DEAD_ADDRESS), TRACE: 'true' });
    gateway = await createGateway(config, { log, graphiql: () => graphiqlTabs(false) });
    page = await (await fetch(`${gateway.url}/graphql`, { headers: HTML })).text();
    paths = [...page.matchAll(/"(graphiql\/[^"]+)"/g)].map(([, path = '']) => `/${path}`);
  });
  afterAll(() => gateway.close());

  test('is small: its scripts, styles and workers are files of their own', async () => {
    expect(page.length).toBeLessThan(10_000);
    expect(paths).toHaveLength(9);
    expect(new Set(paths).size).toBe(9);
  });

  test('has files that are compressed and kept for a year, and that may do nothing by themselves', async () => {
    for (const path of paths) {
      const response = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'gzip, br' } });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      expect(Number(response.headers.get('content-length'))).toBeLessThan(1_500_000);
      const etag = response.headers.get('etag') ?? '';
      expect(path).toContain(etag.slice(3, -1)); // the path changes with the content
      await response.body?.cancel();
      expect((await fetch(gateway.url + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });

  test('has no other files', async () => {
    const [path = ''] = paths;
    for (const other of [
      '/graphiql/',
      '/graphiql/trace.js',
      `${path}x`,
      '/graphiql/0000000000000000.js',
      '/graphiql/../main.js',
    ]) {
      expect((await fetch(gateway.url + other)).status).toBe(404);
    }
    const refused = await fetch(gateway.url + path, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('has a nonce for its scripts that is another one each time', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await fetch(`${gateway.url}/graphql`, { headers: HTML });
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
        expect((await response.text()).split(`nonce="${nonce}"`)).toHaveLength(5);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('is answered to HEAD without a body', async () => {
    const response = await fetch(`${gateway.url}/graphql`, { method: 'HEAD', headers: HTML });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(page));
  });

  test('holds texts of its settings as data, which no browser takes for a tag', async () => {
    const config = testConfig({ ACCOUNT_URL: new URL(DEAD_ADDRESS) });
    const defaultTabs = [{ query: '# </script><script>alert(1)</script>' }];
    const other = await createGateway(config, { log, graphiql: () => ({ defaultTabs }) });
    try {
      const text = await (await fetch(`${other.url}/graphql`, { headers: HTML })).text();
      expect(text).not.toContain('<script>alert');
      const [, settings = ''] = /id="settings">(.*?)<\/script>/.exec(text) ?? [];
      expect(JSON.parse(settings).options.defaultTabs).toEqual(defaultTabs);
      // Without TRACE it asks for no trace.
      expect(text).toContain('data-traces="false"');
      expect([...text.matchAll(/<script src=/g)]).toHaveLength(3);
    } finally {
      await other.close();
    }
  });
});
