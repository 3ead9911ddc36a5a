// An API is down, then back; a token is refused, then replaced: the pages go on without a reload.
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';

const sandbox = inject('sandbox');
const wholeList = '{ clients { totalCount } }';

let browser: Browser;
let page: Page;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());
beforeEach(async () => {
  await endFaults();
  page = await browser.newPage({ viewport: { width: 1280, height: 300 } }); // a page of rows is longer
});
afterEach(() => page.close());

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** Loads the next page. */
const scrollToEnd = () => page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
const rows = () => page.getByRole('listitem').allInnerTexts();
const problem = (text: string) => page.getByRole('alert').getByText(text);
const posts = () => page.getByRole('heading', { name: /^Posts \(\d+\)$/ });

async function leaveAndReturn() {
  await page.getByRole('link', { name: 'Help' }).click();
  await page.getByText('The clients are those of the CRM.').waitFor();
  await page.goBack();
}

async function logIn(token = 'demo-admin') {
  await page.goto(inject('app'));
  await page.getByLabel('API token').fill(token);
  await press('Log in');
}

/** Runs an operation at the gateway, as another of its callers. */
async function ask(query: string) {
  const headers = { authorization: 'Bearer demo-admin', 'content-type': 'application/json' };
  const response = await fetch(inject('endpoint'), { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
}

const endFaults = () => fetch(`${sandbox}/sandbox/faults`, { method: 'DELETE' });

const unavailable = { status: 503 };

async function breakDown(endpoint: string, fault: object = unavailable) {
  const body = JSON.stringify({ endpoint, ...fault });
  expect((await fetch(`${sandbox}/sandbox/faults`, { method: 'POST', body })).ok).toBe(true);
}

/** Ends the faults, and waits until the gateway calls the API again. */
async function repair(query: string) {
  await endFaults();
  await expect.poll(() => ask(query)).not.toHaveProperty('errors');
}

test('a deferred part comes after the rest of the page', async () => {
  await breakDown('GET /app.json', { delayMs: 300 });
  await logIn();
  const link = page.getByRole('listitem').last().getByRole('link');
  const name = await link.innerText();
  const shown = await page.evaluateHandle(() => {
    const shown: string[] = [];
    const options = { childList: true, subtree: true, attributes: true };
    new MutationObserver(() => shown.push(document.body.innerText)).observe(document.body, options);
    return shown;
  });
  await link.click();
  await posts().waitFor();
  expect((await shown.jsonValue()).some((text) => /Loading the posts …/.test(text) && text.includes(name))).toBe(true);
});

describe.each([
  { way: 'on the next visit', comeBack: leaveAndReturn },
  { way: 'by a button', comeBack: () => press('Try again') },
  { way: 'on focus', comeBack: () => page.evaluate(() => dispatchEvent(new Event('focus'))) },
])('what could not be read is there again $way', ({ comeBack }) => {
  test('for a list', async () => {
    await breakDown('GET /app/clients.json');
    await logIn();
    await problem('The clients could not be read.').waitFor();

    await repair(wholeList);
    await comeBack();

    await expect.poll(rows).toHaveLength(20);
  });

  test('for one record', async () => {
    await breakDown('GET /app/clients/:id.json');
    await logIn();
    await page.getByRole('listitem').first().getByRole('link').click();
    await problem('The client could not be read.').waitFor();

    await repair('{ client(id: "Client:1") { name email phone } }');
    await comeBack();

    await posts().waitFor();
  });

  test('for a deferred part', async () => {
    await breakDown('GET /app.json');
    await logIn();
    await page.getByRole('listitem').first().getByRole('link').click();
    await problem('The posts could not be read.').waitFor();

    await repair('{ posts { totalCount } }');
    await comeBack();

    await posts().waitFor();
  });
});

test('a page that fails in the middle of a scroll leaves the rows, and is read by the same button', async () => {
  await logIn();
  await scrollToEnd();
  await expect.poll(rows).toHaveLength(40);
  const before = await rows();
  await breakDown('GET /app/clients.json');
  await scrollToEnd();
  await problem('answered with status 503').waitFor();
  expect(await rows()).toEqual(before);

  await repair(wholeList);
  await press('Load more');

  await expect.poll(rows).toHaveLength(60);
  expect((await rows()).slice(0, 40)).toEqual(before);
});

test('a page without any answer says so, and is read by the button', async () => {
  await page.route(inject('endpoint'), (route) => route.abort());
  await logIn();
  await page.getByRole('heading', { name: 'No answer' }).waitFor();
  await page.unroute(inject('endpoint'));
  await press('Try again');
  await expect.poll(rows).toHaveLength(20);
});

async function goOn(token: string) {
  await page.getByLabel('New API token').fill(token);
  await press('Go on');
}

test('a token that is refused in the middle of the session is replaced, and the list goes on', async () => {
  const created = await ask(
    'mutation { createApiToken(input: { name: "Short" }) { ... on CreatedApiToken { token apiToken { id } } } }',
  );
  const { token, apiToken } = created.data.createApiToken;
  await logIn(token);
  await expect.poll(rows).toHaveLength(20);
  const before = await rows();
  await ask(`mutation { deleteApiToken(id: "${apiToken.id}") { __typename } }`);

  await scrollToEnd();
  await goOn('wrong');
  await expect.poll(() => page.getByLabel('New API token').inputValue()).toBe('');
  await goOn('demo-admin');

  await expect.poll(rows).toHaveLength(40);
  expect((await rows()).slice(0, 20)).toEqual(before);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a write of a user who has logged out, and was refused, is left to its user', async () => {
  await logIn();
  await expect.poll(rows).toHaveLength(20);
  const tokens: string[] = [];
  const extensions = { code: 'UNAUTHENTICATED', outcome: 'REFUSED', upstream: { status: 401 } };
  const errors = [{ message: 'The token was refused.', path: ['createClient'], extensions }];
  const headers = { 'access-control-allow-origin': new URL(inject('app')).origin };
  const isCreation = (request: Request) => request.postData()?.includes('createClient') === true;
  let refuse = async () => {};
  await page.route(inject('endpoint'), async (route, request) => {
    if (!isCreation(request)) return route.continue();
    tokens.push(request.headers()['authorization'] ?? '');
    refuse = () => route.fulfill({ json: { data: { createClient: null }, errors }, headers });
    return undefined;
  });
  await page.getByRole('link', { name: 'New client' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await press('Create client');
  await expect.poll(() => tokens).toHaveLength(1);
  await press('Log out');
  await page.getByLabel('API token').fill('demo-member');
  await press('Log in');
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await expect.poll(rows).toHaveLength(20);
  const answered = page.waitForResponse((response) => isCreation(response.request()));
  await refuse();
  await (await answered).finished();

  await page.getByRole('listitem').getByRole('link').first().click(); // asks after what the write would ask
  await posts().waitFor();
  expect(tokens).toEqual(['Bearer demo-admin']);
  expect(await page.getByRole('dialog').count()).toBe(0);
});
