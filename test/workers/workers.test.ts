import type { ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { trivium } from '../cli/trivium.ts';
import { ask, isRunning, runningWorkers, summedMetrics, untilRefused, workersIn } from './support.ts';

const TOKENS = '{ apiTokens { upstreamId } }';
const ANSWER = { data: { apiTokens: [{ upstreamId: '1' }] } };

const answering = () => stubUpstream(says('[{"id":1}]'));

/** An upstream that answers when the test says so. */
async function held() {
  let arrive: (response: ServerResponse) => void = () => {};
  const arrived = new Promise<ServerResponse>((resolve) => (arrive = resolve));
  const upstream = await stubUpstream((_request, response) => arrive(response));
  return { url: upstream.url, arrived };
}

test('two workers share one port and take turns, and each log line names its worker', async () => {
  const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: (await answering()).url });
  expect(gateway.banner).toMatch(/^trivium serves http:\/\/127\.0\.0\.1:[1-9]\d*\/graphql, by 2 workers\n/);

  for (const _turn of [1, 2, 3, 4]) expect(await ask(gateway.endpoint, TOKENS)).toEqual(ANSWER);

  gateway.signal('SIGTERM');
  const { stderr } = await gateway.ended;
  expect(workersIn(stderr)).toEqual([1, 2]);
});

test.each([{ WORKERS: '1' }, {}])('with %j nothing forks, and no log line names a worker', async (env) => {
  const gateway = await runningWorkers({ ...env, ACCOUNT_URL: (await answering()).url });
  expect(gateway.banner).toMatch(/\/graphql\n\n/);
  expect(await ask(gateway.endpoint, TOKENS)).toEqual(ANSWER);
  gateway.signal('SIGTERM');
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`"pid":${gateway.pid},`)]);
  expect(stderr).not.toContain('worker');
});

test('WORKERS=auto starts one worker per core', async () => {
  const gateway = await runningWorkers({ WORKERS: 'auto', ACCOUNT_URL: (await answering()).url });
  const cores = availableParallelism();
  expect(gateway.banner).toMatch(cores === 1 ? /\/graphql\n\n/ : new RegExp(`, by ${cores} workers\n`));
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

test('--workers goes before WORKERS', async () => {
  const env = { WORKERS: '1', ACCOUNT_URL: (await answering()).url };
  const gateway = await runningWorkers(env, ['serve', '--workers', '2', '--subgraph']);
  expect(gateway.banner).toMatch(/, as a subgraph, by 2 workers\n/);
  expect(await ask(gateway.endpoint, '{ _service { sdl } }')).toMatchObject({ data: { _service: {} } });
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

test('a worker that is killed is replaced under its number, requests go on, and what it counted stays counted', async () => {
  const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: (await answering()).url, METRICS_PORT: '0' });
  const [victim] = await gateway.processes(2);
  for (const _turn of [1, 2]) expect(await ask(gateway.endpoint, TOKENS)).toEqual(ANSWER);
  await expect.poll(() => summedMetrics(gateway.banner)).toEqual({ operations: 2, calls: 2, workers: 2, ends: 0 });
  process.kill(victim?.process ?? 0, 'SIGKILL');
  await gateway.logged(/"signal":"SIGKILL","msg":"worker ended"/);
  expect(await ask(gateway.endpoint, TOKENS)).toEqual(ANSWER); // of the worker that is left

  const replacement = (await gateway.processes(3)).at(-1);
  expect(replacement?.worker).toBe(victim?.worker);
  for (const _turn of [1, 2, 3, 4]) expect(await ask(gateway.endpoint, TOKENS)).toEqual(ANSWER);
  await expect.poll(() => summedMetrics(gateway.banner)).toEqual({ operations: 7, calls: 7, workers: 2, ends: 1 });
  gateway.signal('SIGTERM');
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(0);
  const operations = stderr.split('\n').filter((line) => line.includes('"msg":"operation"'));
  expect(operations.some((line) => line.includes(`"pid":${replacement?.process},`))).toBe(true);
});

// Six starts one after the other take their time on a busy machine.
test('workers that keep ending right after their start end the gateway with one line and exit code 1', async () => {
  const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: (await answering()).url });
  const ends = 5;
  for (let count = 1; count <= ends; count += 1) {
    const started = (await gateway.processes(count + 1)).filter(({ worker }) => worker === 2);
    process.kill(started.at(-1)?.process ?? 0, 'SIGKILL');
  }
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(1);
  expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual(['']);
  expect(stderr).toMatch(/"worker":2,"earlyEnds":5,"msg":"worker ended too often right after its start"/);
  for (const { process: pid } of await gateway.processes(ends + 1)) expect(isRunning(pid)).toBe(false);
}, 60_000);

