import { readExactly } from '../graphql/json.ts';
import type { JsonObject } from '../http/formats/decode.ts';
import { invalidInput, missingAsNull, NotFoundError } from '../http/errors.ts';
import { text } from '../http/formats/leaves.ts';
import type { RecordKey } from './record-keys.ts';
import type { FlexSource } from './source.ts';
import { dataOf, type FlexRecordFields, type FlexRecordRecord, tablesOf } from './wire.ts';

/** A record with the id of its database. */
export interface StoredRecord extends FlexRecordRecord {
  readonly db: string;
}

export function stored(db: string, record: FlexRecordRecord): StoredRecord {
  return { ...record, db };
}

/**
 * One record, or null when the caller can see none. No endpoint reads one, so it comes from the list of its
 * database, which is read once for all records of an operation.
 */
export async function findRecord({ db, id }: RecordKey, flex: FlexSource): Promise<StoredRecord | null> {
  const records = await flex.records(db).catch(missingAsNull);
  const found = records?.find((record) => record.id === id);
  return found ? stored(db, found) : null;
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
