import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql';
import type { Context } from '../../context.ts';
import { type PublicRecord, publicValue } from '../../flex/public-records.ts';
import { parseData } from '../../flex/wire.ts';
import { globalId } from '../../graphql/ids.ts';
import { raw } from '../../http/formats/leaves.ts';
import { extraResolver, valueResolver } from '../types/data-fields.ts';
import { fieldExtensions } from '../types/directives.ts';
import type { ValuesByType } from '../types/field-values.ts';
import type { PublicMethods, TypedField } from '../model/model.ts';
import type { Parts } from '../types/parts.ts';

type RowField = GraphQLFieldConfig<PublicRecord, Context, object>;

const dataOf = publicValue('data', parseData);

/**
 * Creates the type of a record of the public methods of a database. It is no Node: a database may allow to list records, and
 * not to get one by its id.
 */
export function publicRow(methods: PublicMethods, { shared, values }: Parts): GraphQLObjectType<PublicRecord, Context> {
  const { rowTypeName, fields } = methods;
  const dateTime = shared.scalar('DateTime');
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
      upstreamId: {
        type: new GraphQLNonNull(GraphQLID),
        description: 'Id of the record in its database.',
        resolve: ({ id }) => id,
      },
      ...valueFields(fields, values),
      createdAt: { type: dateTime, description: 'Time of the creation.', resolve: publicValue('created_at', raw) },
      updatedAt: { type: dateTime, description: 'Time of the last change.', resolve: publicValue('updated_at', raw) },
      extra: {
        type: shared.scalar('JSONObject'),
        description: 'The values that have no field of their own.',
        resolve: extraResolver(dataOf, methods),
      },
    },
  });
}

function valueFields(
  fields: readonly TypedField[],
  values: ValuesByType,
): GraphQLFieldConfigMap<PublicRecord, Context> {
  const configs = fields.map((field): [string, RowField] => {
    const { scalar, read, about } = values[field.type];
    const resolve = valueResolver(dataOf, field.name, read);
    return [field.graphqlName, { type: scalar, description: about, resolve, extensions: fieldExtensions(field) }];
  });
  return Object.fromEntries(configs);
}
