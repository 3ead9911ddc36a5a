import { z } from 'zod';
import type { Definition } from './definition.ts';
import { entryPath, quoted } from './entry-path.ts';
import { checksumOf } from './fingerprint.ts';
import { ambiguousKeys } from './json-keys.ts';
import { SnapshotError } from './snapshot-error.ts';

// The file `flex.schema.json`: definitions as they were pulled, and the names that people review. See docs/decisions/0046.

const fieldType = z.string({ error: 'takes a text' }).min(1, 'takes a text that is not empty').nullable();

const fieldDefinition = z.union(
  [fieldType, z.strictObject({ type: fieldType, required: z.literal(true) })],
  'takes a type, or an object with type and required',
);

const names = z.array(z.string());

const tableDefinition = z.strictObject({
  fields: z.record(z.string(), fieldDefinition),
  indexes: z.record(z.string(), z.string()).optional(),
  indexed_fields: names.optional(),
});

const tablesDefinition = z.strictObject({ tables: z.record(z.string(), tableDefinition) });

const method = z.union([
  z.literal(true),
  z.strictObject({
    allowed_fields: names.optional(),
    required_fields: names.optional(),
    default_values: names.optional(),
    auto_fields: names.optional(),
    allowed_params: names.optional(),
    scope_by: z.string().optional(),
  }),
]);

const storedDatabase = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  code: z.string().nullable(),
  schema: z.union([tablesDefinition, tableDefinition], 'takes either fields or tables'),
  public_methods: z.partialRecord(z.enum(['list', 'get', 'create', 'update', 'delete', 'search']), method),
  checksum: z.string(),
});

/** A definition in the file, with the checksum of it. */
export type StoredDatabase = Definition & { readonly checksum: string };

/** Names in GraphQL are short. */
const MAX_NAME = 100;

/** A name in GraphQL. An empty one has not been chosen yet. */
const name = z.string({ error: 'takes a name' }).max(MAX_NAME, `takes a name of ${MAX_NAME} characters at most`);

const fieldName = z.union(
  [z.null(), name, z.strictObject({ name, enum: name.optional(), references: name.optional(), as: name.optional() })],
  `takes a name of ${MAX_NAME} characters at most, null, or an object with a name and, as needed, enum, references and as`,
);

const tableNames = z.strictObject({ type: name, list: name, one: name, fields: z.record(z.string(), fieldName) });

const databaseNames = z.strictObject({
  query: name,
  type: name,
  untabled: name.optional(),
  public: z.strictObject({ query: name, type: name, row: name }).optional(),
  table: tableNames.optional(),
  tables: z.record(z.string(), tableNames).optional(),
});

const snapshot = z.strictObject({
  version: z.literal(1, 'takes 1: this version of trivium knows no other format'),
  databases: z.record(z.string(), storedDatabase),
  names: z.record(z.string(), databaseNames),
});

/** The name of a field: a text, null for one that is left to `extra`, or an object with what it refers to. */
export type FieldName = z.output<typeof fieldName>;
export type TableNames = z.output<typeof tableNames>;
export type DatabaseNames = z.output<typeof databaseNames>;

/** A snapshot whose form is right. Its names are checked by `modelOf`. */
export interface Snapshot {
  readonly version: 1;
  /** By the code, or by the id of a database without one. */
  readonly databases: Readonly<Record<string, StoredDatabase>>;
  readonly names: Readonly<Record<string, DatabaseNames>>;
}

/** Longer files are refused, in bytes. 100 databases of 50 fields have about 700 kB. */
export const MAX_SNAPSHOT_BYTES = 8 * 1024 ** 2;

/**
 * Reads the text of a snapshot.
 *
 * @throws SnapshotError for a text that is no snapshot, and for a definition that was changed by hand
 */
export function readSnapshot(text: string): Snapshot {
  if (Buffer.byteLength(text) > MAX_SNAPSHOT_BYTES)
    throw new SnapshotError([
      `The snapshot is larger than ${MAX_SNAPSHOT_BYTES} bytes: pull fewer databases with --db.`,
    ]);
  const value = parsed(text);
  const twice = ambiguousKeys(text).map(
    (key) =>
      `The key ${quoted(key)} ${key === '__proto__' ? 'is not taken' : 'appears twice in one object: remove one'}.`,
  );
  if (twice.length > 0) throw new SnapshotError(twice);
  const { data, error } = snapshot.safeParse(value);
  if (error) throw new SnapshotError(error.issues.map(lineOf));
  const problems = Object.entries(data.databases).flatMap(([key, database]) => problemsOf(key, database));
  if (problems.length > 0) throw new SnapshotError(problems);
  return data;
}

/** The text of a snapshot: two spaces, and a newline at its end. */
export function snapshotText(snapshot: Snapshot): string {
  return `${JSON.stringify(snapshot, null, 2)}\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SnapshotError([
      'The snapshot is no JSON: take the last version of it, or write it anew by `trivium flex pull`.',
    ]);
  }
}

function lineOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  const at = path.length === 0 ? 'The snapshot' : `${entryPath(path)}:`;
  if (issue.code === 'unrecognized_keys')
    return `${at} has the key ${quoted(issue.keys[0] ?? '')}, which is not known: remove it.`;
  const advice = path[0] === 'databases' ? 'definitions are not edited: run `trivium flex pull`' : message;
  return `${at} ${advice}.`;
}

function problemsOf(key: string, database: StoredDatabase): string[] {
  const at = entryPath(['databases', key]);
  const pull = `run \`trivium flex pull\`, and edit names only`;
  if ((database.code ?? database.id) !== key)
    return [`${at}: the key is not the code ${quoted(database.code ?? database.id)}: ${pull}.`];
  if (checksumOf(database) !== database.checksum) return [`${at}: the definition was changed by hand: ${pull}.`];
  return [];
}
