import { expect, test } from 'vitest';
import { freshSandbox } from '../../support/sandbox.ts';
import { controlled, rawRequest } from './support.ts';

const Accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const pageOf = async (url: string) => fetch(`${url}/`, { headers: { Accept } });

test('a browser at the first port gets a page with every endpoint, every token and the control of the sandbox', async () => {
  const { sandbox } = await controlled({ demo: true });
  const response = await pageOf(sandbox.urls.account);
  const page = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const route of sandbox.routes) expect(page).toContain(`<code>${route}</code>`);
  for (const token of ['demo-admin', 'demo-editor', 'demo-member']) expect(page).toContain(`<code>${token}</code>`);
  for (const url of Object.values(sandbox.urls)) expect(page).toContain(`<code>${url}</code>`);
  for (const path of ['reset', 'faults', 'calls']) expect(page).toContain(`${sandbox.urls.account}/sandbox/${path}`);
  expect(page).toContain('--data FILE');
});

test('the page may load and run nothing, and links to nothing', async () => {
  const { sandbox } = await controlled();
  const response = await pageOf(sandbox.urls.account);
  const page = await response.text();
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(page).not.toMatch(/<(?:a|script|link|img|form|iframe)\b/);
  expect(page).toMatch(/<html lang="en">[^]*<title>[^<]+<\/title>[^]*<main>\s*<h1>/);
});

test('the commands of the page work as they are printed', async () => {
  const { sandbox } = await controlled();
  const page = await (await pageOf(sandbox.urls.account)).text();
  const [, body = ''] = /sandbox\/faults -d &#39;(.*?)&#39;/.exec(page) ?? [];
  const sent = body.replaceAll('&quot;', '"');
  const response = await fetch(`${sandbox.urls.account}/sandbox/faults`, { method: 'POST', body: sent });
  expect(response.status).toBe(201);
});

test('the page is for GET / and browsers alone, and is no call', async () => {
  const { sandbox, call } = await freshSandbox();
  await pageOf(sandbox.urls.account);
  expect(sandbox.calls()).toEqual([]);
  for (const other of ['*/*', 'application/json', 'text/htmlx', '']) {
    expect((await call('GET', '/', { headers: { Accept: other } })).status, other).toBe(404);
  }
  expect((await call('POST', '/', { headers: { Accept } })).status).toBe(404);
  expect((await call('GET', '/account', { headers: { Accept } })).status).toBe(404);
});

test('a page of the web that points its name at this machine does not get it', async () => {
  const { sandbox } = await controlled({ demo: true });
  const answer = await rawRequest(`${sandbox.urls.account}/`, 'GET', { Accept, Host: 'evil.example' });
  expect(answer.status).toBe(403);
  expect(answer.body).not.toContain('demo-admin');
});

test('GET / of the forum stays its endpoint', async () => {
  const { sandbox } = await controlled({ demo: true });
  const headers = { Accept, Authorization: `Basic ${btoa('demo:demo')}` };
  const response = await fetch(`${sandbox.urls.forum}/`, { headers });
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(await response.text()).toContain('votes-cache');
});
