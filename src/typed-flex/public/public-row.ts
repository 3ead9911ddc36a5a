import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Context } from '../../context.ts';
import { type PublicRecord, publicValue } from '../../flex/public-records.ts';
import { parseData } from '../../flex/wire.ts';
import { globalId } from '../../graphql/ids.ts';
import type { JsonObject } from '../../http/formats/decode.ts';
import { raw } from '../../http/formats/leaves.ts';
import { fieldDirective } from '../directives.ts';
import type { ValuesByType } from '../field-values.ts';
import type { PublicMethods, TypedField } from '../model.ts';
import type { Parts } from '../parts.ts';

type RowField = GraphQLFieldConfig<PublicRecord, Context, object>;

/**
 * Creates the type of a record of the public methods of a database. It is no Node: a database may allow to list records, and
 * not to get one by its id.
 */
export function publicRow(
  { rowTypeName, fields }: PublicMethods,
  { shared, values }: Parts,
): GraphQLObjectType<PublicRecord, Context> {
  const known = new Set(fields.map(({ name }) => name));
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
        resolve: ofData((data) => Object.fromEntries(Object.entries(data).filter(([key]) => !known.has(key)))),
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
    const resolve = ofData((data) => read(Object.hasOwn(data, field.name) ? data[field.name] : null));
    return [field.graphqlName, { type: scalar, description: about, resolve, extensions: fieldDirective(field) }];
  });
  return Object.fromEntries(configs);
}

const dataOf = publicValue('data', parseData);

/** Creates a resolver of a part of the data. Not async: see `lazyFieldResolver`. */
function ofData(part: (data: JsonObject) => unknown) {
  const partOf = (data: JsonObject | null) => data && part(data);
  return (record: PublicRecord, _args: object, context: Context, info: GraphQLResolveInfo): unknown => {
    const data = dataOf(record, {}, context, info);
    return data instanceof Promise ? data.then(partOf) : partOf(data);
  };
}
