import type { Flags } from '../config.ts';

/** The values of the options of a command, by their names. Those of an option that may be repeated are a list. */
export type Values = Readonly<Record<string, Value>>;

type Value = string | boolean | readonly (string | boolean)[] | undefined;

/** The value of an option that takes a text. Undefined when it was not given. */
export function textOrNone(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. Undefined when it was not given. */
export function textsOrNone(value: Value): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : undefined;
}

/** The settings of `--flex-schema` and `--public`. None when they were not given. */
export function schemaFlags({ 'flex-schema': file, public: isPublic }: Values): Flags {
  return { ...(typeof file === 'string' && { FLEX_SCHEMA: file }), ...(isPublic && { PUBLIC: 'true' }) };
}
