import { expect, test } from 'vitest';
import { AvoidedLists } from '../../../src/calls/avoided-lists.ts';

function lists() {
  let now = 0;
  const avoided = new AvoidedLists(() => now);
  /** How long a list is avoided from now on, in seconds. */
  const seconds = (key = 'list') => {
    let passed = 0;
    for (; avoided.has(key); passed += 1) now += 1_000;
    return passed;
  };
  return { avoided, seconds, pass: (ms: number) => (now += ms) };
}

test('a list is avoided for a second, then for twice as long each time, for a minute at most; no other one with it', () => {
  const { avoided, seconds } = lists();
  const found = Array.from({ length: 8 }, () => {
    avoided.avoid('list');
    return seconds();
  });
  expect(found).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(avoided.has('another')).toBe(false);
});

test('reads that began together and find the same count once', () => {
  const { avoided, seconds } = lists();
  for (let reads = 0; reads < 20; reads += 1) avoided.avoid('list');
  expect(seconds()).toBe(1);
});

test('a list that was of use for as long as it was avoided begins anew', () => {
  const { avoided, seconds, pass } = lists();
  for (let times = 0; times < 3; times += 1) {
    avoided.avoid('list');
    seconds();
  }
  pass(4_000);
  avoided.avoid('list');
  expect(seconds()).toBe(1);
});
