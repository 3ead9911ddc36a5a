import type { Browser, Page } from 'playwright-core';
import { sandboxAt } from 'trivium-kits/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { launchChromium, loadMore, logIn, rowNames, tabTo, watchRows } from './browser.ts';

const app = inject('app');
const sandbox = sandboxAt(inject('sandbox'));
const endpoint = inject('endpoint');

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

const list = () => page.getByRole('region', { name: 'Clients' });
const detail = () => page.locator('.detail');
const news = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
const total = async () => Number.parseInt(await list().getByRole('status').innerText(), 10);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

/** The number of clients in the list. */
const differentRows = async () =>
  new Set(await page.locator('.rows a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).size;

/** The operations that the page asks for while `action` runs. */
async function operationsDuring(action: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const note = (request: { postDataJSON(): { operationName: string } | null }) =>
    names.push(request.postDataJSON()?.operationName ?? '');
  page.on('request', note);
  await action();
  page.off('request', note);
  return names;
}

/** Opens the form of a new client. The fields of a client that is open until then have the same labels. */
async function openForm() {
  await page.getByRole('link', { name: 'New client' }).click();
  await page.getByRole('heading', { name: 'New client' }).waitFor();
}

async function createClient(name: string) {
  await openForm();
  await fill('Name', name);
  await press('Create');
  await news(`${name} was created.`);
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

test('the page and the gateway have different origins', () => {
  expect(new URL(app).origin).not.toBe(new URL(endpoint).origin);
});

describe('the list', () => {
  test('goes on with the next page', async () => {
    await logIn(page, app);
    const first = await rowNames(page);
    expect(first).toHaveLength(20);

    await loadMore(page);
    await expect.poll(() => page.locator('.rows li').count()).toBe(40);
    expect((await rowNames(page)).slice(0, 20)).toEqual(first);
    expect(await differentRows()).toBe(40);
  });

  test('stands beside a counter and the newest three, which are right after a deletion', async () => {
    await logIn(page, app);
    const newest = () => page.locator('.newest li').allInnerTexts();
    await expect.poll(newest).toHaveLength(3);
    const [first = '', ...others] = await newest();
    const count = await total();
    await page.locator('.rows a').first().click();
    await page.getByRole('heading', { name: first, exact: true }).waitFor();
    await press('Delete …');
    await press('Delete');
    await news(`${first} was deleted.`);
    await expect.poll(newest).toEqual([...others, expect.any(String)]);
    await page.getByRole('heading', { name: `Newest of ${count - 1} clients` }).waitFor();
    await expect.poll(total).toBe(count - 1);
    await expect.poll(() => rowNames(page)).toHaveLength(20);
    expect((await rowNames(page)).slice(0, 3)).toEqual(await newest());
  });

  test('goes on by itself when it is scrolled to its end', async () => {
    await logIn(page, app);
    const rows = () => page.locator('.rows li').count();
    expect(await rows()).toBe(20);
    await page.locator('.rows li').last().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 200);
    await expect.poll(rows).toBe(40);
    await page.locator('.rows li').last().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 200);
    await expect.poll(rows).toBe(60);
    expect(await differentRows()).toBe(60);
  });

  test('shows the clients that a filter keeps, and all of them again', async () => {
    await logIn(page, app);
    const all = await total();
    const rows = await watchRows(page);
    await fill('Filter by name', 'nowak');
    await press('Filter');
    await expect.poll(total).toBeLessThan(all);
    for (const name of await rowNames(page)) expect(name).toMatch(/nowak/i);

    await fill('Filter by name', '');
    await expect.poll(total).toBe(all);
    expect(await rows.fewest()).toBeGreaterThan(0);
  });

  test('leaves a write of a user who has logged out, and was refused, to its user', async () => {
    await logIn(page, app);
    const tokens: string[] = [];
    const extensions = { code: 'UNAUTHENTICATED', outcome: 'REFUSED', upstream: { status: 401 } };
    const errors = [{ message: 'The token was refused.', path: ['createClient'], extensions }];
    const headers = { 'access-control-allow-origin': new URL(app).origin };
    let refuse = async () => {};
    await page.route(endpoint, async (route, request) => {
      if (!request.postData()?.includes('createClient')) return route.continue();
      tokens.push(request.headers()['authorization'] ?? '');
      refuse = () => route.fulfill({ json: { data: { createClient: null }, errors }, headers });
      return undefined;
    });
    await openForm();
    await fill('Name', 'Ada');
    await press('Create');
    await expect.poll(() => tokens).toHaveLength(1);
    await press('Log out');
    await fill('API token', 'demo-member');
    await press('Log in');
    await page.locator('.rows li').first().waitFor();
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('createClient') === true,
    );
    await refuse();
    await (await answered).finished();
    await list().getByRole('link').last().click(); // asks the gateway, behind whatever the refused write would ask
    await detail().getByRole('heading').first().waitFor();
    expect(tokens).toEqual(['Bearer demo-admin']);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
  });

  test('waits for another token when that of the login is refused', async () => {
    await page.goto(app);
    await fill('API token', 'wrong');
    await press('Log in');
    const dialog = page.getByRole('dialog', { name: 'The token was refused' });
    await dialog.getByLabel('New API token').fill('demo-admin');
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(total).toBeGreaterThan(20);
  });
});

