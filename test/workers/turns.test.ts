import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { clientUpstream, timeOf } from '../preconditions/client-upstream.ts';
import { executor } from '../support/gateway.ts';
import { lostByHistory, lostByLog, register, runCallers, untrueEnds } from '../support/lost-updates.ts';
import { runningWorkers, workersIn } from './support.ts';

// Without Redis the workers of a gateway take turns through their primary.

/** Two workers over a CRM. Each operation is sent over a connection of its own, so that the workers take turns. */
async function twoWorkers(url: string) {
  const gateway = await runningWorkers({ WORKERS: '2', CRM_URL: url });
  const execute = executor(new URL(gateway.endpoint).origin, 'token');
  const headers = { 'x-crm-token': 'token', connection: 'close' };
  return {
    ...gateway,
    execute: async (query: string, operation: Parameters<typeof execute>[1] = {}) =>
      execute(query, { ...operation, headers: { ...operation.headers, ...headers } }),
    end: async () => {
      gateway.signal('SIGTERM');
      return gateway.ended;
    },
  };
}

const rename = (name: string, at: number) =>
  `mutation { updateClient(id: 1, input: { name: "${name}" }, ifUpdatedAt: "${timeOf(at)}") { __typename ... on Client { name } } }`;
const short = { headers: { 'x-trivium-timeout-ms': '700' } };

test('callers of two workers lose no update', async () => {
  const { url, log } = await register();
  const gateway = await twoWorkers(url);
  const history = await runCallers([gateway], { callers: 6, changes: 3, isGuarded: true });
  expect(history.filter(({ end }) => end === 'applied')).toHaveLength(18);
  expect([lostByHistory(history), lostByLog(history, log), untrueEnds(history, log)]).toEqual([[], [], []]);
  const { code, stderr } = await gateway.end();
  expect(code).toBe(0);
  expect(workersIn(stderr)).toEqual([1, 2]);
});

test('the turn of a worker that was killed is held until its lease ends: its write may have arrived', async () => {
  const upstream = await clientUpstream();
  const gateway = await twoWorkers(upstream.url);
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  await askOver(connection, gateway.endpoint, '{ __typename }');
  const [line = ''] = await gateway.logged(/"worker":\d+,"requestId"/, 1);
  const [, worker] = /"worker":(\d+)/.exec(line) ?? [];
  const killed = (await gateway.processes(2)).find((each) => String(each.worker) === worker);
  const held = upstream.holdNext('PUT');
  const first = askOver(connection, gateway.endpoint, rename('first', 0), short.headers);
  await held;
  process.kill(killed?.process ?? 0, 'SIGKILL');
  await expect(first).rejects.toThrow('socket hang up');
  await gateway.logged(/"msg":"worker ended"/, 1);
  const { errors } = await gateway.execute(rename('second', 0), short);
  expect(errors).toMatchObject([{ message: expect.stringContaining('other writes with `ifUpdatedAt`') }]);
  const { data } = await gateway.execute(rename('third', 0));
  expect(data).toEqual({ updateClient: { __typename: 'Client', name: 'third' } });
  connection.destroy();
  await gateway.end();
});

/** Sends an operation over a connection that stays with its worker. */
async function askOver(agent: Agent, endpoint: string, query: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { 'content-type': 'application/json', 'x-crm-token': 'token', ...more };
  return new Promise((resolve, reject) => {
    request(endpoint, { method: 'POST', headers, agent }, (response) => response.resume().once('end', resolve))
      .on('error', reject)
      .end(JSON.stringify({ query }));
  });
}
