import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SandboxServices } from '../services.ts';
import type { Store } from '../store.ts';
import { getOwn, type JsonObject, parseJsonObject } from '../json-object.ts';
import { stringifyJson } from '../json-text.ts';
import { type IndexColumn, indexColumns, toIndexedValue } from './index-columns.ts';
import { type Schema, type Table, tableOf } from './schemas.ts';

/** The schema of a row of `flex_records`, without the index columns. */
export const recordRow = z.object({
  number: z.int(),
  id: z.string(),
  table_name: z.string().nullable(),
  data: z.string().transform(parseJsonObject),
  created_at: z.string(),
  updated_at: z.string(),
});

export type StoredRecord = z.infer<typeof recordRow>;

/** The columns of `recordRow`. */
export const recordColumns = 'number, id, table_name, data, created_at, updated_at';

/** The database of a record: its number, which is the foreign key, and its schema. */
export interface Place {
  readonly database: number;
  readonly schema: Schema;
}

type RecordContent = Pick<StoredRecord, 'table_name' | 'data'>;

const insertSql = `INSERT INTO flex_records (id, database, table_name, data, created_at, updated_at, ${indexColumns.join(', ')})
  VALUES (:id, :database, :table_name, :data, :time, :time, ${indexColumns.map((column) => `:${column}`).join(', ')})
  RETURNING ${recordColumns}`;
const setColumnsSql = indexColumns.map((column) => `${column} = :${column}`).join(', ');

/** Inserts a record with this time of creation. */
export function insertRecord(
  store: Store,
  { database, schema }: Place,
  content: RecordContent,
  time: Date,
  id: string = randomUUID(),
): StoredRecord {
  const { table_name, data } = content;
  return store.one(recordRow, insertSql, {
    id,
    database,
    table_name,
    data: stringifyJson(data),
    time: time.toISOString(),
    ...indexColumnValues(tableOf(schema, table_name), data),
  });
}

export function saveRecord(
  { store, now }: SandboxServices,
  { schema }: Place,
  record: StoredRecord,
  { table_name, data }: RecordContent,
): StoredRecord {
  return store.one(
    recordRow,
    `UPDATE flex_records SET table_name = :table_name, data = :data, updated_at = :time, ${setColumnsSql}
     WHERE number = :number RETURNING ${recordColumns}`,
    {
      number: record.number,
      table_name,
      data: stringifyJson(data),
      time: now().toISOString(),
      ...indexColumnValues(tableOf(schema, table_name), data),
    },
  );
}

export function deleteRecord(store: Store, { number }: StoredRecord): void {
  store.run('DELETE FROM flex_records WHERE number = :number', { number });
}

export function findRecord(store: Store, { database }: Place, id: string): StoredRecord | null {
  return store.find(recordRow, `SELECT ${recordColumns} FROM flex_records WHERE database = :database AND id = :id`, {
    database,
    id,
  });
}

/** The records of all tables. Not documented (A92): their order, newest first. */
export function listRecords(store: Store, { database }: Place): StoredRecord[] {
  return store.all(
    recordRow,
    `SELECT ${recordColumns} FROM flex_records WHERE database = :database ORDER BY number DESC`,
    { database },
  );
}

/** Rebuilds the index columns of all records of a database. */
export function reindex(store: Store, database: number, schema: Schema): void {
  for (const { number, table_name, data } of listRecords(store, { database, schema })) {
    store.run(`UPDATE flex_records SET ${setColumnsSql} WHERE number = :number`, {
      number,
      ...indexColumnValues(tableOf(schema, table_name), data),
    });
  }
}

/** A value for every index column, null in those that have no field. */
function indexColumnValues(
  table: Table | null,
  data: JsonObject,
): Record<IndexColumn, string | number | bigint | null> {
  const columns: Record<IndexColumn, string | number | bigint | null> = {
    idx_str_1: null,
    idx_str_2: null,
    idx_str_3: null,
    idx_int_1: null,
    idx_int_2: null,
    idx_time_1: null,
    idx_time_2: null,
  };
  for (const [name, column] of table?.columns ?? []) {
    const type = table?.fields.get(name)?.type;
    if (type) columns[column] = toIndexedValue(type, getOwn(data, name)).value;
  }
  return columns;
}
