import { builder } from './builder.ts';

/**
 * Creates an enum of upstream's values: `mine_unassigned` becomes `MINE_UNASSIGNED`.
 *
 * @param values the description of each upstream value
 */
export function wireEnum<T extends string>(name: string, description: string, values: Readonly<Record<T, string>>) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      wireValues(values).map((value) => [value.toUpperCase(), { value, description: values[value] }]),
    ),
  });
}

/** The keys of an object literal, with their literal types, which `Object.keys` widens to `string`. */
export function wireValues<T extends string>(values: Readonly<Record<T, unknown>>): T[] {
  return Object.keys(values).filter((key): key is T => Object.hasOwn(values, key));
}
