import { entryPath } from '../snapshot/entry-path.ts';
import type { Snapshot, TableNames } from '../snapshot/snapshot.ts';

type Names = Snapshot['names'];

/** The names of a snapshot by the keys that its databases have now: a database is the same while its id is. */
export function renamedKeys(previous: Snapshot, databases: Snapshot['databases']): Names {
  const names = new Map(Object.entries(previous.names));
  const oldKeys = new Map(Object.entries(previous.databases).map(([key, { id }]) => [id, key]));
  const moved = Object.entries(databases).flatMap(([key, { id }]) => {
    const own = names.get(oldKeys.get(id) ?? key) ?? names.get(key);
    return own ? [[key, own] as const] : [];
  });
  return Object.fromEntries(moved);
}

/** Says which public methods, tables and fields of a mapping another one lacks: a line for each. */
export function droppedNames(before: Names, after: Names): readonly string[] {
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
