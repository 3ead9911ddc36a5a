import { readFile } from 'node:fs/promises';
import { ConfigError } from './config.ts';
import type { Snapshot } from './typed-flex/snapshot/snapshot.ts';

/**
 * Reads the file of FLEX_SCHEMA, and makes something of it. The code of snapshots is loaded now.
 *
 * @param use may throw a SnapshotError, too
 * @throws ConfigError for a file that cannot be read or used: with a line for each problem
 */
export async function useFlexSnapshot<T>(file: string, use: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
  const [{ readSnapshot }, { SnapshotError }, text] = await Promise.all([
    import('./typed-flex/snapshot/snapshot.ts'),
    import('./typed-flex/snapshot/snapshot-error.ts'),
    readFile(file, 'utf8').catch((error: unknown) => {
      throw new ConfigError(`FLEX_SCHEMA: ${JSON.stringify(file)} cannot be read: ${reasonOf(error)}.`);
    }),
  ]);
  try {
    return await use(readSnapshot(text));
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const lines = error.message.split('\n').map((line) => `FLEX_SCHEMA: ${JSON.stringify(file)}: ${line}`);
    throw new ConfigError(lines.join('\n'));
  }
}

/** Says why a file cannot be read or written. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'it is no text';
}
