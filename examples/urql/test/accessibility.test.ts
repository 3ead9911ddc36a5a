import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { openApp } from './open-app.ts';

let browser: Browser;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that a page breaks, with the elements that do. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const pages = [
  { hash: '#/clients', shown: 'Load more' },
  { hash: '#/clients/Client:1', shown: 'Save changes' },
  { hash: '#/clients/new', shown: 'Create client' },
  { hash: '#/products', shown: 'Load more' },
];

describe.each([1280, 390])('at %i pixels', (width) => {
  test.each(pages)(
    '$hash breaks no rule of axe-core in light and dark, and does not scroll sideways',
    async (shownPage) => {
      const { page, close } = await openApp(browser, { hash: shownPage.hash, width });
      await page.getByRole('button', { name: shownPage.shown }).waitFor();
      if (shownPage.hash === '#/clients/new') {
        await page.getByRole('button', { name: 'Create client' }).click();
        await page.getByRole('alert').waitFor();
      }
      if (shownPage.hash === '#/clients/Client:1') await page.getByRole('button', { name: 'Delete …' }).click();

      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(page)).toEqual([]);
      await close();
    },
  );

  test('the login breaks no rule of axe-core in light and dark, and does not scroll sideways', async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(inject('app'));
    await page.getByLabel('API token').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

test('the keyboard alone logs in, creates a client after a refusal, and deletes it', async () => {
  const page = await browser.newPage();
  await page.goto(inject('app'));
  const { keyboard } = page;
  await tabTo(page, 'API token');
  await keyboard.type('demo-admin');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Load more' }).waitFor();

  await tabTo(page, 'New client');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New client' }).waitFor();
  await tabTo(page, 'Email');
  await keyboard.type('nowhere');
  await keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await focused(page)).toBe('Name'); // the first field that was refused

  await keyboard.type('Keyboard Only');
  await tabTo(page, 'Email');
  await keyboard.press('Control+A');
  await keyboard.type('keys@example.net');
  await tabTo(page, 'Create client');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keyboard Only' }).waitFor();
  expect(await focused(page)).toBe('Keyboard Only'); // the title of the page that opened

  await tabTo(page, 'Delete …');
  await keyboard.press('Enter');
  expect(await focused(page)).toBe('Delete for good');
  await keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Keyboard Only was deleted.' }).waitFor();
  expect(await focused(page)).toBe('Clients');
  await page.close();
});

/** The label, or else the text, of the element with the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    return (label ?? element)?.textContent;
  });

async function tabTo(page: Page, name: string) {
  const passed: unknown[] = [];
  while (passed.length < 80) {
    await page.keyboard.press('Tab');
    const reached = await focused(page);
    if (reached === name) return;
    passed.push(reached);
  }
  throw new Error(`Tab does not reach "${name}", but ${passed.join(', ')}.`);
}
