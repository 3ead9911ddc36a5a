import { parseGlobalId, upstreamId } from '../graphql/ids.ts';
import { readExactly } from '../graphql/json.ts';
import type { JsonObject } from '../http/formats/decode.ts';
import { invalidInput, missingAsNull, NotFoundError, ValidationError } from '../http/errors.ts';
import { text } from '../http/formats/leaves.ts';
import type { FlexSource } from './source.ts';
import { dataOf, type FlexRecordFields, type FlexRecordRecord, tablesOf } from './wire.ts';

/** What names a record: it is found within its database only. */
export interface RecordKey {
  /** The database's id, never its code: that can change. */
  readonly db: string;
  readonly id: string;
}

/** `<database id>:<record id>`, the part of a record's global id behind its type. */
export function formatRecordKey({ db, id }: RecordKey): string {
  return `${db}:${id}`;
}

/**
 * The record that an argument names: `FlexRecord:<database id>:<record id>`, or that without the type.
 *
 * @throws ValidationError for anything else
 */
export function parseRecordKey(id: string): RecordKey {
  const [, db, record] = /^([^:]+):(.+)$/s.exec(upstreamId(id, 'FlexRecord')) ?? [];
  if (db !== undefined && record !== undefined) return { db, id: record };
  throw invalidInput('id', 'takes the global id of a record: FlexRecord:<database id>:<record id>');
}

/**
 * The record of a known database that an argument names: its global id, or its id there.
 *
 * @throws ValidationError for the global id of a record of another database
 */
export function recordIdIn(db: string, id: string): string {
  if (!parseGlobalId(id)) return id;
  const key = parseRecordKey(id);
  if (key.db === db) return key.id;
  throw new ValidationError('The record is one of another database.', {
    id: ['is the id of a record of another database'],
  });
}

/** A record with the id of its database. */
export interface StoredRecord extends FlexRecordRecord {
  readonly db: string;
}

export function withDatabaseId(db: string, record: FlexRecordRecord): StoredRecord {
  return { ...record, db };
}

/**
 * One record, or null when the caller can see none. No endpoint reads one, so it comes from the list of its
 * database, which is read once for all records of an operation.
 */
export async function findRecord({ db, id }: RecordKey, flex: FlexSource): Promise<StoredRecord | null> {
  const records = await flex.records(db).catch(missingAsNull);
  const found = records?.find((record) => record.id === id);
  return found ? withDatabaseId(db, found) : null;
}

interface Change {
  readonly table?: string | null | undefined;
  readonly data: JsonObject;
  readonly merge?: boolean | null | undefined;
}

/**
 * What a change sends. "In a multi-table database `table_name` must be sent again, otherwise the record goes back to
 * the null table": so where no table is given, the record's own is.
 *
 * @throws NotFoundError where a record that has to be read is not there
 * @throws ValidationError where upstream does not tell the record's table
 * @throws BadResponseError where a value to be merged could not be read exactly
 */
export async function changedRecord(key: RecordKey, change: Change, flex: FlexSource): Promise<FlexRecordFields> {
  const { table, data, merge } = change;
  const before = merge ? await existing(key, flex) : undefined;
  const table_name = table === undefined ? await ownTable(key, before, flex) : table;
  return { table_name, data: before ? readExactly({ ...dataOf(before.data), ...data }) : data };
}

async function ownTable(key: RecordKey, read: StoredRecord | undefined, flex: FlexSource) {
  if (read && Object.hasOwn(read, 'table_name')) return text(read.table_name) ?? undefined;
  const { schema } = await flex.database(key.db);
  const hasTables = tablesOf(schema)?.some(({ name }) => name !== null);
  if (!hasTables) return undefined;

  const record = read ?? (await existing(key, flex));
  if (Object.hasOwn(record, 'table_name')) return text(record.table_name) ?? undefined;
  throw invalidInput(
    'table',
    'is needed: upstream does not tell the table of this record, and would move it to the null table',
  );
}

async function existing(key: RecordKey, flex: FlexSource): Promise<StoredRecord> {
  const record = await findRecord(key, flex);
  if (record) return record;
  throw new NotFoundError('The flex API has no such record for this caller.');
}
