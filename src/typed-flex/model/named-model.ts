import type { GraphQLSchema } from 'graphql';
import type { TypedDatabase, TypedModel } from './model.ts';
import { MISSING, type NameProblem, NameRegister, Naming } from './naming.ts';
import { publicMethodsOf } from './public-model.ts';
import { databaseFields } from './reserved-names.ts';
import { tablesIn } from '../snapshot/definition.ts';
import type { DatabaseNames, Snapshot, StoredDatabase } from '../snapshot/snapshot.ts';
import { typedTable } from './table-model.ts';

/**
 * Gives databases the names of a mapping.
 *
 * @param base the schema that types are laid over: its names are reserved
 * @returns a model that is of no use with any problem
 */
export function namedModel(
  { databases, names }: Pick<Snapshot, 'databases' | 'names'>,
  base: GraphQLSchema,
): { readonly model: TypedModel; readonly problems: readonly NameProblem[] } {
  const naming = new Naming(base);
  const typed = naming
    .paired(databases, names, [])
    .map(({ key, definition, names: own }) => typedDatabase(key, definition, own, naming));
  const tables = typed.flatMap((database) => database.tables);
  const defined = Object.values(databases).flatMap(({ schema }) => tablesIn(schema));
  naming.checkReferences(tables, tables.length === defined.length && tables.every(({ typeName }) => typeName !== ''));
  return { model: { databases: typed }, problems: naming.problems.all };
}

function typedDatabase(key: string, stored: StoredDatabase, names: DatabaseNames, naming: Naming): TypedDatabase {
  const { id, schema } = stored;
  const { query: queryField, type: typeName } = names;
  naming.queryFields.take(queryField, [key, 'query']);
  naming.types.take(typeName, [key, 'type']);
  const isMulti = 'tables' in schema;
  const fields = new NameRegister('field of its database', databaseFields(isMulti), naming.problems);
  const pairs = tablePairs(key, schema, names, naming);
  const tables = pairs.map((pair) => typedTable(isMulti ? pair.key : null, pair, fields, naming));
  const untabledTypeName = takeUntabled(key, names.untabled, isMulti, naming);
  const publicMethods = publicMethodsOf(key, stored, names.public, tables, naming);
  return { id, key, queryField, typeName, tables, untabledTypeName, publicMethods };
}

/** The definitions of tables and their names. A mapping of the other kind is one problem, however many tables there are. */
function tablePairs(key: string, schema: StoredDatabase['schema'], { table, tables }: DatabaseNames, naming: Naming) {
  const isMulti = 'tables' in schema;
  if (isMulti ? table : tables)
    naming.problems.note(
      [key, isMulti ? 'table' : 'tables'],
      `the database has ${isMulti ? 'several tables' : 'one table without a name'}: run \`trivium flex pull\``,
    );
  else if (isMulti && tables) return naming.paired(schema.tables, tables, [key, 'tables']);
  else if (!isMulti && table) return naming.paired({ table: schema }, { table }, [key]);
  else naming.problems.note([key, isMulti ? 'tables' : 'table'], MISSING);
  return [];
}

function takeUntabled(key: string, name: string | undefined, isMulti: boolean, naming: Naming): string | undefined {
  if (!isMulti && name !== undefined)
    naming.problems.note([key, 'untabled'], 'the database has one table without a name: remove the entry');
  if (isMulti) naming.takeReadType(name ?? '', [key, 'untabled']);
  return isMulti ? name : undefined;
}
