import type { Definition } from './definition.ts';

/** Fields of all tables of a database. Each has a field of an object, two of inputs, and values of two enums. */
const MAX_FIELDS = 1_000;
const MAX_TABLES = 200;

/** Fields of all databases together. */
const MAX_ALL_FIELDS = 20_000;
const MAX_DATABASES = 1_000;

/** Says why a definition is too large to have types. Undefined for one that is not. */
export function tooLarge({ schema }: Pick<Definition, 'schema'>): string | undefined {
  const tables = 'tables' in schema ? Object.keys(schema.tables).length : 1;
  if (tables > MAX_TABLES) return `it has ${tables} tables, and ${MAX_TABLES} can have types`;
  const fields = fieldCount({ schema });
  return fields > MAX_FIELDS ? `it has ${fields} fields, and ${MAX_FIELDS} can have types` : undefined;
}

/** Says why so many definitions are too large together. Undefined when they are not. */
export function tooLargeTogether(definitions: readonly Pick<Definition, 'schema'>[]): string | undefined {
  const { length } = definitions;
  if (length > MAX_DATABASES) return `there are ${length} databases, and ${MAX_DATABASES} can have types`;
  const fields = definitions.map(fieldCount).reduce((sum, count) => sum + count, 0);
  return fields > MAX_ALL_FIELDS
    ? `the databases have ${fields} fields, and ${MAX_ALL_FIELDS} can have types`
    : undefined;
}

/** The number of fields of all tables. */
export function fieldCount({ schema }: Pick<Definition, 'schema'>): number {
  const tables = 'tables' in schema ? Object.values(schema.tables) : [schema];
  return tables.map(({ fields }) => Object.keys(fields).length).reduce((sum, count) => sum + count, 0);
}
