import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { reasonOf } from '../flex-snapshot.ts';
import { SnapshotError } from '../typed-flex/snapshot/snapshot-error.ts';
import type { Snapshot } from '../typed-flex/snapshot/snapshot.ts';
import { UsageError } from './usage-error.ts';
import type { Values } from './values.ts';

/**
 * The file of a command: the given one, else that of FLEX_SCHEMA, else `flex.schema.json` in the current folder.
 *
 * @throws UsageError for a file that is given twice
 */
export function snapshotFile(values: Values, { FLEX_SCHEMA }: Config, given: string | undefined): string {
  if (given !== undefined && values['flex-schema'] !== undefined)
    throw new UsageError(`The snapshot is given twice: leave out ${JSON.stringify(given)}, or --flex-schema.`);
  return given ?? (FLEX_SCHEMA === '' ? 'flex.schema.json' : FLEX_SCHEMA);
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
