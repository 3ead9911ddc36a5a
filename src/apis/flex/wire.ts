import {
  hasId,
  isObject,
  type JsonObject,
  object,
  readableRows,
  record,
  type UpstreamRecord,
} from '../../formats/decode.ts';
import { BadResponseError } from '../../errors.ts';
import { Rows } from '../../formats/rows.ts';
import { text } from '../../formats/leaves.ts';
import { type SentWrite, writtenRecordIn } from '../../formats/written.ts';

// The records and requests of the flex API. Its document names the fields of a request but not those of a read, so any
// key but the id may be absent. GraphQL scalars coerce the leaves.

/** A database as a read sends it. */
export interface FlexDbRecord {
  readonly id: string;
  readonly name?: unknown;
  readonly code?: unknown;
  readonly app_id?: unknown;
  /** The stored schema: `{fields, …}` or `{tables: {<table>: {fields, …}}}`. */
  readonly schema?: unknown;
  readonly public_methods?: unknown;
  /** Not documented (A67), as `updated_at`. */
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
}

/**
 * Whether a text is a uuid or a whole number, as the ids of databases are. Not documented (A212): that a code is neither.
 */
export function looksLikeId(text: string): boolean {
  return /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text);
}

/** The body of a creation or an update. An undefined key is not sent, so its value stays; null clears the value. */
export interface FlexDbFields {
  readonly name?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly app_id?: string | null | undefined;
  readonly schema?: JsonObject | null | undefined;
  readonly public_methods?: JsonObject | null | undefined;
}

/** A record with nested data. Every endpoint but the searches sends this shape. */
export interface FlexRecordRecord {
  readonly id: string;
  readonly data?: unknown;
  /** Not documented (A81): whether it is sent. Null for a record of no table. */
  readonly table_name?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
}

/** A record as any endpoint returns it. */
export interface FoundRecord extends FlexRecordRecord {
  /** Whether a search returned it: its data has the requested fields, and none with the name of a key of a record. */
  readonly isFlat?: true;
}

/** Decodes the table of a record. Not documented (A82): the empty text means no table. */
export const tableName = (value: unknown): string | null => text(value) || null;

/** The body of a creation or an update of a record. */
export interface FlexRecordFields {
  readonly table_name?: string | null | undefined;
  /** Undefined for an update of the table alone. */
  readonly data?: JsonObject | undefined;
}

/** The query parameters of a search, without its window. `filters` holds values by field. */
export interface SearchParameters {
  readonly table_name?: string | undefined;
  readonly q?: string | undefined;
  readonly search_in?: string | undefined;
  readonly sort?: string | undefined;
  readonly fields?: string | undefined;
  readonly filters: Readonly<Record<string, string>>;
}

/** The rows to read: at most `limit`, after skipping `offset`. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** "id, created_at, updated_at are always returned", beside the fields of the data at the same level. */
export const RECORD_KEYS: readonly string[] = ['id', 'created_at', 'updated_at'];

/** Nests the data of a flat record. A field of the data with the name of a record key is lost. */
export function nestData(flat: UpstreamRecord): FoundRecord {
  const data = Object.fromEntries(Object.entries(flat).filter(([key]) => !RECORD_KEYS.includes(key)));
  return { id: flat.id, created_at: flat['created_at'], updated_at: flat['updated_at'], data, isFlat: true };
}

/**
 * Nests a record of a public search unless it is nested already: it has an object in `data` and no keys of other
 * fields. Not documented (A262): whether rows are flat or nested.
 *
 * @param hasDataField whether the definition has a field `data`: an object that lacks it is the value of that field
 */
export function nestFlatRecord(row: UpstreamRecord, hasDataField = false): FoundRecord {
  const dataKeys = Object.keys(row).filter((key) => ![...RECORD_KEYS, 'data', 'table_name'].includes(key));
  const { data } = row;
  const isNested = isObject(data) && dataKeys.length === 0 && (!hasDataField || Object.hasOwn(data, 'data'));
  return isNested ? row : nestData(row);
}

/** The record in the response to a public update. Undefined without data: upstream may answer the id alone. */
export function recordWithData(body: unknown, sent: SentWrite): FlexRecordRecord | undefined {
  const found = writtenRecordIn(body, sent);
  return found && isObject(found['data']) ? found : undefined;
}

/** The record in a response. Null for an empty response: a public `get` may send null for a missing record, bare or in its key. */
export function recordOrNull(body: unknown, key = ''): FlexRecordRecord | null {
  const isNothing = body === null || body === undefined || (isObject(body) && body[key] === null && !hasId(body));
  return isNothing ? null : record(body, key);
}

/** Checks the data of a record. @throws BadResponseError for any value but an object or null */
export function parseData(data: unknown): JsonObject | null {
  return data === null || data === undefined ? null : object(data);
}

/** A table of a schema. The table of a single-table schema has no name. */
export interface TableSchema {
  readonly name: string | null;
  readonly fields: JsonObject;
  readonly indexes: unknown;
  readonly indexedFields: unknown;
}

/**
 * Reads the tables of a schema in either form.
 *
 * @returns null for a missing schema
 * @throws BadResponseError for a schema that is malformed
 */
export function tablesOf(schema: unknown): TableSchema[] | null {
  if (schema === null || schema === undefined) return null;
  const { tables } = object(schema);
  if (tables === undefined || tables === null) return [parseTable(null, schema)];
  return Object.entries(object(tables)).map(([name, table]) => parseTable(name, table));
}

/**
 * Reads the tables of a schema that can be read. A malformed one of several tables is left out, and is a problem of the
 * list.
 *
 * @returns null for a missing schema
 * @throws BadResponseError for a schema whose parts cannot be told
 */
export function shownTables(schema: unknown): Rows<TableSchema> | null {
  if (!isObject(schema) || !isObject(schema['tables'])) {
    const tables = tablesOf(schema);
    return tables && new Rows(tables);
  }
  return readableRows(Object.entries(schema['tables']), ([name, table]) => {
    try {
      return parseTable(name, table);
    } catch (error) {
      if (error instanceof BadResponseError) return error.message;
      throw error;
    }
  });
}

/** The tables of a schema; null for a schema that is missing or malformed. */
export function readableTables(schema: unknown): readonly TableSchema[] | null {
  try {
    return tablesOf(schema);
  } catch (error) {
    if (error instanceof BadResponseError) return null;
    throw error;
  }
}

/** Whether a schema is known to have no named tables. False for a schema that is not known. */
export function lacksTables(schema: unknown): boolean {
  return schema === null || (isObject(schema) && !Object.hasOwn(schema, 'tables'));
}

/** Whether a schema is shown and has the fields of a single table: "Records of such a database have `table_name` null." */
export function hasSingleTable(schema: unknown): boolean {
  return isObject(schema) && isObject(schema['fields']) && !isObject(schema['tables']);
}

function parseTable(name: string | null, table: unknown): TableSchema {
  const { fields = {}, indexes, indexed_fields: indexedFields } = object(table);
  if (!isObject(fields)) throw new BadResponseError('Expected the fields of a schema to be an object.');
  return { name, fields, indexes, indexedFields };
}

/** The body of `POST /flex/db/:db_code/search`. */
export interface PublicSearchParameters {
  readonly q?: string | undefined;
  readonly table_name?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
