import { describe, expect, test } from 'vitest';
import type { ListRead } from '../../src/http/session/read-cost.ts';
import { ReadCost } from '../../src/http/session/read-cost.ts';

const CLIENTS = '/app/clients.json';
const POSTS = '/app.json';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The bytes of a list of full records. */
const records = (count: number) => count * 2_150;

/** A list as a fast upstream answers it: parsing takes 6 ms for a megabyte. */
function listRead(bytes: number, more: Partial<ListRead> = {}): ListRead {
  return { bytes, headMs: 1, transferMs: bytes * 3e-6, parseCpuMs: bytes * 6e-6, ...more };
}

/** Costs as they are seen from a clock that the test moves. */
function observed(atOnce = 32) {
  let now = 1_000;
  const cost = new ReadCost(atOnce, () => now);
  return { cost, pass: (ms: number) => void (now += ms) };
}

/** The choice for `count` ids while so many batches are under way. */
async function choiceAmong(cost: ReadCost, batches: number, count: number): Promise<boolean> {
  if (batches > 0) return cost.duringBatch(async () => choiceAmong(cost, batches - 1, count));
  return cost.prefersList(CLIENTS, count);
}

type Step = (cost: ReadCost) => void;

const read =
  (ms: number): Step =>
  (cost) =>
    cost.recordRead(ms);

/** A list of so many records that was read. */
const list =
  (count: number, more: Partial<ListRead> = {}): Step =>
  (cost) =>
    cost.recordList(CLIENTS, listRead(records(count), more));

const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

/** Steps, and for how many ids the list is preferred after them. */
type Choice = [name: string, steps: readonly Step[], ids: number, list: boolean];

const choices = (_name: string, steps: readonly Step[], ids: number, preferred: boolean) => {
  const { cost } = observed();
  for (const step of steps) step(cost);
  expect(cost.prefersList(CLIENTS, ids)).toBe(preferred);
};

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

