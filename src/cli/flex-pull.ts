import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { reasonOf } from '../flex-snapshot.ts';
import { schema } from '../schema.ts';
import { fieldCount } from '../typed-flex/snapshot/bounds.ts';
import { pull } from '../typed-flex/changes/pull.ts';
import { readReplaceable, snapshotText } from '../typed-flex/snapshot/snapshot.ts';
import { readDatabases } from './flex-databases.ts';
import { print, printError } from './output.ts';
import { readSnapshotFile, snapshotFile } from './snapshot-file.ts';
import { UsageError } from './usage-error.ts';
import { textOrNone, textsOrNone, type Values } from './values.ts';

/** `trivium flex pull` @returns 1 when a database could not be read, else 0 */
export async function runPull(values: Values, config: Config): Promise<number> {
  const only = textsOrNone(values['db']);
  const file = snapshotFile(values, config, textOrNone(values['out']));
  const previous = await readSnapshotFile(file, readReplaceable);
  const { snapshot, changes, failures, openNames, hints } = pull(await readDatabases(config), {
    only,
    previous,
    base: schema,
  });
  await replaceFile(file, snapshotText(snapshot));
  const databases = Object.values(snapshot.databases);
  const fields = databases.map(fieldCount).reduce((sum, count) => sum + count, 0);
  print(`${file}: ${counted(databases.length, 'database')} with ${counted(fields, 'field')}.\n`);
  for (const change of changes) print(`  ${change}\n`);
  if (openNames.length > 0) print(`Names to write, then pull again, before a gateway starts with it:\n`);
  for (const name of openNames) print(`  ${name}\n`);
  for (const hint of hints) print(`Hint: ${hint}\n`);
  for (const failure of failures) printError(failure, 1);
  return failures.length === 0 ? 0 : 1;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Replaces a file at once: a reader, or an end in between, finds the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file); // of a link the file is replaced
  const temporary = `${target}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx', flush: true });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}
