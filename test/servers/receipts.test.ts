import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MemoryReceipts } from '../../src/idempotency/memory-receipts.ts';
import type { End, Found, ReceiptName } from '../../src/idempotency/receipts.ts';
import { RedisReceipts } from '../../src/idempotency/redis-receipts.ts';
import { createLog } from '../../src/observe/log.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { AWAY, SharedStore } from '../../src/redis/shared-store.ts';
import { readConfig } from '../../src/config.ts';
import {
  again,
  begun,
  type ContractOptions,
  FOREIGN,
  LONG_MS,
  named,
  receiptContract,
  SENT_AT,
  type Tried,
} from '../idempotency/receipt-contract.ts';
import { roomContract } from '../idempotency/room-contract.ts';
import { dice } from '../support/dice.ts';
import { startRedis } from './support.ts';

const HASH_SECRET = 'a secret of at least 32 characters';

interface Opened {
  readonly receipts: RedisReceipts;
  readonly store: SharedStore;
  readonly close: () => Promise<void>;
}

/** The receipts of a process that shares the Redis. */
async function processOver(
  url: string,
  options: Partial<ContractOptions> = {},
  timeoutMs = 5_000,
  longestLeaseMs = 3_600_000,
): Promise<Opened> {
  const config = readConfig({ REDIS_URL: url, HASH_SECRET });
  const address = config.REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const log = createLog('silent', { write: () => {} });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log, timeoutMs });
  const receipts = new RedisReceipts({
    store,
    log,
    ttlMs: 86_400_000,
    max: 1_000,
    longestLeaseMs,
    ...options,
  });
  const close = async () => {
    await receipts.close();
    await store.close();
  };
  onTestFinished(close);
  return { receipts, store, close };
}

async function overRedis(options: ContractOptions): Promise<Tried> {
  const { url } = await startRedis();
  const [one, two] = await Promise.all([processOver(url, options), processOver(url, options)]);
  const pass = async (ms: number) => (ms < LONG_MS ? delay(ms) : age(one.store, ms));
  return { receipts: one.receipts, others: two.receipts, pass };
}

/** Makes all receipts older, as the clock of Redis cannot be set. */
async function age(store: SharedStore, ms: number): Promise<void> {
  const script = `
    for _, key in ipairs(redis.call('KEYS', 'trivium:receipt*')) do
      local kind = redis.call('TYPE', key).ok
      if kind == 'zset' and redis.call('ZCARD', key) > 0 then
        for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
          if not string.match(member, '^trivium:receipts:%S+$') then redis.call('ZINCRBY', key, -ARGV[1], member) end
        end
      elseif kind == 'hash' then
        for _, field in ipairs(redis.call('HKEYS', key)) do
          local head, begun, lease, expires, tail = string.match(redis.call('HGET', key, field), '^(%u %S+) (%d+) (%d+) (%d+) (.*)$')
          if head then
            local times = {}
            for _, time in ipairs({begun, lease, expires}) do times[#times + 1] = string.format('%.0f', time - ARGV[1]) end
            redis.call('HSET', key, field, head .. ' ' .. table.concat(times, ' ') .. ' ' .. tail)
          end
        end
      end
    end`;
  await store.run((redis) => redis.eval(script, 0, ms));
}

