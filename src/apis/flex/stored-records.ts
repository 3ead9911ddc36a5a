import { isDeepStrictEqual } from 'node:util';
import { parseGlobalId, upstreamId } from '../../graph/ids.ts';
import { readExactly } from '../../graph/json.ts';
import type { IfUnchanged, Precondition } from '../../calls/requests.ts';
import type { Rows } from '../../formats/rows.ts';
import type { JsonObject, UpstreamRecord } from '../../formats/decode.ts';
import {
  BadResponseError,
  changesOf,
  invalidInput,
  missingAsNull,
  NotFoundError,
  ValidationError,
} from '../../errors.ts';
import { LongNumber, wasLongNumber } from '../../formats/long-numbers.ts';
import type { FlexSource } from './source.ts';
import {
  type FlexRecordFields,
  type FlexRecordRecord,
  type FoundRecord,
  hasSingleTable,
  lacksTables,
  looksLikeId,
  parseData,
  readableTables,
  tableName,
} from './wire.ts';

/** The key of a record: its id is unique only within its database. */
export interface RecordKey {
  /** Id of the database, never its code, which can change. */
  readonly db: string;
  readonly id: string;
}

/** Formats `<database id>:<record id>`, the global id of a record without its type. */
export function formatRecordKey({ db, id }: RecordKey): string {
  return `${db}:${id}`;
}

/**
 * Parses an argument that takes a record: `FlexRecord:<database id>:<record id>`, or the same without the type.
 *
 * @throws ValidationError for any other text
 */
function parseRecordKey(id: string): RecordKey {
  const [, db, record] = /^([^:]+):(.+)$/s.exec(upstreamId(id, 'FlexRecord')) ?? [];
  if (db !== undefined && record !== undefined) return { db, id: record };
  throw invalidInput('id', 'takes the global id of a record: FlexRecord:<database id>:<record id>');
}

/**
 * Resolves an argument that takes a record to its key. A caller may have written the code of the database in place of its
 * id. The gateway then calls `GET /flex/dbs/:id.json`, because each record has one global id only.
 *
 * @throws ValidationError for a text that is no global id of a record
 * @throws NotFoundError when there is no database of this code
 */
export async function resolveRecordKey(id: string, flex: FlexSource): Promise<RecordKey> {
  const key = parseRecordKey(id);
  return looksLikeId(key.db) ? key : { id: key.id, db: (await flex.database(key.db)).id };
}

/**
 * Resolves an argument that takes a record of a known database: its global id, or its id in this database.
 *
 * @returns the record's id in the database
 * @throws ValidationError for the global id of a record of another database
 */
export async function recordIdIn(db: string, id: string, flex: FlexSource): Promise<string> {
  if (!parseGlobalId(id)) return id;
  const key = parseRecordKey(id).db === db ? parseRecordKey(id) : await resolveRecordKey(id, flex);
  if (key.db === db) return key.id;
  throw invalidInput('id', 'is the id of a record of another database');
}

/** A record with the id of its database. */
export interface StoredRecord extends FoundRecord {
  readonly db: string;
}

/** Adds the id of the database to a record, without changing the record. */
export function withDatabaseId(db: string, record: FoundRecord): StoredRecord {
  return { ...record, db };
}

/** Not documented (A231): pages of records. A list with so many rows may be the first one of several. */
const PAGE_SIZES: ReadonlySet<number> = new Set([
  ...[10, 15, 20, 25, 30, 40, 50, 60, 75],
  ...[100, 150, 200, 250, 300, 500, 1_000],
]);

/**
 * Reads one record. The API has no endpoint for a single record, so `GET /flex/dbs/:db_id/records.json` reads the list
 * of its database, once per operation.
 *
 * @returns null when the record or its database does not exist, or the caller cannot see it
 * @throws BadResponseError when the list lacks the record, and may have more pages
 */
export async function findRecord({ db, id }: RecordKey, flex: FlexSource): Promise<StoredRecord | null> {
  const match = await findIn(flex.records(db), id);
  return match && withDatabaseId(db, match);
}

/** Finds a record in the list of its database, as `findRecord` does. */
async function findIn<T extends FlexRecordRecord>(list: Promise<Rows<T>>, id: string): Promise<T | null> {
  const records = await list.catch(missingAsNull);
  const match = records?.find((record) => record.id === id);
  if (match) return match;
  records?.assertComplete();
  const rows = records?.total ?? 0;
  if (!PAGE_SIZES.has(rows)) return null;
  throw new BadResponseError(
    `The list of the database has ${rows} rows, and no such record: it may be on another page, which the ` +
      'gateway cannot ask for.',
  );
}

/**
 * Finds the table of a record. Where the record does not name it, its database does: it has one table or several.
 *
 * @returns null for a record of no table
 * @throws BadResponseError when upstream does not return the tables of records, and the database has tables
 */
