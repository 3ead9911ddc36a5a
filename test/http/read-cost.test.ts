import { describe, expect, test } from 'vitest';
import { ReadCost } from '../../src/http/session/read-cost.ts';

const CLIENTS = '/app/clients.json';
const POSTS = '/app.json';
const MINUTE = 60_000;

/** Costs as they are seen from a clock that the test moves. */
function observed(atOnce = 32) {
  let now = 1_000;
  const cost = new ReadCost(atOnce, () => now);
  return { cost, pass: (ms: number) => void (now += ms) };
}

describe('with nothing learned', () => {
  test.each([
    [1, false],
    [2, false],
    [4, false],
    [5, true],
    [6, true],
    [2_000, true],
  ])('%i ids: the list is preferred: %s', (count, list) => {
    expect(observed().cost.prefersList(CLIENTS, count)).toBe(list);
  });

  test('a list that was seen says nothing of fewer than five ids: reads by id may be faster', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, { ms: 5, headMs: 5 });
    expect(cost.prefersList(CLIENTS, 4)).toBe(false);
  });

  test('reads by id that were seen say nothing of a list that was not', () => {
    const { cost } = observed();
    cost.recordRead(300);
    expect([4, 5].map((count) => cost.prefersList(CLIENTS, count))).toEqual([false, true]);
  });
});

describe('with both learned, the one that is clearly cheaper is preferred', () => {
  test.each([
    ['2,000 full records of a fast upstream lose against 100 reads', { list: 400, read: 5 }, 100, false],
    ['and win against all 2,000', { list: 400, read: 5 }, 2_000, true],
    ['50 records win against 100 reads', { list: 8, read: 5 }, 100, true],
    ['and against five', { list: 5.5, read: 5 }, 5, true],
    ['and lose against two', { list: 5.5, read: 5 }, 2, false],
    ['the list of a slow upstream wins against 100 reads', { list: 450, read: 300 }, 100, true],
    ['and loses against what goes out at once', { list: 480, read: 300 }, 32, false],
    ['one list call may take half as long again as 100 reads are expected to', { list: 52, read: 5 }, 100, true],
    ['and no longer', { list: 53, read: 5 }, 100, false],
    ['two reads may take half as long again as a list', { list: 3.6, read: 5 }, 2, false],
    ['and no longer', { list: 3.5, read: 5 }, 2, true],
    ['and may win against two reads that take longer', { list: 10, read: 300 }, 2, true],
  ])('%s', (_name, { list, read }, count, preferred) => {
    const { cost } = observed();
    cost.recordRead(read);
    cost.recordList(CLIENTS, { ms: list, headMs: 2 });
    expect(cost.prefersList(CLIENTS, count)).toBe(preferred);
  });

  test('reads go out so many at a time: the fewer, the more a list is worth', () => {
    for (const [atOnce, preferred] of [
      [100, false],
      [10, true],
    ] as const) {
      const { cost } = observed(atOnce);
      cost.recordRead(50);
      cost.recordList(CLIENTS, { ms: 300, headMs: 2 });
      expect(cost.prefersList(CLIENTS, 100)).toBe(preferred);
    }
  });

  test('a read that was answered late in a busy moment does not count beside one that was not', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, { ms: 120, headMs: 2 });
    cost.recordRead(5);
    for (let busy = 0; busy < 100; busy++) cost.recordRead(600);
    expect(cost.prefersList(CLIENTS, 100)).toBe(false);
  });

  test('a list that was parsed late in a busy moment does not count beside one that was not', () => {
    const { cost } = observed();
    cost.recordRead(5);
    cost.recordList(CLIENTS, { ms: 10, headMs: 2 });
    for (let busy = 0; busy < 100; busy++) cost.recordList(CLIENTS, { ms: 900, headMs: 800 });
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
  });

  test('an upstream that has become slow is known to be slow a minute later, one that has become fast at once', () => {
    const { cost, pass } = observed();
    cost.recordList(CLIENTS, { ms: 100, headMs: 2 });
    cost.recordRead(1);
    expect(cost.prefersList(CLIENTS, 64)).toBe(false);
    for (const seconds of [20, 20, 20]) {
      pass(seconds * 1_000);
      cost.recordList(CLIENTS, { ms: 100, headMs: 2 });
      cost.recordRead(300);
    }
    expect(cost.prefersList(CLIENTS, 64)).toBe(true);
    cost.recordRead(1);
    expect(cost.prefersList(CLIENTS, 64)).toBe(false);
  });
});

describe('until a read by id was seen, it is taken to be as fast as the fastest answer', () => {
  test('the head of the list itself counts when no other list was read', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, { ms: 300, headMs: 5 });
    expect(cost.prefersList(CLIENTS, 100)).toBe(false);
    expect(cost.prefersList(CLIENTS, 1_000)).toBe(true);
  });

  test('the fastest head of any list counts, because upstream may take long to build one list', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, { ms: 400, headMs: 390 });
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
    cost.recordList(POSTS, { ms: 20, headMs: 5 });
    expect(cost.prefersList(CLIENTS, 100)).toBe(false);
    expect(cost.prefersList(POSTS, 100)).toBe(true);
  });
});

test('a figure is kept for half a minute, and forgotten after a whole one without a new one', () => {
  const { cost, pass } = observed();
  cost.recordRead(5);
  cost.recordList(CLIENTS, { ms: 400, headMs: 2 });
  pass(MINUTE / 2);
  expect(cost.prefersList(CLIENTS, 100)).toBe(false);
  pass(MINUTE / 2);
  expect(cost.prefersList(CLIENTS, 100)).toBe(true);
  expect(cost.prefersList(CLIENTS, 4)).toBe(false);
});

test('a measured time is forgotten when the endpoint was not read for several windows', () => {
  const { cost, pass } = observed();
  cost.recordRead(5);
  cost.recordList(CLIENTS, { ms: 400, headMs: 2 });
  pass(10 * MINUTE);
  expect(cost.prefersList(CLIENTS, 100)).toBe(true);
});

test('what was forgotten weighs nothing in what is seen next', () => {
  const { cost, pass } = observed();
  cost.recordRead(5);
  cost.recordList(CLIENTS, { ms: 100_000, headMs: 2 });
  pass(MINUTE);
  cost.recordRead(5);
  cost.recordList(CLIENTS, { ms: 10, headMs: 2 });
  expect(cost.prefersList(CLIENTS, 100)).toBe(true);
});

test('a list that was given up is left alone for a minute, and no other one with it', () => {
  const { cost, pass } = observed();
  expect(cost.avoidsList(CLIENTS)).toBe(false);
  cost.avoidList(CLIENTS);
  expect([CLIENTS, POSTS].map((endpoint) => cost.avoidsList(endpoint))).toEqual([true, false]);
  pass(MINUTE - 1);
  expect(cost.avoidsList(CLIENTS)).toBe(true);
  pass(1);
  expect(cost.avoidsList(CLIENTS)).toBe(false);
});
