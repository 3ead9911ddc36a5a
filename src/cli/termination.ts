import { constants } from 'node:os';
import { isatty } from 'node:tty';

/** A terminal signals all processes of a command, and npm passes its own signal on: so soon after another one it is the same. */
const SAME_SIGNAL_MS = 50;

/**
 * Resolves at the first SIGTERM or SIGINT. A later one ends the process at once, with 128 and the signal's number as its
 * exit code.
 */
export async function terminationSignal(): Promise<void> {
  let first: number | undefined;
  await new Promise<void>((resolve) => {
    const onSignal = (name: 'SIGTERM' | 'SIGINT') => {
      if (first === undefined) {
        first = performance.now();
        resolve();
      } else if (performance.now() - first >= SAME_SIGNAL_MS) {
        // oxlint-disable-next-line unicorn/no-process-exit -- requests in flight would keep the process running
        process.exit(128 + constants.signals[name]);
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

const STANDARD_STREAMS = [0, 1, 2];

/**
 * Calls `action` at each SIGHUP from now on. In a terminal it does nothing: SIGHUP says there that the terminal was closed, and
 * ends the process, as Node has it.
 *
 * @param isTerminal whether a file descriptor is one
 */
export function onHangup(action: () => unknown, isTerminal: (descriptor: number) => boolean = isatty): void {
  if (!STANDARD_STREAMS.some((descriptor) => isTerminal(descriptor))) process.on('SIGHUP', action);
}

/** The errors that nobody handles: without a handler for them Node ends the process in the midst of all requests. */
export interface UncaughtErrors {
  /** Resolves at the first one: the state of the process is unknown from then on, so it shall end. */
  readonly first: Promise<void>;
  /** The exit code of the process: 1 when there was one. */
  readonly exitCode: () => 0 | 1;
}

/**
 * Handles exceptions that nobody catches and rejections that nobody handles.
 *
 * @param report called with the stack of each of them
 */
export function uncaughtErrors(report: (stack: string) => void): UncaughtErrors {
  let exitCode: 0 | 1 = 0;
  const first = new Promise<void>((resolve) => {
    // Node raises a rejection that nobody handles as an exception.
    process.on('uncaughtException', (error: unknown) => {
      exitCode = 1;
      report(error instanceof Error && error.stack !== undefined ? error.stack : `A ${typeof error} was thrown.`);
      resolve();
    });
  });
  return { first, exitCode: () => exitCode };
}
