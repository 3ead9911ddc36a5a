import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { FlexSource } from '../apis/flex/source.ts';
import type { FlexDbRecord } from '../apis/flex/wire.ts';
import { GatewayError } from '../errors.ts';
import { flexApiOf } from '../apis/apis.ts';
import { Upstreams } from '../apis/upstreams.ts';
import { reasonOf } from '../typed-flex/flex-schema.ts';
import { schema } from '../apis/schema.ts';
import { diffSnapshots } from '../typed-flex/changes/diff.ts';
import { pull } from '../typed-flex/changes/pull.ts';
import { fieldCount } from '../typed-flex/snapshot/definition.ts';
import { SnapshotError } from '../typed-flex/snapshot/snapshot-error.ts';
import { readReplaceable, readSnapshot, type Snapshot, snapshotText } from '../typed-flex/snapshot/snapshot.ts';
import { callerWith, explainFailure, tokenFromSetting } from './doctor.ts';
import { print, printError } from './output.ts';
import { textOrNone, textsOrNone, UsageError, type Values } from './usage.ts';

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

/**
 * The file of a command: the given one, else that of FLEX_SCHEMA, else `flex.schema.json` in the current folder.
 *
 * @throws UsageError for a file that is given twice
 */
function snapshotFile(values: Values, { FLEX_SCHEMA }: Config, given: string | undefined): string {
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
async function readSnapshotFile(file: string, read: (text: string) => Snapshot): Promise<Snapshot | undefined> {
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

/**
 * Reads the whole records of all databases, with the token of the settings.
 *
 * @throws UsageError for a read that fails, in words that say what to do
 */
async function readDatabases(config: Config): Promise<readonly FlexDbRecord[]> {
  const upstreams = new Upstreams(config);
  const { flex } = upstreams.context(callerWith({ authorization: `Bearer ${config.API_TOKEN}` }));
  try {
    return await wholeRecords(flex);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const why = explainFailure(error, flexApiOf(config).setting, tokenFromSetting('API_TOKEN', config.API_TOKEN));
    throw new UsageError(`flex: ${why}`, { cause: error });
  } finally {
    await upstreams.close();
  }
}

/** Not documented (A222): whether the list has whole records. One that lacks a schema or methods is read by its id. */
async function wholeRecords(flex: FlexSource): Promise<readonly FlexDbRecord[]> {
  const databases = await flex.databases();
  const [problem] = databases.problems;
  if (problem) throw problem; // a database that is left out would be taken for one that is gone
  return Promise.all(
    Array.from(databases, (database) => {
      const isWhole = Object.hasOwn(database, 'schema') && Object.hasOwn(database, 'public_methods');
      return isWhole ? database : flex.database(database.id);
    }),
  );
}