test.each([1, 2, 3])('receipts in Redis tell the same as those in memory, in the random order %i', async (seed) => {
  const { roll, pick } = dice(seed);
  const options = { ttlMs: LONG_MS, max: 12 };
  const { url } = await startRedis();
  const inRedis = (await processOver(url, options)).receipts;
  const inMemory = new MemoryReceipts(options);
  // What belongs to a key and a place is the same each time.
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key) => {
    const credential = pick('one', 'two', 'two');
    return ['1', '2', '3'].map((place) => {
      const twins = pick(undefined, 'x equal', 'x other', 'y equal');
      return named({ key, place, credential, twins, records: twins?.slice(0, 1) }); // equal creations are of one endpoint
    });
  });
  const anyName = () => {
    const name = names[roll(names.length)] ?? named();
    return roll(8) === 0 ? { ...name, writes: new Set([name.place]) } : name;
  };
  const open: { name: ReceiptName; memory: string; redis: string }[] = [];
  const seen = new Set<string>();
  for (let step = 0; step < 1_500; step++) {
    const name = anyName();
    const id = pick('1', '2', '3');
    const end = pick<End>({ state: 'APPLIED', id }, { state: 'REFUSED' }, { state: 'REFUSED' }, { state: 'UNKNOWN' });
    const [attempt] = open.slice(roll(open.length + 1));
    const action = pick('begin', 'begin', 'end', 'claim');
    if (action === 'begin') {
      const [memory, redis] = [await again(inMemory, name), await again(inRedis, name)];
      seen.add(memory.state);
      expect(comparable(redis), `step ${step}`).toEqual(comparable(memory));
      if (memory.state === 'NEW' && redis.state === 'NEW')
        open.push({ name, memory: memory.attempt, redis: redis.attempt });
    } else if (action === 'claim') {
      const claimed = await inMemory.claim(name, id);
      seen.add(`claimed: ${claimed}`);
      expect(await inRedis.claim(name, id), `step ${step}`).toBe(claimed);
    } else if (attempt) {
      await inMemory.end(attempt.name, attempt.memory, end, step);
      await inRedis.end(attempt.name, attempt.redis, end, step);
      if (end.state !== 'UNKNOWN') open.splice(open.indexOf(attempt), 1);
    }
  }
  expect(inRedis.begins).toEqual(inMemory.begins);
  const all = ['NEW', 'OPEN', 'APPLIED', 'UNKNOWN', 'REUSED', 'FULL', 'claimed: true', 'claimed: false'];
  expect([...seen].sort()).toEqual(all.sort());
});

/** What is found, without what differs by chance. */
function comparable(found: Found): object {
  return { ...found, attempt: undefined, sentMsAgo: undefined };
}

describe('in Redis', () => {
  receiptContract(overRedis);
  roomContract(overRedis);
});

/** Processes over a Redis that the test stops, kills and starts. An answer is late after 300 ms: a busy machine is slow. */
async function inTrouble() {
  const redis = await startRedis();
  const [one, two] = await Promise.all([processOver(redis.url, {}, 300), processOver(redis.url, {}, 300)]);
  return { ...redis, one, two };
}

const APPLIED = { state: 'APPLIED', id: '42' } as const;

/** Waits until the receipt is in this state, as the process sees it. */
async function becomes({ receipts }: Opened, state: string, name = named()): Promise<void> {
  await expect.poll(async () => (await again(receipts, name)).state).toBe(state);
}

/** Waits until the process uses Redis. */
async function isBack(...processes: readonly Opened[]): Promise<void> {
  for (const { store } of processes) await expect.poll(() => store.state).toBe('ok');
}

test('a Redis that is killed makes receipts AWAY at once', async () => {
  const { server, one } = await inTrouble();
  await begun(one.receipts, named());
  await server.end('SIGKILL');
  expect(await again(one.receipts, named())).toEqual({ state: 'AWAY' });
  expect(await one.receipts.claim(named(), '7')).toBe(false);
});

test('an end that Redis did not take while it hung is told later, to other processes too', async () => {
  const { server, one, two } = await inTrouble();
  const attempt = await begun(one.receipts, named());
  server.signal('SIGSTOP');
  await one.receipts.end(named(), attempt, APPLIED, SENT_AT);
  server.signal('SIGCONT');
  await isBack(two);
  await becomes(two, 'APPLIED');
});

