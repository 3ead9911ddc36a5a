import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { holdDeferredParts } from './held-parts.ts';
import { ask, openApp } from './open-app.ts';

let browser: Browser;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());

test('the app and the gateway have different origins', () => {
  expect(new URL(inject('app')).origin).not.toBe(new URL(inject('endpoint')).origin);
});

describe('the page of a client', () => {
  test('shows the client before its deferred posts, and the posts when they arrive', async () => {
    const { page, close } = await openApp(browser, { hash: '#/products' });
    const release = await holdDeferredParts(page);
    await page.evaluate(() => void (location.hash = '#/clients/Client:1'));
    await page.getByLabel('Name', { exact: true }).waitFor();
    const posts = page.getByRole('region', { name: /^Posts/ });
    expect(await posts.innerText()).toContain('Loading …');

    await release();

    await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
    expect(await posts.getByRole('listitem').count()).toBeGreaterThan(1);
    await close();
  });

  test('has the deferred posts at once when it is opened again', async () => {
    const { page, open, names, close } = await openApp(browser);
    await page.getByText('20 of').waitFor();
    const [first = '', second = ''] = await names();
    await open(first);
    await open(second);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.postData() ?? ''));
    await open(first);

    expect(requests).toEqual([]);
    await close();
  });

  test('is read again each minute, shows what others have changed, and keeps the posts meanwhile', async () => {
    const { page, close } = await openApp(browser, { hash: '#/products' });
    await page.clock.install();
    await page.evaluate(() => void (location.hash = '#/clients/Client:2'));
    await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
    await ask('mutation { updateClient(id: "Client:2", input: { name: "Renamed elsewhere" }) { __typename } }');
    await holdDeferredParts(page);

    await page.clock.runFor(60_000);

    await page.getByRole('heading', { name: 'Renamed elsewhere' }).waitFor();
    expect(
      await page
        .getByRole('region', { name: /^Posts \(\d+\)$/ })
        .getByRole('listitem')
        .count(),
    ).toBeGreaterThan(0);
    await close();
  });
});

test('products are searched by a text, page by page, and the table is never empty', async () => {
  const { page, watchRows, close } = await openApp(browser, { hash: '#/products' });
  const rows = page.getByRole('row');
  await page.getByText('10 or more products').waitFor();
  const fewest = await watchRows('tbody tr');
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('20 or more products').waitFor();

  await page.getByLabel('Search the products').fill('oak');
  await page.keyboard.press('Enter');
  const others = async () => (await rows.allInnerTexts()).slice(1).filter((text) => !/oak/i.test(text));
  await expect.poll(others).toEqual([]);
  expect(await rows.count()).toBeGreaterThan(2);
  expect(await fewest()).toBe(10);
  await close();
});
