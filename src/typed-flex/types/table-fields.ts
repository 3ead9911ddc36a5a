import { memoize1 } from '@graphql-tools/utils';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../operation/context.ts';
import { RECORD_KEYS } from '../../apis/flex/wire.ts';
import type { JsonObject } from '../../formats/decode.ts';
import type { TypedField } from '../model/model.ts';

/** A table, or the public methods of a database. */
export interface WithFields {
  readonly fields: readonly TypedField[];
}

// Made when the first operation needs them: a start makes the types of thousands of fields.

/** The fields by their names in GraphQL. */
export const fieldsByName = memoize1(
  ({ fields }: WithFields) => new Map(fields.map((field) => [field.graphqlName, field])),
);

/** The fields by their keys in the data. */
export const fieldsByKey = memoize1(({ fields }: WithFields) => new Map(fields.map((field) => [field.name, field])));

/**
 * Makes something of each field, by its name in GraphQL, after what an object holds already. Neither entries nor copies are
 * made on the way: a start makes thousands of fields.
 */
export function addFields<T>(
  made: Record<string, T>,
  fields: readonly TypedField[],
  make: (field: TypedField) => T,
): Record<string, T> {
  for (const field of fields) made[field.graphqlName] = make(field);
  return made;
}

/** Whether a search cannot return a field of the data: its rows have a key of the record under this name. */
export function isShadowed(name: string): boolean {
  return RECORD_KEYS.includes(name);
}

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
