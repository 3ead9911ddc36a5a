import { expect, onTestFinished, test, vi } from 'vitest';
import { Waiters } from '../../src/idempotency/waiters.ts';

const LONG_MS = 60_000;

function opened() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended: string[] = [];
  const waiters = new Waiters();
  const wait = (id: string, ms = LONG_MS) => void waiters.wait(id, ms).then(() => ended.push(id));
  return { waiters, wait, ended };
}

test('those who wait for an id are woken together, and no others; a time that is over ends a wait', async () => {
  const { waiters, wait, ended } = opened();
  wait('one');
  wait('one');
  wait('two');
  wait('short', 10);
  waiters.wake('one');
  waiters.wake('none');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['one', 'one']);
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toEqual(['one', 'one', 'short']);
  waiters.wakeAll();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['one', 'one', 'short', 'two']);
});

test('of more than ten thousand the last ones look again after a quarter of a second', async () => {
  const { waiters, wait, ended } = opened();
  for (let count = 0; count < 10_000; count++) wait('many');
  wait('late');
  waiters.wake('late');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(250);
  expect(ended).toEqual(['late']);
  waiters.wake('many');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toHaveLength(10_001);
  wait('next');
  waiters.wake('next');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended.at(-1)).toBe('next');
});
