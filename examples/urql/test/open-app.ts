import type { Browser, Page } from 'playwright-core';
import { expect, inject } from 'vitest';

export interface OpenApp {
  readonly page: Page;
  /** Warnings and errors in the console: of graphcache, of React, of the browser. */
  readonly complaints: string[];
  /** The names in the list of clients. */
  names(): Promise<string[]>;
  /** Waits for the number of rows, and of all clients of the list. */
  counted(rows: number, total: number): Promise<void>;
  /** Scrolls to the end of the list, which loads the next page. */
  scrollToEnd(): Promise<void>;
  /** Opens a client of the list, and waits for all of its page. */
  open(name: string): Promise<void>;
  /** Watches the rows of a list or a table; the fewest that there have been since. */
  watchRows(selector?: string): Promise<() => Promise<number>>;
  /** Closes the page, which must have had no complaints. */
  close(): Promise<void>;
}

interface Opening {
  /** The page in the app. */
  readonly hash?: string;
  readonly width?: number;
  readonly token?: string;
  /** The file of the app. */
  readonly file?: string;
}

/** Opens the app at an address of its own, and logs in. */
export async function openApp(browser: Browser, opening: Opening = {}): Promise<OpenApp> {
  const { hash = '#/clients', width = 1280, token = 'demo-admin', file = '' } = opening;
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(inject('app') + file + hash);
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();

  const rows = page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
  return {
    page,
    complaints,
    names: () => rows.locator('span:first-child').allInnerTexts(),
    counted: async (count, total) => {
      await page.getByText(`${count} of ${total} clients`).waitFor();
      expect(await rows.count()).toBe(count);
    },
    scrollToEnd: () => page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded(),
    open: async (name) => {
      await rows.getByRole('link', { name }).first().click();
      await page.getByRole('heading', { name, level: 2 }).waitFor();
      await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
    },
    watchRows: async (selector = '[aria-label="Clients"] li') => {
      const fewest = await page.evaluateHandle((selector) => {
        const count = () => document.querySelectorAll(selector).length;
        const watched = { fewest: count() };
        const look = () => void (watched.fewest = Math.min(watched.fewest, count()));
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        return watched;
      }, selector);
      return () => fewest.evaluate((watched) => watched.fewest);
    },
    close: async () => {
      expect(complaints).toEqual([]);
      await page.close();
    },
  };
}

/** Runs an operation at the gateway, as another user of it would. */
export async function ask(query: string): Promise<unknown> {
  const response = await fetch(inject('endpoint'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-admin' },
    body: JSON.stringify({ query }),
  });
  const { data, errors }: { data: unknown; errors?: unknown } = await response.json();
  expect(errors).toBeUndefined();
  return data;
}