describe('with the size known, the way that costs less is preferred', () => {
  test.each([
    ['2,000 records of a fast upstream lose against 100 reads', 2_000, 1, 100, false],
    ['and win against all 2,000', 2_000, 1, 2_000, true],
    ['50 records win against 50 reads', 50, 1, 50, true],
    ['and lose against three', 50, 1, 3, false],
    ['1,000 records win against 100 reads where each takes 100 ms', 1_000, 100, 100, true],
    ['and lose against the reads that are sent at once', 1_000, 100, 32, false],
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

  const slower = (msPerByte: number) => list(500, { parseCpuMs: records(500) * msPerByte });
  const cold = list(250, { headMs: 2, parseCpuMs: records(250) * 35e-6 });
  const empty: Step = (cost) => cost.recordList(CLIENTS, listRead(2, { headMs: 2 }));
  const transferred = (transferMs: number) => [read(20), list(200, { headMs: 20, transferMs })];
  const larger = [read(1), list(2_000), list(10)];

  test.each<Choice>([
    ['parsing makes a list cost little', [read(1), list(500), slower(1e-6)], 60, true],
    ['parsing that takes longer makes a list cost more', [read(1), list(500), slower(20e-6)], 60, false],
    ['the first parsing of a list does not count: the parser is not compiled yet', [cold], 50, true],
    ['the second one counts', [cold, cold], 50, false],
    ['the first parsing after an empty list does not count, either', [empty, cold], 50, true],
    ['the second one after an empty list counts', [empty, cold, cold], 50, false],
    ['a fast transfer makes a list cost little', transferred(2), 100, true],
    ['a transfer that is slower than receiving makes a list cost more', transferred(80), 100, false],
    ['the size is the mean of the last readings: callers see lists of different sizes', larger, 100, false],
    ['the size follows the last readings', [...larger, ...times(10, list(10))], 100, true],
    ['an empty list costs one call', [list(0)], 5, true],
  ])('%s', choices);
});

describe('load is not learned as a slow upstream', () => {
  const late = { headMs: 800, transferMs: 500, parseCpuMs: 900 };
  const long: Step = (cost) => cost.recordList(CLIENTS, listRead(10e6, { headMs: 300, parseCpuMs: 60_000 }));

  test.each<Choice>([
    [
      'reads that waited for each other do not count beside one that did not',
      [list(2_000), read(1), ...times(100, read(600))],
      100,
      false,
    ],
    [
      'a latency within the CPU time of one round is that of the fastest head, if that is less',
      [list(150, { headMs: 0.3 }), read(1.2)], // as reads take that are sent together to an upstream without any latency
      15,
      false,
    ],
    [
      'a list that was received and parsed late does not count beside one that was not',
      [read(5), ...times(2, list(50)), ...times(100, list(50, late))],
      50,
      true,
    ],
    ['other work between the pieces of a long list counts up to a bound', [read(300), ...times(2, long)], 100, true],
  ])('%s', choices);

  test('CPU time counts for each batch under way, so that a busy process reads less', async () => {
    const { cost } = observed();
    cost.recordRead(100);
    cost.recordList(CLIENTS, listRead(records(5_000), { headMs: 100 }));
    expect(await choiceAmong(cost, 1, 100)).toBe(true);
    expect(await choiceAmong(cost, 8, 100)).toBe(false);
    expect(await choiceAmong(cost, 1, 100)).toBe(true); // those batches have ended
  });

  test('a batch that fails ends, too', async () => {
    const { cost } = observed();
    cost.recordRead(100);
    cost.recordList(CLIENTS, listRead(records(5_000), { headMs: 100 }));
    await Promise.allSettled(Array.from({ length: 8 }, async () => cost.duringBatch(fails)));
    expect(cost.prefersList(CLIENTS, 100)).toBe(true);
  });
});

describe('a choice is kept until the other way costs less by a tenth', () => {
  // A list of no bytes whose head takes this long, against 10 reads that take 1.7 ms of CPU and 98.3 ms of waiting.
  const headOf = (cost: number) => cost - 0.17;
  const observedAt = (costOfList: number) => {
    const { cost } = observed();
    cost.recordRead(98.3);
    cost.recordList(CLIENTS, listRead(0, { headMs: headOf(costOfList) }));
    return cost;
  };

  test.each([
    ['the list', 10, 109, true],
    ['no longer the list', 10, 111, false],
  ])('five ids or more begin with the list: %s', (_name, count, costOfList, preferred) => {
    expect(observedAt(costOfList).prefersList(CLIENTS, count)).toBe(preferred);
  });

  test('after reads by id were chosen, a list that is hardly better does not change the choice', () => {
    const cost = observedAt(120);
    expect(cost.prefersList(CLIENTS, 10)).toBe(false);
    cost.recordList(CLIENTS, listRead(0, { headMs: headOf(95) }));
    expect(cost.prefersList(CLIENTS, 10)).toBe(false);
    cost.recordList(CLIENTS, listRead(0, { headMs: headOf(90) }));
    expect(cost.prefersList(CLIENTS, 10)).toBe(true);
    cost.recordRead(90); // the list is hardly worse now
    expect(cost.prefersList(CLIENTS, 10)).toBe(true);
  });

  test('the choice for a few ids says nothing of that for many', () => {
    const cost = observedAt(120);
    expect(cost.prefersList(CLIENTS, 10)).toBe(false);
    expect(cost.prefersList(CLIENTS, 40)).toBe(true);
    expect(cost.prefersList(CLIENTS, 10)).toBe(false);
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
    expect(cost.prefersList(CLIENTS, 50)).toBe(false);
  });

  test('without any of them, the CPU time decides', () => {
    const { cost, pass } = observed();
    cost.recordRead(300);
    cost.recordList(CLIENTS, listRead(records(2_000)));
    cost.recordList(POSTS, listRead(records(20)));
    pass(2 * MINUTE);
    expect([CLIENTS, POSTS].map((endpoint) => cost.prefersList(endpoint, 100))).toEqual([false, true]);
  });
});

test('the size of a list is kept for ten minutes, so that a large one is rarely tried', () => {
  const { cost, pass } = observed();
  cost.recordList(CLIENTS, listRead(records(2_000)));
  pass(10 * MINUTE - 1);
  expect(cost.prefersList(CLIENTS, 100)).toBe(false);
  pass(1);
  expect(cost.prefersList(CLIENTS, 100)).toBe(true);
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
        'the list, which is held here, is predicted to cost 40.0 ms, the reads 160.4 ms',
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

test('a size that is told decides as one that was read', () => {
  const { cost } = observed();
  cost.recordRead(1);
  cost.recordSize(CLIENTS, records(2_000));
  expect(cost.prefersList(CLIENTS, 100)).toBe(false);
  expect(cost.prefersList(CLIENTS, 2_000)).toBe(true);
});

describe('the bounds of a list that is read instead of records by id', () => {
  const TIME = { timeoutMs: 10_000, msLeft: 60_000 };
  const MB = 1024 ** 2;

  test('are what the reads would cost, until the time of its transfer is known', () => {
    const { cost } = observed();
    cost.recordRead(300);
    // Four rounds of 300 ms, of which three overlap with the 2.88 ms of a round, and 9 ms for 100 calls: 1,200.36 ms.
    const cap = { bytes: Math.ceil((1_200.36 / 5) * MB), ms: 1_201, isCutShort: false };
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
    cost.recordList(POSTS, listRead(0, { headMs: 2_000 }));
    cost.recordList(POSTS, listRead(1, { headMs: 2_000, transferMs: 0, parseCpuMs: 0 }));
    expect(cost.cap(POSTS, 100, TIME)).toMatchObject({ ms: 4_001 });
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
