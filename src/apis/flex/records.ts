import { DeletedNode, nodeRef } from '../../graph/node-ref.ts';
import { NULL_IS_VALUE } from '../../graph/field-rules.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { connectionOf } from '../../graph/lists/connections.ts';
import { ifUnchanged, ifUpdatedAtArgument } from '../../graph/if-updated-at.ts';
import { globalId, upstreamId } from '../../graph/ids.ts';
import { lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import { asError, changesOf, invalidInput, mapFieldPaths, missingAsNull } from '../../errors.ts';
import { sentFields } from '../../calls/written-record.ts';
import { databaseArgumentDescription, FlexDb, resolveDatabaseId } from './databases.ts';
import {
  findRecord,
  formatRecordKey,
  assertTableIsOptional,
  resolveRecordKey,
  type StoredRecord,
  tableOf,
  recordChange,
  type RecordChange,
  type RecordUpdate,
  unchangedRecord,
  withDatabaseId,
} from './stored-records.ts';
import type { FlexSource } from './source.ts';
import { parseData, tableName } from './wire.ts';

export const FlexRecord = nodeRef<StoredRecord>(
  'FlexRecord',
  (ids, { flex }) =>
    Promise.all(ids.map(async (id) => recordByKey(id, flex).catch((error: unknown) => asError(error)))),
  formatRecordKey,
);

/** Async, so that an invalid key rejects its own entry instead of the whole batch. */
async function recordByKey(id: string, flex: FlexSource) {
  const key = await resolveRecordKey(id, flex).catch(missingAsNull);
  return key && findRecord(key, flex);
}

const readFromList = (record: StoredRecord, { flex }: Context) => findRecord(record, flex);

/** Creates resolvers for the keys of a record, see `lazyFieldResolver`. */
export const lazyRecordField = lazyFieldResolver<StoredRecord>({ byId: readFromList });

builder.objectType(FlexRecord, {
  name: 'FlexRecord',
  description:
    'A record of a flexible database. The API has no endpoint for a single record: a read by id calls ' +
    '`GET /flex/dbs/:db_id/records.json`, the list of its database.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id of the record in its database.' }),
    db: t.field({ type: FlexDb, description: 'The database of the record.', resolve: ({ db }) => db }), // an id suffices: the loader of FlexDb reads it
    table: t.string({
      description:
        'The table of the record. Null in a database without tables, and for a record of no table. An error where ' +
        'upstream does not return it.',
      resolve: (record, args, context, info) => {
        const sent = sentFields(record);
        if (!sent || Object.hasOwn(record, 'table_name')) return tableOf(record, context.flex);
        const isOfNoTable = Object.hasOwn(sent, 'table_name') && Reflect.get(sent, 'table_name') === undefined; // upstream may not obey a null
        return isOfNoTable ? null : lazyRecordField('table_name', tableName)(record, args, context, info);
      },
    }),
    data: t.field({
      type: 'JSONObject',
      description:
        'Values of the record. A search cannot return fields of the data named id, created_at or updated_at; ' +
        '`records` can.',
      args: {
        fields: t.arg.stringList({
          description: 'Only these fields. A search requests no other fields from upstream.',
        }),
      },
      resolve: async (record, { fields }, context, info) => {
        const data = await lazyRecordField('data', parseData)(record, {}, context, info);
        if (!data || !fields) return data;
        return Object.fromEntries(fields.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]));
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the creation.',
      resolve: lazyRecordField('created_at', (at) => at),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time of the last change.',
      resolve: lazyRecordField('updated_at', (at) => at),
    }),
  }),
});

export const FlexRecordConnection = connectionOf(
  'FlexRecord',
  FlexRecord,
  'Records of a database. There is no total: upstream does not count records.',
);

export const FlexRecordInput = builder.inputType('FlexRecordInput', {
  description: 'A new record.',
  fields: (t) => ({
    table: t.string({
      extensions: { [NULL_IS_VALUE]: true },
      description:
        'The table of the record: required in a database with tables. Null creates the record in no table, where no ' +
        'search finds it.',
    }),
    data: t.field({ type: 'JSONObject', required: true, description: 'Values of the record.' }),
  }),
});

export const UpdateFlexRecordInput = builder.inputType('UpdateFlexRecordInput', {
  description: 'Changes of a record: its table, its values, or both.',
  fields: (t) => ({
    table: t.string({
      description:
        'The new table of the record. When it is left out, the gateway reads and sends the current table, because ' +
        'upstream moves a record without one to the null table. Null moves the record there.',
    }),
    data: t.field({
      type: 'JSONObject',
      description:
        'Values of the record, sent unchanged. Upstream does not document whether they replace all previous values. When ' +
        'they are left out or null, `table` is sent alone, without a read.',
    }),
    merge: t.boolean({
      defaultValue: false,
      description:
        'Whether to read the current values first and to send them together with the new ones. New values take precedence.',
    }),
  }),
});

/**
 * Checks that a change has something to send, before anything is read for it.
 *
 * @throws ValidationError for a merge without data, and for neither a table nor data
 */
