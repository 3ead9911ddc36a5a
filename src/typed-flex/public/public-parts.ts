import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql';
import type { Context } from '../../context.ts';
import { globalId } from '../../graphql/ids.ts';
import { connectionType } from '../types/connection-type.ts';
import type { PublicMethods, TypedModel } from '../model/model.ts';
import type { Parts } from '../types/parts.ts';
import { orderInput } from '../types/table-filter.ts';
import { publicReads } from './public-reads.ts';
import { publicRow } from './public-row.ts';
import { publicWrites } from './public-writes.ts';

/** Fields of the root types, by their names. */
export interface PublicParts {
  readonly query: GraphQLFieldConfigMap<unknown, Context>;
  readonly mutation: GraphQLFieldConfigMap<unknown, Context>;
}

/** Creates the fields of the public methods of all databases: of each, those that its definition allows to anyone. */
export function publicParts({ databases }: TypedModel, parts: Parts): PublicParts {
  const made = databases.flatMap(({ publicMethods }) => (publicMethods ? [databaseParts(publicMethods, parts)] : []));
  return {
    query: Object.assign({}, ...made.map(({ query }) => query)),
    mutation: Object.assign({}, ...made.map(({ mutation }) => mutation)),
  };
}

function databaseParts(methods: PublicMethods, parts: Parts): PublicParts {
  const row = publicRow(methods, parts);
  const types = {
    row,
    connection: connectionType(row, parts.shared),
    order: orderInput({ typeName: methods.rowTypeName, fields: methods.fields }, parts),
  };
  const database = new GraphQLObjectType<unknown, Context>({
    name: methods.typeName,
    description:
      'The public methods of a database. The gateway sends no credential for them, even if the request has one. It ' +
      "sends the caller's address and the cookies that FLEX_COOKIES lists.",
    fields: { id: databaseId(methods), ...publicReads(methods, types) },
  });
  return { query: { [methods.queryField]: databaseField(database) }, mutation: publicWrites(methods, row, parts) };
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
