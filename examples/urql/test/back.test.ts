// An API is down, then back; a token is refused, then replaced: the pages go on without a reload.
import type { Browser, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { ask, type OpenApp, openApp } from './open-app.ts';
import { breakDown, endFaults, repair } from './sandbox.ts';

let browser: Browser;
let app: OpenApp;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());
beforeEach(endFaults);
afterEach(() => app.close());

const press = (name: string) => app.page.getByRole('button', { name, exact: true }).click();
const visit = (name: string) => app.page.getByRole('link', { name, exact: true }).click();
const alert = () => app.page.getByRole('alert').getByText('answered with status 503');
const clients = () => app.page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
const rows = () => clients().count();
/** The last one would be scrolled to, and the list would grow meanwhile. */
const firstClient = () => clients().first().getByRole('link');

async function goTo(name: string) {
  await visit(name);
  await app.page.getByRole('heading', { name, exact: true }).waitFor();
}

async function leaveAndReturn(elsewhere: string, here: string) {
  await goTo(elsewhere);
  await goTo(here);
}

const wholeList = '{ clients { totalCount } }';
const caches = [
  { name: 'graphcache', file: '' },
  { name: 'the cache of whole answers', file: 'test/document-cache.html' },
];
const ways = [
  { way: 'on the next visit', comeBack: leaveAndReturn },
  { way: 'by a button', comeBack: () => press('Try again') },
  { way: 'on focus', comeBack: () => app.page.evaluate(() => void dispatchEvent(new Event('focus'))) },
];

describe.each(caches)('with $name', ({ file }) => {
  const waysOfCache = file === '' ? ways : ways.slice(0, 1); // a button and the focus pass each cache by
  describe.each(waysOfCache)('what could not be read is there again $way', ({ comeBack }) => {
    test('for a list', async () => {
      await breakDown('GET /app/clients.json');
      app = await openApp(browser, { file });
      await alert().waitFor();

      await repair(wholeList);
      await comeBack('Products', 'Clients');

      await expect.poll(rows).toBe(20);
      expect(await alert().count()).toBe(0);
    });

    test('for a deferred part', async () => {
      await breakDown('GET /app.json');
      app = await openApp(browser, { file });
      await firstClient().click();
      await app.page.getByLabel('Name', { exact: true }).waitFor();
      await alert().waitFor();
      const posts = app.page.getByRole('region', { name: /^Posts/ });
      await expect.poll(() => posts.innerText()).toContain('They could not be read.');

      await repair('{ posts { totalCount } }');
      await comeBack('Products', 'Clients');
      if ((await posts.count()) === 0) await firstClient().click();

      await app.page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
      expect(await alert().count()).toBe(0);
    });
  });
});

describe('with graphcache', () => {
  test('a deferred part that cannot be read on the next visit either says so again', async () => {
    await breakDown('GET /app.json');
    app = await openApp(browser);
    const client = firstClient();
    await client.click();
    await app.page.getByText('They could not be read.').waitFor();
    await leaveAndReturn('Products', 'Clients');
    await client.click();

    await app.page.getByText('They could not be read.').waitFor();
    expect(await app.page.getByRole('alert').innerText()).not.toBe('');
    expect(await app.page.getByText('Loading …').count()).toBe(0);
  });

  test('a deferred part whose page was left before it came is there on the next visit', async () => {
    await breakDown('GET /app.json', { delayMs: 60_000 });
    app = await openApp(browser);
    const client = firstClient();
    await client.click();
    await app.page.getByText('Loading …').waitFor();
    await endFaults();
    await leaveAndReturn('Products', 'Clients');
    await client.click();

    await app.page.getByRole('heading', { name: /^Posts \(\d+\)$/ }).waitFor();
  });

  test('a search that could not be read is there on the next visit', async () => {
    await breakDown('GET /flex/dbs/:db_id/search.json');
    app = await openApp(browser, { hash: '#/products' });
    await alert().waitFor();

    await repair('{ flexDb(id: "products") { search(first: 1) { edges { cursor } } } }');
    await leaveAndReturn('Clients', 'Products');

    await app.page.getByText('10 or more products').waitFor();
  });

  test('a page that fails in the middle of a scroll leaves the rows, and comes by a button', async () => {
    app = await openApp(browser);
    await app.scrollToEnd();
    await expect.poll(rows).toBe(40);
    const before = await app.names();
    const fewest = await app.watchRows();
    await breakDown('GET /app/clients.json');
    await app.scrollToEnd();
    await alert().waitFor();
    expect(await app.names()).toEqual(before);

    await repair(wholeList);
    await press('Try again');

    await expect.poll(rows).toBe(60);
    expect((await app.names()).slice(0, 40)).toEqual(before);
    expect(await fewest()).toBe(40);
    expect(await alert().count()).toBe(0);
  });
});

