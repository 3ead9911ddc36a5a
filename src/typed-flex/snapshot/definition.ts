import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { indexColumns } from '../../apis/flex/index-columns.ts';
import { publicOperations } from '../../apis/flex/public-operations.ts';
import { type FlexDbRecord, type TableSchema, tablesOf } from '../../apis/flex/wire.ts';

// The parts of a definition that types are made of, in one form. Only documented keys are taken, and no value that a
// record or a request gets: unknown keys and defaults may hold secrets.

/** The type as upstream names it, null where it names none. */
const fieldType = z.string({ error: 'takes a text' }).min(1, 'takes a text that is not empty').nullable();

/** The long form is that of a required field. */
const fieldDefinition = z.union(
  [fieldType, z.strictObject({ type: fieldType, required: z.literal(true) })],
  'takes a type, or an object with type and required',
);

/**
 * As `z.record`, which has a look only where a value is not plain: it would be a tenth of what thousands of fields cost at the
 * start.
 *
 * @param isPlain whether a value is one that `type` surely takes as it is
 */
export function recordOf<T extends z.ZodType>(type: T, isPlain: (value: unknown) => boolean, message?: string) {
  const each = z.record(z.string(), type, message);
  return z.custom<Record<string, z.output<T>>>().superRefine((value: unknown, context) => {
    if (isObject(value) && Object.values(value).every(isPlain)) return;
    for (const issue of each.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
  });
}

const names = z.array(z.string());

const tableDefinition = z.strictObject({
  fields: recordOf(fieldDefinition, (type) => typeof type === 'string' && type !== ''),
  /** Fields by column. */
  indexes: z.record(z.string(), z.string()).optional(),
  indexed_fields: names.optional(),
});

const tablesDefinition = z.strictObject({ tables: z.record(z.string(), tableDefinition) });

/** Lists of names, each sorted. Those of `default_values` and `auto_fields` have the fields alone. */
const methodDefinition = z.strictObject({
  allowed_fields: names.optional(),
  required_fields: names.optional(),
  default_values: names.optional(),
  auto_fields: names.optional(),
  allowed_params: names.optional(),
  scope_by: z.string().optional(),
});

/** The form of a definition in the file. */
export const definition = z.strictObject({
  id: z.string(),
  /** The name that people read. It changes no type, so it is no part of the checksum. */
  name: z.string().nullable(),
  code: z.string().nullable(),
  schema: z.union([tableDefinition, tablesDefinition], 'takes either fields or tables'),
  /** The methods that are on. */
  public_methods: z.partialRecord(
    z.enum(['list', 'get', 'create', 'update', 'delete', 'search']),
    z.union([z.literal(true), methodDefinition]),
  ),
});

export type FieldDefinition = z.output<typeof fieldDefinition>;
export type TableDefinition = z.output<typeof tableDefinition>;
export type MethodDefinition = z.output<typeof methodDefinition>;
export type Definition = z.output<typeof definition>;

/**
 * Takes the definition of a database out of its record.
 *
 * @returns undefined for a database without fields
 * @throws BadResponseError for a schema that is malformed
 */
export function definitionOf({ id, name, code, schema, public_methods }: FlexDbRecord): Definition | undefined {
  const tables = tablesOf(schema)?.filter((table) => isSafeKey(table.name ?? ''));
  if (!tables || !tables.some(({ name: table, fields }) => table !== null || Object.keys(fields).length > 0))
    return undefined;
  return {
    id,
    name: textOrNull(name),
    code: textOrNull(code),
    schema: schemaDefinition(tables),
    public_methods: methodDefinitions(public_methods),
  };
}

/**
 * Whether a name may be a key of the snapshot. A field or table with the name `__proto__`, or with half a surrogate pair, which
 * no text in UTF-8 can hold, has no type: it stays in `extra` and in the untyped fields.
 */
export function isSafeKey(name: string): boolean {
  return name !== '__proto__' && name.isWellFormed();
}

/** A text that is not empty, or null. */
function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function schemaDefinition(tables: readonly TableSchema[]): Definition['schema'] {
  const [first] = tables;
  if (first?.name === null) return tableDefinitionOf(first);
  return { tables: Object.fromEntries(tables.map((table) => [table.name, tableDefinitionOf(table)])) };
}

function tableDefinitionOf(table: TableSchema): TableDefinition {
  const fields = new Map(
    Object.entries(table.fields).flatMap(([name, field]) =>
      isSafeKey(name) ? [[name, fieldDefinitionOf(field)]] : [],
    ),
  );
  return { fields: Object.fromEntries(fields), ...indexDefinition(table, fields) };
}

function fieldDefinitionOf(field: unknown): FieldDefinition {
  const { type, required } = isObject(field) ? field : { type: field, required: false };
  const name = textOrNull(type);
  return required === true ? { type: name, required } : name;
}

/** Names that are no fields are left out: they index nothing. */
function indexDefinition(table: TableSchema, fields: ReadonlyMap<string, unknown>): Omit<TableDefinition, 'fields'> {
  if (isObject(table.indexes)) {
    const columns = [...indexColumns(table)].filter(([field, column]) => fields.has(field) && isSafeKey(column));
    return { indexes: Object.fromEntries(columns.map(([field, column]) => [column, field])) };
  }
  if (!Array.isArray(table.indexedFields)) return {};
  const names = table.indexedFields.filter((name) => typeof name === 'string' && fields.has(name));
  return { indexed_fields: [...new Set(names)] };
}

function methodDefinitions(methods: unknown): Definition['public_methods'] {
  if (!isObject(methods)) return {};
  const on = Object.keys(publicOperations).flatMap((operation) => {
    const method = Object.hasOwn(methods, operation) ? methods[operation] : undefined;
    return method === true || isObject(method) ? [[operation, method === true || methodDefinitionOf(method)]] : [];
  });
  return Object.fromEntries(on);
}

function methodDefinitionOf(options: JsonObject): true | MethodDefinition {
  const known: MethodDefinition = {
    allowed_fields: listOrNone(options['allowed_fields']),
    required_fields: listOrNone(options['required_fields']),
    default_values: keysOrNone(options['default_values']),
    auto_fields: keysOrNone(options['auto_fields']),
    allowed_params: listOrNone(options['allowed_params']),
    scope_by: textOrNull(options['scope_by']) ?? undefined,
  };
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  return given.length === 0 ? true : Object.fromEntries(given);
}

function listOrNone(names: unknown): string[] | undefined {
  return Array.isArray(names) ? sortedNames(names) : undefined;
}

function keysOrNone(values: unknown): string[] | undefined {
  return isObject(values) ? sortedNames(Object.keys(values)) : undefined;
}

function sortedNames(names: readonly unknown[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string'))].sort();
}

/** The type and the rule of a field, whichever form its definition has. */
export function typeOf(field: FieldDefinition): { readonly type: string | null; readonly required: boolean } {
  return typeof field === 'object' && field !== null ? field : { type: field, required: false };
}

/** The columns that index the fields of a table, by the names of the fields. */
export function columnsOf({ fields, indexes, indexed_fields: indexedFields }: TableDefinition) {
  return indexColumns({ name: null, fields, indexes, indexedFields });
}

/** The checksum of a definition, whatever the order of its keys: SHA-256 in hexadecimal digits. The name is no part of it. */
export function checksumOf({ id, code, schema, public_methods }: Omit<Definition, 'name'>): string {
  const text = JSON.stringify(sortedKeys({ id, code, schema, public_methods }));
  return createHash('sha256').update(text).digest('hex');
}

function sortedKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedKeys(value[key])]),
  );
}

