import { expect, onTestFinished, test, vi } from 'vitest';
import { type ToldEnd, UNTOLD_MS, UntoldEnds } from '../../src/idempotency/untold-ends.ts';
import { createLog } from '../../src/observe/log.ts';
import { named, SENT_AT } from './receipt-contract.ts';

function end(attempt: string, changes: Partial<ToldEnd> = {}): ToldEnd {
  return { name: named(), attempt, state: 'A', id: '1', endedAt: SENT_AT, ...changes };
}

/** Ends over a Redis that takes them, or does not. Time passes as the test says. */
function opened() {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const redis = { takes: false, told: [] as ToldEnd[] };
  const logs: string[] = [];
  const tell = async (told: ToldEnd) => {
    redis.told.push(told);
    return redis.takes;
  };
  const ends = new UntoldEnds(tell, createLog('info', { write: (line) => void logs.push(line) }));
  return { ends, redis, logs, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('an end is told again until it is taken, and then no more', async () => {
  const { ends, redis, pass } = opened();
  ends.add(end('1'));
  await pass(1_000);
  expect(redis.told.length).toBeGreaterThan(2);
  redis.takes = true;
  await pass(300);
  const { length } = redis.told;
  await pass(10_000);
  expect(redis.told).toHaveLength(length);
  expect(ends.size).toBe(0);
  ends.add(end('2'));
  await pass(300);
  expect(redis.told.at(-1)?.attempt).toBe('2');
});

test('an end is told for ten minutes at most', async () => {
  const { ends, redis, pass } = opened();
  ends.add(end('1'));
  await pass(UNTOLD_MS - 1_000);
  expect(ends.size).toBe(1);
  await pass(2_000);
  expect(ends.size).toBe(0);
  const { length } = redis.told;
  await pass(10_000);
  expect(redis.told).toHaveLength(length);
});

test('a later end of an attempt takes the place of the earlier one', async () => {
  const { ends, redis, pass } = opened();
  ends.add(end('1', { state: 'U' }));
  ends.add(end('1', { state: 'A' }));
  expect(ends.size).toBe(1);
  redis.takes = true;
  await pass(300);
  expect(redis.told.map(({ state }) => state)).toEqual(['A']);
});

test('the ends of one write are told at once, and no others', async () => {
  const { ends, redis } = opened();
  ends.add(end('1'));
  ends.add(end('2', { name: named({ place: 'other' }) }));
  expect(await ends.tellOf(named())).toBe(false);
  redis.takes = true;
  expect(await ends.tellOf(named())).toBe(true);
  expect(await ends.tellOf(named())).toBe(true);
  expect(redis.told.map(({ attempt }) => attempt)).toEqual(['1', '1']);
});

test('the number of ends is bounded, and the log says once that some are not kept', async () => {
  const { ends, logs } = opened();
  for (let count = 0; count < 5_100; count++) ends.add(end(`${count}`));
  expect(ends.size).toBe(5_000);
  expect(logs).toHaveLength(1);
});

test('the end of the process is a last try, and nothing is told afterwards', async () => {
  const { ends, redis, pass } = opened();
  ends.add(end('1'));
  await ends.close();
  expect(redis.told).toHaveLength(1);
  ends.add(end('2'));
  await pass(10_000);
  expect(redis.told).toHaveLength(1);
});
