import { type GraphQLFieldConfig, type GraphQLFieldConfigMap, GraphQLObjectType, type GraphQLSchema } from 'graphql';
import type { Context } from '../../operation/context.ts';
import { upstreamId } from '../../graph/ids.ts';
import type { TypedDatabase, TypedTable } from '../model/model.ts';
import { argumentsOf, fieldOf } from './base-types.ts';
import { listField } from './table-list.ts';
import { idArgument } from './table-mutations.ts';
import type { ModelTypes } from './table-types.ts';
import { explainMissing } from './typed-records.ts';

/** Creates the type of a database, with fields that list and read the records of its tables. */
export function databaseType(
  database: TypedDatabase,
  types: ModelTypes,
  base: GraphQLSchema,
): GraphQLObjectType<unknown, Context> {
  const { typeName, key, tables, untabledTypeName } = database;
  return new GraphQLObjectType<unknown, Context>({
    name: typeName,
    description: `The database ${key}. Its types are those of its definition when the snapshot was taken.`,
    fields: () => ({
      ...Object.assign({}, ...tables.map((table) => tableFields(database, table, types, base))),
      ...(untabledTypeName !== undefined && {
        untabled: untabledField(database, types.of(untabledTypeName).connection, base),
      }),
    }),
  });
}

function tableFields(
  database: TypedDatabase,
  table: TypedTable,
  types: ModelTypes,
  base: GraphQLSchema,
): GraphQLFieldConfigMap<unknown, Context> {
  const { typeName } = table;
  const { record, connection, node } = types.of(typeName);
  const one: GraphQLFieldConfig<unknown, Context, { id: string }> = {
    type: record,
    description:
      'One record. Null when it does not exist, belongs to another table, or the caller cannot see it. Calls ' +
      '`GET /flex/dbs/:db_id/records.json`, once per operation: the API has no endpoint for a single record.',
    args: { id: idArgument },
    resolve: async (_database, { id }, context) => node.getDataloader(context).load(upstreamId(id, typeName)),
  };
  return { [table.listField]: listField(database, table, connection, base), [table.oneField]: one };
}

/** The field `records` of the untyped database, for the records of no table. */
function untabledField(
  database: TypedDatabase,
  connection: GraphQLObjectType,
  base: GraphQLSchema,
): GraphQLFieldConfig<unknown, Context> {
  const { resolve, extensions } = fieldOf<Pick<TypedDatabase, 'id'>>(base, 'FlexDb', 'records');
  return {
    type: connection,
    description:
      'The records of no table. Calls `GET /flex/dbs/:db_id/records.json`, which returns all records of the database at ' +
      'once: no search finds these.',
    args: argumentsOf(base, ['FlexDb', 'records'], 'first', 'after', 'last', 'before'),
    extensions,
    resolve: async (_database, page, context, info) =>
      Promise.resolve(resolve({ id: database.id }, { ...page, untabled: true }, context, info)).catch(
        explainMissing(database),
      ),
  };
}
