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
