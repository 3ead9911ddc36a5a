import { isObject, type JsonObject } from '../../http/formats/decode.ts';
import { indexColumns } from '../../flex/index-columns.ts';
import { publicOperations } from '../../flex/public-operations.ts';
import { type FlexDbRecord, type TableSchema, tablesOf } from '../../flex/wire.ts';

// The parts of a definition that types are made of, in one form. Only documented keys are taken, and no value that a
// record or a request gets: unknown keys and defaults may hold secrets.

/** The type as upstream names it, null where it names none. The long form is that of a required field. */
export type FieldDefinition = string | null | { readonly type: string | null; readonly required: true };

export interface TableDefinition {
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  /** Fields by column. */
  readonly indexes?: Readonly<Record<string, string>> | undefined;
  readonly indexed_fields?: readonly string[] | undefined;
}

export type SchemaDefinition = TableDefinition | { readonly tables: Readonly<Record<string, TableDefinition>> };

/** Lists of names, each sorted. Those of `default_values` and `auto_fields` have the fields alone. */
export interface MethodDefinition {
  readonly allowed_fields?: readonly string[] | undefined;
  readonly required_fields?: readonly string[] | undefined;
  readonly default_values?: readonly string[] | undefined;
  readonly auto_fields?: readonly string[] | undefined;
  readonly allowed_params?: readonly string[] | undefined;
  readonly scope_by?: string | undefined;
}

export interface Definition {
  readonly id: string;
  /** The name that people read. It changes no type, so it is no part of the checksum. */
  readonly name: string | null;
  readonly code: string | null;
  readonly schema: SchemaDefinition;
  /** The methods that are on. */
  readonly public_methods: Readonly<Record<string, true | MethodDefinition>>;
}

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

function schemaDefinition(tables: readonly TableSchema[]): SchemaDefinition {
  const [first] = tables;
  if (first?.name === null) return tableDefinition(first);
  return { tables: Object.fromEntries(tables.map((table) => [table.name, tableDefinition(table)])) };
}

function tableDefinition(table: TableSchema): TableDefinition {
  const fields = new Map(
    Object.entries(table.fields).flatMap(([name, field]) => (isSafeKey(name) ? [[name, fieldDefinition(field)]] : [])),
  );
  return { fields: Object.fromEntries(fields), ...indexDefinition(table, fields) };
}

function fieldDefinition(field: unknown): FieldDefinition {
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
    return method === true || isObject(method) ? [[operation, method === true || methodDefinition(method)]] : [];
  });
  return Object.fromEntries(on);
}

function methodDefinition(options: JsonObject): true | MethodDefinition {
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
