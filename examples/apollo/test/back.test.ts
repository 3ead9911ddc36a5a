// An API is down, then back; a token is refused, then replaced: the pages go on without a reload.
import type { Browser, Page } from 'playwright-core';
import { sandboxAt } from 'trivium-kits/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { launchChromium, loadMore, logIn, rowNames } from './browser.ts';

const app = inject('app');
const sandbox = sandboxAt(inject('sandbox'));

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  await sandbox.reset();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
});
afterEach(() => page.close());

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const visit = (name: string) => page.getByRole('link', { name, exact: true }).click();
const alert = () => page.getByRole('alert').getByText('answered with status 503');
const rows = () => page.locator('.rows li').count();

/** Runs an operation at the gateway, as another of its callers. */
async function ask(query: string) {
  const headers = { authorization: 'Bearer demo-admin', 'content-type': 'application/json' };
  const response = await fetch(inject('endpoint'), { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
}

async function goTo(name: string) {
  await visit(name);
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

async function leaveAndReturn(elsewhere: string, here: string) {
  await goTo(elsewhere);
  await goTo(here);
}

const down = (endpoint: string) => sandbox.fault({ endpoint, status: 503 });

/** Ends the faults, and waits until the gateway calls the API again. */
async function back(query: string) {
  await sandbox.reset();
  await expect.poll(() => ask(query)).not.toHaveProperty('errors');
}

const ways = [
  { way: 'on the next visit', comeBack: leaveAndReturn },
  { way: 'by a button', comeBack: () => press('Try again') },
  { way: 'on focus', comeBack: () => page.evaluate(() => dispatchEvent(new Event('focus'))) },
];

describe.each(ways)('what could not be read is there again $way', ({ comeBack }) => {
  test('for a list', async () => {
    await down('GET /app/clients.json');
    await page.goto(app);
    await page.getByLabel('API token').fill('demo-admin');
    await press('Log in');
    await alert().waitFor();
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);

    await back('{ clients { totalCount } }');
    await comeBack('Products', 'Clients');

    await expect.poll(rows).toBe(20);
    expect(await alert().count()).toBe(0);
  });

  test('for a search', async () => {
    await logIn(page, app);
    await down('GET /flex/dbs/:db_id/search.json');
    await visit('Products');
    await alert().waitFor();

    await back('{ flexDb(id: "products") { search(first: 1) { edges { cursor } } } }');
    await comeBack('Clients', 'Products');

    await expect.poll(() => page.locator('tbody tr').count()).toBe(20);
    expect(await alert().count()).toBe(0);
  });

  test('for a deferred part', async () => {
    await logIn(page, app);
    await down('GET /app.json');
    const name = (await rowNames(page)).at(-1) ?? '';
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 2 }).waitFor();
    await alert().waitFor();
    expect(await page.getByText('Loading the posts …').count()).toBe(0);

    await back('{ posts { totalCount } }');
    await comeBack('Products', 'Clients');
    if (await page.getByRole('heading', { name: 'Choose a client.' }).count())
      await page.getByRole('link', { name }).click();

    await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
    expect(await alert().count()).toBe(0);
  });
});

test('what is typed on the page of a client stays while all of it cannot be read', async () => {
  await logIn(page, app);
  await down('GET /app.json');
  await page.getByRole('link', { name: (await rowNames(page))[0] ?? '' }).click();
  await alert().waitFor();
  await page.getByLabel('Phone').fill('+48 typed');
  for (const endpoint of ['GET /app/clients/:id.json', 'GET /app/clients.json']) await down(endpoint);
  for (const _time of [1, 2]) {
    const answer = page.waitForResponse((response) => response.request().postData()?.includes('ClientPage') ?? false);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    expect(await (await answer).text()).toContain('"client":null');
    await alert().waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+48 typed');
  }

  await back('{ posts { totalCount } clients { totalCount } }');
  await press('Try again');
  await page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
  expect(await page.getByLabel('Phone').inputValue()).toBe('+48 typed');
});

test('a page that fails in the middle of a scroll leaves the rows, and is read by the same button', async () => {
  await logIn(page, app);
  await loadMore(page);
  await expect.poll(rows).toBe(40);
  const before = await rowNames(page);
  await down('GET /app/clients.json');
  await loadMore(page);
  await alert().waitFor();
  expect(await rowNames(page)).toEqual(before);

  await back('{ clients { totalCount } }');
  await loadMore(page);

  await expect.poll(rows).toBe(60);
  expect((await rowNames(page)).slice(0, 40)).toEqual(before);
  expect(await alert().count()).toBe(0);
});

describe('a token that is refused in the middle of the session is replaced', () => {
  const goOn = async (token: string) => {
    await page.getByLabel('New API token').fill(token);
    await press('Go on');
  };

  beforeEach(async () => {
    const created = await ask(
      'mutation { createApiToken(input: { name: "Short" }) { ... on CreatedApiToken { token apiToken { id } } } }',
    );
    const { token, apiToken } = created.data.createApiToken;
    await logIn(page, app, token);
    await loadMore(page);
    await page.locator('.rows li').nth(39).waitFor();
    await ask(`mutation { deleteApiToken(id: "${apiToken.id}") { __typename } }`);
  });

  test('and a list goes on with its next page', async () => {
    const before = await rowNames(page);
    await loadMore(page);
    await goOn('wrong');
    await expect.poll(() => page.getByLabel('New API token').inputValue()).toBe('');
    await goOn('demo-admin');

    await expect.poll(rows).toBe(60);
    expect((await rowNames(page)).slice(0, 40)).toEqual(before);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.reload();
    await expect.poll(rows).toBe(20); // the tab has the new token
  });

  test('and a form is sent, once', async () => {
    await goTo('New client');
    await page.getByLabel('Name', { exact: true }).fill('Sent again');
    await press('Create');
    await goOn('demo-admin');

    await page.getByRole('status').getByText('Sent again was created.').waitFor();
    const { data } = await ask('{ clients(filter: { text: "Sent again" }) { totalCount } }');
    expect(data.clients.totalCount).toBe(1);
  });
});
