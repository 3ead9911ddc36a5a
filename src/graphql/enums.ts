import { builder } from '../builder.ts';

/** An enum over the values of the wire: `mine_unassigned` is `MINE_UNASSIGNED`. Takes the description of each value. */
export function wireEnum<T extends string>(name: string, description: string, values: Readonly<Record<T, string>>) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      wireValues(values).map((value) => [value.toUpperCase(), { value, description: values[value] }]),
    ),
  });
}

/** The keys of a literal table: TypeScript knows them, `Object.keys` does not say so. */
export function wireValues<T extends string>(values: Readonly<Record<T, unknown>>): T[] {
  return Object.keys(values).filter((key): key is T => Object.hasOwn(values, key));
}