test.each([
  ['SIGTERM to the primary', 'SIGTERM', false],
  ['SIGINT to the primary', 'SIGINT', false],
  ['SIGTERM to all, as a service manager sends it', 'SIGTERM', true],
] as const)(
  '%s: the request in flight is answered, all end with 0, and no process is left',
  async (_name, signal, all) => {
    const { url, arrived } = await held();
    const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: url, SHUTDOWN_TIMEOUT_MS: '20000' });
    const processes = await gateway.processes(2);
    const inFlight = ask(gateway.endpoint, TOKENS);
    const response = await arrived;

    if (all) for (const { process: pid } of processes) process.kill(pid, signal);
    gateway.signal(signal);
    await untilRefused(gateway.endpoint.replace('/graphql', '/health'));
    response.end('[{"id":1}]');

    expect(await inFlight).toEqual(ANSWER);
    expect(await gateway.ended).toMatchObject({ code: 0 });
    for (const { process: pid } of processes) expect(isRunning(pid)).toBe(false);
  },
);

test('an upstream that never answers does not hold up the end for longer than SHUTDOWN_TIMEOUT_MS', async () => {
  const { url, arrived } = await held();
  const env = { WORKERS: '2', ACCOUNT_URL: url, SHUTDOWN_TIMEOUT_MS: '50', UPSTREAM_TIMEOUT_MS: '60000' };
  const gateway = await runningWorkers(env);
  const inFlight = ask(gateway.endpoint, TOKENS);
  await arrived;
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
  expect(await inFlight).toMatchObject({ errors: [{ extensions: { code: 'SHUTTING_DOWN' } }] });
});

test('connections that waited while the primary stood still are all served before the workers leave', async () => {
  const { url } = await answering();
  const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: url, SHUTDOWN_TIMEOUT_MS: '20000' });
  for (const _worker of [1, 2]) await ask(gateway.endpoint, TOKENS);
  const workers = await gateway.processes(2);

  process.kill(gateway.pid, 'SIGSTOP');
  const answers = Array.from({ length: 20 }, () => ask(gateway.endpoint, TOKENS).catch(String));
  for (const worker of workers) process.kill(worker.process, 'SIGTERM');
  gateway.signal('SIGTERM');
  await delay(600); // the workers look ten times meanwhile, which nothing tells
  process.kill(gateway.pid, 'SIGCONT');

  expect(await Promise.all(answers)).toEqual(answers.map(() => ANSWER));
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

test('workers do not outlive a primary that is killed', async () => {
  const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: (await answering()).url });
  const processes = await gateway.processes(2);
  gateway.signal('SIGKILL');
  await gateway.ended; // of all that hold its standard error, the workers too
  for (const { process: pid } of processes) await expect.poll(() => isRunning(pid)).toBe(false);
});

test('the sandbox runs once: a write by one worker is read by the other', async () => {
  const gateway = await runningWorkers({}, ['serve', '--workers', '2']);
  for (const name of ['First', 'Second']) {
    const create = `mutation { createDashboard(input: { name: "${name}" }) { __typename } }`;
    const created = { data: { createDashboard: { __typename: 'Dashboard' } } };
    expect(await ask(gateway.endpoint, create, 'demo-admin')).toEqual(created);
  }
  const dashboards = expect.arrayContaining([{ name: 'First' }, { name: 'Second' }]);
  for (const _turn of [1, 2]) {
    expect(await ask(gateway.endpoint, '{ dashboards { name } }', 'demo-admin')).toEqual({ data: { dashboards } });
  }
  gateway.signal('SIGTERM');
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(0);
  expect(workersIn(stderr)).toEqual([1, 2]);
});

test('worker is no command for people', async () => {
  const { code, stdout, stderr } = await trivium(['worker', '--number', '1'], { env: { PORT: '0' } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*trivium serve --workers N[^\n]*\n$/);
});
