import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { sandboxAt } from 'trivium-kits/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchChromium, logIn } from './browser.ts';

const app = inject('app');
const sandbox = sandboxAt(inject('sandbox'));

const views: readonly { name: string; show: (page: Page) => Promise<void> }[] = [
  {
    name: 'the login',
    show: async (page) => {
      await page.goto(app);
      await page.getByLabel('API token').waitFor();
    },
  },
  { name: 'the list', show: (page) => logIn(page, app) },
  {
    name: 'a client',
    show: async (page) => {
      await page.goto(`${app}#/clients/Client:1`);
      await page.getByRole('heading', { name: 'Posts (7)' }).waitFor();
    },
  },
  {
    name: 'the question before a deletion',
    show: async (page) => {
      await page.getByRole('button', { name: 'Delete …' }).click();
      await page.getByRole('dialog', { name: 'Delete Kowalska' }).waitFor();
    },
  },
  {
    name: 'a refused form',
    show: async (page) => {
      await page.getByRole('button', { name: 'Keep' }).click();
      await page.goto(`${app}#/clients/new`);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.locator('#name[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'the products',
    show: async (page) => {
      await page.goto(`${app}#/products`);
      await page.locator('tbody tr').first().waitFor();
    },
  },
  {
    name: 'the question for a new token',
    show: async (page) => {
      await page.evaluate(() => sessionStorage.setItem('token', 'wrong'));
      await page.reload();
      await page.getByRole('dialog', { name: 'The token was refused' }).waitFor();
    },
  },
];

describe.each([1280, 390])('%i pixels wide', (width) => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    await sandbox.reset();
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width, height: 844 } });
  });
  afterAll(() => browser.close());

  test.each(views)('$name fits, and axe finds nothing in light and dark', async ({ show }) => {
    await show(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await problems(page), colorScheme).toEqual([]);
    }
  });
});

/** The violations of axe's rules, its best practices too. */
async function problems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (Reflect.get(globalThis, 'axe') as typeof axe).run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
