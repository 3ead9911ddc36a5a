import { nodeRef } from '../graphql/node-ref.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { connectionOf } from '../lists/connections.ts';
import { DeletedNode } from '../graphql/deleted-node.ts';
import { globalId } from '../graphql/ids.ts';
import { lazyFieldResolver } from '../lists/lazy-fields.ts';
import { asError, mapFieldPaths, ForbiddenError, NotFoundError, ValidationError } from '../http/errors.ts';
import { text } from '../http/formats/leaves.ts';
import { databaseArgument, databaseId, FlexDb } from './databases.ts';
import {
  changedRecord,
  findRecord,
  formatRecordKey,
  parseRecordKey,
  type StoredRecord,
  withDatabaseId,
} from './stored-records.ts';
import type { FlexSource } from './source.ts';
import { dataOf } from './wire.ts';

export const FlexRecord = nodeRef<StoredRecord>(
  'FlexRecord',
  (ids, { flex }) =>
    Promise.all(ids.map(async (id) => recordByKey(id, flex).catch((error: unknown) => asError(error)))),
  formatRecordKey,
);

/** Async, so that what is no key costs its own place only. */
const recordByKey = async (id: string, flex: FlexSource) => findRecord(parseRecordKey(id), flex);

const fromList = (record: StoredRecord, { flex }: Context) => findRecord(record, flex);
const lazy = lazyFieldResolver<StoredRecord>({ byId: fromList });

builder.objectType(FlexRecord, {
  name: 'FlexRecord',
  description:
    'A record of a flexible database. There is no endpoint for one of them: one that is read by its id comes from ' +
    '`GET /flex/dbs/:db_id/records.json`, the list of its database.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in its database.' }),
    db: t.field({ type: FlexDb, description: 'Its database.', resolve: ({ db }) => db }), // an id suffices
    table: t.string({
      description: 'Its table; null in a database without tables.',
      resolve: lazy('table_name', text),
    }),
    data: t.field({
      type: 'JSONObject',
      description:
        'Its values. In a search, a field that is named id, created_at or updated_at cannot be told from the ' +
        "record's own: read such a database through `records`.",
      args: { fields: t.arg.stringList({ description: 'Only these fields; a search asks upstream for no others.' }) },
      resolve: async (record, { fields }, context) => {
        const data = await lazy('data', dataOf)(record, {}, context);
        if (!data || !fields) return data;
        return Object.fromEntries(fields.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]));
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was created.',
      resolve: lazy('created_at', (at) => at),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: lazy('updated_at', (at) => at),
    }),
  }),
});

export const FlexRecordConnection = connectionOf(
  'FlexRecord',
  FlexRecord,
  'Records of a database. Upstream counts none, so there is no total.',
);

const FlexRecordInput = builder.inputType('FlexRecordInput', {
  description: 'A new record.',
  fields: (t) => ({
    table: t.string({ description: 'Its table, in a database with tables.' }),
    data: t.field({ type: 'JSONObject', required: true, description: 'Its values.' }),
  }),
});

const UpdateFlexRecordInput = builder.inputType('UpdateFlexRecordInput', {
  description: 'Changes of a record.',
  fields: (t) => ({
    table: t.string({
      description:
        'The table to put it in. Left out, the record stays in its own, which is read and sent along: without it ' +
        'upstream would move the record to the null table. Null moves it there.',
    }),
    data: t.field({
      type: 'JSONObject',
      required: true,
      description: 'Its values, sent as they are. Upstream does not say whether they replace the ones before.',
    }),
    merge: t.boolean({
      defaultValue: false,
      description: 'Whether to read the values first, and to send them with these written over them.',
    }),
  }),
});

/** Upstream names the fields of the data as they are, and the data as a whole `data`. */
export const mapToDataPaths = mapFieldPaths((field) => {
  if (field === 'table_name') return 'table';
  return field === 'data' ? 'data' : `data.${field}`;
});

const recordArgument = 'Global id of the record: `FlexRecord:<database id>:<record id>`.';

builder.mutationFields((t) => ({
  createFlexRecord: t.field({
    type: FlexRecord,
    description:
      'Creates a record. Calls `POST /flex/dbs/:db_id/records.json`, and before it, unless the global id of the ' +
      'database is given, `GET /flex/dbs/:id.json` for its id.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      db: t.arg.id({ required: true, description: databaseArgument }),
      input: t.arg({ type: FlexRecordInput, required: true, description: 'The record.' }),
    },
    resolve: async (_root, { db, input: { table, data } }, { flex }) => {
      const id = await databaseId(db, flex);
      return withDatabaseId(id, await flex.createRecord(id, { table_name: table, data }).catch(mapToDataPaths));
    },
  }),
  updateFlexRecord: t.field({
    type: FlexRecord,
    description:
      'Changes a record. Calls `PATCH /flex/dbs/:db_id/records/:id.json`; before it `GET /flex/dbs/:id.json` when ' +
      '`table` is left out, and `GET /flex/dbs/:db_id/records.json` when the database has tables, or to merge.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      id: t.arg.id({ required: true, description: recordArgument }),
      input: t.arg({ type: UpdateFlexRecordInput, required: true, description: 'The changes.' }),
    },
    resolve: async (_root, { id, input }, { flex }) => {
      const target = parseRecordKey(id);
      const fields = await changedRecord(target, input, flex);
      const record = await flex.updateRecord(target.db, target.id, fields).catch(mapToDataPaths);
      return record ? withDatabaseId(target.db, record) : formatRecordKey(target);
    },
  }),
  deleteFlexRecord: t.field({
    type: DeletedNode,
    description: 'Deletes a record. Calls `DELETE /flex/dbs/:db_id/records/:id.json`.',
    errors: { types: [ForbiddenError, NotFoundError] },
    args: { id: t.arg.id({ required: true, description: recordArgument }) },
    resolve: async (_root, { id }, { flex }) => {
      const target = parseRecordKey(id);
      await flex.deleteRecord(target.db, target.id);
      return { deletedId: globalId('FlexRecord', formatRecordKey(target)) };
    },
  }),
}));
