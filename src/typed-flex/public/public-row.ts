import { type GraphQLFieldConfig, GraphQLID, GraphQLNonNull, GraphQLObjectType, type GraphQLSchema } from 'graphql';
import type { Context } from '../../operation/context.ts';
import { type PublicRecord, publicValue } from '../../flex/public-records.ts';
import { parseData } from '../../flex/wire.ts';
import { globalId } from '../../graphql/ids.ts';
import type { PublicMethods, TypedField } from '../model/model.ts';
import { fieldOf, scalarType } from '../types/base-types.ts';
import { fieldExtensions } from '../types/directives.ts';
import { fieldValues, scalarOf } from '../types/field-values.ts';
import { addFields, extraResolver, valueResolver } from '../types/table-fields.ts';

const dataOf = publicValue('data', parseData);

/**
 * Creates the type of a record of the public methods of a database. It is no Node: a database may allow to list records, and
 * not to get one by its id.
 */
export function publicRow(methods: PublicMethods, base: GraphQLSchema): GraphQLObjectType<PublicRecord, Context> {
  const { rowTypeName, fields } = methods;
  return new GraphQLObjectType<PublicRecord, Context>({
    name: rowTypeName,
    description:
      'A record as the public methods of its database return it. The value of a field that does not fit its type is an ' +
      'error of that field.',
    fields: {
      id: {
        type: new GraphQLNonNull(GraphQLID),
        description: `Id for the cache of a client, such as \`${globalId(rowTypeName, 7)}\`.`,
        resolve: ({ id }) => globalId(rowTypeName, id),
      },
      upstreamId: fieldOf(base, 'PublicFlexRecord', 'upstreamId'),
      ...addFields({}, fields, (field) => valueField(field, base)),
      createdAt: fieldOf(base, 'PublicFlexRecord', 'createdAt'),
      updatedAt: fieldOf(base, 'PublicFlexRecord', 'updatedAt'),
      extra: {
        type: scalarType(base, 'JSONObject'),
        description: 'The values that have no field of their own.',
        resolve: extraResolver(dataOf, methods),
      },
    },
  });
}

function valueField(field: TypedField, base: GraphQLSchema): GraphQLFieldConfig<PublicRecord, Context> {
  const { read, about } = fieldValues[field.type];
  return {
    type: scalarOf(field, base),
    description: about,
    resolve: valueResolver(dataOf, field.name, read),
    extensions: fieldExtensions(field),
  };
}
