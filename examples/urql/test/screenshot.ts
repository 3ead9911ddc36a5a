// Takes the pictures of the app for the documentation.
import { test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { openApp } from './open-app.ts';

test.each([1280, 390])('the app at %i pixels', async (width) => {
  const browser = await launchChromium();
  const { page } = await openApp(browser, { hash: '#/clients/Client:8', width });
  await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
  if (width === 1280) {
    await page.getByLabel('Filter by name').fill('café');
    await page.getByText(/ of \d\d? clients/).waitFor();
  }
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `../../docs/screenshots/urql-${width}.png` });
  await browser.close();
});
