import { expect, test } from 'vitest';
import { closedLoop, openLoop } from '../../scripts/chaos/open-loop.ts';
import { requestBytes } from '../cli/load.ts';
import { Caller, createDeal, cpuMsOf, scriptsRun, type Sent, startReplicas } from './replicas-support.ts';

const CALLERS = 12;
const served = ({ status }: Sent) => status === 200;

test('a limit holds across three replicas: all of its operations are served, and none more', async () => {
  const limit = 300;
  const { url, replicas } = await startReplicas({
    ...{ RATE_LIMIT: String(limit), RATE_LIMIT_ADDRESS: '100000' },
    REDIS_TIMEOUT_MS: '5000', // on a busy machine a replica that is late for Redis would count by itself
  });
  const sendTwice = async (token: string) => {
    const caller = new Caller(url, token, 6);
    return Promise.all(Array.from({ length: 2 * limit }, () => caller.send('{ __typename }')));
  };
  await sendTwice('first'); // code gets fast
  const all = await sendTwice('greedy');

  expect(all.filter(served)).toHaveLength(limit);
  const refused = all.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(limit);
  expect(refused[0]?.body).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  expect((await new Caller(url, 'other').send('{ __typename }')).status).toBe(200);
  for (const replica of replicas) replica.signal('SIGTERM');
  for (const { ended } of replicas) {
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/"operation"[^]*callers exceed RATE_LIMIT/); // each of them has served some, and refused some
  }
});

test(
  'with one replica killed and one restarted, what was in flight on the killed one is lost, and nothing else',
  { timeout: 180_000 },
  async () => {
    const { url, replicas, restart, names } = await startReplicas({ RATE_LIMIT: '100000' });
    const sent: Sent[] = [];
    const load = new AbortController();
    const callers = Array.from({ length: CALLERS }, async (_none, number) => {
      const caller = new Caller(url, `caller-${number}`);
      for (let count = 0; count < 500 && !load.signal.aborted; count++)
        sent.push(await caller.send(createDeal(`${number}-${count}`)));
    });
    const [killed, ended] = replicas;
    await expect.poll(() => sent.length).toBeGreaterThan(100);

    const killedFrom = performance.now();
    killed?.signal('SIGKILL');
    await killed?.ended;
    const killedUntil = performance.now();
    const soon = sent.length + 100;
    await expect.poll(() => sent.length, { timeout: 30_000 }).toBeGreaterThan(soon);
    await restart(0);

    ended?.signal('SIGTERM');
    expect(await ended?.ended).toMatchObject({ code: 0 });
    await restart(1);
    const after = sent.length + 100;
    await expect.poll(() => sent.length, { timeout: 30_000 }).toBeGreaterThan(after);
    load.abort();
    await Promise.all(callers);

    const lost = sent.filter((each) => !served(each));
    for (const { startedAt, endedAt, status } of lost) {
      expect(startedAt).toBeLessThan(killedUntil);
      expect(endedAt).toBeGreaterThan(killedFrom);
      expect([0, 502]).toContain(status);
    }
    expect(lost.length).toBeLessThanOrEqual(CALLERS);
    // Upstream has seen each deal once: no request was repeated, whatever became of its answer.
    expect(new Set(names).size).toBe(names.length);
    expect(sent.length - names.length).toBeLessThanOrEqual(lost.length);
  },
);

// Prints figures of docs/scale.md: `OPERATIONS=12000 npx vitest run -c vitest.servers.config.ts -t costs`.
test('an operation costs Redis two commands at most: one for its address, one for its credential', async () => {
  const count = Number(process.env['OPERATIONS'] ?? 1_200);
  const { url, replicas, redis, haproxy } = await startReplicas({ RATE_LIMIT: '10000000' });
  const callers = Array.from({ length: CALLERS }, (_none, number) => new Caller(url, `caller-${number}`));
  const run = () =>
    Promise.all(
      callers.map(async (caller) => {
        for (let left = count / CALLERS; left > 0; left--) {
          expect((await caller.send('{ __typename }')).status).toBe(200);
        }
      }),
    );
  await run(); // code gets fast
  const processes = { haproxy: [haproxy.pid], redis: [redis.server.pid], replicas: replicas.map(({ pid }) => pid) };
  const cpuMs = () => Object.values(processes).map((pids) => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0));
  const [before, commandsBefore, start] = [cpuMs(), await scriptsRun(redis.port), performance.now()];
  await run();
  const perSecond = (count / (performance.now() - start)) * 1_000;
  const used = cpuMs().map((ms, index) => `${(((ms - (before[index] ?? 0)) / count) * 1_000).toFixed(0)} µs`);
  console.info(`${perSecond.toFixed(0)} operations/s; CPU of ${Object.keys(processes).join(', ')}: ${used.join(', ')}`);

  const commands = ((await scriptsRun(redis.port)) - commandsBefore) / count;
  expect(commands).toBeGreaterThan(1); // fewer than two where a busy machine was late, and Redis was away
  expect(commands).toBeLessThanOrEqual(2);
});

test('an overload takes no replica out of the load balancer', { timeout: 180_000 }, async () => {
  const { url, haproxy } = await startReplicas({});
  const port = Number(new URL(url).port);
  const request = requestBytes(`${url}/graphql`, createDeal('any'));
  const peak = await closedLoop(port, () => request, 32, 2);
  // Other work makes the peak look low: the load doubles until it is an overload.
  let perSecond = (4 * peak.answers.length) / peak.seconds;
  let refused = 0;
  for (let round = 1; round <= 6 && refused === 0; round += 1, perSecond *= 2) {
    const { answers } = await openLoop(port, () => request, { perSecond, seconds: 6 });
    refused = answers.filter(({ status }) => status === 503).length;
  }
  expect(refused).toBeGreaterThan(0);
  expect(haproxy.printed()).not.toMatch(/DOWN/);
});
