import { describe, expect, test } from 'vitest';
import type { ListRead } from '../../src/calls/read-cost.ts';
import { ReadCost } from '../../src/calls/read-cost.ts';

const CLIENTS = '/app/clients.json';
const POSTS = '/app.json';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The bytes of a list of full records. */
const records = (count: number) => count * 2_150;

/** A list as a fast upstream answers it: transfer and parsing take 6 ms for a megabyte. */
function listRead(bytes: number, more: Partial<ListRead> = {}): ListRead {
  return { bytes, headMs: 1, transferMs: bytes * 2e-6, parseCpuMs: bytes * 4e-6, ...more };
}

/** Costs as they are seen from a clock that the test moves. */
function observed(atOnce = 32) {
  let now = 1_000;
  const cost = new ReadCost(atOnce, () => now);
  return { cost, pass: (ms: number) => void (now += ms) };
}

async function fails(): Promise<void> {
  throw new Error('no');
}

describe('until the size of a list is known', () => {
  test.each([
    [2, false],
    [5, false],
    [32, false],
    [33, true],
    [2_000, true],
  ])('%i ids: the list is preferred: %s', (count, list) => {
    expect(observed().cost.prefersList(CLIENTS, count)).toBe(list);
  });

  test('reads by id that were seen say nothing of it', () => {
    const { cost } = observed();
    cost.recordRead(300);
    expect([32, 33].map((count) => cost.prefersList(CLIENTS, count))).toEqual([false, true]);
  });

  test('it is tried by one batch at a time, and the others read by id', async () => {
    const { cost } = observed();
    await cost.duringList(CLIENTS, async () => {
      expect([CLIENTS, POSTS].map((endpoint) => cost.prefersList(endpoint, 100))).toEqual([false, true]);
    });
    await expect(cost.duringList(CLIENTS, fails)).rejects.toThrow('no');
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
  });
});

describe('with the size known, size over bandwidth is compared with rounds times latency', () => {
  test.each([
    ['2,000 records of a fast upstream lose against 100 reads', 2_000, 1, 100, false],
    ['and win against all 2,000', 2_000, 1, 2_000, true],
    ['50 records win against 50 reads', 50, 1, 50, true],
    ['and lose against three', 50, 1, 3, false],
    ['1,000 records win against 100 reads where each takes 100 ms', 1_000, 100, 100, true],
    [
      'and lose against the reads that are sent at once, where their transfer takes half as long',
      8_000,
      100,
      32,
      false,
    ],
    ['50 records win even against two reads that take 300 ms, when the head takes 100', 50, 300, 2, true],
  ])('%s', (_name, size, latency, count, preferred) => {
    const { cost } = observed();
    cost.recordRead(latency);
    cost.recordList(CLIENTS, listRead(records(size), { headMs: Math.min(latency, 100) }));
    expect(cost.prefersList(CLIENTS, count)).toBe(preferred);
  });

  test('reads go out so many at a time: the fewer, the more a list is worth', () => {
    for (const atOnce of [100, 10]) {
      const { cost } = observed(atOnce);
      cost.recordRead(50);
      cost.recordList(CLIENTS, listRead(records(5_000), { headMs: 50 }));
      expect(cost.prefersList(CLIENTS, 100)).toBe(atOnce === 10);
    }
  });

  test.each([
    ['a fast transfer makes a list take little', [[200, { headMs: 20, transferMs: 2 }]], 20, true],
    ['long parsing makes it take more', [[2_000, { parseCpuMs: 40 }]], 6, false],
    ['what parsing takes beyond 10 ms for a megabyte does not count', [[200, { parseCpuMs: 400 }]], 6, true],
    ['a slow one makes it take more', [[200, { headMs: 20, transferMs: 80 }]], 20, false],
    ['the size is the mean of the last readings: callers see lists of different sizes', [[2_000], [10]], 1, false],
    ['the size follows the last readings', [[2_000], ...Array.from({ length: 11 }, () => [10] as const)], 1, true],
    ['an empty list costs one call', [[0]], 1, true],
  ] satisfies [string, (readonly [size: number, more?: Partial<ListRead>])[], number, boolean][])(
    '%s',
    (_name, lists, latency, preferred) => {
      const { cost } = observed();
      cost.recordRead(latency);
      for (const [size, more] of lists) cost.recordList(CLIENTS, listRead(records(size), more));
      expect(cost.prefersList(CLIENTS, 100)).toBe(preferred);
    },
  );
});

