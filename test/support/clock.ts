import type { RequestListener } from 'node:http';
import { onTestFinished, vi } from 'vitest';

/**
 * Stops `performance.now`, by which the gateway measures upstream calls, until the test ends. Time passes only in answers
 * of `takes` and by `pass`, so a busy machine makes no call look slow. Timers go on.
 */
export function stoppedClock() {
  let now = 0;
  const reading = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void reading.mockRestore());
  return {
    pass: (ms: number) => void (now += ms),
    /** An answer that appears to take this many milliseconds. It is sent at once. */
    takes:
      (ms: number, answer: RequestListener): RequestListener =>
      (request, response) => {
        now += ms;
        answer(request, response);
      },
  };
}

/**
 * Lets each step of long work take all the time of its turn of the event loop, until the test ends: a step more is a turn
 * more, on any machine.
 *
 * @returns counts the turns so far in which long work went on
 */
export function longSteps(): () => number {
  let [now, turns] = [performance.now(), 0];
  const reading = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
  const { setImmediate } = globalThis;
  const waiting = vi.spyOn(globalThis, 'setImmediate').mockImplementation((callback, ...args) => {
    if (callback.name === 'onTurn') turns += 1;
    return setImmediate(callback, ...args);
  });
  onTestFinished(() => {
    reading.mockRestore();
    waiting.mockRestore();
  });
  return () => turns;
}
