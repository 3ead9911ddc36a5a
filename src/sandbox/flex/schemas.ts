import { getOwn, isJsonObject } from '../json-object.ts';
import { type FieldType, fieldTypes } from '../field-types.ts';
import { assignColumns, fitsColumn, type IndexColumn, isIndexColumn } from './index-columns.ts';

export interface Field {
  readonly type: FieldType;
  readonly required: boolean;
}

/** The fields and index columns of one table. */
export interface Table {
  readonly fields: ReadonlyMap<string, Field>;
  /** The index column of a field that has one. */
  readonly columns: ReadonlyMap<string, IndexColumn>;
}

/** The parsed schema of a database. */
export interface Schema {
  /** Of a database with one table, whose records have `table_name` null. Null without a schema, and with `tables`. */
  readonly single: Table | null;
  /** Of a database with several tables, by name. */
  readonly tables: ReadonlyMap<string, Table> | null;
}

/** Collects a problem of the schema: `fields.title must be …`. */
type ReportProblem = (problem: string) => void;

/** Finds the table named by `table_name`. Null means that the schema defines no such table; its records are not validated. */
export function tableOf({ single, tables }: Schema, name: string | null): Table | null {
  return name === null ? single : (tables?.get(name) ?? null);
}

/**
 * A schema in either form, and all that is wrong with it.
 * Not documented (A70): null and the empty object are no schema, and what is not a part of one is refused.
 */
export function readSchema(value: unknown): { readonly schema: Schema; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const schema = readEitherForm(value, (problem) => problems.push(problem));
  return { schema, problems };
}

function readEitherForm(value: unknown, report: ReportProblem): Schema {
  const none: Schema = { single: null, tables: null };
  if (value === null) return none;
  if (!isJsonObject(value)) {
    report('must be an object');
    return none;
  }
  if (Object.keys(value).length === 0) return none;
  if (!Object.hasOwn(value, 'tables')) return { single: readTable(value, '', report), tables: null };
  if (Object.keys(value).length > 1) report('must have either tables or top-level fields, and nothing beside tables');
  return { single: null, tables: readTables(value['tables'], report) };
}

function readTables(value: unknown, report: ReportProblem): Map<string, Table> {
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    report('tables must be an object of at least one table');
    return new Map();
  }
  return new Map(
    Object.entries(value).map(([name, table]) => {
      if (!isValidName(name)) report(`tables has a name that cannot be one: ${JSON.stringify(name)}`);
      return [name, readTable(table, `tables.${name}.`, report)];
    }),
  );
}

function readTable(value: unknown, at: string, report: ReportProblem): Table {
  const nothing: Table = { fields: new Map(), columns: new Map() };
  if (!isJsonObject(value)) {
    report(`${at.slice(0, -1)} must be an object`);
    return nothing;
  }
  for (const key of Object.keys(value)) {
    if (!['fields', 'indexes', 'indexed_fields'].includes(key)) report(`${at}${key} is not a part of a schema`);
  }
  const fields = readFields(getOwn(value, 'fields'), `${at}fields`, report);
  const [indexes, list] = [getOwn(value, 'indexes') ?? null, getOwn(value, 'indexed_fields') ?? null];
  if (indexes !== null && list !== null) report(`${at}indexes and indexed_fields must not be given both`);
  if (indexes !== null) return { fields, columns: readIndexes(indexes, fields, `${at}indexes`, report) };
  if (list !== null) return { fields, columns: readIndexedFields(list, fields, `${at}indexed_fields`, report) };
  return { fields, columns: new Map() };
}

/** Not documented (A71): a name that is blank, or holds a null character or half a surrogate pair, is none. */
function isValidName(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
}

function readFields(value: unknown, at: string, report: ReportProblem): Map<string, Field> {
  const fields = new Map<string, Field>();
  if (!isJsonObject(value)) {
    report(`${at} must be an object`);
    return fields;
  }
  for (const [name, definition] of Object.entries(value)) {
    if (!isValidName(name)) report(`${at} has a name that cannot be one: ${JSON.stringify(name)}`);
    const field = readField(definition, `${at}.${name}`, report);
    if (field) fields.set(name, field);
  }
  return fields;
}

/** The short form, `<field>: <type>`, or the full one, `<field>: {type, required}`. */
function readField(value: unknown, at: string, report: ReportProblem): Field | null {
  const full = isJsonObject(value) ? value : { type: value };
  for (const key of Object.keys(full)) {
    if (key !== 'type' && key !== 'required') report(`${at}.${key} is not a part of a field`);
  }
  const type = fieldTypes.find((known) => known === getOwn(full, 'type'));
  const required = getOwn(full, 'required') ?? false;
  if (typeof required !== 'boolean') report(`${at}.required must be true or false`);
  if (!type) report(`${at} must have one of the types ${fieldTypes.join(', ')}`);
  return type ? { type, required: required === true } : null;
}

/**
 * Not documented (A73, A74): a field that is no field of the table is refused, one of a type without index columns is
 * not indexed.
 */
function readIndexedFields(
  value: unknown,
  fields: Table['fields'],
  at: string,
  report: ReportProblem,
): Table['columns'] {
  if (!Array.isArray(value)) {
    report(`${at} must be a list of fields`);
    return new Map();
  }
  const typed = value.flatMap((name: unknown) => {
    const field = typeof name === 'string' ? fields.get(name) : undefined;
    if (!field) report(`${at} has an unknown field: ${typeof name === 'string' ? name : typeof name}`);
    return typeof name === 'string' && field ? [[name, field.type] as const] : [];
  });
  return assignColumns(typed);
}

/** The older form, `{idx_str_1: <field>}`; also the other way round, as the document's words have it. */
function readIndexes(value: unknown, fields: Table['fields'], at: string, report: ReportProblem): Table['columns'] {
  const columns = new Map<string, IndexColumn>();
  if (!isJsonObject(value)) {
    report(`${at} must be an object`);
    return columns;
  }
  for (const [key, other] of Object.entries(value)) {
    const [column, name] = isIndexColumn(key) ? [key, other] : [other, key];
    const field = typeof name === 'string' ? fields.get(name) : undefined;
    if (typeof column !== 'string' || !isIndexColumn(column)) report(`${at}.${key} names no index column`);
    else if (typeof name !== 'string' || !field) report(`${at}.${key} names no field`);
    else if (!fitsColumn(field.type, column)) report(`${at}.${key} does not fit: ${name} is of type ${field.type}`);
    else if (columns.has(name) || [...columns.values()].includes(column)) report(`${at}.${key} is mapped twice`);
    else columns.set(name, column);
  }
  return columns;
}
