import { expect, test } from 'vitest';
import { type Reply, settingsOf, stubRedis } from '../redis/stub-redis.ts';
import { gatewayOver } from '../support/gateway.ts';
import { lostByHistory, lostByLog, register, runCallers, untrueEnds } from '../support/lost-updates.ts';
import { clientUpstream, timeOf, TIMES } from './client-upstream.ts';
import { turnsRedis } from './turns-redis.ts';

// Writes with `ifUpdatedAt` of one record take turns over all gateways that share a Redis.

/** Two gateways over one CRM and one Redis. */
async function replicas(reply = turnsRedis(), more = {}) {
  const redis = await stubRedis(reply);
  const upstream = await clientUpstream();
  const settings = { ...settingsOf(redis), ...more };
  return { redis, upstream, one: await upstream.gateway(settings), other: await upstream.gateway(settings) };
}

const evals = (commands: readonly string[][]) =>
  commands.filter((command) => command[0]?.toLowerCase() === 'eval' && command[3]?.startsWith('trivium:turn:'));

test('a write through one gateway waits for that through another, and finds what it has changed', async () => {
  const { upstream, one, other } = await replicas();
  const held = upstream.holdNext('PUT');
  const first = one.change('first', timeOf(0));
  const go = await held;
  expect(await other.change('late', timeOf(0), { timeoutMs: 1_000 })).toMatchObject({
    error: { message: expect.stringContaining('other writes with `ifUpdatedAt` change this record') },
    outcome: 'REFUSED',
  });
  const second = other.change('second', timeOf(0));
  go();
  expect((await first).result).toMatchObject({ name: 'first' });
  expect((await second).result).toMatchObject({ __typename: 'ConflictError', current: { name: 'first' } });
  expect(upstream.calls()).toEqual(['GET', 'PUT', 'GET']);
});

test('Redis learns a hash of the record, random tokens and times, and nothing without ifUpdatedAt', async () => {
  const { redis, one } = await replicas();
  await one.change('any', undefined);
  expect(evals(redis.commands)).toEqual([]);
  await one.change('new', timeOf(1));
  await expect.poll(() => evals(redis.commands)).toHaveLength(2);
  const [take = [], leave = []] = evals(redis.commands);
  const [key, token] = [take[3], take[4]];
  expect(key).toMatch(/^trivium:turn:[\w-]{22}$/);
  expect(token).toMatch(/^[\w-]{12}$/);
  expect([take.length, leave.slice(2)]).toEqual([9, ['1', key, token]]);
  expect([...take.slice(2), ...leave.slice(2)].join()).not.toMatch(/clients|token/);
});

test('after an unknown outcome the turn is held for other gateways, too', async () => {
  let passed = 0;
  const { redis, upstream, one, other } = await replicas(turnsRedis(() => Date.now() + passed));
  upstream.answerNext('PUT', (_request, response) => void response.destroy());
  expect(await one.change('late', timeOf(0), { timeoutMs: 60_000 })).toMatchObject({ outcome: 'UNKNOWN' });
  expect(await other.change('second', timeOf(0), { timeoutMs: 100 })).toMatchObject({ outcome: 'REFUSED' });
  expect(await one.change('third', timeOf(0), { timeoutMs: 100 })).toMatchObject({ outcome: 'REFUSED' });
  const lease = Number(evals(redis.commands)[0]?.[5]);
  expect(lease).toBeGreaterThan(TIMES.UPSTREAM_TIMEOUT_MS + 1_000); // the write may be sent within a minute, and has its own deadline then
  expect(lease).toBeLessThanOrEqual(TIMES.UPSTREAM_TIMEOUT_MS + 61_000);
  passed = lease;
  expect((await other.change('fourth', timeOf(0))).result).toMatchObject({ name: 'fourth' });
});

test.each<[string, Reply, string, object?]>([
  ['answers nothing', () => undefined, 'does not answer', { REDIS_TIMEOUT_MS: 50 }],
  ['runs no scripts', () => '-NOPERM this user has no permissions to run scripts\r\n', 'refuses it'],
  ['takes no writes', () => '-READONLY You cannot write against a replica.\r\n', 'refuses it'],
  ['is a cluster', () => "-CROSSSLOT Keys in request don't hash to the same slot\r\n", 'refuses it'],
  ['answers with another number', () => ':7\r\n', 'does not answer'],
  ['answers with a text', () => '$1\r\n1\r\n', 'does not answer'],
])(
  'while Redis %s, a write with ifUpdatedAt is refused, which names REDIS_URL, and others go on',
  async (_name, answer, how, settings) => {
    const { redis, upstream, one } = await replicas(undefined, settings);
    redis.answer = (command, socket) => (command[0]?.toLowerCase() === 'eval' ? answer(command, socket) : '+OK\r\n');
    expect(await one.change('new', timeOf(0))).toMatchObject({
      error: {
        message: `Nothing was changed: a write with \`ifUpdatedAt\` waits for its turn in Redis, which ${how}: see REDIS_URL.`,
        extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1 },
      },
      outcome: 'REFUSED',
    });
    expect(upstream.calls()).toEqual([]);
    expect((await one.change('new', undefined)).result).toMatchObject({ name: 'new' });
  },
);

test('callers in production do not learn the setting', async () => {
  const { redis, one } = await replicas(turnsRedis(), { NODE_ENV: 'production' });
  await redis.stop();
  const { error } = await one.change('new', timeOf(0));
  expect(error?.message).toMatch(/Redis, which does not answer\.$/);
});

test('callers of two gateways lose no update', async () => {
  const redis = await stubRedis(turnsRedis());
  const { url, log } = await register();
  const settings = { CRM_URL: new URL(url), ...settingsOf(redis) };
  const gateways = [await gatewayOver(url, settings, 'token'), await gatewayOver(url, settings, 'token')];
  const history = await runCallers(gateways, { callers: 4, changes: 2, isGuarded: true });
  expect(history.filter(({ end }) => end === 'applied')).toHaveLength(8);
  expect(history.some(({ end }) => end === 'conflict')).toBe(true);
  expect([lostByHistory(history), lostByLog(history, log), untrueEnds(history, log)]).toEqual([[], [], []]);
});

test('callers of two gateways that share no Redis lose updates', async () => {
  const { url, log } = await register();
  const settings = { CRM_URL: new URL(url) };
  const gateways = [await gatewayOver(url, settings, 'token'), await gatewayOver(url, settings, 'token')];
  const history = await runCallers(gateways, { callers: 6, changes: 5, isGuarded: true });
  expect(lostByHistory(history).length).toBeGreaterThan(0);
  expect(lostByLog(history, log).length).toBeGreaterThan(0);
});
