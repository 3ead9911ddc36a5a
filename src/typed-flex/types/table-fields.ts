import { memoize1 } from '@graphql-tools/utils';
import { RECORD_KEYS } from '../../flex/wire.ts';
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
