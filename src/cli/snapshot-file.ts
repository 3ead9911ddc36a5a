import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { reasonOf } from '../flex-snapshot.ts';
import { SnapshotError } from '../typed-flex/snapshot/snapshot-error.ts';
import type { Snapshot } from '../typed-flex/snapshot/snapshot.ts';
import { UsageError } from './usage-error.ts';

/** The file of FLEX_SCHEMA, else `flex.schema.json` in the current folder. */
export function defaultFile({ FLEX_SCHEMA }: Config): string {
  return FLEX_SCHEMA === '' ? 'flex.schema.json' : FLEX_SCHEMA;
}

/**
 * Reads the snapshot in a file.
 *
 * @param read reads its text
 * @returns undefined without a file
 * @throws UsageError for one that cannot be read, or is no snapshot: a line for each problem
 */
export async function readSnapshotFile(file: string, read: (text: string) => Snapshot): Promise<Snapshot | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (reasonOf(error) === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  });
  try {
    return text === undefined ? undefined : read(text);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const lines = error.message.split('\n').map((line) => `${file}: ${line}`);
    throw new UsageError(lines.join('\n'), { cause: error });
  }
}
