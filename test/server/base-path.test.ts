import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';

// BASE_PATH serves all below a path that a proxy leaves in requests: docs/scale.md.

const HTML = { accept: 'text/html' };
const QUERY = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{__typename}"}' };
const DATA = { data: { __typename: 'Query' } };

const over = async (BASE_PATH = '') => (await gatewayOver(DEAD_ADDRESS, { BASE_PATH, GRAPHIQL: 'true' })).url;
const redirectOf = async (address: string) => {
  const response = await fetch(address, { headers: HTML, redirect: 'manual' });
  return [response.status, response.headers.get('location'), await response.text()];
};

test.each(['/a/b', '/a', '/~x/v1.0'])('everything is served below %s', async (base) => {
  const url = await over(base);
  for (const path of ['/graphql', '/graphql/', '/graphql?a=1'])
    expect(await (await fetch(url + base + path, QUERY)).json()).toEqual(DATA);
  expect(await (await fetch(`${url}${base}/graphql?query={__typename}`)).json()).toEqual(DATA);
  for (const path of ['/', '/graphql', '/schema.graphql', '/health', '/ready'])
    expect((await fetch(url + base + path, { headers: HTML })).status, path).toBe(200);
  const page = await (await fetch(`${url}${base}/graphql`, { headers: HTML })).text();
  const files = [...page.matchAll(/"(graphiql\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect((await fetch(new URL(file, `${url}${base}/graphql`))).status).toBe(200);
});

test('nothing else is served without it but the probes of load balancers', async () => {
  const url = await over('/a/b');
  for (const path of ['/health', '/ready']) expect((await fetch(url + path)).status).toBe(200);
  for (const path of [
    '/',
    '/graphql',
    '/graphql/',
    '/schema.graphql',
    '/a',
    '/a/bc/graphql',
    '/A/B/graphql',
    '/a/b/x',
  ]) {
    const response = await fetch(url + path, QUERY);
    expect(response.status, path).toBe(404);
    expect(await response.text()).toContain('GraphQL is at /a/b/graphql.');
  }
});

test.each(['', '/a/b'])('a page with a slash too many or too few is found by a relative address: %j', async (base) => {
  const url = await over(base);
  expect(await redirectOf(`${url}${base}/graphql/?operationName=A`)).toEqual([308, '../graphql?operationName=A', '']);
  expect(new URL('../graphql', `${url}${base}/graphql/`).href).toBe(`${url}${base}/graphql`);
  if (base !== '') expect(await redirectOf(url + base)).toEqual([308, 'b/', '']);
});

test.each([
  '/',
  '/a/',
  'a',
  '//a',
  '/a//b',
  '/..',
  '/a/../b',
  '/./a',
  '/a b',
  '/a?b',
  '/ä',
  '/a%2Fb',
  'https://a.example',
])('BASE_PATH=%s ends the start', (given) => {
  expect(() => readConfig({ BASE_PATH: given })).toThrow(/BASE_PATH.*\/a\/b/);
});
