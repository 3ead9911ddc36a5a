import { expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionQueue, type QueuedCall } from '../../../src/calls/transport/connection-pool.ts';

/** Calls that note what happens to them. */
function noting() {
  const notes: string[] = [];
  const call = (name: string): QueuedCall => ({
    onFree: () => notes.push(`${name} free`) > 0,
    onRefused: (reason) => notes.push(`${name} ${reason}`),
  });
  /** The events since the last time. */
  const happened = () => notes.splice(0);
  return { call, happened };
}

function fakeTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('calls get the connections in the order in which they came', () => {
  const { call, happened } = noting();
  const queue = new ConnectionQueue(2, 10, 1_000);
  for (const name of ['a', 'b', 'c', 'd']) queue.enter(call(name));
  expect(happened()).toEqual(['a free', 'b free']);
  expect(queue.size).toBe(2);
  queue.leave();
  queue.leave();
  expect(happened()).toEqual(['c free', 'd free']);
  queue.leave();
  queue.leave();
  for (const name of ['e', 'f', 'g']) queue.enter(call(name));
  expect(happened()).toEqual(['e free', 'f free']);
});

test('once the oldest call has waited for a second, the newest gets the next connection', () => {
  fakeTime();
  const { call, happened } = noting();
  const queue = new ConnectionQueue(1, 10, 5_000);
  for (const name of ['a', 'b', 'c', 'd']) queue.enter(call(name));
  vi.advanceTimersByTime(1_000);
  queue.leave();
  vi.advanceTimersByTime(1);
  queue.enter(call('e'));
  const left = call('f');
  queue.enter(left);
  queue.remove(left);
  for (let calls = 0; calls < 3; calls += 1) queue.leave();
  expect(happened()).toEqual(['a free', 'b free', 'e free', 'd free', 'c free']);
});

test('beyond the bound a call is refused at once', () => {
  const { call, happened } = noting();
  const queue = new ConnectionQueue(1, 1, 1_000);
  for (const name of ['a', 'b', 'c']) queue.enter(call(name));
  expect(happened()).toEqual(['a free', 'c full']);
  queue.leave();
  queue.enter(call('d'));
  expect(happened()).toEqual(['b free']);
});

test('a call that is taken out frees its place', () => {
  const { call, happened } = noting();
  const queue = new ConnectionQueue(1, 1, 1_000);
  const [a, b] = [call('a'), call('b')];
  queue.enter(a);
  queue.enter(b);
  expect([queue.remove(a), queue.remove(b), queue.remove(b)]).toEqual([false, true, false]);
  queue.enter(call('c'));
  queue.leave();
  expect(happened()).toEqual(['a free', 'c free']);
});

test('each call is refused when it has waited too long', () => {
  fakeTime();
  const { call, happened } = noting();
  const queue = new ConnectionQueue(1, 10, 1_000);
  queue.enter(call('a'));
  queue.enter(call('b'));
  vi.advanceTimersByTime(600);
  queue.enter(call('c'));
  vi.advanceTimersByTime(399);
  expect(happened()).toEqual(['a free']);
  vi.advanceTimersByTime(1);
  expect(happened()).toEqual(['b late']);
  vi.advanceTimersByTime(599);
  expect(happened()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(happened()).toEqual(['c late']);
});

test('the time of a wait begins anew with each call, also after the queue was empty', () => {
  fakeTime();
  const { call, happened } = noting();
  const queue = new ConnectionQueue(1, 10, 1_000);
  for (const name of ['a', 'b']) queue.enter(call(name));
  queue.leave();
  vi.advanceTimersByTime(900);
  queue.enter(call('c'));
  vi.advanceTimersByTime(999);
  expect(happened()).toEqual(['a free', 'b free']);
  vi.advanceTimersByTime(1);
  expect(happened()).toEqual(['c late']);
});
