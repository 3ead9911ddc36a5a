import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApps = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no way off this machine
];

/** Starts the Chromium that CHROMIUM names, else the first of this machine. */
export function launchChromium(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macApps];
  const executablePath = process.env.CHROMIUM ?? files.find((file) => existsSync(file));
  if (!executablePath) throw new Error('No Chromium found: set CHROMIUM to the path of one.');
  return chromium.launch({ executablePath, args: flags });
}

/** Logs in, with a token of the demo data by default, and waits for the list. */
export async function logIn(page: Page, app: string, token = 'demo-admin') {
  await page.goto(app);
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('.rows li').first().waitFor();
}

/** The names in the list. */
export const rowNames = (page: Page) => page.locator('.rows strong').allInnerTexts();

/** Counts the rows after each change of the page. `fewest` tells the smallest number so far. */
export async function watchRows(page: Page) {
  await page.evaluate(() => {
    const count = () => document.querySelectorAll('.rows li').length;
    const counts = [count()];
    new MutationObserver(() => counts.push(count())).observe(document, { childList: true, subtree: true });
    Object.assign(globalThis, { counts });
  });
  return { fewest: () => page.evaluate(() => Math.min(...(Reflect.get(globalThis, 'counts') as number[]))) };
}

/** Presses Tab until the element with this accessible name has the focus. */
export async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string) {
  const target = page.getByRole(role, { name, exact: true });
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach the ${role} ${name}.`);
}

/** Loads one more page of the list: a real click would scroll to the button first, which loads a page, too. */
export const loadMore = (page: Page) => page.getByRole('button', { name: 'Load more' }).dispatchEvent('click');