describe.each(caches)('with $name, a token that is refused in the middle of the session is replaced', ({ file }) => {
  const goOn = async (token: string) => {
    await app.page.getByLabel('New API token').fill(token);
    await press('Go on');
  };

  beforeEach(async () => {
    const created = (await ask(
      'mutation { createApiToken(input: { name: "Short" }) { ... on CreatedApiToken { token apiToken { id } } } }',
    )) as { createApiToken: { token: string; apiToken: { id: string } } };
    const { token, apiToken } = created.createApiToken;
    app = await openApp(browser, { file, token });
    await app.page.getByText('20 of').waitFor();
    await ask(`mutation { deleteApiToken(id: "${apiToken.id}") { __typename } }`);
  });

  test('and a list goes on with its next page', async () => {
    const before = await app.names();
    await app.scrollToEnd();
    await goOn('demo-admin');
    await expect.poll(app.names).not.toEqual(before);
    expect(await rows()).toBe(file === '' ? 40 : 20);
    expect(await app.page.getByRole('dialog').count()).toBe(0);
  });

  test('and a form is sent, once', async () => {
    await visit('New client');
    const name = `Sent again ${file}`;
    await app.page.getByLabel('Name', { exact: true }).fill(name);
    await press('Create client');
    await goOn('wrong');
    await expect.poll(() => app.page.getByLabel('New API token').inputValue()).toBe(''); // asked again
    await goOn('demo-admin');

    await app.page.getByRole('status').getByText(`${name} was created.`).waitFor();
    expect(await ask(`{ clients(filter: { text: "${name}" }) { totalCount } }`)).toEqual({
      clients: { totalCount: 1 },
    });
  });
});

test('a write of a user who has logged out, and was refused, is left to its user', async () => {
  app = await openApp(browser);
  await app.page.getByText('20 of').waitFor();
  const tokens: string[] = [];
  const extensions = { code: 'UNAUTHENTICATED', outcome: 'REFUSED', upstream: { status: 401 } };
  const errors = [{ message: 'The token was refused.', path: ['createClient'], extensions }];
  const headers = { 'access-control-allow-origin': new URL(inject('app')).origin };
  const isCreation = (request: Request) => request.postData()?.includes('createClient') === true;
  let refuse = async () => {};
  await app.page.route(inject('endpoint'), async (route, request) => {
    if (!isCreation(request)) return route.continue();
    tokens.push(request.headers()['authorization'] ?? '');
    refuse = () => route.fulfill({ json: { data: { createClient: null }, errors }, headers });
    return undefined;
  });
  await visit('New client');
  await app.page.getByLabel('Name', { exact: true }).fill('Ada');
  await press('Create client');
  await expect.poll(() => tokens).toHaveLength(1);
  await press('Log out');
  await app.page.getByLabel('API token').fill('demo-member');
  await press('Log in');
  await app.page.getByText('20 of').waitFor();
  const answered = app.page.waitForResponse((response) => isCreation(response.request()));
  await refuse();
  await (await answered).finished();

  await app.page.getByRole('list', { name: 'Clients' }).getByRole('link').last().click(); // asks after what the write would ask
  await app.page.getByRole('heading', { name: /^Posts \(/ }).waitFor();
  expect(tokens).toEqual(['Bearer demo-admin']);
  expect(await app.page.getByRole('dialog').count()).toBe(0);
});
