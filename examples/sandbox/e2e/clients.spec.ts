import { expect, test } from '@playwright/test';
import { type Sandbox, startSandbox } from 'trivium-kits/testing';

const seeded = ['Ada Lovelace', 'Grace Hopper'];
let sandbox: Sandbox;
let clientsPage: string;

test.beforeAll(async () => {
  sandbox = await startSandbox({ main: '../../dist/main.js', seed: 'seed.json' });
  clientsPage = `${process.env['APP_URL']}?graphql=${encodeURIComponent(sandbox.endpoint)}`;
});
test.beforeEach(() => sandbox.reset());
test.afterAll(() => sandbox.stop());

test('a new client is in the list', async ({ page }) => {
  await page.goto(clientsPage);
  await expect(page.getByRole('listitem')).toHaveText(seeded);
  await page.getByLabel('Name').fill('Mary Shelley');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('listitem')).toHaveText([...seeded, 'Mary Shelley']);

  const endpoints = (await sandbox.calls()).map(({ endpoint }) => endpoint);
  expect(endpoints).toEqual(['GET /app/clients.json', 'POST /app/clients.json', 'GET /app/clients.json']);
});

test('the next test begins with the seed', async ({ page }) => {
  await page.goto(clientsPage);
  await expect(page.getByRole('listitem')).toHaveText(seeded);
});

test('the page says so when the CRM fails, and recovers', async ({ page }) => {
  await sandbox.fault({ endpoint: 'GET /app/clients.json', status: 503, times: 1 });
  await page.goto(clientsPage);
  await expect(page.getByRole('alert')).toHaveText('The clients cannot be shown right now.');

  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('listitem')).toHaveText(seeded);
  await expect(page.getByRole('alert')).toBeEmpty();
});

test('a second click on Create while the first is answered late makes no second client', async ({ page }) => {
  await sandbox.fault({ endpoint: 'POST /app/clients.json', delayMs: 300 });
  await page.goto(clientsPage);
  await page.getByLabel('Name').fill('Mary Shelley');
  await page.getByRole('button', { name: 'Create' }).dblclick();
  await expect(page.getByRole('listitem')).toHaveText([...seeded, 'Mary Shelley']);
});
