import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import { errorCode } from '../system.ts';
import type { OnDrift } from './changes/definition-watch.ts';
import { SnapshotError } from './snapshot/snapshot-error.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/**
 * Reads the file of FLEX_SCHEMA, and makes something of it. The code of snapshots is loaded now.
 *
 * @param use may throw a SnapshotError, too
 * @throws ConfigError for a file that cannot be read or used: with a line for each problem
 */
export async function useFlexSnapshot<T>(file: string, use: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
  const reading = readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`FLEX_SCHEMA: ${JSON.stringify(file)} cannot be read: ${reasonOf(error)}.`);
  });
  const [{ readSnapshot }, read] = await Promise.all([import('./snapshot/snapshot.ts'), reading]);
  try {
    return await use(readSnapshot(read));
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const lines = error.message.split('\n').map((line) => `FLEX_SCHEMA: ${JSON.stringify(file)}: ${line}`);
    throw new ConfigError(lines.join('\n'));
  }
}

/** Says why a file cannot be read or written. */
export function reasonOf(error: unknown): string {
  return errorCode(error) ?? 'it is no text';
}

/** Creates a function that logs databases that differ from FLEX_SCHEMA. */
export function driftLog(log: Logger): OnDrift {
  const seen = {
    changed: 'a database has another definition than in FLEX_SCHEMA, whose types stay until the next start',
    missing: 'a caller does not have a database of FLEX_SCHEMA: it is gone, or of another account',
  };
  return (drift, databases) => log.warn({ databases }, seen[drift]);
}
