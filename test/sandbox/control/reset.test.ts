import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../cli/trivium.ts';
import { callAt } from '../../support/sandbox.ts';
import { controlled, clients } from './support.ts';

const token = 'demo-admin';
const lists = [
  '/account/api_tokens.json',
  '/toolkit/dashboards.json',
  '/flex/dbs.json',
  '/flex/dbs/products/records.json',
];
const crmLists = ['/app/clients.json', '/app.json', '/app/deals.json'];

/** Every list of the account, flex and CRM APIs, and one of the forum. */
async function everything({ sandbox: { urls } }: Awaited<ReturnType<typeof controlled>>) {
  const call = callAt(urls.account);
  const headers = { Authorization: `Basic ${btoa('demo:demo')}` };
  return {
    lists: await Promise.all(lists.map(async (path) => (await call('GET', path, { token })).body)),
    crm: await Promise.all(crmLists.map(async (path) => (await call('GET', `${path}?api_token=${token}`)).body)),
    forum: await (await fetch(`${urls.forum}/`, { headers })).text(),
  };
}

test('a reset brings back every record of the seed, with its ids, dates and random values, and gives new ids out again', async () => {
  const started = await controlled({ demo: true });
  const { sandbox, control, createClient } = started;
  const before = await everything(started);
  const call = callAt(sandbox.urls.account);
  const first = await createClient('Ada');
  await call('DELETE', `/app/clients/1.json?api_token=${token}`);
  await call('DELETE', '/flex/dbs/products.json', { token });
  await call('DELETE', '/toolkit/dashboards/1.json', { token });
  sandbox.store.createForumCategory(1, 'New');
  expect(await everything(started)).not.toEqual(before);

  expect((await control('POST', '/sandbox/reset')).status).toBe(204);

  expect(await everything(started)).toEqual(before);
  expect((await createClient('Bob')).body).toMatchObject({ id: z.object({ id: z.int() }).parse(first.body).id });
});

test('a reset removes the faults and forgets the calls', async () => {
  const { sandbox, control, fault, listClients } = await controlled({ demo: true });
  await fault({ endpoint: clients, status: 503 });
  await listClients();
  await control('POST', '/sandbox/reset');

  expect(sandbox.calls()).toEqual([]);
  expect((await listClients()).status).toBe(200);
});

test('a sandbox without demo data is empty again after a reset', async () => {
  const { sandbox, control } = await controlled();
  const token = sandbox.store.createUser({ account: sandbox.store.createAccount().id }).token;
  const status = async () => (await control('GET', '/flex/dbs.json', { token })).status;
  expect(await status()).toBe(200);
  await control('POST', '/sandbox/reset');

  expect(await status()).toBe(401);
});

test('a data file that was filled earlier goes back to the seed, not to what it held at the start, and stays so', async () => {
  const data = join(await temporaryFolder(), 'data.db');
  const first = await controlled({ demo: true, data });
  await first.createClient('Ada');
  await first.sandbox.close();
  const second = await controlled({ demo: true, data });
  expect((await second.listClients()).body).toHaveLength(251);

  for (const _ of [1, 2]) {
    await second.control('POST', '/sandbox/reset');
    expect((await second.listClients()).body).toHaveLength(250);
    await second.createClient('Bob');
  }

  await second.control('POST', '/sandbox/reset');
  await second.sandbox.close();
  const third = await controlled({ demo: true, data });
  expect((await third.listClients()).body).toHaveLength(250);
});
