import { describe, expect, test } from 'vitest';
import { Breaker, OutcomeWindow } from '../../../src/calls/transport/breaker.ts';

/** A breaker whose clock stands still until the test moves it. */
function breakerAt(start = 1_000_000) {
  let now = start;
  const changes: unknown[] = [];
  const breaker = new Breaker(
    (change) => changes.push(change),
    () => now,
  );
  const fail = (times: number) => {
    for (let calls = 0; calls < times; calls += 1) breaker.fail(breaker.admit(true), 'It refuses connections.');
  };
  const succeed = (times: number) => {
    for (let calls = 0; calls < times; calls += 1) breaker.succeed(breaker.admit(true));
  };
  return { breaker, changes, fail, succeed, pass: (ms: number) => (now += ms) };
}

const OPENED = { isOpen: true, reason: 'It refuses connections.' };
const CLOSED = { isOpen: false, reason: undefined };

describe('a breaker opens', () => {
  test('at the tenth failure, and says why', () => {
    const { breaker, changes, fail } = breakerAt();
    fail(9);
    expect([breaker.isOpen, changes]).toEqual([false, []]);
    fail(1);
    expect([breaker.isOpen, changes]).toEqual([true, [OPENED]]);
    expect(breaker.admit(true)).toBe(0);
  });

  test('when half of the calls have failed, not before', () => {
    const { breaker, fail, succeed } = breakerAt();
    succeed(50);
    fail(49);
    expect(breaker.isOpen).toBe(false);
    fail(1);
    expect(breaker.isOpen).toBe(true);
  });

  test('within two seconds of load, however well upstream answered before', () => {
    const { breaker, fail, succeed, pass } = breakerAt();
    for (let second = 0; second < 60; second += 1) {
      succeed(1_000);
      pass(1_000);
    }
    for (let tenths = 0; tenths < 20 && !breaker.isOpen; tenths += 1) {
      fail(100);
      pass(100);
    }
    expect(breaker.isOpen).toBe(true);
  });

  test('not for failures that are far apart', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let minutes = 0; minutes < 100; minutes += 1) {
      fail(1);
      pass(5_000);
    }
    expect(breaker.isOpen).toBe(false);
  });

  test('for one failure a second', () => {
    const { breaker, fail, pass } = breakerAt();
    for (let seconds = 0; seconds < 10; seconds += 1) {
      fail(1);
      pass(1_000);
    }
    expect(breaker.isOpen).toBe(true);
  });
});

describe('an open breaker', () => {
  const opened = () => {
    const all = breakerAt();
    all.fail(10);
    return all;
  };

  test('lets a read through after a second, and another one after the next', () => {
    const { breaker, pass } = opened();
    pass(999);
    expect(breaker.admit(true)).toBe(0);
    pass(1);
    expect(breaker.admit(true)).toBeGreaterThan(0);
    expect(breaker.admit(true)).toBe(0);
    pass(1_000);
    expect(breaker.admit(true)).toBeGreaterThan(0);
  });

  test('lets a write through when no read came', () => {
    const { breaker, pass } = opened();
    pass(1_499);
    expect(breaker.admit(false)).toBe(0);
    pass(1);
    expect(breaker.admit(false)).toBeGreaterThan(0);
    expect(breaker.admit(true)).toBe(0);
  });

  test('closes with the first answer to a probe, and counts anew', () => {
    const { breaker, changes, fail, pass } = opened();
    pass(1_000);
    breaker.succeed(breaker.admit(true));
    expect([breaker.isOpen, changes]).toEqual([false, [OPENED, CLOSED]]);
    fail(9);
    expect(breaker.isOpen).toBe(false);
  });

  test('stays open when a probe fails, and says so no second time', () => {
    const { breaker, changes, pass } = opened();
    pass(1_000);
    breaker.fail(breaker.admit(true), 'It refuses connections.');
    expect([breaker.isOpen, changes]).toEqual([true, [OPENED]]);
  });
});

test('outcomes of calls that began before a change tell nothing', () => {
  const { breaker, fail, pass } = breakerAt();
  const before = breaker.admit(true);
  fail(10);
  breaker.succeed(before);
  expect(breaker.isOpen).toBe(true);
  pass(1_000);
  const probe = breaker.admit(true);
  breaker.succeed(probe);
  for (let calls = 0; calls < 20; calls += 1) {
    breaker.fail(before, 'It did not answer.');
    breaker.fail(probe, 'It did not answer.');
  }
  expect(breaker.isOpen).toBe(false);
});

describe('calls are repeated', () => {
  const repeated = (breaker: Breaker, times: number) =>
    Array.from({ length: times }, () => breaker.mayRepeat()).filter((may) => may).length;

  test('five times where there are few calls', () => {
    const { breaker, succeed } = breakerAt();
    succeed(1);
    expect(repeated(breaker, 100)).toBe(5);
  });

  test('for 10 % of the calls where there are many', () => {
    const { breaker, succeed } = breakerAt();
    succeed(1_000);
    expect(repeated(breaker, 1_000)).toBe(100);
  });

  test('anew after some seconds', () => {
    const { breaker, pass } = breakerAt();
    expect(repeated(breaker, 10)).toBe(5);
    pass(9_999);
    expect(repeated(breaker, 10)).toBe(0);
    pass(10_001);
    expect(repeated(breaker, 10)).toBe(5);
  });

  test('not while the breaker is open: a probe is one call', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(10);
    pass(1_000);
    expect(breaker.admit(true)).toBeGreaterThan(0);
    expect(breaker.mayRepeat()).toBe(false);
  });
});

describe('the window of outcomes', () => {
  /** Adds calls at a rate, and returns how many of them the window holds. */
  const heldOf = (calls: number, msBetween: number) => {
    const window = new OutcomeWindow();
    for (let call = 1; call <= calls; call += 1) window.add(call * msBetween, true);
    return window;
  };

  test.each([
    ['a call each ms', 100_000, 1, 1_000, 2_000],
    ['ten calls a second', 1_000, 100, 10, 20],
    ['a call each second', 1_000, 1_000, 10, 20],
    ['a call each nine seconds', 1_000, 9_000, 2, 4],
    ['a call each minute', 1_000, 60_000, 1, 1],
  ])('%s', (_name, calls, msBetween, min, max) => {
    const window = heldOf(calls, msBetween);
    expect(window.calls).toBeGreaterThanOrEqual(min);
    expect(window.calls).toBeLessThanOrEqual(max);
    expect(window.failures).toBe(window.calls);
  });
});
