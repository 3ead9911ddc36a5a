import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium, openGraphiql } from '../support/chromium.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, eventsOf, next, partsOf } from '../support/parts.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { freePort, startServer } from './support.ts';

// The gateway behind nginx: deploy/nginx.conf, which buffers by its defaults.

const CONFIG = new URL('../../deploy/nginx.conf', import.meta.url);

/**
 * nginx before a gateway.
 *
 * @param prefix one that it strips from the path
 * @param left out of the sample: a setting that has its default then
 */
async function behindNginx(gatewayUrl: string, prefix = '', left = 'nothing'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-nginx-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const config = readFileSync(CONFIG, 'utf8')
    .replace('http {', `http { access_log off; ${temporary.join(' ')}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll(/127\.0\.0\.1:400\d\b/g, new URL(gatewayUrl).host)
    .replace(left, '')
    .replace('location / {', `location ${prefix}/ {`)
    .replace('proxy_pass http://trivium;', `proxy_pass http://trivium${prefix === '' ? '' : '/'};`);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, config);
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  const main = `daemon off; master_process off; ${user}pid ${folder}/nginx.pid; error_log stderr;`;
  const url = `http://127.0.0.1:${port}${prefix}`;
  await startServer('nginx', ['-e', 'stderr', '-p', folder, '-c', file, '-g', main], async () => {
    const { status } = await fetch(url);
    return status < 500;
  });
  return url;
}

/** A gateway whose upstream answers the list of deals when the test says so. */
async function holdingDeals(left: string) {
  const held: ServerResponse[] = [];
  const upstream = await stubUpstream((request, response) => {
    if (request.url?.startsWith('/app/deals.json')) held.push(response);
    else response.end('[{"id":1,"name":"Ada"}]');
  });
  const { url } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' });
  return {
    url: await behindNginx(url, '', left),
    held,
    release: () => held.splice(0).forEach((response) => response.end('[]')),
  };
}

const PARTS = '{ clients { nodes { name } } ... @defer { deals { totalCount } } }';

const HTTP_1_1 = 'proxy_http_version 1.1;'; // by default 1.0, where nginx buffers whatever fits

test.each([
  ['multipart/mixed', 'nothing', partsOf],
  ['text/event-stream', 'nothing', eventsOf],
  ['multipart/mixed', HTTP_1_1, partsOf],
  ['text/event-stream', HTTP_1_1, eventsOf],
] as const)('parts pass nginx one by one: %s, without %s', async (accept, left, read) => {
  const { url, held, release } = await holdingDeals(left);
  const parts = read(await ask(url, PARTS, { headers: { accept } }));
  expect(await next(parts)).toMatchObject({ data: { clients: { nodes: [{ name: 'Ada' }] } }, hasNext: true });
  expect(held).toHaveLength(1); // the first part is here before upstream has answered
  release();
  expect(await next(parts)).toMatchObject({ incremental: [{ data: { deals: { totalCount: 0 } } }] });
});

const HTML = { accept: 'text/html' };

test.each([
  ['strips a prefix', '/x/y', ''],
  ['leaves the path as it is', '', '/a/b'],
])('pages, GraphiQL and operations behind nginx that %s', async (_name, prefix, BASE_PATH) => {
  const upstream = await stubUpstream((_request, response) => void response.end('[{"id":1,"name":"Ada"}]'));
  const settings = { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true', GRAPHIQL: 'true', BASE_PATH } as const;
  const gateway = await gatewayOver(upstream.url, settings);
  const url = (await behindNginx(gateway.url, prefix)) + BASE_PATH;

  for (const path of ['/', '/graphql', '/schema.graphql', '/health', '/ready'])
    expect((await fetch(url + path, { headers: HTML })).status, path).toBe(200);
  const redirected = await fetch(`${url}/graphql/?query={__typename}`, { headers: HTML });
  expect([redirected.status, redirected.url]).toEqual([200, `${url}/graphql?query={__typename}`]);
  const home = await fetch(`${url}/`, { headers: HTML });
  for (const [, link = ''] of (await home.text()).matchAll(/href="([^":]*)"/g))
    expect((await fetch(new URL(link, home.url), { headers: HTML })).status, link).toBe(200);

  const executable = findChromium();
  if (!executable) throw new Error('No Chromium found: set CHROMIUM to the path of one.');
  const graphiql = await openGraphiql(executable, { url: `${url}/graphql`, stop: async () => {} });
  onTestFinished(() => graphiql.close());
  await graphiql.page.locator('.graphiql-query-editor').click();
  await graphiql.page.keyboard.press('Control+A');
  await graphiql.page.keyboard.type('{ __typename ');
  await graphiql.page.keyboard.press('Control+Enter');
  await expect.poll(() => graphiql.shown('answer')).toContain('"__typename": "Query"');
  expect(graphiql.consoleErrors).toEqual([]);
  const workers = graphiql.requests.filter((address) => /\/graphiql\/[\da-f]+\.js/.test(address));
  expect(workers.length).toBeGreaterThan(2);
  for (const address of graphiql.requests.filter((each) => each.startsWith('http')))
    expect(address.startsWith(`${url}/`), address).toBe(true);
});
