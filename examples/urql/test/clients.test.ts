import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { ask, type OpenApp, openApp } from './open-app.ts';

let browser: Browser;
let app: OpenApp;
let total: number;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());
beforeEach(async () => {
  total = await count();
  app = await openApp(browser);
  await app.counted(20, total);
});
afterEach(() => app.close());

/** How many clients there are at the gateway, of all or of those that a filter keeps. */
async function count(text = ''): Promise<number> {
  const { clients } = (await ask(`{ clients(filter: { text: "${text}" }) { totalCount } }`)) as {
    clients: { totalCount: number };
  };
  return clients.totalCount;
}
const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const field = (name: string) => app.page.getByLabel(name, { exact: true });

/** The bodies of the requests for lists of clients from now on. */
function listRequests(): string[] {
  const bodies: string[] = [];
  app.page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('query Clients(')) bodies.push(body);
  });
  return bodies;
}

async function create(name: string) {
  await app.page.getByRole('link', { name: 'New client' }).click();
  await field('Name').fill(name);
  await button('Create client').click();
  await app.page
    .getByRole('status')
    .filter({ hasText: `${name} was created.` })
    .waitFor();
}

async function filterBy(text: string): Promise<number> {
  const kept = await count(text);
  expect(kept).toBeGreaterThan(1);
  await field('Filter by name').fill(text);
  await app.counted(kept, kept);
  return kept;
}

describe('the list of clients', () => {
  test('goes on page by page, with each row once, and is never empty', async () => {
    const fewest = await app.watchRows();
    await app.scrollToEnd();
    await app.counted(40, total);
    await app.scrollToEnd();
    await app.counted(60, total);

    const links = app.page.getByRole('list', { name: 'Clients' }).getByRole('link');
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(new Set(addresses).size).toBe(60);
    expect(await fewest()).toBe(20);
  });

  test('goes on by the keyboard, too', async () => {
    await button('Load more').focus();
    await app.page.keyboard.press('Enter');
    await expect.poll(async () => (await app.names()).length).toBeGreaterThan(20);
  });

  test('can be filtered', async () => {
    await filterBy('Roux');
    expect((await app.names()).filter((name) => !name.includes('Roux'))).toEqual([]);
    await field('Filter by name').fill('');
    await app.counted(20, total);
  });
});

describe('a new client', () => {
  test('comes first in the list of all pages, which is not read again', async () => {
    await app.scrollToEnd();
    await app.counted(40, total);
    const fewest = await app.watchRows();
    const requests = listRequests();

    await create('Zelda Nova');

    await app.counted(40, total + 1); // one has fallen off the end
    expect((await app.names())[0]).toBe('Zelda Nova');
    await app.page.getByRole('heading', { name: 'Zelda Nova' }).waitFor();
    expect(await fewest()).toBe(40);
    expect(requests).toEqual([]);

    await app.scrollToEnd();
    await app.counted(60, total + 1);
  });

  test('is in a list with a filter, which was read again and never empty', async () => {
    const kept = await filterBy('Roux');
    const fewest = await app.watchRows();

    await create('Zoé Roux');

    await app.counted(20, total + 1);
    await field('Filter by name').fill('Roux');
    await app.counted(kept + 1, kept + 1);
    expect(await fewest()).toBe(kept);
  });

  test('is refused with a message at each field, and the first of them has the focus', async () => {
    await app.page.getByRole('link', { name: 'New client' }).click();
    await field('Email').fill('nowhere');
    await button('Create client').click();

    await app.page.getByRole('alert').waitFor();
    expect(await describedBy('Name')).toBe("can't be blank");
    expect(await describedBy('Email')).toBe('must be an email address');
    expect(await field('Name').evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field('Phone').getAttribute('aria-invalid')).toBe('false');
    await app.counted(20, total);
  });

  test('is said to be unknown when there is no answer', async () => {
    await app.page.route('**/graphql', (route) =>
      route.request().postData()?.includes('mutation CreateClient') ? route.abort() : route.continue(),
    );
    await app.page.getByRole('link', { name: 'New client' }).click();
    await field('Name').fill('Lost');
    await button('Create client').click();

    await app.page.getByRole('alert').filter({ hasText: 'not known whether the change was made' }).waitFor();
    const ofAttempts = Array.from({ length: 5 }, () => 'Failed to load resource: net::ERR_FAILED');
    expect(app.complaints.splice(0)).toEqual(ofAttempts);
  });
});

