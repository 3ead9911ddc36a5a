import { invalidInput } from '../errors.ts';
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

/** Describes an input for the values that an enum lacks. Its name is that of the enum's input, with `Text`. */
export const describeText = (name: string) =>
  `Upstream's own value of \`${name}\`, in place of it: for a value that \`${name}\` does not have.`;

/**
 * Returns the value of an input that takes a member of an enum or, in a second field, upstream's own text.
 *
 * @param name the input of the enum
 * @returns the text, unless it is null or left out
 * @throws ValidationError for both
 */
export function enumOrText(
  name: string,
  value: string | null | undefined,
  text: string | null | undefined,
): string | null | undefined {
  if (typeof value === 'string' && typeof text === 'string') {
    throw invalidInput(`${name}Text`, `takes the place of \`${name}\`: set one of them`);
  }
  return value === undefined ? text : (text ?? value);
}
