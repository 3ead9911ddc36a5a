import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inProcess } from '../cli/in-process.ts';
import { serving } from '../cli/trivium.ts';
import { heldUpstream, says, stubUpstream } from '../support/stub-upstream.ts';
import { isRunning, runningWorkers, status, summedMetrics, workersIn } from './support.ts';

const TOKENS = '{ apiTokens { upstreamId } }';
const ANSWER = { data: { apiTokens: [{ upstreamId: '1' }] } };

const answering = () => stubUpstream(says('[{"id":1}]'));

test('workers share one port and take turns, one that is killed is replaced, and none outlives the primary', async () => {
  const env = { WORKERS: '1', ACCOUNT_URL: (await answering()).url, METRICS_PORT: '0' };
  const gateway = await runningWorkers(env, ['serve', '--workers', '2', '--subgraph']); // the flag goes before WORKERS
  const banner = /^trivium serves http:\/\/127\.0\.0\.1:[1-9]\d*\/graphql, as a subgraph, by 2 workers\n/m;
  expect(gateway.banner).toMatch(banner);
  const [victim] = await gateway.processes(2);
  expect(await gateway.ask('{ _service { sdl } }')).toEqual({
    data: { _service: { sdl: expect.stringContaining('@key') } },
  });
  for (const _turn of [1, 2, 3]) expect(await gateway.ask(TOKENS)).toEqual(ANSWER);
  for (const worker of [1, 2]) await gateway.logged(new RegExp(`"worker":${worker},"requestId"`), 2);
  await expect.poll(() => summedMetrics(gateway.banner)).toEqual({ operations: 4, calls: 3, workers: 2, ends: 0 });

  process.kill(victim?.process ?? 0, 'SIGKILL');
  await gateway.logged(/"signal":"SIGKILL","msg":"worker ended"/);
  expect(await gateway.ask(TOKENS)).toEqual(ANSWER); // of the worker that is left
  const processes = await gateway.processes(3);
  const replacement = processes.at(-1);
  expect(replacement?.worker).toBe(victim?.worker);
  for (const _turn of [1, 2, 3, 4]) expect(await gateway.ask(TOKENS)).toEqual(ANSWER);
  await gateway.logged(new RegExp(`"pid":${replacement?.process},.*"msg":"operation"`));
  await expect.poll(() => summedMetrics(gateway.banner)).toEqual({ operations: 9, calls: 8, workers: 2, ends: 1 });

  gateway.signal('SIGKILL');
  await gateway.ended; // of all that hold its standard error, the workers too
  for (const { process: pid } of processes) await expect.poll(() => isRunning(pid)).toBe(false);
});

test('without WORKERS nothing forks, and no log line names a worker', async () => {
  const gateway = await serving({ ACCOUNT_URL: (await answering()).url });
  expect(gateway.banner).toMatch(/\/graphql\n\n/);
  expect(await gateway.ask(TOKENS)).toEqual(ANSWER);
  const { code, stderr } = await gateway.end();
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`"pid":${gateway.pid},`)]);
  expect(stderr).not.toContain('worker');
});

test('SIGTERM to all, as a service manager sends it: what has arrived is answered, all end with 0, and no process is left', async () => {
  const path = '/toolkit/dashboards.json';
  const upstream = await heldUpstream(says('[{"id":1}]'), path);
  const gateway = await runningWorkers({ ACCOUNT_URL: upstream.url, SHUTDOWN_TIMEOUT_MS: '120000' });
  const processes = await gateway.processes(2);
  for (const _worker of [1, 2]) expect(await gateway.ask(TOKENS)).toEqual(ANSWER);

  const inFlight = gateway.ask('{ dashboards { upstreamId } }');
  const held = await new Promise<ServerResponse>((resolve) => {
    void upstream.answer(path, (_request, response) => resolve(response));
  });
  process.kill(gateway.pid, 'SIGSTOP');
  const waiting = Array.from({ length: 20 }, () => gateway.ask(TOKENS).catch(String));
  for (const worker of processes) process.kill(worker.process, 'SIGTERM');
  gateway.signal('SIGTERM');
  await delay(600); // the workers look ten times meanwhile, which nothing tells
  process.kill(gateway.pid, 'SIGCONT');
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ANSWER));
  held.end('[{"id":1}]');

  expect(await inFlight).toEqual({ data: { dashboards: [{ upstreamId: '1' }] } });
  expect(await gateway.ended).toMatchObject({ code: 0 });
  for (const { process: pid } of processes) expect(isRunning(pid)).toBe(false);
});

test('a worker that ends after its last response does so, too, where the primary was killed meanwhile', async () => {
  const [first, second] = ['/toolkit/dashboards/1.json', '/toolkit/dashboards/2.json'];
  const upstream = await heldUpstream(says('[]'), first, second);
  const gateway = await runningWorkers({ ACCOUNT_URL: upstream.url, SHUTDOWN_TIMEOUT_MS: '120000' });
  const processes = await gateway.processes(2);
  const inFlight = gateway.ask(
    'mutation { a: deleteDashboard(id: 1) { __typename } b: deleteDashboard(id: 2) { __typename } }',
  );
  await expect.poll(() => upstream.received).toHaveLength(1);
  gateway.signal('SIGTERM');
  await expect.poll(() => status(gateway.at('/health'))).toBe(0); // both workers have been released
  gateway.signal('SIGKILL');
  await expect.poll(() => isRunning(gateway.pid)).toBe(false);
  const deleted = says('', { status: 204 });
  await upstream.answer(first, deleted);
  await upstream.answer(second, deleted); // by now the worker has seen the end of the primary

  const deletion = { __typename: 'DashboardDeletion' };
  expect(await inFlight).toEqual({ data: { a: deletion, b: deletion } });
  for (const { process: pid } of processes) await expect.poll(() => isRunning(pid)).toBe(false);
  expect((await gateway.ended).stderr).not.toContain('uncaught');
});

test('workers share what there is once: the sandbox, and the counts of a rate limit', async () => {
  const gateway = await runningWorkers({ RATE_LIMIT: '9' }, ['serve', '--workers', '2']);
  const admin = { authorization: 'Bearer demo-admin' };
  for (const name of ['First', 'Second']) {
    const create = `mutation { createDashboard(input: { name: "${name}" }) { __typename } }`;
    const created = { data: { createDashboard: { __typename: 'Dashboard' } } };
    expect(await gateway.ask(create, admin)).toEqual(created);
  }
  const dashboards = expect.arrayContaining([{ name: 'First' }, { name: 'Second' }]);
  for (const _turn of [1, 2]) {
    expect(await gateway.ask('{ dashboards { name } }', admin)).toEqual({ data: { dashboards } });
  }

  const answers: unknown[] = []; // the first four operations count, too
  for (let left = 8; left > 0; left--) answers.push(await gateway.ask('{ __typename }'));
  const served = { data: { __typename: 'Query' } };
  const refused = { errors: [{ message: expect.stringContaining('9 operations'), extensions: expect.anything() }] };
  expect(answers).toEqual([...Array.from({ length: 5 }, () => served), refused, refused, refused]);

  const { code, stderr } = await gateway.end();
  expect(code).toBe(0);
  expect(workersIn(stderr)).toEqual([1, 2]);
});

test('worker is no command for people', async () => {
  const { code, stdout, stderr } = await inProcess(['worker', '--number', '1'], { env: { PORT: '0' } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*trivium serve --workers N[^\n]*\n$/);
});