test('an end that came while Redis was down is a receipt again when it has lost all', async () => {
  const { server, port, one, two } = await inTrouble();
  const attempt = await begun(one.receipts, named());
  const unknown = named({ key: 'unknown' });
  const second = await begun(one.receipts, unknown);
  await server.end('SIGKILL');
  await one.receipts.end(named(), attempt, APPLIED, SENT_AT);
  await one.receipts.end(unknown, second, { state: 'UNKNOWN' }, SENT_AT + 5);
  await startRedis(port);
  await isBack(one, two);
  expect(await again(one.receipts, named())).toEqual(APPLIED); // it tells its own end first
  expect(await again(one.receipts, unknown)).toMatchObject({
    state: 'UNKNOWN',
    sentAt: undefined,
    endedAt: SENT_AT + 5,
  });
  expect(await again(two.receipts, named())).toEqual(APPLIED);
  expect(await again(two.receipts, named(FOREIGN))).toEqual({ state: 'REUSED', by: 'APPLIED' });
});

test('an end of which Redis has lost the receipt is a receipt beside those that came after it', async () => {
  const { one, two } = await inTrouble();
  const attempt = await begun(one.receipts, named());
  await one.store.run((redis) => redis.flushall());
  await begun(two.receipts, named(FOREIGN));
  await one.receipts.end(named(), attempt, APPLIED, SENT_AT);
  expect(await again(two.receipts, named(FOREIGN))).toEqual({ state: 'OPEN' });
  expect(await again(two.receipts, named())).toEqual(APPLIED);
});

test('a write that was begun while Redis hung, and was not sent, blocks its key for no longer than Redis hangs', async () => {
  const { server, one, two } = await inTrouble();
  server.signal('SIGSTOP');
  expect(await again(one.receipts, named())).toEqual({ state: 'AWAY' }); // Redis has the command, and carries it out later
  server.signal('SIGCONT');
  await isBack(one, two);
  await becomes(two, 'NEW');
});

test('an attempt that was withdrawn cannot begin afterwards', async () => {
  const { url, one, two } = await inTrouble();
  const store = await lateStore(url);
  const receipts = new RedisReceipts({
    store,
    log: createLog('silent', { write: () => {} }),
    ttlMs: LONG_MS,
    max: 10,
    longestLeaseMs: LONG_MS,
  });
  expect(await again(receipts, named())).toEqual({ state: 'AWAY' });
  await receipts.close(); // tells that it is withdrawn
  await store.sendLate();
  expect(await again(two.receipts, named())).toMatchObject({ state: 'NEW' });
  expect(await again(one.receipts, named())).toEqual({ state: 'OPEN' });
});

test('an end that arrives after the one that followed it tells nothing', async () => {
  const { url, two } = await inTrouble();
  const store = await lateStore(url, 2);
  const receipts = new RedisReceipts({
    store,
    log: createLog('silent', { write: () => {} }),
    ttlMs: LONG_MS,
    max: 10,
    longestLeaseMs: LONG_MS,
  });
  const attempt = await begun(receipts, named());
  await receipts.end(named(), attempt, { state: 'UNKNOWN' }, SENT_AT);
  await receipts.end(named(), attempt, { state: 'REFUSED' }, SENT_AT);
  await store.sendLate();
  expect(await again(two.receipts, named())).toMatchObject({ state: 'NEW' });
  await receipts.close();
});

/** A store one of whose commands arrives after all others: the first one, unless given. */
async function lateStore(url: string, number = 1) {
  const { store } = await processOver(url);
  const late: (() => Promise<unknown>)[] = [];
  let count = 0;
  return {
    state: 'ok' as const,
    key: (kind: string, name: string) => store.key(kind, name),
    run: async <T>(action: Parameters<typeof store.run<T>>[0]) => {
      count += 1;
      if (count !== number) return store.run(action);
      late.push(() => store.run(action));
      return AWAY;
    },
    sendLate: () => Promise.all(late.map((send) => send())),
  };
}

