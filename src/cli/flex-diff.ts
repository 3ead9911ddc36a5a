import type { Config } from '../config.ts';
import { schema } from '../schema.ts';
import { diffSnapshots } from '../typed-flex/changes/diff.ts';
import { pull } from '../typed-flex/changes/pull.ts';
import { readSnapshot } from '../typed-flex/snapshot/snapshot.ts';
import { readDatabases } from './flex-databases.ts';
import { print, printError } from './output.ts';
import { readSnapshotFile, snapshotFile } from './snapshot-file.ts';
import { UsageError } from './usage-error.ts';
import { textsOrNone, type Values } from './values.ts';

/**
 * `trivium flex diff`: compares the file with what a pull would write, and writes nothing.
 *
 * @returns 2 when a database could not be compared, 1 when a change of the GraphQL schema is breaking, else 0
 */
export async function runDiff(values: Values, config: Config, given?: string): Promise<number> {
  if (values['out'] !== undefined) throw new UsageError('flex diff writes no file: write --flex-schema for --out.');
  const file = snapshotFile(values, config, given);
  const before = await readSnapshotFile(file, readSnapshot);
  if (!before) throw new UsageError(`${file} does not exist: \`trivium flex pull\` writes it.`);
  const options = { only: textsOrNone(values['db']), previous: before, base: schema };
  const { snapshot, failures } = pull(await readDatabases(config), options);
  const { text, isBreaking } = await diffSnapshots(before, snapshot, schema);
  print(text === '' ? `${file}: no definition has changed.\n` : text);
  for (const failure of failures) printError(failure, 2);
  if (failures.length > 0) return 2;
  return isBreaking ? 1 : 0;
}
