import { Client } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { freshSandbox } from '../../support/sandbox.ts';
import { clients, controlled } from './support.ts';

test('GET /sandbox/calls lists the calls with endpoint, path, status and whether they met a fault', async () => {
  const { control, fault, listClients, createClient } = await controlled();
  await createClient('Ada');
  await fault({ endpoint: clients, status: 503, times: 1 });
  await listClients();
  await fault({ endpoint: clients, cut: true, times: 1 });
  await expect(listClients()).rejects.toThrow('fetch failed');
  await fault({ endpoint: clients, delayMs: 1, times: 1 });
  await listClients();
  await control('GET', '/app/clients/7.json');
  await control('GET', '/nowhere');

  const listed = { endpoint: clients, method: 'GET', path: '/app/clients.json' };
  expect((await control('GET', '/sandbox/calls')).body).toEqual({
    calls: [
      { endpoint: 'POST /app/clients.json', method: 'POST', path: '/app/clients.json', status: 201, fault: false },
      { ...listed, status: 503, fault: true },
      { ...listed, status: null, fault: true },
      { ...listed, status: 200, fault: true },
      { endpoint: 'GET /app/clients/:id.json', method: 'GET', path: '/app/clients/7.json', status: 401, fault: false },
      { endpoint: null, method: 'GET', path: '/nowhere', status: 404, fault: false },
    ],
  });
});

test('a listed call has no credential, no header, no body, and no value of its query', async () => {
  const { sandbox, control } = await controlled();
  await control('POST', '/app/clients.json', { body: { api_token: 'canary-1', client: { name: 'canary-2' } } });
  await control('GET', '/app/clients.json?api_token=canary-3&canary-4=canary-5');
  await control('GET', '/flex/dbs.json', {
    token: 'canary-6',
    headers: { Cookie: 'session=canary-7', 'X-A': 'canary-8' },
  });
  const Authorization = `Basic ${btoa('demo:canary-9')}`;
  await fetch(`${sandbox.urls.forum}/`, { headers: { Authorization } });
  const { body } = await control('GET', '/sandbox/calls');

  expect(JSON.stringify(body)).not.toMatch(/canary|Basic|Bearer/);
  expect(JSON.stringify(body).split('"endpoint"')).toHaveLength(5);
});

test('DELETE /sandbox/calls forgets the calls, and those to the sandbox itself are not listed', async () => {
  const { control, listClients } = await controlled();
  await listClients();
  expect((await control('DELETE', '/sandbox/calls')).status).toBe(204);
  for (const path of ['faults', 'calls']) await control('GET', `/sandbox/${path}`);
  expect((await control('GET', '/sandbox/calls')).body).toEqual({ calls: [] });
});

test('the last 1000 calls are listed, each with 500 characters of its path at most', async () => {
  const { sandbox, call } = await freshSandbox();
  const connection = new Client(sandbox.urls.account, { pipelining: 999 });
  onTestFinished(() => connection.close());
  const get = async (path: string) => (await connection.request({ method: 'GET', path })).body.dump();
  await get('/first');
  await Promise.all(Array.from({ length: 999 }, () => get('/x')));
  await call('GET', `/${'y'.repeat(600)}`);
  const { calls } = (await call('GET', '/sandbox/calls')).body as { calls: { path: string }[] };
  expect(sandbox.calls()).toHaveLength(1001);
  expect(calls).toHaveLength(1000);
  expect(calls[0]?.path).toBe('/x');
  expect(calls.at(-1)?.path).toBe(`/${'y'.repeat(499)}`);
});
