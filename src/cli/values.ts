/** The values of the options of a command, by their names. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The value of an option that takes a text. Undefined when it was not given. */
export function textOrNone(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