test('with an append-only file that is always written receipts outlive a kill of Redis', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'trivium-redis-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = ['--dir', dir, '--appendonly', 'yes', '--appendfsync', 'always'];
  const { server, url, port } = await startRedis(undefined, file);
  const one = await processOver(url);
  const attempt = await begun(one.receipts, named());
  await begun(one.receipts, named({ key: 'open' }));
  await one.receipts.end(named(), attempt, APPLIED, SENT_AT);
  await server.end('SIGKILL');
  await startRedis(port, file);
  await isBack(one);
  expect(await again(one.receipts, named())).toEqual(APPLIED);
  expect(await again(one.receipts, named({ key: 'open' }))).toEqual({ state: 'OPEN' });
});

test('a process that ends tells once more what Redis did not take', async () => {
  const { server, port, one, two } = await inTrouble();
  const attempt = await begun(one.receipts, named());
  await server.end('SIGKILL');
  await one.receipts.end(named(), attempt, APPLIED, SENT_AT);
  await startRedis(port);
  await isBack(one, two);
  await one.close();
  expect(await again(two.receipts, named())).toEqual(APPLIED);
});

test('a wait goes on while Redis hangs, and ends with the write', async () => {
  const { server, one, two } = await inTrouble();
  const attempt = await begun(one.receipts, named());
  const waits = [one.receipts.settled(named(), LONG_MS), two.receipts.settled(named(), LONG_MS)];
  server.signal('SIGSTOP');
  await one.receipts.end(named(), attempt, APPLIED, SENT_AT);
  server.signal('SIGCONT');
  await Promise.all(waits);
  await isBack(two);
  await becomes(two, 'APPLIED');
});

test('when the clock of Redis goes back, an open receipt is UNKNOWN, and a settled one stays', async () => {
  const { url } = await startRedis();
  const { receipts, store } = await processOver(url, {}, 5_000, 2 * LONG_MS);
  const open = named({ key: 'open' });
  const attempt = await begun(receipts, open);
  await receipts.end(named(), await begun(receipts, named()), APPLIED, SENT_AT);
  await age(store, -1_000);
  expect(await receipts.look(open)).toEqual({ state: 'OPEN' }); // clocks are adjusted
  await age(store, -3_600_000);
  expect(await receipts.look(open)).toMatchObject({ state: 'UNKNOWN', sentMsAgo: 0 });
  expect(await receipts.look(named())).toEqual(APPLIED);
  await receipts.end(open, attempt, APPLIED, SENT_AT);
  expect(await receipts.look(open)).toEqual(APPLIED);
});

test('the keys of Redis are hashes, and all of them expire', async () => {
  const { url } = await startRedis();
  const { receipts, store } = await processOver(url, { ttlMs: 60_000 });
  const name = named({
    key: 'canary-key',
    credential: 'canary-credential',
    network: 'canary-network',
    twins: 'canary-twins',
    records: 'canary-records',
  });
  const attempt = await begun(receipts, name);
  await receipts.end(name, attempt, { state: 'UNKNOWN' }, SENT_AT);
  expect(await receipts.claim(name, 'canary-id')).toBe(true);
  await receipts.end(named(), await begun(receipts, named({ twins: 'twins', records: 'records' })), APPLIED, SENT_AT);
  await again(receipts, named({ key: '' }));
  const keys = await store.run((redis) => redis.keys('*'));
  if (keys === AWAY) throw new Error('Redis is away.');
  expect(keys.length).toBeGreaterThan(6);
  for (const key of keys) {
    expect(key).toMatch(
      /^trivium:(?:trial:[12]|receipts?(?:-twins|-claim|-withdrawn|-accepted)?:[\w-]{22}(?::applied)?)$/,
    );
    const ttl = await store.run((redis) => redis.pttl(key));
    expect(ttl, key).toBeGreaterThan(0);
    expect(ttl, key).toBeLessThanOrEqual(30 * 86_400_000);
  }
});
