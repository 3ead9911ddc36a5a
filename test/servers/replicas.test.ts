import { expect, test } from 'vitest';
import { burst, closedLoop, openLoop } from '../../scripts/chaos/open-loop.ts';
import { requestBytes } from '../cli/load.ts';
import { keepingUpstream, keyed } from '../idempotency/support.ts';
import { executor } from '../support/gateway.ts';
import { lostByHistory, lostByLog, register, runCallers, untrueEnds } from '../support/lost-updates.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import {
  Caller,
  createDeal,
  cpuMsOf,
  dealsUpstream,
  scriptsRun,
  type Sent,
  startReplicas,
} from './replicas-support.ts';

const CALLERS = 12;
const served = ({ status }: Sent) => status === 200;

test('a limit holds across three replicas: all of its operations are served, and none more', async () => {
  const limit = 300;
  const { url, replicas } = await startReplicas((await dealsUpstream()).url, {
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
    const { url: crm, names } = await dealsUpstream();
    const { url, replicas, restart } = await startReplicas(crm, { RATE_LIMIT: '100000' });
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
  const { url, replicas, redis, haproxy } = await startReplicas((await dealsUpstream()).url, {
    RATE_LIMIT: '10000000',
  });
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
  const { url, haproxy } = await startReplicas((await dealsUpstream()).url);
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

test('a burst is served by all replicas', async () => {
  const { url: crm, names } = await dealsUpstream();
  const { url, replicas } = await startReplicas(crm, { MAX_WAIT_MS: '30000' }); // on a busy machine it is no overload
  const request = (index: number) => requestBytes(`${url}/graphql`, createDeal(String(index)));
  const { answers } = await burst(Number(new URL(url).port), request, 300, true);

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
  expect(new Set(names).size).toBe(300);
  for (const replica of replicas) replica.signal('SIGTERM');
  for (const { ended } of replicas)
    expect((await ended).stderr.match(/"msg":"operation"/g)?.length).toBeGreaterThan(50);
});

test('replicas that are restarted one after the other lose no request', { timeout: 180_000 }, async () => {
  const { url: crm, names } = await dealsUpstream();
  const { url, replicas, restart } = await startReplicas(crm);
  const sent: Sent[] = [];
  const load = new AbortController();
  const callers = Array.from({ length: 4 }, async (_none, number) => {
    const caller = new Caller(url, `caller-${number}`);
    for (let count = 0; !load.signal.aborted; count++) sent.push(await caller.send(createDeal(`${number}-${count}`)));
  });
  for (const [index, replica] of replicas.entries()) {
    const soon = sent.length + 50;
    await expect.poll(() => sent.length, { timeout: 30_000 }).toBeGreaterThan(soon);
    replica.signal('SIGTERM');
    expect(await replica.ended).toMatchObject({ code: 0 });
    await restart(index);
  }
  load.abort();
  await Promise.all(callers);

  expect(sent.filter((each) => !served(each))).toEqual([]);
  expect(names).toHaveLength(sent.length);
  expect(new Set(names).size).toBe(names.length);
});

test('a write that is sent under one key through all replicas is made once', async () => {
  const { url: crm, writes } = await keepingUpstream();
  const { url } = await startReplicas(crm, { REDIS_TIMEOUT_MS: '5000' });
  const send = keyed(url)('one');
  const answers = await Promise.all(Array.from({ length: 30 }, () => send(createDeal('once'))));

  expect(writes).toEqual(['POST /app/deals.json']);
  for (const { data, errors } of answers) {
    expect(errors).toEqual([]);
    expect(data).toEqual({ createDeal: { __typename: 'Deal', name: 'once' } });
  }
  const ends = answers.map(({ extensions }) => Object(extensions?.['idempotency']).createDeal);
  expect(ends.sort()).toEqual(['FIRST', ...Array.from({ length: 29 }, () => 'REPLAYED')]);
});

test('callers of all replicas lose no update with ifUpdatedAt', async () => {
  const { url: crm, log } = await register();
  const { url } = await startReplicas(crm, { REDIS_TIMEOUT_MS: '5000' });
  const history = await runCallers([{ execute: executor(url, 'token') }], { callers: 8, changes: 4, isGuarded: true });

  expect(history.filter(({ end }) => end === 'applied')).toHaveLength(32);
  expect([lostByHistory(history), lostByLog(history, log), untrueEnds(history, log)]).toEqual([[], [], []]);
});

test('what one replica has written, all of them show, though they keep answers', async () => {
  let name = 'first';
  let reads = 0;
  const { url: crm } = await stubUpstream((request, response) => {
    request.resume();
    if (request.method === 'GET') reads += 1;
    else name = `${name}+`;
    saysJson({ id: 1, name })(request, response);
  });
  const { url } = await startReplicas(crm, { CRM_CACHE_TTL_MS: '60000', REDIS_TIMEOUT_MS: '5000' });
  const execute = executor(url, 'token');
  const change = 'mutation { updateDeal(id: 1, input: { price: 1 }) { __typename } }';
  const readAll = () => Promise.all(Array.from({ length: 30 }, () => execute('{ deal(id: 1) { name } }')));
  await readAll();
  for (let round = 0; round < 5; round += 1) {
    await execute(change);
    for (const { data } of await readAll()) expect(data).toEqual({ deal: { name } });
  }
  expect(reads).toBeLessThan(60); // of 180
});
