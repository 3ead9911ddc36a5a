import { constants } from 'node:os';

/** A terminal signals all processes of a command, and npm passes its own signal on: so soon after another one it is the same. */
const SAME_SIGNAL_MS = 50;

/**
 * Resolves at the first SIGTERM or SIGINT. A later one ends the process at once, with 128 and the signal's number as its
 * exit code.
 *
 * @param onSecond called before that
 */
export async function terminationSignal(onSecond: () => void = () => {}): Promise<void> {
  let first: number | undefined;
  await new Promise<void>((resolve) => {
    const onSignal = (name: 'SIGTERM' | 'SIGINT') => {
      if (first === undefined) {
        first = performance.now();
        resolve();
      } else if (performance.now() - first >= SAME_SIGNAL_MS) {
        onSecond();
        // oxlint-disable-next-line unicorn/no-process-exit -- requests in flight would keep the process running
        process.exit(128 + constants.signals[name]);
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
