import { type GraphQLSchema, isObjectType } from 'graphql';
import type { FlexDbRecord } from '../../apis/flex/wire.ts';
import { refusalTypeNames } from '../../graph/refusals.ts';
import { makeNames, renamedKeys } from '../model/default-names.ts';
import { namedModel } from '../model/named-model.ts';
import { namesEntry } from '../model/naming.ts';
import { problemLines } from '../model/read-model.ts';
import { tooLargeTogether } from '../snapshot/definition.ts';
import { type ReadDefinitions, readDefinitions } from '../snapshot/read-definitions.ts';
import { entryPath, quoted, SnapshotError } from '../snapshot/snapshot-error.ts';
import { emptySnapshot, type Snapshot, type StoredDatabase, type TableNames } from '../snapshot/snapshot.ts';

type Names = Snapshot['names'];

export interface PullOptions {
  /** Ids or codes of the databases to replace or add. Undefined for all: those that are gone are dropped then. */
  readonly only?: readonly string[] | undefined;
  /** The snapshot before. */
  readonly previous?: Snapshot | undefined;
  /** The schema that types are laid over. */
  readonly base: GraphQLSchema;
}

/** A snapshot to write, and lines for people. */
export interface Pull {
  readonly snapshot: Snapshot;
  /** How it differs from the one before. */
  readonly changes: readonly string[];
  /** Databases that cannot have types. They stay as they were in the snapshot before. */
  readonly failures: readonly string[];
  /** Names that someone has to write before a gateway starts. */
  readonly openNames: readonly string[];
  /** Names that are right, but that operations have to mind. */
  readonly hints: readonly string[];
}

/**
 * Makes a snapshot of databases. The names of the snapshot before are kept, except those of tables and fields that are
 * gone.
 *
 * @param databases all databases of the account, as reads of the whole records send them
 * @throws SnapshotError for a snapshot of another account, and for a database of `only` that is missing or cannot have types
 */
export function pull(databases: readonly FlexDbRecord[], { only, previous = emptySnapshot, base }: PullOptions): Pull {
  assertSameAccount(databases, previous);
  const read = readDefinitions(databases);
  const pulled = only ? selected(only, databases, read) : read.definitions;
  const stored = Object.fromEntries(
    [...kept(previous, pulled, read.failures, only), ...withoutChurn(pulled, previous)].sort(byKey),
  );
  const together = tooLargeTogether(Object.values(stored));
  if (together !== undefined) throw new SnapshotError([`${together}: choose some with --db.`]);
  assertNamesKept(previous, stored, only);
  const names = renamedKeys(previous, stored);
  const snapshot: Snapshot = { version: 1, databases: stored, names: makeNames(stored, names, base).names };
  return {
    snapshot,
    changes: [...databaseChanges(previous, stored), ...droppedNames(names, snapshot.names)],
    failures: [...read.failures.values()],
    openNames: problemLines(namedModel(snapshot, base).problems, snapshot, base),
    hints: errorFieldHint(names, snapshot.names, base),
  };
}

/** The ids tell: codes such as `orders` are in many accounts. */
function assertSameAccount(databases: readonly FlexDbRecord[], { databases: previous }: Snapshot): void {
  const ids = new Set(databases.map(({ id }) => id));
  const before = Object.values(previous);
  if (before.length === 0 || before.some(({ id }) => ids.has(id))) return;
  throw new SnapshotError([
    'The account of API_TOKEN has none of the databases in the file: is it another account, or another address? ' +
      'Take another file with --flex-schema, or remove this one.',
  ]);
}

/** The databases that `--db` names. */
function selected(
  only: readonly string[],
  databases: readonly FlexDbRecord[],
  { definitions, failures }: ReadDefinitions,
) {
  const problems: string[] = [];
  const found = only.flatMap((idOrCode): [string, StoredDatabase][] => {
    const database = databases.find(({ id, code }) => id === idOrCode || code === idOrCode);
    const entry = [...definitions].find(([, { id }]) => id === database?.id);
    if (entry) return [entry];
    if (!database) problems.push(`--db ${quoted(idOrCode)}: the account has no such database, by code or id.`);
    else
      problems.push(
        failures.get(database.id) ?? `--db ${quoted(idOrCode)}: the database has no fields, so it has no types.`,
      );
    return [];
  });
  if (problems.length > 0) throw new SnapshotError(problems);
  return new Map(found);
}

/** The databases that stay as they were: those that were not asked for, and those that cannot be read now. */
function kept(
  previous: Snapshot,
  pulled: ReadonlyMap<string, StoredDatabase>,
  failures: ReadDefinitions['failures'],
  only: PullOptions['only'],
): [string, StoredDatabase][] {
  const ids = new Set([...pulled.values()].map(({ id }) => id));
  return Object.entries(previous.databases).filter(
    ([key, { id }]) => !ids.has(id) && !pulled.has(key) && (only || failures.has(id)),
  );
}

/** Upstream may send fields in another order each time: a definition that is the same stays as it is written. */
function withoutChurn(pulled: ReadonlyMap<string, StoredDatabase>, previous: Snapshot): [string, StoredDatabase][] {
  const before = new Map(Object.entries(previous.databases));
  return [...pulled].map(([key, database]) => {
    const known = before.get(key);
    return [key, known?.checksum === database.checksum ? { ...known, name: database.name } : database];
  });
}