describe('a write', () => {
  test('of a new client puts it at the head of the list, without an empty list and without a second reading', async () => {
    await logIn(page, app);
    const before = { names: await rowNames(page), total: await total() };
    const rows = await watchRows(page);
    const operations = await operationsDuring(() => createClient('Turnery'));

    expect(operations.toSorted()).toEqual(['ClientPage', 'CreateClient', 'NewestClients']); // the counter
    expect(await rowNames(page)).toEqual(['Turnery', ...before.names.slice(0, -1)]);
    expect(await total()).toBe(before.total + 1);
    expect(await rows.fewest()).toBe(20);

    await loadMore(page);
    await expect.poll(differentRows).toBe(40);
  });

  test('of a change shows in the list and on the page at once', async () => {
    await logIn(page, app);
    await createClient('Before');
    const rows = await watchRows(page);
    const operations = await operationsDuring(async () => {
      await fill('Name', 'After');
      await fill('City', 'Ulm');
      await press('Save');
      await news('After was changed.');
    });

    expect(operations).toEqual(['UpdateClient']);
    expect(await page.locator('.rows li').first().innerText()).toBe('After\nUlm');
    expect(await page.getByRole('heading', { name: 'After' }).count()).toBe(1);
    expect(await rows.fewest()).toBe(20);
  });

  test('that deletes takes the client out of the list, and counts it no more', async () => {
    await logIn(page, app);
    await createClient('Short-lived');
    const before = { names: await rowNames(page), total: await total() };
    const rows = await watchRows(page);
    const operations = await operationsDuring(async () => {
      await press('Delete …');
      await press('Delete');
      await news('Short-lived was deleted.');
    });

    expect(operations.filter((name) => name !== 'NewestClients')).toEqual(['DeleteClient', 'Clients']); // a row comes up
    await expect.poll(total).toBe(before.total - 1);
    expect((await rowNames(page)).slice(0, -1)).toEqual(before.names.slice(1));
    expect(await rows.fewest()).toBe(20);
  });

  test('that deletes the last row leaves no gap before the next page', async () => {
    await logIn(page, app);
    await loadMore(page);
    await expect.poll(differentRows).toBe(40);
    await page.locator('.rows a').last().dispatchEvent('click'); // does not scroll to it, which would load the next page
    await press('Delete …');
    await press('Delete');
    await expect.poll(differentRows).toBe(39);
    await loadMore(page);
    await expect.poll(differentRows).toBe(59);
  });

  test('lets the gateway filter a filtered list again, which is never empty meanwhile', async () => {
    await logIn(page, app);
    await fill('Filter by name', 'nowak');
    await press('Filter');
    await expect.poll(total).toBeLessThan(100);
    const before = await total();
    const rows = await watchRows(page);

    await createClient('Maja Nowak');
    await expect.poll(total).toBe(before + 1);
    expect(await rowNames(page)).toContain('Maja Nowak');
    await createClient('Not in this list');
    expect(await rowNames(page)).not.toContain('Not in this list');

    await fill('Filter by name', '');
    await createClient('Jan Nowak');
    await fill('Filter by name', 'nowak');
    await press('Filter');
    await expect.poll(total).toBe(before + 2);
    expect(await rowNames(page)).toContain('Jan Nowak');
    expect(await rows.fewest()).toBeGreaterThan(0);
  });
});

