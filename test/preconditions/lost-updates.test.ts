import { describe, expect, test } from 'vitest';
import { heldTimers } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import {
  type CallersOptions,
  type Change,
  lostByHistory,
  lostByLog,
  register,
  type RegisterOptions,
  runCallers,
  untrueEnds,
} from '../support/lost-updates.ts';

// Many callers read and change one record. CHECK_ROUNDS=100 tries more.

const ROUNDS = Number(process.env['CHECK_ROUNDS'] ?? 1);

/** The time of a write that may be late. Its lease is a second longer. */
const TIMEOUT_MS = 10_000;

const CALLERS = { callers: 8, changes: 3 };

async function round(callers: CallersOptions, upstream: RegisterOptions) {
  const { url, log, pending } = await register(upstream);
  const leases = heldTimers((_reach, ms) => ms > TIMEOUT_MS && ms <= TIMEOUT_MS + 1_000);
  // The lease of a write of unknown outcome ends after the write.
  const ending = setInterval(() => pending() === 0 && leases.come(Infinity), 5);
  const gateway = await gatewayOver(url, { CRM_URL: new URL(url) }, 'token');
  const history = await runCallers([gateway], callers);
  await expect.poll(pending).toBe(0);
  clearInterval(ending);
  const ends = history.filter(({ end }) => end === 'applied' || end === 'unknown');
  expect(ends).toHaveLength(callers.callers * callers.changes);
  expect(untrueEnds(history, log)).toEqual([]);
  return { history, lost: lostByHistory(history), lostAtUpstream: lostByLog(history, log) };
}

const none = { lost: [], lostAtUpstream: [] };

describe(`${ROUNDS} times eight callers of one gateway`, () => {
  test(
    'lose no update with ifUpdatedAt',
    async () => {
      for (let seed = 1; seed <= ROUNDS; seed += 1) {
        const { history, ...found } = await round({ ...CALLERS, isGuarded: true }, { seed });
        expect({ seed, ...found }).toEqual({ seed, ...none });
        expect(history.filter(({ end }) => end === 'conflict').length).toBeGreaterThan(10);
      }
    },
    ROUNDS * 300_000,
  );

  test('lose updates without it, which the checker finds', async () => {
    const { lost, lostAtUpstream } = await round({ ...CALLERS, isGuarded: false }, { seed: 1 });
    expect(lost.length).toBeGreaterThan(10);
    expect(lostAtUpstream.length).toBeGreaterThanOrEqual(lost.length);
  });

  test('may lose updates within one second, where times have seconds', async () => {
    const { lost } = await round({ ...CALLERS, isGuarded: true }, { seed: 1, times: 'seconds' });
    expect(lost.length).toBeGreaterThan(0);
  });

  test(
    'lose none to a write of unknown outcome that arrives late',
    async () => {
      for (let seed = 1; seed <= ROUNDS; seed += 1) {
        const callers = { callers: 4, changes: 2, isGuarded: true, timeoutMs: TIMEOUT_MS };
        const { history, ...found } = await round(callers, { seed, lateOf: 5 });
        expect({ seed, ...found }).toEqual({ seed, ...none });
        expect(history.some(({ end }) => end === 'unknown')).toBe(true);
      }
    },
    ROUNDS * 300_000,
  );
});

describe('the checker', () => {
  const change = (based: string, wrote: string, end: Change['end'] = 'applied'): Change => ({ based, wrote, end });

  test('finds nothing where each change was made of the one before', () => {
    const history = [change('first', 'a'), change('a', 'b'), change('first', 'x', 'conflict')];
    const log = [
      { from: 'first', to: 'a' },
      { from: 'a', to: 'b' },
    ];
    expect([lostByHistory(history), lostByLog(history, log), untrueEnds(history, log)]).toEqual([[], [], []]);
  });

  test('finds two changes of one value, whose order only upstream knows', () => {
    const history = [change('first', 'a'), change('first', 'b')];
    const log = [
      { from: 'first', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(lostByHistory(history)).toEqual(['b']);
    expect(lostByLog(history, log)).toEqual([{ from: 'b', to: 'a' }]);
  });

  test('finds an unknown change that overwrites, and ends that are not true', () => {
    const history = [change('first', 'a'), change('first', 'late', 'unknown'), change('a', 'x', 'conflict')];
    const log = [
      { from: 'first', to: 'a' },
      { from: 'a', to: 'late' },
      { from: 'late', to: 'x' },
    ];
    expect(lostByHistory(history)).toEqual([]);
    expect(lostByLog(history, log)).toEqual([log[1], log[2]]);
    expect(untrueEnds(history, log)).toEqual([history[2]]);
    expect(untrueEnds([change('first', 'never')], log)).toHaveLength(1);
  });
});
