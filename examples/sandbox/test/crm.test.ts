import { type Sandbox, startSandbox } from 'trivium-kits/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clientNames } from '../src/crm.ts';

const endpoint = 'GET /app/clients.json';
const seeded = ['Ada Lovelace', 'Grace Hopper'];
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ main: '../../dist/main.js', seed: 'seed.json' });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

test('the clients are read in one call', async () => {
  expect(await clientNames(sandbox.url)).toEqual(seeded);
  expect(await sandbox.calls()).toMatchObject([{ endpoint, status: 200 }]);
});

test('a failed read is repeated once', async () => {
  await sandbox.fault({ endpoint, status: 503, times: 1 });
  expect(await clientNames(sandbox.url)).toEqual(seeded);
  expect(await sandbox.calls()).toMatchObject([{ status: 503, fault: true }, { status: 200 }]);
});

test('a read that gets no answer is repeated, too', async () => {
  await sandbox.fault({ endpoint, cut: true, times: 1 });
  expect(await clientNames(sandbox.url)).toEqual(seeded);
});

test('an answer that is late is not waited for', async () => {
  await sandbox.fault({ endpoint, delayMs: 10_000, times: 1 });
  expect(await clientNames(sandbox.url, 1000)).toEqual(seeded);
});

test('the second failure is the last', async () => {
  await sandbox.fault({ endpoint, status: 500 });
  await expect(clientNames(sandbox.url)).rejects.toThrow('The CRM answers 500.');
  expect(await sandbox.calls()).toHaveLength(2);
});

test('an endpoint that is none is refused, with the nearest one', async () => {
  const refused = sandbox.fault({ endpoint: 'GET /app/client.json', status: 503 });
  await expect(refused).rejects.toThrow(endpoint);
});
