import { expect, test } from 'vitest';
import { median, quantile } from '../../bench/driver/statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

test('a quantile is the value below or at which this share of the values lies, in whatever order they come', () => {
  expect([0, 0.5, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([1, 50, 99, 100]);
  expect(quantile([10, 9], 0.5)).toBe(9);
  expect(quantile([], 0.5)).toBeNaN();
});

test('a median leaves out what was not measured', () => {
  expect(median([Number.NaN, 3, 1, 2])).toBe(2);
  expect(median([Number.NaN])).toBeNaN();
});