test('the work of the gateway is a tenth of a millisecond for each read, however fast upstream is', () => {
  const { cost } = observed();
  cost.recordRead(0.01);
  cost.recordList(CLIENTS, listRead(0, { headMs: 1 }));
  expect([5, 20].map((count) => cost.prefersList(CLIENTS, count))).toEqual([false, true]);
});

describe('load is not learned as a slow upstream', () => {
  test('reads that waited for each other do not count beside one that did not', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, listRead(records(2_000)));
    for (const ms of [1, 600, 600, 600]) cost.recordRead(ms);
    expect(cost.prefersList(CLIENTS, 100)).toBe(false);
  });

  test('a list that was received late does not count beside one that was not', () => {
    const { cost } = observed();
    cost.recordRead(5);
    for (const more of [{}, { headMs: 800, transferMs: 500 }]) cost.recordList(CLIENTS, listRead(records(50), more));
    expect(cost.prefersList(CLIENTS, 50)).toBe(true);
  });
});

describe('a choice is kept until the other way takes less by a tenth', () => {
  /** A list of no bytes that takes this long, against ten reads that take 100 ms. */
  const observedAt = (headMs: number) => {
    const { cost } = observed();
    cost.recordRead(100);
    cost.recordList(CLIENTS, listRead(0, { headMs }));
    return cost;
  };

  test.each([
    ['five ids or more begin with the list', 5, 109, true],
    ['unless it takes longer by more than a tenth', 5, 111, false],
    ['fewer begin with reads by id', 4, 95, false],
    ['unless the list takes less by a tenth', 4, 90, true],
  ])('%s', (_name, count, headMs, preferred) => {
    expect(observedAt(headMs).prefersList(CLIENTS, count)).toBe(preferred);
  });

  test('after reads by id were chosen, a list that is hardly better does not change the choice', () => {
    const cost = observedAt(120);
    expect(cost.prefersList(CLIENTS, 10)).toBe(false);
    cost.recordList(CLIENTS, listRead(0, { headMs: 95 }));
    expect(cost.prefersList(CLIENTS, 10)).toBe(false);
    cost.recordList(CLIENTS, listRead(0, { headMs: 90 }));
    expect(cost.prefersList(CLIENTS, 10)).toBe(true);
    cost.recordRead(85); // the list is hardly worse now
    expect(cost.prefersList(CLIENTS, 10)).toBe(true);
  });
});

describe('measured times are kept for half a minute to a whole one', () => {
  test('an upstream that has become slow is known to be slow a minute later, one that has become fast at once', () => {
    const { cost, pass } = observed();
    cost.recordList(CLIENTS, listRead(records(1_000)));
    cost.recordRead(1);
    expect(cost.prefersList(CLIENTS, 64)).toBe(false);
    for (const seconds of [20, 20, 20]) {
      pass(seconds * SECOND);
      cost.recordList(CLIENTS, listRead(records(1_000)));
      cost.recordRead(300);
    }
    expect(cost.prefersList(CLIENTS, 64)).toBe(true);
    cost.recordRead(1);
    expect(cost.prefersList(CLIENTS, 64)).toBe(false);
  });

  test('a list whose head was late once is tried again', () => {
    const { cost, pass } = observed();
    cost.recordList(CLIENTS, listRead(records(20), { headMs: 900 }));
    cost.recordRead(20);
    expect(cost.prefersList(CLIENTS, 100)).toBe(false);
    pass(MINUTE);
    cost.recordRead(20);
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
  });

  test('reads that were late once are tried again, because the heads of lists tell that upstream is fast', () => {
    const { cost, pass } = observed();
    cost.recordRead(900);
    cost.recordList(CLIENTS, listRead(records(1_000)));
    expect(cost.prefersList(CLIENTS, 50)).toBe(true);
    pass(MINUTE);
    cost.recordList(POSTS, listRead(records(10)));
    cost.recordList(CLIENTS, listRead(records(1_000)));
    expect(cost.prefersList(CLIENTS, 50)).toBe(false);
  });
});

test('the size of a list is kept for ten minutes, so that a large one is rarely tried', () => {
  const { cost, pass } = observed();
  cost.recordSize(CLIENTS, records(2_000));
  pass(10 * MINUTE - 1);
  const read = () => {
    cost.recordRead(1);
    cost.recordList(POSTS, listRead(records(2_000)));
  };
  read();
  expect(cost.comparison(CLIENTS, 100)).toMatch(/^the list is predicted/);
  pass(1);
  expect(cost.comparison(CLIENTS, 100)).toMatch(/^the size of the list is not known yet/);
  cost.recordList(CLIENTS, listRead(records(10)));
  expect(cost.prefersList(CLIENTS, 100)).toBe(true); // the old size does not count in the new one
});

