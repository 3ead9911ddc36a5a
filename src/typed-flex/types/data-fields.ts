import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { JsonObject } from '../../http/formats/decode.ts';
import { fieldsByKey, type WithFields } from './table-fields.ts';

/** Resolves the data of a record. Null for a record without any. */
type DataResolver<Parent> = (
  parent: Parent,
  args: object,
  context: Context,
  info: GraphQLResolveInfo,
) => JsonObject | null | Promise<JsonObject | null>;

/** Creates a resolver for a key of the data. `read` gets null for a key that is not there. */
export function valueResolver<Parent, Value>(
  dataOf: DataResolver<Parent>,
  key: string,
  read: (value: unknown) => Value,
) {
  return partResolver(dataOf, (data) => read(data && Object.hasOwn(data, key) ? data[key] : null));
}

/** Creates a resolver for the values under keys that have no field. */
export function extraResolver<Parent>(dataOf: DataResolver<Parent>, type: WithFields) {
  return partResolver(
    dataOf,
    (data) => data && Object.fromEntries(Object.entries(data).filter(([key]) => !fieldsByKey(type).has(key))),
  );
}

/** Not async: see `lazyFieldResolver`. */
function partResolver<Parent, Part>(dataOf: DataResolver<Parent>, partOf: (data: JsonObject | null) => Part) {
  return (parent: Parent, args: object, context: Context, info: GraphQLResolveInfo): Part | Promise<Part> => {
    const data = dataOf(parent, args, context, info);
    return data instanceof Promise ? data.then(partOf) : partOf(data);
  };
}
