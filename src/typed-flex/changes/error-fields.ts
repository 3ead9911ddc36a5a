import { type GraphQLSchema, isObjectType } from 'graphql';
import { refusalTypeNames } from '../../graphql/refusals.ts';
import { namesEntry } from '../model/name-problems.ts';
import type { Snapshot, TableNames } from '../snapshot/snapshot.ts';

type Names = Snapshot['names'];

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
export function errorFieldHint(before: Names, after: Names, base: GraphQLSchema): readonly string[] {
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
