/** The documented types of fields, and their descriptions. */
export const fieldTypes = {
  string: 'A short text.',
  text: 'A long text.',
  integer: 'A whole number.',
  number: 'A number.',
  boolean: 'True or false.',
  datetime: 'A date with a time.',
  date: 'A date.',
  time: 'A time of day.',
};

/** A documented type of a field. */
export type FlexFieldTypeName = keyof typeof fieldTypes;
