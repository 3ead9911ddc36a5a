import { isObject, type JsonObject, object, record, type UpstreamRecord } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';

// What the flex API sends and takes. Its document names the fields of a request; those of a read are not shown, so
// any key but the id may be absent, and leaves are coerced where GraphQL reads them.

export interface FlexDbRecord {
  readonly id: string;
  readonly name?: unknown;
  readonly code?: unknown;
  readonly app_id?: unknown;
  /** As it was stored: `{fields, …}` or `{tables: {<table>: {fields, …}}}`. */
  readonly schema?: unknown;
  readonly public_methods?: unknown;
}

/** What a creation or a change sends: an undefined key is not sent and stays as it is, null clears. */
export interface FlexDbFields {
  readonly name?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly app_id?: string | null | undefined;
  readonly schema?: JsonObject | null | undefined;
  readonly public_methods?: JsonObject | null | undefined;
}

/** A record, nested: everywhere but in a search. */
export interface FlexRecordRecord {
  readonly id: string;
  readonly data?: unknown;
  /** Not documented: whether it is sent. Without tables it is null. */
  readonly table_name?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
}

export interface FlexRecordFields {
  readonly table_name?: string | null | undefined;
  readonly data: JsonObject;
}

export interface SearchParameters {
  readonly table_name?: string | undefined;
  readonly q?: string | undefined;
  readonly search_in?: string | undefined;
  readonly sort?: string | undefined;
  readonly fields?: string | undefined;
  readonly filters: Readonly<Record<string, string>>;
}

export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** "id, created_at, updated_at are always returned", beside the fields of the data at the same level. */
const OWN_KEYS = ['id', 'created_at', 'updated_at'];

/** A search's flat record, nested like everywhere else. A field of the data that bears one of these names is hidden by it. */
export function nested(flat: UpstreamRecord): FlexRecordRecord {
  const data = Object.fromEntries(Object.entries(flat).filter(([key]) => !OWN_KEYS.includes(key)));
  return { id: flat.id, created_at: flat['created_at'], updated_at: flat['updated_at'], data };
}

/** A public search may answer flat or nested: nested is what has an object under `data` and no other key. */
export function nestedOrFlat(found: UpstreamRecord): FlexRecordRecord {
  const others = Object.keys(found).filter((key) => ![...OWN_KEYS, 'data', 'table_name'].includes(key));
  return isObject(found['data']) && others.length === 0 ? found : nested(found);
}

/** The record that an answer carries; a public `get` of nothing may answer null. */
export function recordOrNull(body: unknown): FlexRecordRecord | null {
  return body === null || body === undefined ? null : record(body);
}

/** The data of a record. */
export function dataOf(data: unknown): JsonObject | null {
  return data === null || data === undefined ? null : object(data);
}

/** A table of a schema: a single-table schema is one without a name. */
export interface TableSchema {
  readonly name: string | null;
  readonly fields: JsonObject;
  readonly indexes: unknown;
  readonly indexedFields: unknown;
}

/** The tables of a schema in either form, or null without one. */
export function tablesOf(schema: unknown): TableSchema[] | null {
  if (schema === null || schema === undefined) return null;
  const { tables } = object(schema);
  if (tables === undefined || tables === null) return [tableOf(null, schema)];
  return Object.entries(object(tables)).map(([name, table]) => tableOf(name, table));
}

function tableOf(name: string | null, table: unknown): TableSchema {
  const { fields = {}, indexes, indexed_fields: indexedFields } = object(table);
  if (!isObject(fields)) throw new BadResponseError('Expected the fields of a schema to be an object.');
  return { name, fields, indexes, indexedFields };
}

export interface PublicSearchParameters {
  readonly q?: string | undefined;
  readonly table_name?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
