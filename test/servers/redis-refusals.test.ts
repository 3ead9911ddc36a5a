import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { longestLeaseMs } from '../../src/calls/preconditions/precondition.ts';
import { RedisReceipts } from '../../src/idempotency/redis-receipts.ts';
import { RedisTurns } from '../../src/calls/preconditions/redis-turns.ts';
import { keyedHash, openStore } from '../../src/redis/redis.ts';
import { createLog } from '../../src/observe/log.ts';
import { gatewayOver } from '../support/gateway.ts';
import { startRedis } from './support.ts';

// A real Redis that answers, and refuses; one that closes idle connections; and one whose clock is set.

const HASH_SECRET = 'a secret of at least 32 characters';
const settingsOf = (url: string) => readConfig({ REDIS_URL: url, HASH_SECRET, REDIS_TIMEOUT_MS: '5000' });

async function openReal(url: string) {
  const logs: { redis?: string; reason?: string }[] = [];
  const config = settingsOf(url);
  const log = createLog('info', { write: (line) => void logs.push(JSON.parse(line)) });
  const store = await openStore(config, keyedHash(config), log);
  if (!store) throw new Error('There is no store.');
  onTestFinished(() => store.close());
  return { store, states: () => logs.map(({ redis, reason }) => [redis, reason]) };
}

function adminOf(url: string): Redis {
  const admin = new Redis(url);
  onTestFinished(() => admin.disconnect());
  return admin;
}

/** A Redis Cluster of one node. */
async function startCluster(hasSlots: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-cluster-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const args = ['--dir', folder, '--cluster-enabled', 'yes', '--cluster-node-timeout', '200'];
  const { url } = await startRedis(undefined, args);
  if (hasSlots) {
    const admin = adminOf(url);
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await expect.poll(() => admin.call('CLUSTER', 'INFO'), { timeout: 15_000 }).toContain('cluster_state:ok');
  }
  return url;
}

const PERMISSIONS: [string, string[]][] = [
  ['scripts', ['+@all', '-@scripting']],
  ['EVALSHA', ['+@all', '-evalsha']],
  ['TIME', ['+@all', '-time']],
  ['MGET', ['+@all', '-mget']],
  ['MSET', ['+@all', '-mset']],
  ['what is neither read nor written', ['+@read', '+@write', '+@scripting']],
  ['sorted sets', ['+@all', '-@sortedset']],
  ['one command of the locks', ['+@all', '-lrem']],
  ['the keys of the gateway', ['resetkeys', '~other:*', '+@all']],
  ['writes', ['resetkeys', '%R~trivium:*', '+@all']],
];

test.each(PERMISSIONS)(
  'a user without the permission for %s: refused, and used once it has it',
  async (_name, rules) => {
    const { url } = await startRedis();
    const admin = adminOf(url);
    await admin.call('ACL', 'SETUSER', 'gateway', 'reset', 'on', '>password', '~trivium:*', ...rules);
    const { store, states } = await openReal(url.replace('redis://', 'redis://gateway:password@'));
    expect(store.report).toEqual({ redis: 'refusing', redisReason: 'NOPERM' });
    await admin.call('ACL', 'SETUSER', 'gateway', '~trivium:*', '+@all');
    await expect.poll(() => store.state, { timeout: 10_000 }).toBe('ok');
    expect(states()).toEqual([
      ['refusing', 'NOPERM'],
      ['ok', undefined],
    ]);
  },
);

test('a permission that is withdrawn is noticed by the next action, which need not be the one that lacks it', async () => {
  const { url } = await startRedis();
  const admin = adminOf(url);
  await admin.call('ACL', 'SETUSER', 'gateway', 'reset', 'on', '>password', '~trivium:*', '+@all');
  const { store } = await openReal(url.replace('redis://', 'redis://gateway:password@'));
  await admin.call('ACL', 'SETUSER', 'gateway', '-@scripting');
  const turns = new RedisTurns(store, 60_000);
  expect(await turns.take('record', { waitMs: 5_000, leaseMs: 5_000 })).toBe('REFUSED');
  expect(store.report).toEqual({ redis: 'refusing', redisReason: 'NOPERM' });
});

test.each<[string, boolean, string]>([
  ['with its slots', true, ''],
  ['without slots', false, ''],
  ['and a database of it', true, '/2'],
])('a Redis Cluster %s ends the start, and names the setting', async (_name, hasSlots, database) => {
  const url = `${await startCluster(hasSlots)}${database}`;
  const { REDIS_URL, REDIS_TIMEOUT_MS } = settingsOf(url);
  const started = gatewayOver('http://127.0.0.1:9', {
    REDIS_URL,
    REDIS_TIMEOUT_MS,
    HASH_SECRET: settingsOf(url).HASH_SECRET,
  });
  await expect(started).rejects.toThrow(ConfigError);
  await expect(started).rejects.toThrow('REDIS_URL names a Redis Cluster');
});

test('connections that Redis closes when they are idle are no outage', async () => {
  const { url } = await startRedis(undefined, ['--timeout', '1']);
  const { store, states } = await openReal(url);
  const results: unknown[] = [];
  for (let pause = 0; pause < 6; pause++) {
    await delay(1_300 + 150 * pause); // the time that Redis itself measures
    results.push(await store.run((redis) => redis.incr(store.key('test', 'count'))));
  }
  expect(results).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await adminOf(url).info('stats')).toMatch(/total_connections_received:(?:[3-9]|\d\d)/);
  expect(states()).toEqual([['ok', undefined]]);
});

test.each<[string, number, boolean]>([
  ['an hour', 3_600_000, true],
  ['a minute', 60_000, true],
  ['half a second', 500, false],
])('after the clock of Redis went back by %s, the turn of a record is free: %s', async (_name, ms, isFree) => {
  const { url } = await startRedis();
  const { store } = await openReal(url);
  const longest = longestLeaseMs(10_000);
  const turns = new RedisTurns(store, longest);
  // A turn that began with the longest lease before the clock went back, and one who waits for it.
  const entries = [`holder ${Date.now() + ms + longest}`, `waiting ${Date.now() + ms + 1_000}`];
  await store.run((redis) => redis.rpush(store.key('turn', 'record'), ...entries));
  const turn = await turns.take('record', { waitMs: 1_500, leaseMs: longest });
  expect(typeof turn === 'string').toBe(!isFree);
});

test('the number of receipts is that of Redis, also when nobody sends a key any more', async () => {
  const { url } = await startRedis();
  const { store } = await openReal(url);
  const log = createLog('silent', { write: () => {} });
  const receipts = new RedisReceipts({ store, log, ttlMs: 60_000, max: 10, longestLeaseMs: 60_000 });
  onTestFinished(() => receipts.close());
  expect(await receipts.count()).toBe(0);
  const [past, future] = [String(Date.now() - 5_000), String(Date.now() + 60_000)];
  await store.run((redis) => redis.zadd(store.key('receipts', 'all'), past, 'a', future, 'b', future, 'c'));
  expect(await receipts.count()).toBe(2);
});
