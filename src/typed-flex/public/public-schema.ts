import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { globalId } from '../../graph/ids.ts';
import type { PublicMethods, TypedModel } from '../model/model.ts';
import { SnapshotError } from '../snapshot/snapshot-error.ts';
import { objectType } from '../types/base-types.ts';
import { flexField } from '../types/directives.ts';
import { publicReads } from './public-reads.ts';
import { publicRow } from './public-row.ts';
import { publicWrites } from './public-writes.ts';

/** Fields of the root types, by their names. */
export interface RootFields {
  readonly query: GraphQLFieldConfigMap<unknown, Context>;
  readonly mutation: GraphQLFieldConfigMap<unknown, Context>;
}

/**
 * Makes the anonymous schema: the public methods of the databases of a model, and the types that these need. Other types of
 * `base` are in no part of it.
 *
 * @throws SnapshotError when no database has a public method
 */
export function publicSchema(base: GraphQLSchema, model: TypedModel): GraphQLSchema {
  const { query, mutation } = publicFields(model, withoutCurrentRecord(base));
  if (Object.keys(query).length === 0) throw new SnapshotError([NOTHING_PUBLIC]);
  return new GraphQLSchema({
    query: rootType(base.getQueryType(), query),
    mutation: Object.keys(mutation).length > 0 ? rootType(base.getMutationType(), mutation) : undefined,
    directives: [...base.getDirectives(), flexField],
  });
}

/** No public method finds a conflict by reading: their conflicts have no record, whose interface is one of all records. */
function withoutCurrentRecord(base: GraphQLSchema): GraphQLSchema {
  return mapSchema(base, {
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) =>
      typeName === 'ConflictError' && name === 'current' ? null : field,
  });
}

const NOTHING_PUBLIC =
  'no database has a public method that is on: switch one on, then run `trivium flex pull`, or serve without PUBLIC.';

/** A root type with these fields alone, under the name and the description of another one. */
function rootType(root: GraphQLObjectType | null | undefined, fields: GraphQLFieldConfigMap<unknown, Context>) {
  if (!root) throw new Error('The schema lacks a root type.');
  return new GraphQLObjectType<unknown, Context>({ name: root.name, description: root.description, fields });
}

/** Creates the fields of the public methods of all databases: of each, those that its definition allows to anyone. */
export function publicFields({ databases }: TypedModel, base: GraphQLSchema): RootFields {
  const made = databases.flatMap(({ publicMethods }) => (publicMethods ? [databaseFields(publicMethods, base)] : []));
  return {
    query: Object.assign({}, ...made.map(({ query }) => query)),
    mutation: Object.assign({}, ...made.map(({ mutation }) => mutation)),
  };
}

function databaseFields(methods: PublicMethods, base: GraphQLSchema): RootFields {
  const row = publicRow(methods, base);
  const database = new GraphQLObjectType<unknown, Context>({
    name: methods.typeName,
    description: objectType(base, 'PublicFlexDb').description,
    fields: { id: databaseId(methods), ...publicReads(methods, row, base) },
  });
  return { query: { [methods.queryField]: databaseField(database) }, mutation: publicWrites(methods, row, base) };
}

function databaseId({ typeName, code }: PublicMethods): GraphQLFieldConfig<unknown, Context> {
  const id = globalId(typeName, code);
  return {
    type: new GraphQLNonNull(GraphQLID),
    description: `Id for the cache of a client: \`${id}\`.`,
    resolve: () => id,
  };
}

function databaseField(type: GraphQLObjectType<unknown, Context>): GraphQLFieldConfig<unknown, Context> {
  return {
    type: new GraphQLNonNull(type),
    description: 'The public methods of a database, for callers without authorization. Calls no upstream itself.',
    resolve: () => ({}),
  };
}
