import { expect, test } from 'vitest';
import { FairShares } from '../../src/edge/overload/fair-shares.ts';

const CALLER = 7;

/**
 * The callers of the list ask in turns, at each millisecond. One request in a millisecond can begin: that of a caller which
 * has exceeded its share only when nobody else has asked for a while.
 *
 * @returns how many requests of each caller began in the second half
 */
function begunIn(ms: number, callers: readonly number[]): Map<number, number> {
  const shares = new FairShares();
  const begun = new Map<number, number>();
  let room = 0;
  for (let now = 1; now < ms; now++) {
    room = Math.min(room + 1, 20);
    for (const caller of now % 2 === 0 ? callers : callers.toReversed()) {
      const share = shares.ask(caller, now);
      if (room < (share === 'exceeded' ? 10 : 1)) continue;
      shares.take(caller);
      shares.begun += 1;
      room -= 1;
      if (now > ms / 2) begun.set(caller, (begun.get(caller) ?? 0) + 1);
    }
  }
  return begun;
}

test('callers that ask for more than there is get equal shares', () => {
  const begun = begunIn(10_000, [1, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
  const [one = 0, nine = 0] = [begun.get(1), begun.get(9)];
  expect(nine / one).toBeGreaterThan(0.9);
  expect(nine / one).toBeLessThan(1.1);
});

test('a single caller gets all that there is', () => {
  const begun = begunIn(
    2_000,
    Array.from({ length: 5 }, () => CALLER),
  );
  expect(begun.get(CALLER)).toBeGreaterThan(0.95 * 1_000);
});

test('a caller that asks for less than its share has a small one', () => {
  const shares = new FairShares();
  const take = (caller: number) => {
    shares.take(caller);
    shares.begun += 1;
  };
  for (let now = 1; now < 1_000; now++) {
    if (shares.ask(CALLER, now) !== 'exceeded' && now % 2 === 0) take(CALLER);
    if (now % 50 !== 0) continue;
    const share = shares.ask(CALLER + 1, now);
    if (now > 500) expect(share).toBe('small');
    take(CALLER + 1);
  }
});

test('after some seconds without a request nothing is known of any caller', () => {
  const shares = new FairShares();
  const askOften = (from: number) => Array.from({ length: 300 }, (_none, ms) => shares.ask(CALLER, from + ms)).at(-1);
  expect(askOften(0)).toBe('exceeded'); // none of its requests began
  expect(shares.ask(CALLER, 10_000)).toBe('left');
});
