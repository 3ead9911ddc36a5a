// Takes docs/screenshots/apollo-1280.png, apollo-390.png and apollo-deleted-1280.png.
import { mkdir } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { launchChromium, logIn } from './browser.ts';

const folder = '../../docs/screenshots';

test.each([
  { width: 1280, height: 880, path: `${folder}/apollo-1280.png` },
  { width: 390, height: 880, path: `${folder}/apollo-390.png` },
])('$path', async ({ width, height, path }) => {
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width, height } });
    await logIn(page, inject('app'));
    await page.getByLabel('Filter by name').fill('syn');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Kowalska i Synowie').first().click();
    await page.getByRole('heading', { name: 'Posts (7)' }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    expect((await page.screenshot({ path })).length).toBeLessThan(150_000);
  } finally {
    await browser.close();
  }
});

test('a counter and the newest three beside the list, after a deletion', async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 640 } });
    await logIn(page, inject('app'));
    const counter = page.getByRole('heading', { name: /^Newest of \d+ clients$/ });
    const before = await counter.innerText();
    await page.locator('.rows a').first().click();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('status').getByText('was deleted.').waitFor();
    await expect.poll(() => counter.innerText()).not.toBe(before);
    await expect.poll(() => page.locator('.newest li').count()).toBe(3);
    await expect
      .poll(() => page.locator('.list').getByRole('status').innerText())
      .toContain(/\d+/.exec(await counter.innerText())?.[0]);
    await page.evaluate(() => scrollTo(0, 0));
    const path = `${folder}/apollo-deleted-1280.png`;
    expect((await page.screenshot({ path })).length).toBeLessThan(150_000);
  } finally {
    await browser.close();
  }
});
