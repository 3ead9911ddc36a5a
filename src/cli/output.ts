import { hostname } from 'node:os';
import { logsForMachines } from '../config.ts';

/** @returns the exit code */
export function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
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
  stream.write(logsForMachines() ? `${JSON.stringify(line)}\n` : text);
}
