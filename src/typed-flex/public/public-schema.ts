import { type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { flexField } from '../types/directives.ts';
import type { TypedModel } from '../model/model.ts';
import { partsOf } from '../types/parts.ts';
import { SnapshotError } from '../snapshot/snapshot-error.ts';
import { publicParts } from './public-parts.ts';

/**
 * Makes the anonymous schema: the public methods of the databases of a model, and the types that these need. Other types of
 * `base` are in no part of it.
 *
 * @throws SnapshotError when no database has a public method
 */
export function publicSchema(base: GraphQLSchema, model: TypedModel): GraphQLSchema {
  const { query, mutation } = publicParts(model, partsOf(base));
  if (Object.keys(query).length === 0) throw new SnapshotError([NOTHING_PUBLIC]);
  return new GraphQLSchema({
    query: rootType(base.getQueryType(), query),
    mutation: Object.keys(mutation).length > 0 ? rootType(base.getMutationType(), mutation) : undefined,
    directives: [...base.getDirectives(), flexField],
  });
}

const NOTHING_PUBLIC =
  'no database has a public method that is on: switch one on, then run `trivium flex pull`, or serve without PUBLIC.';

/** A root type with these fields alone, under the name and the description of another one. */
function rootType(root: GraphQLObjectType | null | undefined, fields: GraphQLFieldConfigMap<unknown, Context>) {
  if (!root) throw new Error('The schema lacks a root type.');
  return new GraphQLObjectType<unknown, Context>({ name: root.name, description: root.description, fields });
}
