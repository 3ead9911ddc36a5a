import { expect, onTestFinished, vi } from 'vitest';

/** For a gateway's settings: a deadline that comes when the test says so. No other timer is as long. */
export const HELD = { UPSTREAM_TIMEOUT_MS: 599_000, OPERATION_TIMEOUT_MS: 3_600_000 };

/** A timer that comes when the test says so. */
interface HeldTimer {
  readonly ms: number;
  readonly reach: () => void;
}

/** The deadline of the read that verifies a write without a response. */
const LOOK_MS = 2_000;

/**
 * Holds the timers that the test picks by their function and time, until it ends.
 *
 * @param neverMs timers of this length never fire
 */
export function heldTimers(isHeld: (reach: { readonly name: string }, ms: number) => boolean, neverMs?: number) {
  const { setTimeout, clearTimeout } = globalThis;
  const open = new Map<unknown, HeldTimer>();
  let begun = 0;
  const starting = vi.spyOn(globalThis, 'setTimeout').mockImplementation((reach, ms = 0, ...args) => {
    if (ms === neverMs) return setTimeout(() => {}, 2 ** 30);
    if (!isHeld(reach, ms)) return setTimeout(reach, ms, ...args);
    const timer = setTimeout(() => {}, 2 ** 30);
    begun += 1;
    open.set(timer, { ms, reach: () => reach(...args) });
    return timer;
  });
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    open.delete(timer);
    clearTimeout(timer);
  });
  onTestFinished(() => {
    starting.mockRestore();
    clearing.mockRestore();
  });
  return {
    /** How many there were so far. */
    begun: () => begun,
    /** How many have neither come nor been cleared. */
    open: () => open.size,
    /** Lets those come that are no longer than this. */
    come: (longest: number) => {
      for (const [timer, { ms, reach }] of [...open]) {
        if (ms <= longest && open.delete(timer)) reach();
      }
    },
  };
}

/**
 * The deadlines of all calls under `HELD`, until the test ends. No test waits for them, and a busy machine that is late
 * with an answer brings none of them on. The shorter deadlines of verifying reads never fire.
 */
export function heldDeadlines() {
  const { begun, open, come } = heldTimers((_reach, ms) => ms === HELD.UPSTREAM_TIMEOUT_MS, LOOK_MS);
  return {
    /** How many there were so far. A call has one. */
    begun,
    /** Waits until this is what the test sees, with so many calls under way, and lets their deadlines come. */
    comeWhen: async (underWay: number, seen: () => unknown = () => [], expected: unknown = []) => {
      await expect.poll(() => ({ underWay: open(), seen: seen() })).toEqual({ underWay, seen: expected });
      come(Infinity);
    },
  };
}
