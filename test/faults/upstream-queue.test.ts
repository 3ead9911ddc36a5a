import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldTimers } from '../support/deadlines.ts';
import { expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { gatewayOverCrm } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// The queue for a connection to an upstream has a bound and an age: one that hangs holds no more than that.

const ENABLE = 'mutation { enableDashboards { __typename } }';
const ADVICE = 'raise UPSTREAM_CONNECTIONS if the API can answer more calls at once.';

/** An upstream that hangs until it is told to answer, and a gateway with one connection to it, which is occupied. */
async function hanging(settings: Partial<Config>) {
  const held: ServerResponse[] = [];
  let hangs = true;
  const upstream = await stubUpstream((request, response) => {
    if (hangs) held.push(response);
    else wellBehaved(request, response);
  });
  const over = await gatewayOver(upstream.url, { UPSTREAM_CONNECTIONS: 1, SHARE_READS: 'false', ...settings }, 'token');
  const ended: Result[] = [];
  /** Begins an operation whose end is noted in `ended`. */
  const begin = (query: string) => void over.execute(query).then((result) => ended.push(result));
  begin(TOKENS);
  await expect.poll(() => held.length).toBe(1);
  const answer = () => {
    hangs = false;
    for (const response of held) wellBehaved(response.req, response);
  };
  return { ...over, upstream, begin, ended, answer };
}

describe('beyond UPSTREAM_QUEUE', () => {
  const full = {
    message: `2 calls wait for a connection to the account API, as UPSTREAM_QUEUE allows: ${ADVICE}`,
    extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1 },
  };

  test('a call fails at once, and those that wait are answered in their turns', async () => {
    const { begin, ended, answer, upstream } = await hanging({ UPSTREAM_QUEUE: 2 });
    for (let reads = 0; reads < 5; reads += 1) begin(TOKENS);
    await expect.poll(() => ended.length).toBe(3);
    for (const { errors } of ended) expect(errors).toMatchObject([full]);
    expect(upstream.received).toHaveLength(1);
    answer();
    await expect.poll(() => ended.length).toBe(6);
    for (const { errors } of ended.slice(3)) expect(errors).toEqual([]);
    expect(upstream.received).toHaveLength(3);
  });

  test('a write fails at once, and is known not to be made', async () => {
    const { begin, execute, ended, answer, upstream } = await hanging({ UPSTREAM_QUEUE: 2 });
    for (let reads = 0; reads < 3; reads += 1) begin(TOKENS);
    await expect.poll(() => ended.length).toBe(1);
    const { errors } = await execute(ENABLE);
    expect(errors).toMatchObject([{ ...full, extensions: { ...full.extensions, outcome: 'REFUSED' } }]);
    answer();
    await expect.poll(() => ended.length).toBe(4);
    expect(upstream.received.join()).not.toContain('POST');
  });
});

describe('after half of UPSTREAM_TIMEOUT_MS in the queue', () => {
  const late = {
    message: `The account API was not called: its only connection was busy for 299 s, half of UPSTREAM_TIMEOUT_MS: ${ADVICE}`,
    extensions: { code: 'UPSTREAM_TIMEOUT' },
  };

  test('a read and a write fail, and the write is known not to be made', async () => {
    const { pass } = stoppedClock();
    const timers = heldTimers((_reach, ms) => ms === 299_000 || ms === 598_000);
    const { execute, answer, ended, upstream } = await hanging({ ...HELD, UPSTREAM_TIMEOUT_MS: 598_000 });
    const waiting = Promise.all([execute(TOKENS), execute(ENABLE)]);
    await expect.poll(timers.open).toBe(3 + 1); // the deadlines of all calls, and the time in the queue
    pass(299_000);
    timers.come(299_000);
    const [read, written] = await waiting;
    expect(read.errors).toMatchObject([late]);
    expect(written.errors).toMatchObject([{ ...late, extensions: { ...late.extensions, outcome: 'REFUSED' } }]);
    expect(upstream.received).toHaveLength(1);
    timers.come(598_000);
    await expect.poll(() => ended).toMatchObject([{ errors: [{ extensions: { code: 'UPSTREAM_TIMEOUT' } }] }]);
    answer();
    await expectHealthy(execute);
  });
});

describe('an operation of many calls', () => {
  test('fits into the queue as it is by default', () => {
    const { UPSTREAM_QUEUE, MAX_UPSTREAM_CALLS } = readConfig({});
    expect(UPSTREAM_QUEUE).toBeGreaterThanOrEqual(10 * MAX_UPSTREAM_CALLS);
  });

  test('reads hundreds of records over one connection, and over a queue that holds READS_AT_ONCE', async () => {
    const { execute, calls } = await gatewayOverCrm(
      { posts: 400 },
      { CRM_SHARES_TOKEN: 'true', BATCH_READS: 'by-id', UPSTREAM_CONNECTIONS: 1, UPSTREAM_QUEUE: 32 },
    );
    const { errors, data } = await execute('{ posts(first: 400) { nodes { client { name } } } }');
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ posts: { nodes: { length: 400 } } });
    expect(calls()).toMatchObject({ 'GET /app/clients/:id.json': 400 });
  });
});