describe('until a read by id was seen, it is taken to be as fast as the fastest head of any list', () => {
  test('that of the list itself, when no other was read', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, listRead(records(20), { headMs: 50 }));
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
  });

  test('or of another one, because upstream may take long to build one list', () => {
    const { cost } = observed();
    cost.recordList(CLIENTS, listRead(records(20), { headMs: 390 }));
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
    cost.recordList(POSTS, listRead(records(20), { headMs: 5 }));
    expect([CLIENTS, POSTS].map((endpoint) => cost.prefersList(endpoint, 100))).toEqual([false, true]);
  });
});

describe('a list that is held here', () => {
  test('costs one round trip, however large it is, or without a known size', () => {
    const { cost } = observed();
    cost.recordRead(40);
    cost.recordList(CLIENTS, listRead(records(10_000), { headMs: 40, transferMs: 3_000 }));
    for (const endpoint of [CLIENTS, POSTS]) {
      expect(cost.prefersList(endpoint, 100)).toBe(endpoint === POSTS);
      expect(cost.prefersList(endpoint, 100, true)).toBe(true);
      expect(cost.comparison(endpoint, 100, true)).toBe(
        'the list, which is held here, is predicted to take 40.0 ms, the reads 160.0 ms',
      );
    }
  });

  test('is not preferred where its head takes longer than the reads', () => {
    const { cost } = observed();
    cost.recordRead(40);
    cost.recordList(CLIENTS, listRead(records(10), { headMs: 400 }));
    expect(cost.prefersList(CLIENTS, 30, true)).toBe(false);
  });
});

describe('the bounds of a list that is read instead of records by id', () => {
  const TIME = { timeoutMs: 10_000, msLeft: 60_000 };
  const MB = 1024 ** 2;

  test('are what the reads would take, until the time of its transfer is known', () => {
    const { cost } = observed();
    cost.recordRead(300);
    const cap = { bytes: 120 * MB, ms: 1_200, isCutShort: false }; // 10 ms for a megabyte
    expect(cost.cap(CLIENTS, 100, TIME)).toEqual(cap);
    cost.recordSize(CLIENTS, records(2_000));
    expect(cost.cap(CLIENTS, 100, TIME)).toEqual(cap);
  });

  test('are half a second at least, and a quarter of the deadline at most', () => {
    const { cost } = observed();
    cost.recordRead(1);
    expect(cost.cap(CLIENTS, 40, TIME)).toMatchObject({ ms: 500 });
    expect(cost.cap(CLIENTS, 40, { ...TIME, timeoutMs: 1_000 })).toMatchObject({ ms: 250 });
    expect(cost.cap(CLIENTS, 100_000, TIME)).toMatchObject({ ms: 2_500 });
  });

  test('of a known list are twice its time, and a quarter of the deadline at least', () => {
    const { cost } = observed();
    cost.recordRead(300);
    cost.recordList(CLIENTS, listRead(records(10)));
    expect(cost.cap(CLIENTS, 100, TIME)).toEqual({ bytes: Infinity, ms: 2_500, isCutShort: false });
    cost.recordList(POSTS, listRead(1, { headMs: 2_000, transferMs: 0, parseCpuMs: 0 }));
    expect(cost.cap(POSTS, 100, TIME)).toMatchObject({ ms: 4_000 });
  });

  test('of a list that is needed are half of the deadline at least, and no number of bytes', () => {
    expect(observed().cost.cap(CLIENTS, 100, TIME, true)).toEqual({ bytes: Infinity, ms: 5_000, isCutShort: false });
  });

  test('leave half of the time of the operation', () => {
    const { cost } = observed();
    expect(cost.cap(CLIENTS, 100, { ...TIME, msLeft: 300 })).toMatchObject({ ms: 150, isCutShort: true });
    expect(cost.cap(CLIENTS, 100, { ...TIME, msLeft: -5 })).toMatchObject({ ms: 1, isCutShort: true });
  });
});

test('a list is slow when it takes longer than the reads one after the other', () => {
  const { cost } = observed();
  cost.recordRead(10);
  expect(cost.isSlow(CLIENTS, 2)).toBe(false); // its size is not known
  cost.recordList(CLIENTS, listRead(1, { headMs: 25, transferMs: 0, parseCpuMs: 0 }));
  expect([2, 3].map((count) => cost.isSlow(CLIENTS, count))).toEqual([true, false]);
});
