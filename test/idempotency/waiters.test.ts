import { expect, onTestFinished, test, vi } from 'vitest';
import { Waiters } from '../../src/idempotency/waiters.ts';

const LONG_MS = 60_000;

const nameOf = (key: string) => ({ key, place: 'place' });

function opened() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended: string[] = [];
  const waiters = new Waiters();
  const wait = (id: string, ms = LONG_MS) => void waiters.wait(nameOf(id), ms).then(() => ended.push(id));
  return { waiters, wait, ended };
}

test('those who wait for a write are woken together, and no others; a time that is over ends a wait', async () => {
  const { waiters, wait, ended } = opened();
  wait('one');
  wait('one');
  wait('two');
  wait('short', 10);
  waiters.wake(nameOf('one'));
  waiters.wake(nameOf('none'));
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['one', 'one']);
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toEqual(['one', 'one', 'short']);
  waiters.wakeAll();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['one', 'one', 'short', 'two']);
});

test('a write whose end was told can be waited for again', async () => {
  const { waiters, wait, ended } = opened();
  for (let count = 0; count < 2; count++) {
    wait('one');
    waiters.wake(nameOf('one'));
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['one', 'one']);
});