const describedBy = (name: string) =>
  field(name).evaluate((input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.innerText);

test('a change is in the list and in the title at once', async () => {
  const [name = ''] = await app.names();
  const fewest = await app.watchRows();
  const requests = listRequests();
  await app.open(name);
  await field('Name').fill('Changed & Sons');
  await field('City').fill('Lyon');
  await button('Save changes').click();

  await app.page.getByRole('heading', { name: 'Changed & Sons' }).waitFor();
  expect((await app.names())[0]).toBe('Changed & Sons');
  expect(await field('City').inputValue()).toBe('Lyon');
  expect(await button('Save changes').evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await fewest()).toBe(20);
  expect(requests).toEqual([]);
});

test('a change behind a filter of several pages has the list begin at its first page again', async () => {
  const kept = await count('ar');
  expect(kept).toBeGreaterThan(40);
  await field('Filter by name').fill('ar');
  await app.counted(20, kept);
  const [first] = await app.names();
  await app.scrollToEnd();
  await app.counted(40, kept);
  await app.open((await app.names())[25] ?? '');
  await field('City').fill('Ulm');
  await button('Save changes').click();
  const shown = async () => {
    const { length, 0: name } = await app.names();
    return { length, name };
  };
  await expect.poll(shown).toEqual({ length: 20, name: first });
});

test('a change takes a client out of a list with a filter, which is read again and never empty', async () => {
  await create('Nowak for now');
  const kept = await filterBy('nowak');
  const fewest = await app.watchRows();
  await app.open('Nowak for now');
  await field('Name').fill('Renamed');
  await button('Save changes').click();
  await app.counted(kept - 1, kept - 1);
  expect(await app.names()).not.toContain('Renamed');
  expect(await fewest()).toBeGreaterThan(0);
});

describe('a deleted client', () => {
  test('leaves the list, which counts it no more and reads the row that moves up', async () => {
    await create('Brief Visit');
    await app.counted(20, total + 1);
    const fewest = await app.watchRows();

    await button('Delete …').click();
    await button('Delete for good').click();

    await app.page.getByRole('status').filter({ hasText: 'Brief Visit was deleted.' }).waitFor();
    await app.counted(20, total);
    expect(await app.names()).not.toContain('Brief Visit');
    expect(await fewest()).toBe(20);
    expect(await count()).toBe(total);
  });

  test('of a list of several pages leaves it, and no page is read again', async () => {
    await app.scrollToEnd();
    await app.counted(40, total);
    await app.open((await app.names())[3] ?? '');
    const requests = listRequests();

    await button('Delete …').click();
    await button('Delete for good').click();

    await app.counted(39, total - 1);
    expect(requests).toEqual([]);
  });

  test('is counted no more beside the list, and the newest three are three', async () => {
    const overview = app.page.getByRole('region', { name: 'Overview' });
    const newest = overview.getByRole('listitem');
    await app.open((await app.names())[1] ?? '');
    const [first, deleted, third] = await newest.allInnerTexts();
    await button('Delete …').click();
    await button('Delete for good').click();

    await overview.getByText(`${total - 1} in all`).waitFor();
    await expect.poll(() => newest.allInnerTexts()).not.toContain(deleted);
    await expect.poll(() => newest.count()).toBe(3);
    expect((await newest.allInnerTexts()).slice(0, 2)).toEqual([first, third]);
    expect(await app.names()).not.toContain(deleted);
  });

  test('leaves a list with a filter, which is read again and never empty', async () => {
    const kept = await filterBy('Roux');
    const [name = ''] = await app.names();
    await app.open(name);
    const fewest = await app.watchRows();

    await button('Delete …').click();
    await button('Delete for good').click();

    await app.counted(kept - 1, kept - 1);
    expect(await fewest()).toBe(kept - 1);
  });

  test('that another user has deleted before is refused with a message', async () => {
    const [name = ''] = await app.names();
    await app.open(name);
    const id = decodeURIComponent(new URL(app.page.url()).hash.split('/')[2] ?? '');
    await ask(`mutation { deleteClient(id: "${id}") { __typename } }`);

    await button('Delete …').click();
    await button('Delete for good').click();

    await app.page.getByRole('alert').waitFor();
    await app.counted(20, total);
  });
});