/** Fields of all tables of a database. Each has a field of an object, two of inputs, and values of two enums. */
const MAX_FIELDS = 1_000;
const MAX_TABLES = 200;

/** Fields and tables of all databases together. A table has about 13 types, so that there are some 54,000. */
const MAX_ALL_FIELDS = 20_000;
const MAX_ALL_TABLES = 4_000;
const MAX_DATABASES = 1_000;

/** The definitions of all tables. */
export function tablesIn(schema: Definition['schema']): readonly TableDefinition[] {
  return 'tables' in schema ? Object.values(schema.tables) : [schema];
}

/** Says why a definition is too large to have types. Undefined for one that is not. */
export function tooLarge({ schema }: Pick<Definition, 'schema'>): string | undefined {
  const tables = tablesIn(schema).length;
  if (tables > MAX_TABLES) return `it has ${tables} tables, and ${MAX_TABLES} can have types`;
  const fields = fieldCount({ schema });
  return fields > MAX_FIELDS ? `it has ${fields} fields, and ${MAX_FIELDS} can have types` : undefined;
}

/** Says why so many definitions are too large together. Undefined when they are not. */
export function tooLargeTogether(definitions: readonly Pick<Definition, 'schema'>[]): string | undefined {
  const { length } = definitions;
  if (length > MAX_DATABASES) return `there are ${length} databases, and ${MAX_DATABASES} can have types`;
  const tables = definitions.reduce((sum, { schema }) => sum + tablesIn(schema).length, 0);
  if (tables > MAX_ALL_TABLES) return `the databases have ${tables} tables, and ${MAX_ALL_TABLES} can have types`;
  const fields = definitions.reduce((sum, definition) => sum + fieldCount(definition), 0);
  if (fields > MAX_ALL_FIELDS) return `the databases have ${fields} fields, and ${MAX_ALL_FIELDS} can have types`;
  return undefined;
}

/** The number of fields of all tables. */
export function fieldCount({ schema }: Pick<Definition, 'schema'>): number {
  return tablesIn(schema).reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
}
