import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { NoTurn, Turn } from '../../src/calls/preconditions/record-turns.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { RedisTurns } from '../../src/calls/preconditions/redis-turns.ts';
import { createLog } from '../../src/observe/log.ts';
import { keyedHash, openStore } from '../../src/redis/redis.ts';
import { gatewayOver } from '../support/gateway.ts';
import { lostByHistory, lostByLog, register, runCallers, untrueEnds } from '../support/lost-updates.ts';
import { startRedis } from './support.ts';

// The turns of writes with `ifUpdatedAt` in a real Redis. CHECK_ROUNDS=20 lets callers change a record more often.

const ROUNDS = Number(process.env['CHECK_ROUNDS'] ?? 1);

const settingsOf = (REDIS_URL: string) =>
  readConfig({ REDIS_URL, HASH_SECRET: 'a secret of at least 32 characters', REDIS_TIMEOUT_MS: '2000' });

async function openTurns(url: string) {
  const config = settingsOf(url);
  const store = await openStore(config, keyedHash(config), createLog('silent', { write: () => {} }));
  if (!store) throw new Error('There is no store.');
  onTestFinished(() => store.close());
  return { turns: new RedisTurns(store, 60_000), store };
}

const times = { waitMs: 20_000, leaseMs: 20_000 };

function had(turn: Turn | NoTurn): Turn {
  if (typeof turn === 'string') throw new Error(turn);
  return turn;
}

test('processes take turns: none has that of another, and each gets its own', async () => {
  const { url } = await startRedis();
  const processes = await Promise.all(Array.from({ length: 4 }, async () => (await openTurns(url)).turns));
  let under = 0;
  let most = 0;
  const order: number[] = [];
  const taking = processes.flatMap((turns, index) =>
    Array.from({ length: 5 }, async () => {
      const turn = had(await turns.take('record', times));
      most = Math.max(most, ++under);
      order.push(index);
      await new Promise((resolve) => setTimeout(resolve, 3));
      under -= 1;
      turn.end();
    }),
  );
  await Promise.all(taking);
  expect(most).toBe(1);
  expect(order).toHaveLength(20);
  expect(new Set(order.slice(0, 8)).size).toBe(4); // no process keeps the turn among its own
});

test('a turn that is not ended lasts until its lease ends, also where its process has', async () => {
  const { url } = await startRedis();
  const [one, other] = [await openTurns(url), await openTurns(url)];
  const first = had(await one.turns.take('record', { ...times, leaseMs: 3_000 }));
  await one.store.close(); // its process has ended
  expect(await other.turns.take('record', { ...times, waitMs: 200 })).toBe('LATE');
  had(await other.turns.take('record', times));
  expect(performance.now()).toBeGreaterThanOrEqual(first.endsAt);
});

test('a process that has ended while it waited loses its place', async () => {
  const { url } = await startRedis();
  const [one, gone, other] = [await openTurns(url), await openTurns(url), await openTurns(url)];
  const first = had(await one.turns.take('record', times));
  const waiting = gone.turns.take('record', times);
  await expect.poll(() => one.store.run((redis) => redis.llen(one.store.key('turn', 'record')))).toBe(2);
  await gone.store.close();
  expect(await waiting).toBe('AWAY');
  first.end();
  had(await other.turns.take('record', times)); // a place is held for a second, and this waits for 20
});

test('a client that disconnects while it waits gives up its place in Redis', async () => {
  const { url } = await startRedis();
  const [one, other] = [await openTurns(url), await openTurns(url)];
  const places = async () => one.store.run((redis) => redis.llen(one.store.key('turn', 'record')));
  const first = had(await one.turns.take('record', times));
  const gone = new Departure();
  const waiting = other.turns.take('record', { ...times, gone });
  await expect.poll(places).toBe(2);
  gone.happen();
  expect(await waiting).toBe('LATE');
  await expect.poll(places).toBe(1);
  first.end();
  await expect.poll(places).toBe(0);
});

test('nothing stays in Redis', async () => {
  const { url } = await startRedis();
  const { turns, store } = await openTurns(url);
  const key = store.key('turn', 'record');
  const turn = had(await turns.take('record', { ...times, leaseMs: 60_000 }));
  expect(await store.run((redis) => redis.pttl(key))).toBeLessThanOrEqual(60_001);
  expect(await store.run((redis) => redis.pttl(key))).toBeGreaterThan(5_000);
  turn.end();
  await expect.poll(() => store.run((redis) => redis.exists(key))).toBe(0);
});

test('more than a hundred processes do not wait for one record', async () => {
  const { url } = await startRedis();
  const { turns, store } = await openTurns(url);
  const key = store.key('turn', 'record');
  const places = Array.from({ length: 100 }, (_none, index) => `token${index} ${Date.now() + 30_000}`);
  await store.run((redis) => redis.rpush(key, ...places));
  expect(await turns.take('record', times)).toBe('FULL');
});

test(
  `${ROUNDS} times callers of two gateways lose no update`,
  async () => {
    const { url: redis } = await startRedis();
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const { url, log, late } = await register({ seed, lateOf: 15 });
      const { REDIS_URL, HASH_SECRET, REDIS_TIMEOUT_MS } = settingsOf(redis);
      const UPSTREAM_TIMEOUT_MS = 1_000; // after a cut the lock is held for as long
      const settings = { CRM_URL: new URL(url), REDIS_URL, HASH_SECRET, REDIS_TIMEOUT_MS, UPSTREAM_TIMEOUT_MS };
      const gateways = [await gatewayOver(url, settings, 'token'), await gatewayOver(url, settings, 'token')];
      const history = await runCallers(gateways, { callers: 8, changes: 4, isGuarded: true, timeoutMs: 2_000 });
      await late();
      expect(history.some(({ end }) => end === 'unknown')).toBe(true);
      expect(history.filter(({ end }) => end === 'applied').length).toBeGreaterThan(16);
      const found = [lostByHistory(history), lostByLog(history, log), untrueEnds(history, log)];
      expect({ seed, found }).toEqual({ seed, found: [[], [], []] });
    }
  },
  ROUNDS * 30_000,
);
