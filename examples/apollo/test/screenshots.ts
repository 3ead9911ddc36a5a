// Takes docs/screenshots/apollo-1280.png and apollo-390.png.
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
