import type { Context } from '../../operation/context.ts';
import { findRecord, type StoredRecord, tableOf } from '../../apis/flex/stored-records.ts';
import type { FlexSource } from '../../apis/flex/source.ts';
import type { NodeType } from '../../graph/node.ts';
import { operationLoader } from '../../graph/node-ref.ts';
import { asError, NotFoundError } from '../../errors.ts';
import type { TypedDatabase, TypedTable } from '../model/model.ts';
import { quoted } from '../snapshot/snapshot-error.ts';

/** The records that have one type: those of one table, or those of no table. */
export interface RecordSet {
  readonly typeName: string;
  /** Upstream id of the database. */
  readonly db: string;
  /** Null for the records of no table. Undefined in a database without tables: all its records are of the type. */
  readonly table: string | null | undefined;
}

/** The records of a table. */
export function recordsOf(database: TypedDatabase, { name, typeName }: TypedTable): RecordSet {
  return { typeName, db: database.id, table: name ?? undefined };
}

/** The records of no table. Undefined for a database without tables. */
export function untabledRecords({ id: db, untabledTypeName: typeName }: TypedDatabase): RecordSet | undefined {
  return typeName === undefined ? undefined : { typeName, db, table: null };
}

/**
 * Reads one record of a set from the list of its database, once per operation.
 *
 * @returns null for a record that does not exist, is hidden from the caller, or belongs to another table
 * @throws BadResponseError when upstream does not return the tables of records, and the database has tables
 */
export async function findInSet(id: string, { db, table }: RecordSet, flex: FlexSource): Promise<StoredRecord | null> {
  const record = await findRecord({ db, id }, flex);
  if (!record || table === undefined) return record;
  return (await tableOf(record, flex)) === table ? record : null;
}

/** The loader of a set of records, by their upstream ids. */
export function nodeType(records: RecordSet): NodeType {
  const load = async (ids: readonly string[], { flex }: Context) =>
    Promise.all(ids.map(async (id) => findInSet(id, records, flex).catch((error: unknown) => asError(error))));
  const type: NodeType = {
    name: records.typeName,
    getDataloader: (context) => operationLoader(type, load, context),
  };
  return type;
}

/** For `.catch` of a call that names a database and no record of it: says what upstream's 404 means. */
export function explainMissing({ key }: TypedDatabase) {
  return (error: unknown): never => {
    if (!(error instanceof NotFoundError)) throw error;
    const message = `The flex API has no database ${quoted(key)} for this caller: it is gone, or of another account.`;
    throw new NotFoundError(message, error.upstream);
  };
}
