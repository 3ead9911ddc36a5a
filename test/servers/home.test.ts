import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { demoCredentials } from '../../src/cli/demo.ts';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';
import { chromiumFlags, findChromium } from '../support/chromium.ts';
import { TOKENS } from '../support/failures.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found: set CHROMIUM to the path of one.');

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath, args: chromiumFlags });
});
afterAll(() => browser?.close());

/** The text of the page at `/`, in the words that a reader sees. */
async function home(url: string, javaScriptEnabled = true): Promise<string> {
  const page = await browser.newPage({ javaScriptEnabled });
  await page.goto(`${url}/`);
  if (javaScriptEnabled) await page.locator('main:not([aria-busy])').waitFor();
  const text = await page.locator('main').innerText();
  await page.close();
  return text.replaceAll(/\s+/g, ' ');
}

test('the page at / shows what became of the last calls of each API, and calls none itself', async () => {
  let status = 200;
  const upstream = await stubUpstream((request, response) => says('[]', { status })(request, response));
  const settings = { CRM_URL: new URL(DEAD_ADDRESS), CRM_SHARES_TOKEN: 'true' } as const;
  const { url, execute } = await gatewayOver(upstream.url, settings, 'token');
  const before = await home(url);
  expect(before).toContain(`account ${upstream.url} not called yet`);
  expect(before).toContain(`crm ${DEAD_ADDRESS} not called yet`);
  expect(before).toContain('forum not set: set FORUM_URL cannot be called');
  expect(before).toContain('X-CRM-Token: <API_TOKEN>; without it, Authorization serves the CRM, too');
  expect(before).not.toContain('sandbox');
  expect(upstream.received).toEqual([]);

  await execute('{ apiTokens { id } deals { totalCount } }');
  const after = await home(url);
  expect(after).toMatch(/account \S+ reachable: last answer in \d+ ms, (just now|\d+ s ago)/);
  expect(after).toMatch(/crm \S+ unreachable: the last call failed (just now|\d+ s ago)/);

  status = 503;
  await execute('{ apiTokens { id } }');
  expect(await home(url)).toMatch(/account \S+ failing: answered with 5xx in \d+ ms/);
});

test('the page at / says that an API is not called after many failures', async () => {
  const { url, execute } = await gatewayOver(DEAD_ADDRESS, {}, 'token');
  for (let call = 0; call < 11; call += 1) await execute(TOKENS);
  expect(await home(url)).toContain(`account ${DEAD_ADDRESS} not called for now: it failed too often`);
});

test('the page at / shows the credentials of the sandbox and a command, below BASE_PATH, too', async () => {
  const config = testConfig({ ACCOUNT_URL: new URL(DEAD_ADDRESS), BASE_PATH: '/a/b' });
  const gateway = await createGateway(config, { log: createLog('silent', { write: () => {} }), demo: demoCredentials });
  onTestFinished(() => gateway.close());
  const text = await home(`${gateway.url}/a/b`);
  for (const { token } of demoCredentials.tokens) expect(text).toContain(`Authorization: Bearer ${token}`);
  expect(text).toContain(`X-Forum-Authorization: ${demoCredentials.forumAuthorization}`);
  expect(text).toContain(`account sandbox, ${DEAD_ADDRESS} not called yet`);
  expect(text).toContain('by POST to /a/b/graphql');
  expect(text).toContain(`curl -s ${gateway.url}/a/b/graphql`);
});

test('without JavaScript the page at / says what is where', async () => {
  const { url } = await gatewayOver(DEAD_ADDRESS, {}, 'token');
  expect(await home(url, false)).toContain('/ready it takes requests; the state of each API');
});
