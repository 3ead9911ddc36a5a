import type { GraphQLSchema } from 'graphql';
import type { TypedDatabase, TypedModel } from './model.ts';
import type { NameProblem } from './name-problems.ts';
import { Naming } from './naming.ts';
import { publicMethodsOf } from './public-model.ts';
import { DATABASE_FIELDS } from './reserved-names.ts';
import type { DatabaseNames, Snapshot, StoredDatabase } from '../snapshot/snapshot.ts';
import { SnapshotError } from '../snapshot/snapshot-error.ts';
import { TableReader } from './table-model.ts';

/**
 * Gives the databases of a snapshot the names of its mapping.
 *
 * @param base the schema that types are laid over: its names are reserved
 * @throws SnapshotError for names that are missing, empty, reserved, equal, or no names of GraphQL, and for references to
 *   types that do not exist
 */
export function modelOf(snapshot: Snapshot, base: GraphQLSchema): TypedModel {
  const { model, problems } = namedModel(snapshot, base);
  if (problems.length > 0) throw new SnapshotError(problems.map(({ text }) => text));
  return model;
}

/** As `modelOf`, with the problems of names in place of an error: the model is of no use with any. */
export function namedModel(
  { databases, names }: Pick<Snapshot, 'databases' | 'names'>,
  base: GraphQLSchema,
): { readonly model: TypedModel; readonly problems: readonly NameProblem[] } {
  const naming = new Naming(base);
  const typed = naming
    .paired(databases, names, [])
    .map(({ key, definition, names: own }) => typedDatabase(key, definition, own, naming));
  naming.references.check(typed.flatMap(({ tables }) => tables));
  return { model: { databases: typed }, problems: naming.problems.all };
}

function typedDatabase(key: string, stored: StoredDatabase, names: DatabaseNames, naming: Naming): TypedDatabase {
  const { id, code, schema } = stored;
  const { query: queryField, type: typeName } = names;
  naming.queryFields.take(queryField, [key, 'query']);
  naming.types.take(typeName, [key, 'type']);
  const isMulti = 'tables' in schema;
  const reader = new TableReader(naming, isMulti ? DATABASE_FIELDS : []);
  const pairs = isMulti
    ? naming.paired(schema.tables, names.tables ?? {}, [key, 'tables'])
    : naming.paired({ table: schema }, names.table ? { table: names.table } : {}, [key]);
  if (names[isMulti ? 'table' : 'tables'])
    naming.problems.note(
      [key, isMulti ? 'table' : 'tables'],
      `the database has ${isMulti ? 'several tables' : 'one table without a name'}: run \`trivium flex pull\``,
    );
  const tables = pairs.map(({ key: table, ...pair }) => reader.read({ name: isMulti ? table : null, ...pair }));
  const untabledTypeName = takeUntabled(key, names.untabled, isMulti, naming);
  const publicMethods = publicMethodsOf({ key, stored, names: names.public, tables, naming });
  return { id, code, key, queryField, typeName, tables, untabledTypeName, publicMethods };
}

function takeUntabled(key: string, name: string | undefined, isMulti: boolean, naming: Naming): string | undefined {
  if (!isMulti && name !== undefined)
    naming.problems.note([key, 'untabled'], 'the database has one table without a name: remove the entry');
  if (isMulti) naming.takeReadType(name ?? '', [key, 'untabled']);
  return isMulti ? name : undefined;
}
