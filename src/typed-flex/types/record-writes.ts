import type { Context } from '../../context.ts';
import { type StoredRecord, updateFields, withDatabaseId, withSentTable } from '../../flex/stored-records.ts';
import { globalId, upstreamId } from '../../graphql/ids.ts';
import { NotFoundError } from '../../http/errors.ts';
import type { JsonObject } from '../../http/formats/decode.ts';
import type { ValuesByType } from './field-values.ts';
import { explainMissing } from './missing-database.ts';
import type { TypedDatabase, TypedTable } from '../model/model.ts';
import { dataWriter, mapToInputPaths } from './input-data.ts';
import { findInSet, type RecordSet, recordsOf } from './typed-records.ts';

interface Identified {
  readonly id: string;
}

interface WithInput {
  readonly input: JsonObject;
}

/** Creates the resolvers that create, change and delete records of a table. */
export function recordWrites(database: TypedDatabase, table: TypedTable, values: ValuesByType) {
  const { typeName, name } = table;
  const records = recordsOf(database, table);
  const toData = dataWriter(table, values);
  const mapToPaths = mapToInputPaths(table);

  const create = async (_root: unknown, { input }: WithInput, { flex }: Context): Promise<StoredRecord> => {
    const fields = { table_name: name ?? undefined, data: toData(input) };
    const creating = flex.createRecord(database.id, fields).catch(explainMissing(database));
    const created = await creating.catch(mapToPaths);
    return Object.assign(withSentTable(name, created), { db: database.id });
  };
  const update = async (
    _root: unknown,
    { id, input }: Identified & WithInput,
    { flex }: Context,
  ): Promise<StoredRecord> => {
    const key = { db: database.id, id: upstreamId(id, typeName) };
    const data = toData(input);
    await assertInSet(key.id, records, flex);
    const change = { table: name ?? undefined, data, merge: true, keepsLongNumbers: true };
    const fields = await updateFields(key, change, flex);
    const updated = await flex.updateRecord(key.db, key.id, fields).catch(mapToPaths);
    return withDatabaseId(key.db, withSentTable(fields.table_name, updated));
  };
  const remove = async (_root: unknown, { id: given }: Identified, { flex }: Context) => {
    const id = upstreamId(given, typeName);
    if (records.table !== undefined) await assertInSet(id, records, flex);
    await flex.deleteRecord(database.id, id);
    return { deletedId: globalId(typeName, id) };
  };
  return { create, update, remove };
}

/** Upstream changes a record of any table: without this check, a wrong id would change one of another type. */
async function assertInSet(id: string, records: RecordSet, flex: Context['flex']): Promise<void> {
  if (await findInSet(id, records, flex)) return;
  throw new NotFoundError('The flex API has no such record in this table for this caller.');
}
