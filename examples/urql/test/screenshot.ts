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

test('the counter and the newest three beside the list, after a deletion', async () => {
  const browser = await launchChromium();
  const { page } = await openApp(browser);
  const overview = page.getByRole('region', { name: 'Overview' });
  const total = Number.parseInt(await overview.getByText(/^\d+ in all/).innerText());
  await overview.getByRole('listitem').nth(1).waitFor();
  const name = await overview.getByRole('listitem').nth(1).innerText();
  await page.getByRole('list', { name: 'Clients' }).getByRole('link', { name }).first().click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await overview.getByText(`${total - 1} in all`).waitFor();
  await page.getByText(`20 of ${total - 1} clients`).waitFor();
  await overview.getByRole('listitem').nth(2).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: '../../docs/screenshots/urql-deleted-1280.png' });
  await browser.close();
});
