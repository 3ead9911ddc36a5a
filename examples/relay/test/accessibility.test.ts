// Each page and state of the app, looked at by axe-core.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';

const app = inject('app');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function logIn(page: Page, token = 'demo-admin') {
  await page.goto(app);
  await page.getByLabel('API token').fill(token);
  await press(page, 'Log in');
}

async function visit(page: Page, hash: string) {
  await page.evaluate((hash) => void (location.hash = hash), hash);
}

/** Answers the next request in the place of the gateway: this field could not be read. */
async function failNext(page: Page, field: string) {
  const body = JSON.stringify({ data: { [field]: null }, errors: [{ message: 'Down.', path: [field] }] });
  const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
  await page.route(inject('endpoint'), (route) => route.fulfill({ headers, body }), { times: 1 });
}

const views: readonly { readonly name: string; readonly show: (page: Page) => Promise<unknown> }[] = [
  { name: 'the login', show: (page) => page.goto(app) },
  {
    name: 'the list',
    show: async (page) => {
      await logIn(page);
      await page.getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'a client',
    show: async (page) => {
      await visit(page, '#/Client:1');
      await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
    },
  },
  { name: 'the question before a deletion', show: (page) => press(page, 'Delete …') },
  {
    name: 'a change that was made',
    show: async (page) => {
      await press(page, 'Save changes');
      await page.getByRole('status').waitFor();
    },
  },
  {
    name: 'a refused form',
    show: async (page) => {
      await visit(page, '#/new');
      await press(page, 'Create client');
      await page.locator('#name[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'the help',
    show: async (page) => {
      await visit(page, '#/help');
      await page.getByText('The clients are those of the CRM.').waitFor();
    },
  },
  {
    name: 'a client that is not there',
    show: async (page) => {
      await visit(page, '#/Client:987654');
      await page.getByText('There is no such client.').waitFor();
    },
  },
  {
    name: 'a client that could not be read',
    show: async (page) => {
      await failNext(page, 'client');
      await visit(page, '#/Client:2');
      await page.getByText('The client could not be read.').waitFor();
    },
  },
  {
    name: 'a list that could not be read',
    show: async (page) => {
      await failNext(page, 'clients');
      await logIn(page);
      await page.getByText('The clients could not be read.').waitFor();
    },
  },
  {
    name: 'the question for a new token',
    show: async (page) => {
      await logIn(page, 'wrong');
      await page.getByRole('dialog', { name: 'The token was refused' }).waitFor();
    },
  },
];

describe.each([1280, 390])('%i pixels wide', (width) => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width, height: 844 } });
  });
  afterAll(() => browser.close());

  test.each(views)('$name fits, and axe finds nothing in light and dark', async ({ show }) => {
    await show(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await violations(page), colorScheme).toEqual([]);
    }
  });
});

/** The rules that the page breaks, those of good practice too, each with the elements that do. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