export function recordUpdate({ table, data, merge }: typeof UpdateFlexRecordInput.$inferInput): RecordUpdate {
  if (merge && !data) throw invalidInput('data', 'is required for a merge');
  return { ...changesOf({ table, data: data ?? undefined }), merge };
}

/**
 * For `.catch`: maps the field names of upstream's messages to input paths. Upstream may name a field of the data with or
 * without `data.`; `data` and an empty name stand for all data.
 */
export const mapToDataPaths = mapFieldPaths((field) => {
  if (field === 'table_name') return 'table';
  if (field === '') return 'data';
  return field === 'data' || field.startsWith('data.') ? field : `data.${field}`;
});

/**
 * Reads the database for a new record without a table.
 *
 * @returns its upstream id
 * @throws ValidationError when the database has tables
 */
async function untabledDatabaseId(argument: string, flex: FlexSource): Promise<string> {
  const { id, schema } = await flex.database(upstreamId(argument, 'FlexDb'));
  assertTableIsOptional(schema);
  return id;
}

/** Creates the function that creates records in one database, which it reads once at most. */
export function recordCreator(argument: string, { flex }: Context) {
  let untabledId: Promise<string> | undefined;
  let anyId: Promise<string> | undefined;
  return async ({ table, data }: typeof FlexRecordInput.$inferInput): Promise<StoredRecord> => {
    const databaseId = await (table === undefined
      ? (untabledId ??= untabledDatabaseId(argument, flex))
      : (anyId ??= resolveDatabaseId(argument, flex)));
    const record = await flex.createRecord(databaseId, { table_name: table, data }).catch(mapToDataPaths);
    return Object.assign(record, { db: databaseId });
  };
}

interface UpdateOptions {
  /** The argument `ifUpdatedAt`. */
  readonly ifUpdatedAt?: string | null | undefined;
  /** The type of the record. */
  readonly type?: { readonly name: string };
  /** For `.catch`: maps upstream's messages to paths of the input. */
  readonly mapPaths?: (error: unknown) => never;
}

/** Sends the change of one record. */
export async function updateRecord(
  change: RecordChange,
  { flex }: Context,
  { ifUpdatedAt, type = FlexRecord, mapPaths = mapToDataPaths }: UpdateOptions = {},
): Promise<StoredRecord> {
  const { key, fields } = change;
  const unchanged = ifUnchanged(ifUpdatedAt, type, (current) => withDatabaseId(key.db, current));
  const precondition = unchanged && unchangedRecord(change, unchanged);
  const record = await flex.updateRecord(key.db, key.id, fields, precondition).catch(mapPaths);
  return withDatabaseId(key.db, record);
}

/** Deletes one record. */
export async function deleteRecord(id: string, { flex }: Context): Promise<{ deletedId: string }> {
  const key = await resolveRecordKey(id, flex);
  await flex.deleteRecord(key.db, key.id);
  return { deletedId: globalId('FlexRecord', formatRecordKey(key)) };
}

const recordArgumentDescription = 'Global id of the record: `FlexRecord:<database id>:<record id>`.';

builder.mutationFields((t) => ({
  createFlexRecord: t.field({
    type: FlexRecord,
    description:
      'Creates a record. Calls `POST /flex/dbs/:db_id/records.json`. Without `table`, or without the global id of the ' +
      'database, it first calls `GET /flex/dbs/:id.json`.',
    errors: {},
    args: {
      db: t.arg.id({ required: true, description: databaseArgumentDescription }),
      input: t.arg({ type: FlexRecordInput, required: true, description: 'The record.' }),
    },
    resolve: (_root, { db, input }, context) => recordCreator(db, context)(input),
  }),
  updateFlexRecord: t.field({
    type: FlexRecord,
    description:
      'Changes a record. Calls `PATCH /flex/dbs/:db_id/records/:id.json`. Without `table`, it first calls ' +
      '`GET /flex/dbs/:id.json` and, unless that shows the schema of a single table, ' +
      '`GET /flex/dbs/:db_id/records.json`. A merge also reads the list of records.',
    errors: {},
    args: {
      id: t.arg.id({ required: true, description: recordArgumentDescription }),
      input: t.arg({ type: UpdateFlexRecordInput, required: true, description: 'The changes.' }),
      ifUpdatedAt: ifUpdatedAtArgument(t.arg),
    },
    resolve: async (_root, { id, input, ifUpdatedAt }, context) => {
      const update = recordUpdate(input);
      const key = await resolveRecordKey(id, context.flex);
      return updateRecord(await recordChange(key, update, context.flex), context, { ifUpdatedAt });
    },
  }),
  deleteFlexRecord: t.field({
    type: DeletedNode,
    description: 'Deletes a record. Calls `DELETE /flex/dbs/:db_id/records/:id.json`.',
    errors: {},
    args: { id: t.arg.id({ required: true, description: recordArgumentDescription }) },
    resolve: (_root, { id }, context) => deleteRecord(id, context),
  }),
}));
