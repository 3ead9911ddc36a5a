// The writes of the app, in a browser: a creation with a refusal before it, a change, a deletion.
import type { Browser, Page, Route } from 'playwright-core';
import { sandboxAt } from 'trivium-kits/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { launchChromium } from './chromium.ts';

let browser: Browser;
let page: Page;
let listRequests: number;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());
afterEach(() => page.close());
beforeEach(async () => {
  await sandboxAt(inject('sandbox')).reset();
  page = await browser.newPage({ viewport: { width: 1280, height: 300 } }); // a page of rows is longer
  listRequests = 0;
  page.on('request', (request) => {
    if (request.postData()?.includes('query clientList')) listRequests += 1;
  });
  await page.goto(inject('app'));
  await page.getByLabel('API token').fill('demo-admin');
  await press('Log in');
  await rows().first().waitFor();
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const visit = (name: string) => page.getByRole('link', { name, exact: true }).click();
const rows = () => page.getByRole('listitem');
const field = (name: string) => page.getByLabel(name, { exact: true });
const title = async () => page.getByRole('heading', { level: 1 }).innerText();

test('a client is created after a refusal, changed and deleted', async () => {
  const before = await title();

  await visit('New client');
  await field('Email').fill('nowhere');
  await press('Create client');
  await page.getByRole('alert').waitFor();
  expect(await page.locator('#name-refused').innerText()).toBe("can't be blank");
  expect(await page.locator('#email-refused').innerText()).toBe('must be an email address');
  expect(await field('Name').evaluate((input) => input === document.activeElement)).toBe(true);

  await field('Name').fill('Zelda Nova');
  await field('Email').fill('zelda@example.net');
  await press('Create client');
  await expect.poll(() => rows().first().innerText()).toBe('Zelda Nova');
  expect(await title()).not.toBe(before);

  await visit('Zelda Nova');
  await field('Name').fill('Zelda & Sons');
  await field('City').fill('Lyon');
  await press('Save changes');
  await page.getByRole('status').waitFor();
  expect(await title()).toBe('Zelda & Sons');
  await visit('Clients');
  await expect.poll(() => rows().first().innerText()).toBe('Zelda & Sons');

  await visit('Zelda & Sons');
  expect(await field('City').inputValue()).toBe('Lyon');
  await press('Delete …');
  await press('Delete for good');
  await expect.poll(title).toBe(before);
  expect(await rows().first().innerText()).not.toContain('Zelda');
  expect(listRequests).toBe(3); // and not after the change
});

test('a refused creation is no row of the list', async () => {
  const names = await rows().allInnerTexts();
  await visit('New client');
  await press('Create client');
  await page.getByRole('alert').waitFor();
  await visit('Clients');
  await rows().first().waitFor();
  expect(await rows().allInnerTexts()).toEqual(names);
});

test('after a deletion the counter is right, and the newest three are three', async () => {
  const counter = page.getByRole('definition').first();
  const newest = async () => (await page.getByRole('definition').allInnerTexts()).slice(1);
  await counter.waitFor();
  const [before, [first = '', ...others]] = [Number(await counter.innerText()), await newest()];
  expect(others).toHaveLength(2);

  await visit(first);
  await press('Delete …');
  await press('Delete for good');

  await expect.poll(() => counter.innerText()).toBe(String(before - 1));
  expect(await newest()).toEqual([...others, expect.any(String)]);
  expect(await title()).toBe(`${before - 1} clients`);
});

test('what stands beside the list is read again while it is shown', async () => {
  const held = new Promise<Route>((resolve) => {
    void page.route(inject('endpoint'), (route, request) =>
      request.postData()?.includes('createClient') ? resolve(route) : route.continue(),
    );
  });
  await visit('New client');
  await field('Name').fill('Late Answer');
  await press('Create client');
  const creation = await held;
  await visit('Clients');
  const newest = page.getByRole('definition').nth(1);
  expect(await newest.innerText()).not.toBe('Late Answer');
  await creation.continue();
  await expect.poll(() => newest.innerText()).toBe('Late Answer');
  await expect.poll(() => rows().first().innerText()).toBe('Late Answer');
});
