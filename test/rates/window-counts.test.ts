import { expect, test } from 'vitest';
import { WindowCounts } from '../../src/edge/rate-limits/rates.ts';

test('a window begins with the first operation of its key and lasts a minute', () => {
  const counts = new WindowCounts();
  expect(counts.count('a', 1_000)).toEqual({ used: 1, msLeft: 60_000 });
  expect(counts.count('b', 31_000)).toEqual({ used: 1, msLeft: 60_000 });
  expect(counts.count('a', 60_999)).toEqual({ used: 2, msLeft: 1 });
  expect(counts.get('a', 61_000)).toEqual({ used: 0, msLeft: 0 });
  expect(counts.count('a', 61_000)).toEqual({ used: 1, msLeft: 60_000 });
  expect(counts.get('b', 61_000)).toEqual({ used: 1, msLeft: 30_000 });
});

test('a count that is known from elsewhere replaces the own one', () => {
  const counts = new WindowCounts();
  counts.count('a', 0);
  counts.learn('a', { used: 7, msLeft: 10_000 }, 1_000);
  counts.learn('b', { used: 3, msLeft: 500 }, 1_000);
  expect(counts.count('a', 2_000)).toEqual({ used: 8, msLeft: 9_000 });
  expect(counts.get('b', 1_500)).toEqual({ used: 0, msLeft: 0 });
});

test('with more keys than it may keep the oldest windows are forgotten', () => {
  const counts = new WindowCounts(3);
  for (const key of ['a', 'b', 'c', 'a', 'd']) counts.count(key, 0);
  expect(['a', 'b', 'c', 'd'].map((key) => counts.get(key, 1).used)).toEqual([0, 1, 1, 1]);
});

test('ended windows make room, those that have not ended stay', () => {
  const counts = new WindowCounts(3);
  counts.count('a', 0);
  counts.count('b', 30_000);
  counts.count('c', 30_000);
  counts.count('d', 60_000); // `a` has ended
  expect(['b', 'c', 'd'].map((key) => counts.get(key, 60_000).used)).toEqual([1, 1, 1]);
});