export async function tableOf(record: StoredRecord, flex: FlexSource): Promise<string | null> {
  const found = Object.hasOwn(record, 'table_name') ? record : await findRecord(record, flex);
  if (!found || Object.hasOwn(found, 'table_name')) return tableName(found?.table_name);
  if (lacksTables((await flex.database(record.db)).schema)) return null;
  throw new BadResponseError('The flex API does not return the table of this record.');
}

/**
 * Checks that a new record without `table` has a database without tables. Elsewhere it would be a record of no table, which
 * no search finds and no definition validates.
 *
 * @throws ValidationError with the tables of the database
 */
export function assertTableIsOptional(schema: unknown): void {
  const names = (readableTables(schema) ?? []).flatMap(({ name }) => name ?? []);
  if (names.length === 0) return;
  const reason = 'is required in a database with tables; null creates the record in no table';
  throw new ValidationError(`\`table\` ${reason}.`, { table: [reason] }, undefined, { availableTables: names });
}

/** The new table and data of a record. */
export interface RecordUpdate {
  /** Undefined keeps the current table. */
  readonly table?: string | null | undefined;
  /** Undefined for a change of the table alone, which is given then. */
  readonly data?: JsonObject | undefined;
  /** Whether to send the current values, too. */
  readonly merge?: boolean | null | undefined;
  /** Whether current numbers that JavaScript would round are sent again with all digits, and not refused. Those in objects are. */
  readonly keepsLongNumbers?: boolean;
}

/** A change that may be sent. */
export interface RecordChange {
  readonly key: RecordKey;
  readonly fields: FlexRecordFields;
  /** The record that parts of the fields are from. Undefined when all of them are given. */
  readonly base: StoredRecord | undefined;
}

/**
 * Builds the body of an update. "In a multi-table database `table_name` must be sent again, otherwise the record goes
 * back to the null table": the body holds the current table unless the update sets one.
 *
 * @throws NotFoundError when the current record is needed and does not exist
 * @throws ValidationError for a merge of nothing, and when upstream does not return the table of the record
 * @throws BadResponseError when a current value that would be sent again is a number that JavaScript would round
 */
export async function recordChange(key: RecordKey, update: RecordUpdate, flex: FlexSource): Promise<RecordChange> {
  const { table, data, merge, keepsLongNumbers = false } = update;
  if (!data) return { key, fields: { table_name: table }, base: undefined };
  if (merge && table === undefined) changesOf(data, 'data');
  const current = merge ? await readExisting(key, flex) : undefined;
  const { table_name, base } =
    table === undefined ? await currentTable(key, current, flex) : { table_name: table, base: current };
  const known = (current && parseData(current.data)) ?? {};
  const long = keepsLongNumbers ? longNumbersIn(known) : {};
  const kept = readExactly(known, [...Object.keys(data), ...Object.keys(long)]);
  return { key, fields: { table_name, data: { ...kept, ...long, ...data } }, base };
}

/**
 * Creates the precondition of a change. A record that differs from the one of which the change was made has changed, also within a
 * second.
 */
export function unchangedRecord({ key, base }: RecordChange, ifUnchanged: IfUnchanged) {
  const isBase = ({ data, table_name }: FlexRecordRecord) =>
    base === undefined || (isDeepStrictEqual(data, base.data) && table_name === base.table_name);
  return (readAll: () => Promise<Rows<UpstreamRecord>>): Precondition => {
    const read = async () => (await findIn(readAll(), key.id)) ?? missing();
    return { ...ifUnchanged, isBase, read };
  };
}

/** The numbers of data that JavaScript would round, by their keys. */
function longNumbersIn(data: JsonObject): Readonly<Record<string, LongNumber>> {
  const keys = Object.keys(data).filter((key) => wasLongNumber(data, key));
  return Object.fromEntries(keys.map((key) => [key, new LongNumber(String(data[key]))]));
}

/**
 * The table that an update sends to keep a record where it is: undefined for the null table and in a database without
 * tables. A schema that a read does not show says nothing about tables, so the record does.
 *
 * @returns the table, and the record where it was read
 */
async function currentTable(key: RecordKey, current: StoredRecord | undefined, flex: FlexSource) {
  if (!current || !Object.hasOwn(current, 'table_name')) {
    const { schema } = await flex.database(key.db);
    if (hasSingleTable(schema)) return { table_name: undefined, base: current };
  }
  const base = current ?? (await readExisting(key, flex));
  if (Object.hasOwn(base, 'table_name')) return { table_name: tableName(base.table_name) ?? undefined, base };
  throw invalidInput(
    'table',
    'is required: upstream returns neither the table of this record nor a schema without tables, and would move the ' +
      'record to the null table. Null moves it there',
  );
}

async function readExisting(key: RecordKey, flex: FlexSource): Promise<StoredRecord> {
  return (await findRecord(key, flex)) ?? missing();
}

function missing(): never {
  throw new NotFoundError('The flex API has no such record for this caller.');
}
