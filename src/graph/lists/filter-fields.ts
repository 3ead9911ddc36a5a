import type { EnumRef, InputFieldRef, InputShapeFromTypeParam, InputTypeParam } from '@pothos/core';
import { builder, type InputFieldBuilder } from '../builder.ts';
import type { Leaf } from './decodable.ts';
import {
  anyOf,
  booleanFilter,
  type Condition,
  type Conditions,
  DateTimeRange,
  DecimalRange,
  decimalRange,
  enumFilter,
  idFilter,
  instantRange,
  nullFilters,
} from './filters.ts';
import { textInFilter } from './text-filters.ts';

type Types = typeof builder.$inferSchemaTypes;

/** A field of the filter of a list. */
export interface FilterField<T> {
  readonly input: (t: InputFieldBuilder) => InputFieldRef<Types, unknown>;
  /**
   * Creates the conditions for a value of the input. A method, so that a field may state the type of its own values.
   *
   * @param path of the value in the arguments, for errors
   * @throws ValidationError for a value that the field cannot have, such as a global id of another type
   */
  conditions(value: unknown, path: string): Condition<T> | Conditions<T> | undefined;
}

/**
 * Creates a field of a filter.
 *
 * @param type of the input
 * @param conditions as `FilterField` has it
 */
export function filterField<T, Type extends InputTypeParam<Types>>(
  type: Type,
  description: string,
  conditions: (
    value: InputShapeFromTypeParam<Types, Type, false>,
    path: string,
  ) => Condition<T> | Conditions<T> | undefined,
): FilterField<T> {
  return { input: (t) => t.field({ type, description }), conditions };
}

/**
 * Creates the filter of a list, for `filteredList`.
 *
 * @param name of the type of the records
 */
export function listFilter<T>(name: string, fields: Readonly<Record<string, FilterField<T>>>) {
  const entries = Object.entries(fields);
  const inputs = (t: InputFieldBuilder) => Object.fromEntries(entries.map(([field, { input }]) => [field, input(t)]));
  const conditionsOf = (filter: object, path: string): Conditions<T> => {
    const values = new Map<string, unknown>(Object.entries(filter));
    return entries.flatMap(([field, each]) => each.conditions(values.get(field), `${path}${field}`));
  };
  const Alternative = builder.inputType(`${name}Alternative`, {
    description: 'Conditions of which all must hold.',
    fields: inputs,
  });
  const Filter = builder.inputType(`${name}Filter`, {
    description:
      'All conditions must hold. A condition that is left out, null or empty is ignored. The gateway applies them, ' +
      'because upstream has no filters.',
    fields: (t) => ({
      ...inputs(t),
      anyOf: t.field({ type: [Alternative], description: 'At least one of these alternatives holds; at most 20.' }),
    }),
  });
  return {
    filter: Filter,
    conditions: (filter: typeof Filter.$inferInput): Conditions<T> => [
      ...conditionsOf(filter, 'filter.'),
      anyOf(filter.anyOf, conditionsOf),
    ],
  };
}

// Fields with a condition on one key.

/** @param typename the GraphQL type of the referenced records: then global ids are accepted, too */
export const idsField = <T>(key: keyof T, description: string, typename?: string): FilterField<T> =>
  filterField(['ID'], description, (ids, path) => idFilter(ids, key, path, typename));

export const textsField = <T>(key: keyof T, description: string): FilterField<T> =>
  filterField(['String'], description, (texts) => textInFilter(texts, [key]));

/** @param leaf decodes the members of the enum */
export const enumsField = <T, V extends string>(
  key: keyof T,
  Enum: EnumRef<Types, V>,
  leaf: Leaf<V>,
  description: string,
): FilterField<T> => filterField([Enum], description, (values) => enumFilter(values, key, leaf));

export const booleanField = <T>(key: keyof T, description: string): FilterField<T> =>
  filterField('Boolean', description, (wanted) => booleanFilter(wanted, key));

export const instantsField = <T>(key: keyof T, description: string): FilterField<T> =>
  filterField(DateTimeRange, description, (range) => instantRange(range, key));

export const decimalsField = <T>(key: keyof T, description: string): FilterField<T> =>
  filterField(DecimalRange, description, (range) => decimalRange(range, key));

/** @param wanted whether the field is `isNull`; else it is `isNotNull` */
export const nullsField = <T, Key extends keyof T & string>(
  Field: EnumRef<Types, Key>,
  wanted: boolean,
): FilterField<T> =>
  filterField(
    [Field],
    wanted ? 'All of these fields are null or empty.' : 'None of these fields is null or empty.',
    (keys) => nullFilters<T>(keys, wanted),
  );
