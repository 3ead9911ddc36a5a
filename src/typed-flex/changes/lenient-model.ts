import type { GraphQLSchema } from 'graphql';
import { makeNames } from '../model/default-names.ts';
import { entryPath } from '../snapshot/snapshot-error.ts';
import type { TypedModel } from '../model/model.ts';
import { namedModel } from '../model/named-model.ts';
import { problemLines } from '../model/read-model.ts';
import type { DatabaseNames, Snapshot, StoredDatabase, TableNames } from '../snapshot/snapshot.ts';

type Named = Pick<Snapshot, 'databases' | 'names'>;

/** Rounds of leaving out names. A name that refers to one that was left out goes in the next round. */
const MAX_ROUNDS = 5;

/** Definitions under their names, as far as they have some. */
export interface LenientModel {
  /** Without the databases, tables and fields whose names have problems. */
  readonly model: TypedModel;
  /** One line for each problem, which names the entry of the mapping and what to write. */
  readonly problems: readonly string[];
  /** The mapping, with the names that were made. */
  readonly names: Snapshot['names'];
}

/**
 * Makes a model of definitions whose names nobody has reviewed. A name that the mapping lacks is made as `flex pull` makes
 * it; what cannot be named is left out, with a line that says what to write.
 *
 * @param names the mapping so far
 * @param base the schema that types are laid over
 */
export function lenientModel(
  databases: Snapshot['databases'],
  names: Snapshot['names'],
  base: GraphQLSchema,
): LenientModel {
  const { names: all } = makeNames(databases, names, base);
  let named: Named = { databases, names: all };
  let { model, problems } = namedModel(named, base);
  const lines = problemLines(problems, named, base);
  for (let round = 1; problems.length > 0; round += 1) {
    if (round === MAX_ROUNDS) throw new Error('Names have problems that no entry has.');
    named = withoutEntries(named, new Set(problems.flatMap(({ entries }) => entries)));
    ({ model, problems } = namedModel(named, base));
  }
  return { model, problems: lines, names: all };
}

/** Leaves out what the entries of a mapping name: a field, or the table or database that such a name is needed for. */
function withoutEntries({ databases, names }: Named, entries: ReadonlySet<string>): Named {
  const has = (...path: readonly string[]) => entries.has(entryPath(['names', ...path]));
  const known = new Map(Object.entries(databases));
  const rest = Object.entries(names).flatMap(([key, own]) => {
    const database = known.get(key);
    if (!database || databaseParts.some((part) => has(key, ...part))) return [];
    return [[key, withoutTables(key, database, own, has)] as const];
  });
  return {
    databases: Object.fromEntries(rest.map(([key, { database }]) => [key, database])),
    names: Object.fromEntries(rest.map(([key, { names }]) => [key, names])),
  };
}

const tableParts: readonly (readonly string[])[] = [[], ['type'], ['list'], ['one']];

const databaseParts: readonly (readonly string[])[] = [
  ...[[], ['query'], ['type'], ['untabled'], ['public'], ['public', 'query'], ['public', 'type'], ['public', 'row']],
  ...tableParts.map((part) => ['table', ...part]),
];

type Has = (...path: readonly string[]) => boolean;

function withoutTables(key: string, database: StoredDatabase, names: DatabaseNames, has: Has) {
  if (names.table) return { database, names: { ...names, table: withoutFields(names.table, has, key, 'table') } };
  const tables = Object.entries(names.tables ?? {}).flatMap(([table, own]) => {
    const path = [key, 'tables', table];
    return tableParts.some((part) => has(...path, ...part)) ? [] : [[table, withoutFields(own, has, ...path)] as const];
  });
  const kept = new Set(tables.map(([table]) => table));
  const definitions = 'tables' in database.schema ? Object.entries(database.schema.tables) : [];
  const schema = { tables: Object.fromEntries(definitions.filter(([table]) => kept.has(table))) };
  return { database: { ...database, schema }, names: { ...names, tables: Object.fromEntries(tables) } };
}

/** A field without a name is left to `extra`. */
function withoutFields(names: TableNames, has: Has, ...path: readonly string[]): TableNames {
  const fields = Object.entries(names.fields).map(([field, name]) => [
    field,
    has(...path, 'fields', field) ? null : name,
  ]);
  return { ...names, fields: Object.fromEntries(fields) };
}