/** A definition that was changed by hand was not read: without its database its names would be lost. */
function assertNamesKept(
  { databases, names }: Snapshot,
  stored: Snapshot['databases'],
  only: PullOptions['only'],
): void {
  const lost = Object.keys(names).filter((key) => !Object.hasOwn(databases, key) && !Object.hasOwn(stored, key));
  if (!only || lost.length === 0) return;
  throw new SnapshotError(
    lost.map(
      (key) =>
        `${entryPath(['databases', key])}: the definition was changed by hand: pull it, too, or all without --db.`,
    ),
  );
}

function databaseChanges({ databases: before, names }: Snapshot, after: Snapshot['databases']): readonly string[] {
  const known = new Map(Object.entries(before));
  const keys = new Map(Object.entries(before).map(([key, { id }]) => [id, key]));
  const ids = new Set(Object.values(after).map(({ id }) => id));
  const changed = Object.entries(after).flatMap(([key, { id, checksum }]) => {
    const at = entryPath([key]);
    const oldKey = keys.get(id);
    if (oldKey !== undefined && oldKey !== key) return [`${at} was ${entryPath([oldKey])}: its names are kept.`];
    const own = known.get(key);
    if (!own) return [`${at} ${Object.hasOwn(names, key) ? 'had a definition that was changed by hand' : 'is new'}.`];
    if (own.id !== id) return [`${at} is another database of this code.`];
    return own.checksum === checksum ? [] : [`${at} has another definition.`];
  });
  const keysBefore = new Set([...known.keys(), ...Object.keys(names)]);
  const gone = [...keysBefore].filter((key) => !Object.hasOwn(after, key) && !ids.has(known.get(key)?.id ?? ''));
  return [...changed, ...gone.map((key) => `${entryPath([key])} has no definition any more: its names are dropped.`)];
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Says which public methods, tables and fields of a mapping another one lacks: a line for each. */
function droppedNames(before: Names, after: Names): readonly string[] {
  const known = new Map(Object.entries(after));
  return Object.entries(before).flatMap(([key, { table, tables = {}, public: publicNames }]) => {
    const now = known.get(key);
    if (!now) return [];
    const nowTables = new Map(Object.entries(now.tables ?? {}));
    return [
      ...(publicNames && !now.public
        ? [`${entryPath(['names', key, 'public'])} is dropped: no public method is on.`]
        : []),
      ...(table ? droppedFields([key, 'table'], table, now.table) : []),
      ...Object.entries(tables).flatMap(([name, own]) =>
        droppedFields([key, 'tables', name], own, nowTables.get(name)),
      ),
    ];
  });
}

function droppedFields(path: readonly string[], before: TableNames, after: TableNames | undefined): string[] {
  if (!after) return [`${entryPath(['names', ...path])} is dropped: the database has no such table any more.`];
  const gone = Object.keys(before.fields).filter((field) => !Object.hasOwn(after.fields, field));
  return gone.map(
    (field) => `${entryPath(['names', ...path, 'fields', field])} is dropped: the table has no such field any more.`,
  );
}

/** The entries that a hint lists, at most. */
const MAX_ENTRIES = 5;

/**
 * Finds names of fields that errors of mutations have, too. In one selection on a result the two conflict: fields of records may be
 * null, those of errors may not.
 *
 * @param before the mapping before: what it has was told then
 * @param base the schema with the types of errors
 * @returns one line, or none
 */
function errorFieldHint(before: Names, after: Names, base: GraphQLSchema): readonly string[] {
  const told = new Set(entriesNamed(before, base));
  const entries = entriesNamed(after, base).filter((entry) => !told.has(entry));
  const [first] = entries;
  if (first === undefined) return [];
  const rest = entries.length > MAX_ENTRIES ? ` and ${entries.length - MAX_ENTRIES} more` : '';
  return [
    `errors of mutations have fields of the same name as ${entries.slice(0, MAX_ENTRIES).join(', ')}${rest}. ` +
      'Beside `... on MutationError` give such a field an alias, `text: message`, or write another name.',
  ];
}

/** The entries of fields whose names errors have, too. */
function entriesNamed(names: Names, base: GraphQLSchema): readonly string[] {
  const types = refusalTypeNames.map((name) => base.getType(name)).filter((type) => isObjectType(type));
  const taken = new Set(types.flatMap((type) => Object.keys(type.getFields())));
  const inTable = (path: readonly string[], { fields }: TableNames) =>
    Object.entries(fields).flatMap(([field, name]) => {
      const graphqlName = typeof name === 'object' ? name?.name : name;
      return graphqlName !== undefined && taken.has(graphqlName) ? [namesEntry([...path, 'fields', field])] : [];
    });
  return Object.entries(names).flatMap(([key, { table, tables = {} }]) => [
    ...(table ? inTable([key, 'table'], table) : []),
    ...Object.entries(tables).flatMap(([name, own]) => inTable([key, 'tables', name], own)),
  ]);
}
