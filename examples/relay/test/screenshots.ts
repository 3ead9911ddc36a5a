// Takes docs/screenshots/relay-1280.png and relay-390.png: the list with what stands beside it, after a deletion.
import { expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';

const folder = '../../docs/screenshots';

test.each([
  { width: 1280, height: 880, path: `${folder}/relay-1280.png` },
  { width: 390, height: 880, path: `${folder}/relay-390.png` },
])('$path', async ({ width, height, path }) => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width, height } });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(inject('app'));
    await page.getByLabel('API token').fill('demo-admin');
    await press('Log in');
    await page.getByRole('listitem').first().getByRole('link').click();
    await press('Delete …');
    await press('Delete for good');
    await page.getByRole('definition').nth(3).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    expect((await page.screenshot({ path })).length).toBeLessThan(150_000);
  } finally {
    await browser.close();
  }
});
