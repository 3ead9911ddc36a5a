import { type GraphQLFieldConfig, GraphQLID, GraphQLNonNull, GraphQLObjectType, type GraphQLSchema } from 'graphql';
import type { Context } from '../../operation/context.ts';
import { type PublicRecord, publicValue } from '../../apis/flex/public-records.ts';
import { parseData } from '../../apis/flex/wire.ts';
import { globalId } from '../../graph/ids.ts';
import { BadResponseError } from '../../errors.ts';
import type { PublicMethods, TypedField } from '../model/model.ts';
import { fieldOf, scalarType } from '../types/base-types.ts';
import { fieldExtensions } from '../types/directives.ts';
import { fieldValues, scalarOf } from '../types/field-values.ts';
import { addFields, extraResolver, isShadowed, valueResolver } from '../types/table-fields.ts';

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
  const { name } = field;
  const note = isShadowed(name) ? ` \`search\` cannot return the field ${name} of the data: it is an error there.` : '';
  return {
    type: scalarOf(field, base),
    description: `${about}${note}`,
    resolve: valueResolver(isShadowed(name) ? unshadowedData(name) : dataOf, name, read),
    extensions: fieldExtensions(field),
  };
}

/** The data of a record. @throws BadResponseError for one of a search, which lacks the field */
function unshadowedData(name: string): typeof dataOf {
  return (...resolved) => {
    if (!resolved[0].isFlat) return dataOf(...resolved);
    throw new BadResponseError(`A search cannot return the field ${name} of the data: read it by \`list\` or \`get\`.`);
  };
}
