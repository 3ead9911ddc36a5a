import { expect, test } from 'vitest';
import { Departure } from '../../../src/calls/transport/departure.ts';

function counter() {
  let calls = 0;
  return Object.assign(() => void (calls += 1), { calls: () => calls });
}

test('a departure is told to each listener, once', () => {
  const gone = new Departure();
  const listeners = [counter(), counter()];
  for (const listener of listeners) gone.add(listener);
  expect(gone.happened).toBe(false);

  gone.happen();
  gone.happen();

  expect(gone.happened).toBe(true);
  expect(listeners.map(({ calls }) => calls())).toEqual([1, 1]);
});

test('a listener that was removed is not told', () => {
  const gone = new Departure();
  const [removed, kept] = [counter(), counter()];
  gone.remove(removed); // before there is any
  for (const listener of [removed, kept]) gone.add(listener);
  gone.remove(removed);

  gone.happen();

  expect([removed.calls(), kept.calls()]).toEqual([0, 1]);
});

test('a listener may remove itself and others while it is told', () => {
  const gone = new Departure();
  const other = counter();
  const first = () => [first, other].forEach((listener) => gone.remove(listener));
  gone.add(first);
  gone.add(other);

  gone.happen();

  expect(other.calls()).toBe(1); // it was there when the caller left
});

test('a listener that comes too late is not told', () => {
  const gone = new Departure();
  gone.happen();
  const late = counter();
  gone.add(late);
  expect(late.calls()).toBe(0);
});