describe('a refusal', () => {
  test('of values is told at the fields, and the first of them has the focus', async () => {
    await logIn(page, app);
    await openForm();
    await fill('Email', 'nobody');
    await press('Create');
    await detail().getByText('must be an email address').waitFor();

    const described = (label: string) =>
      page.getByLabel(label, { exact: true }).evaluate((input) => {
        const messages = document.getElementById(input.getAttribute('aria-describedby') ?? '')?.innerText;
        return { invalid: input.getAttribute('aria-invalid'), focused: input === document.activeElement, messages };
      });
    expect(await described('Name')).toEqual({ invalid: 'true', focused: true, messages: "can't be blank" });
    expect(await described('Email')).toEqual({ invalid: 'true', focused: false, messages: 'must be an email address' });
    expect(await described('City')).toEqual({ invalid: 'false', focused: false, messages: '' });
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody');
    expect(await detail().getByRole('alert').innerText()).toBe('');
  });

  test('of the write itself is told as a message', async () => {
    await logIn(page, app);
    await createClient('Deleted elsewhere');
    const id = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1) ?? '');
    await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: 'Bearer demo-admin', 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation ($id: ID!) { deleteClient(id: $id) { __typename } }',
        variables: { id },
      }),
    });
    await press('Save');
    await detail().getByRole('alert').getByText('There is no such record').waitFor();
  });

  test('is not what a lost answer is: whether the change was made is unknown, and the list is read again', async () => {
    await logIn(page, app);
    await openForm();
    await fill('Name', 'Perhaps');
    const rows = await watchRows(page);
    await sandbox.fault({ endpoint: 'POST /app/clients.json', cut: true });
    const operations = await operationsDuring(async () => {
      await press('Create');
      await detail().getByRole('alert').getByText('The change may have been made').waitFor();
    });
    const attempts = Array.from({ length: 5 }, () => 'CreateClient');
    expect(operations).toEqual(expect.arrayContaining([...attempts, 'Clients', 'NewestClients']));
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Perhaps');
    expect(await rows.fewest()).toBeGreaterThan(0);
  });

  test('is not what a request without an answer is', async () => {
    await logIn(page, app);
    await openForm();
    await fill('Name', 'Perhaps');
    await page.route(endpoint, (route) => route.abort());
    await press('Create');
    await detail().getByRole('alert').getByText('The change may have been made').waitFor();
  });
});

test('the page of a client is there before its posts, which come in a part of their own', async () => {
  await sandbox.fault({ endpoint: 'GET /app.json', delayMs: 700 });
  await logIn(page, app);
  await page.goto(`${app}#/clients/Client:1`);
  await page.getByRole('heading', { name: 'Kowalska i Synowie sp. z o.o.' }).waitFor();
  await page.getByText('Loading the posts …').waitFor();

  await page.getByRole('heading', { name: 'Posts (7)' }).waitFor();
  expect(await page.locator('.posts li').count()).toBe(5);
  expect(await page.getByText('Loading the posts …').count()).toBe(0);
});

describe('the products', () => {
  test('are searched by a text', async () => {
    await logIn(page, app);
    await page.getByRole('link', { name: 'Products' }).click();
    await fill('Search the products', 'oak mirror');
    await press('Search');
    await page.getByRole('status').getByText('5 products', { exact: true }).waitFor();
    for (const name of await page.locator('tbody th').allInnerTexts()) expect(name).toContain('Oak mirror');
  });

  test('are read again every 30 seconds', async () => {
    await page.clock.install();
    await logIn(page, app);
    await page.getByRole('link', { name: 'Products' }).click();
    await page.locator('tbody tr').first().waitFor();
    const again = page.waitForRequest((request) => request.postDataJSON()?.operationName === 'Products');
    await page.clock.fastForward(30_000);
    await again;
  });
});

test('the keyboard alone creates a client', async () => {
  await logIn(page, app);
  await tabTo(page, 'link', 'New client');
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', 'Name');
  await page.keyboard.type('Typed');
  await tabTo(page, 'textbox', 'Email');
  await page.keyboard.type('typed@example.com');
  await tabTo(page, 'button', 'Create');
  await page.keyboard.press('Enter');
  await news('Typed was created.');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Typed');
});
