import { hostname } from 'node:os';
import { logsForMachines } from '../config.ts';
import { droppedLines, errorCode } from '../system.ts';

/**
 * Prints the result of a command. Ends the process with 2 when standard output does not take it. A reader such as `head` may
 * close the pipe early.
 *
 * @returns the exit code
 */
export function print(text: string): 0 {
  // Node does not report a write that a full disk ends halfway, but the next one.
  process.stdout.write(text.slice(0, -1));
  process.stdout.write(text.slice(-1), (error) => {
    const code = errorCode(error);
    // oxlint-disable-next-line unicorn/no-process-exit -- the command would return its own exit code
    if (error && code !== 'EPIPE') process.exit(printError(`Standard output cannot be written: ${code}.`, 2));
  });
  return 0;
}

/** Prints a text of a program that serves. Where it cannot be written it is a dropped line of the log. */
export function tell(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(text, (error) => {
    if (error) droppedLines.count += 1;
  });
}

/** Prints a line to standard error. @returns the given exit code */
export function printError(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}

/** The numbers that the log has for levels. */
const LEVELS = { info: 30, fatal: 60 } as const;

/**
 * Prints what a program that serves says of itself: in production, outside of a terminal, as a line like those of its log.
 *
 * @param text for people
 * @param fields of the line, with its message as `msg`
 */
export function announce(level: keyof typeof LEVELS, text: string, fields: { readonly msg: string }): void {
  const stream = level === 'info' ? process.stdout : process.stderr;
  const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: hostname(), ...fields };
  tell(logsForMachines() ? `${JSON.stringify(line)}\n` : text, stream);
}
