import { describe, expect, test } from 'vitest';
import { freshSandbox } from '../support/sandbox.ts';
import { deadAddress, says, stubUpstream } from '../support/stub-upstream.ts';
import { trivium } from './trivium.ts';

const doctor = (env: Readonly<Record<string, string>> = {}) => trivium(['doctor'], { env });

describe('doctor', () => {
  test('has nothing to try without an address', async () => {
    const { code, stdout, stderr } = await doctor();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*set ACCOUNT_URL, and API_TOKEN\.\n$/);
  });

  test.each([
    ['that answers', async () => (await freshSandbox()).sandbox.urls.account, /answers\. Set API_TOKEN/],
    ['that does not', deadAddress, /refuses connections/],
  ])('tries an address %s without a token too', async (_name, address, words) => {
    const { code, stdout } = await doctor({ ACCOUNT_URL: await address() });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}account: [^\n]+\nFAIL {2}flex: [^\n]+\n$/);
    expect(stdout).toMatch(words);
  });

  test('says that all is well', async () => {
    const { sandbox } = await freshSandbox({ demo: true });
    const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN: 'demo-admin' };
    const { code, stdout, stderr } = await doctor(env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^ok {4}account: answers; tokens of the caller: \d+\.\nok {4}flex: answers; databases: [1-9]\d*\.\n$/,
    );
    expect(new Set(sandbox.calls())).toEqual(new Set(['GET /account/api_tokens.json', 'GET /flex/dbs.json']));
  });

  test('tries the flex API alone where only that has an address', async () => {
    const { sandbox } = await freshSandbox({ demo: true, origins: 'own' });
    const { code, stdout } = await doctor({ FLEX_URL: sandbox.urls.flex, API_TOKEN: 'demo-admin' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}flex: [^\n]+\n$/);
    expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
  });

  test('one API that is down fails the whole, and is told from the other', async () => {
    const { sandbox } = await freshSandbox({ demo: true, origins: 'own' });
    const env = { ACCOUNT_URL: sandbox.urls.account, FLEX_URL: await deadAddress(), API_TOKEN: 'demo-admin' };
    const { code, stdout } = await doctor(env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {4}account: [^\n]+\nFAIL {2}flex: [^\n]*refuses connections[^\n]*FLEX_URL[^\n]*\n$/);
  });

  const html = says('<html>', { headers: { 'content-type': 'text/html' } });
  test.each([
    ['a refused connection', deadAddress, /refuses connections: is the address in ACCOUNT_URL right\?/],
    [
      'a name that does not resolve',
      async () => `http://${'x'.repeat(64)}.invalid`,
      /does not resolve: see ACCOUNT_URL/,
    ],
    ['no TLS', async () => (await stubUpstream(html)).url.replace('http', 'https'), /does not speak TLS/],
    ['a wrong token', async () => (await freshSandbox()).sandbox.urls.account, /ACCOUNT_URL is right; is API_TOKEN\?/],
    ['a web page', async () => (await stubUpstream(html)).url, /HTML.*is the address in ACCOUNT_URL right\?/],
    [
      'a wrong path',
      async () => (await stubUpstream(says('', { status: 404 }))).url,
      /has nothing at GET [^\n]*ACCOUNT_URL right\?/,
    ],
    ['an outage', async () => (await stubUpstream(says('', { status: 503 }))).url, /status 503/],
  ])('says in words what is wrong: %s', async (_name, address, words) => {
    const { code, stdout, stderr } = await doctor({ ACCOUNT_URL: await address(), API_TOKEN: 'canary-3f9c' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^FAIL {2}account: [^\n]+\nFAIL {2}flex: [^\n]+\n$/);
    expect(stdout).toMatch(words);
    expect(stdout).not.toContain('canary');
  });

  test('a token that could not be sent is told apart from one that was refused', async () => {
    const upstream = await stubUpstream(html);
    const { code, stdout } = await doctor({ ACCOUNT_URL: upstream.url, API_TOKEN: 'canary 3f9c' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/API_TOKEN/);
    expect(stdout).not.toMatch(/ACCOUNT_URL is right|canary/); // nothing was asked of that address
    expect(upstream.received).toEqual([]);
  });
});
