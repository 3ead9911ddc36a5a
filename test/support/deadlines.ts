import { expect, onTestFinished, vi } from 'vitest';

/** For a gateway's settings: a deadline that comes when the test says so. No other timer is as long. */
export const HELD = { UPSTREAM_TIMEOUT_MS: 599_000, OPERATION_TIMEOUT_MS: 3_600_000 };

/**
 * The deadlines of all calls under `HELD`, until the test ends. No test waits for them, and a busy machine that is late
 * with an answer brings none of them on.
 */
export function heldDeadlines() {
  const { setTimeout, clearTimeout } = globalThis;
  const open = new Map<unknown, () => void>();
  let begun = 0;
  const starting = vi.spyOn(globalThis, 'setTimeout').mockImplementation((reach, ms, ...args) => {
    const timer = setTimeout(reach, ms, ...args);
    if (ms === HELD.UPSTREAM_TIMEOUT_MS) {
      begun += 1;
      open.set(timer, reach);
    }
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
    /** How many there were so far. A call has one. */
    begun: () => begun,
    /** Waits until this is what the test sees, with so many calls under way, and lets their deadlines come. */
    comeWhen: async (underWay: number, seen: () => unknown = () => [], expected: unknown = []) => {
      await expect.poll(() => ({ underWay: open.size, seen: seen() })).toEqual({ underWay, seen: expected });
      for (const reach of open.values()) reach();
    },
  };
}
