import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { temporaryFolder, trivium } from '../cli/trivium.ts';
import { faultsIn } from '../support/axe.ts';
import { findChromium } from '../support/chromium.ts';
import { gatewayOver } from '../support/gateway.ts';
import { freshSandbox } from '../support/sandbox.ts';

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found: set CHROMIUM to the path of one.');

/** A gateway that serves the products to anyone, as docs/typed-flex.md leads to it. */
async function anonymousGateway() {
  const { sandbox, call } = await freshSandbox({ demo: true });
  const body = { db: { public_methods: { list: true } } };
  await call('PATCH', '/flex/dbs/products.json', { token: 'demo-admin', body });
  const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN: 'demo-admin' };
  const cwd = await temporaryFolder();
  await trivium(['flex', 'pull'], { env, cwd });
  const settings = { PUBLIC: 'true', FLEX_SCHEMA: join(cwd, 'flex.schema.json'), CORS_ORIGINS: 'localhost', PORT: '0' };
  return gatewayOver(sandbox.urls.account, readConfig({ ...env, ...settings }));
}

/** The address of the page, as its server prints it. */
async function pageAddress(): Promise<string> {
  const child = spawn(process.execPath, ['examples/products-page/serve.js'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await gone;
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return /http\S+/.exec(String(line))?.[0] ?? '';
}

test('the page of examples/products-page lists the rows, and says when it cannot', async () => {
  const gateway = await anonymousGateway();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const rows = page.locator('tbody tr');
  const more = page.getByRole('button', { name: 'More' });

  await page.goto(`${await pageAddress()}?graphql=${encodeURIComponent(`${gateway.url}/graphql`)}`);
  await expect.poll(() => rows.count()).toBe(20);
  expect(await rows.first().innerText()).toMatch(/^Łódź birch crate No\. 5\s+Garden\s+42\.5\s+17$/);
  await more.click();
  await expect.poll(() => rows.count()).toBe(40);
  expect(await faultsIn(page)).toEqual([]);

  await gateway.close();
  await more.click();
  await expect.poll(() => page.getByRole('alert').innerText()).toBe('Failed to fetch');
});
