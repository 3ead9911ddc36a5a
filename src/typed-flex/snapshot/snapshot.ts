import { z } from 'zod';
import { checksumOf, type Definition, definition, recordOf, tooLarge, tooLargeTogether } from './definition.ts';
import { ambiguousKeys } from './json-keys.ts';
import { entryPath, quoted, SnapshotError } from './snapshot-error.ts';

// The file `flex.schema.json`: definitions as they were pulled, and the names that people review. See docs/decisions/0046.

const storedDatabase = definition.extend({ checksum: z.string() });

/** A definition in the file, with the checksum of it. */
export type StoredDatabase = z.output<typeof storedDatabase>;

/** Names in GraphQL are short: these many characters at most. */
export const MAX_NAME = 100;

/** A name in GraphQL. An empty one has not been chosen yet. */
const name = z.string({ error: 'takes a name' }).max(MAX_NAME, `takes a name of ${MAX_NAME} characters at most`);

const isPlainName = (given: unknown) => typeof given === 'string' && given.length <= MAX_NAME;

const fieldName = z.union(
  [z.null(), name, z.strictObject({ name, enum: name.optional(), references: name.optional(), as: name.optional() })],
  `takes a name of ${MAX_NAME} characters at most, null, or an object with a name and, as needed, enum, references and as`,
);

const tableNames = z.strictObject(
  { type: name, list: name, one: name, fields: recordOf(fieldName, isPlainName, 'takes an object of names') },
  'takes an object with type, list, one and fields',
);

const publicNames = z.strictObject({ query: name, type: name, row: name }, 'takes an object with query, type and row');

const databaseNames = z.strictObject(
  {
    query: name,
    type: name,
    untabled: name.optional(),
    public: publicNames.optional(),
    table: tableNames.optional(),
    tables: z.record(z.string(), tableNames, 'takes an object of tables').optional(),
  },
  'takes an object with query, type, and table or tables',
);

const snapshot = z.strictObject(
  {
    version: z.literal(1, 'takes 1: this version of trivium knows no other format'),
    /** By the code, or by the id of a database without one. */
    databases: z.record(z.string(), storedDatabase, 'takes an object of databases'),
    names: z.record(z.string(), databaseNames, 'takes an object of names'),
  },
  'takes an object with version, databases and names',
);

/** Definitions may be broken: a pull replaces them. */
const replaceable = snapshot.extend({ databases: z.record(z.string(), z.unknown()) });

/** The name of a field: a text, null for one that is left to `extra`, or an object with what it refers to. */
export type FieldName = z.output<typeof fieldName>;
export type TableNames = z.output<typeof tableNames>;
export type DatabaseNames = z.output<typeof databaseNames>;

/** A snapshot whose form is right. Its names are checked by `modelOf`. */
export type Snapshot = z.output<typeof snapshot>;

/** The snapshot of no database. */
export const emptySnapshot: Snapshot = { version: 1, databases: {}, names: {} };

/** Longer files are refused, in bytes. 100 databases of 50 fields have about 700 kB. */
const MAX_BYTES = 8 * 1024 ** 2;

/**
 * Reads the text of a snapshot.
 *
 * @throws SnapshotError for a text that is no snapshot, and for a definition that was changed by hand
 */
export function readSnapshot(text: string): Snapshot {
  const data = checked(snapshot, parseBounded(text));
  const problems = Object.entries(data.databases).flatMap(([key, database]) => {
    const problem = problemOf(key, database);
    return problem === undefined ? [] : [`${entryPath(['databases', key])}: ${problem}.`];
  });
  const together = tooLargeTogether(Object.values(data.databases));
  if (together !== undefined) problems.push(`databases: ${together}: pull fewer of them with --db.`);
  if (problems.length > 0) throw new SnapshotError(problems);
  return data;
}

/**
 * Reads what the next pull keeps of a snapshot: all names, and the definitions that were not changed by hand.
 *
 * @throws SnapshotError for a text whose names cannot be read
 */
export function readReplaceable(text: string): Snapshot {
  const { databases, names, version } = checked(replaceable, parseBounded(text));
  const intact = Object.entries(databases).flatMap(([key, value]): [string, StoredDatabase][] => {
    const { data } = storedDatabase.safeParse(value);
    return data && problemOf(key, data) === undefined ? [[key, data]] : [];
  });
  return { version, databases: Object.fromEntries(intact), names };
}

/**
 * The text of a snapshot: two spaces, and a newline at its end.
 *
 * @throws SnapshotError for one that could not be read again
 */
export function snapshotText(snapshot: Snapshot): string {
  const text = `${JSON.stringify(snapshot, null, 2)}\n`;
  assertBounded(text);
  return text;
}

function assertBounded(text: string): void {
  if (Buffer.byteLength(text) <= MAX_BYTES) return;
  throw new SnapshotError([`The snapshot has more than ${MAX_BYTES} bytes: pull fewer databases with --db.`]);
}

/** Parses JSON in which no key stands twice. Some editors begin a file with a byte order mark. */
function parseBounded(text: string): unknown {
  assertBounded(text);
  const json = text.replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const at = error instanceof Error ? lineOfError(error, json) : '';
    throw new SnapshotError([
      `The snapshot is no JSON in UTF-8${at}: mend or restore the file, or remove it and run \`trivium flex pull\`.`,
    ]);
  }
  const keys = ambiguousKeys(json, value);
  if (keys.length > 0) throw new SnapshotError(keys.map((key) => `The key ${quoted(key)} ${ambiguity(key)}.`));
  return value;
}

/** The line of an error of `JSON.parse`. Empty where it tells no position. Its message is not shown: it holds a part of the text. */
function lineOfError({ message }: Error, json: string): string {
  const [, position] = /at position (\d{1,9})/.exec(message) ?? [];
  return position === undefined ? '' : `, see line ${json.slice(0, Number(position)).split('\n').length}`;
}

function ambiguity(key: string): string {
  return key === '__proto__' ? 'is not taken: remove it' : 'stands twice in one object: remove one';
}

function checked<T>(type: z.ZodType<T>, value: unknown): T {
  const { data, error } = type.safeParse(value);
  if (!error) return data;
  const first = new Map(error.issues.toReversed().map(({ path }) => [subjectOf(path), path]));
  throw new SnapshotError(error.issues.filter(({ path }) => first.get(subjectOf(path)) === path).map(lineOf));
}

/** The entry that an issue is reported for, in one line. All issues of a definition have the same line: it was changed by hand. */
function subjectOf(path: readonly PropertyKey[]): string {
  return entryPath(path[0] === 'databases' ? path.slice(0, 2) : path);
}

function lineOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const whole = key === undefined ? 'The snapshot' : 'The snapshot:';
  const at = path.length === 0 ? whole : `${entryPath(path)}:`;
  const problem = key === undefined ? message : `${quoted(key)} is no key of it: remove it`;
  return `${at} ${path[0] === 'databases' && path.length > 1 ? CHANGED : problem}.`;
}

const CHANGED = 'the definition was changed by hand: run `trivium flex pull`, and edit names only';

function problemOf(key: string, database: StoredDatabase): string | undefined {
  const large = tooLarge(database);
  if (large !== undefined) return `${large}: pull others with --db`;
  return keyOf(database) === key && checksumOf(database) === database.checksum ? undefined : CHANGED;
}

/** The key of a database in the snapshot. */
export function keyOf({ code, id }: Pick<Definition, 'code' | 'id'>): string {
  return code ?? id;
}
