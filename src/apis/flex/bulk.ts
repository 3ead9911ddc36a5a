import { builder } from '../../graph/builder.ts';
import { DeletedNode } from '../../graph/node-ref.ts';
import type { Context } from '../../operation/context.ts';
import { bulkArguments, bulkInputs, bulkOptions, bulkResolver, describeBulk } from '../../graph/bulk.ts';
import { ifUpdatedAtField } from '../../graph/if-updated-at.ts';
import { invalidInput } from '../../errors.ts';
import { databaseArgumentDescription } from './databases.ts';
import {
  deleteRecord,
  FlexRecord,
  FlexRecordInput,
  recordCreator,
  recordUpdate,
  UpdateFlexRecordInput,
  updateRecord,
} from './records.ts';
import { formatRecordKey, resolveRecordKey, type RecordChange, recordChange } from './stored-records.ts';

const FlexRecordChange = builder.inputType('FlexRecordChange', {
  description: 'A change of one record.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the record: `FlexRecord:<database id>:<record id>`.' }),
    input: t.field({ type: UpdateFlexRecordInput, required: true, description: 'The changes.' }),
    ifUpdatedAt: ifUpdatedAtField(t),
  }),
});

type Change = typeof FlexRecordChange.$inferInput;

/**
 * Reads what the changes need, before the first of them is sent: each write would make earlier reads stale.
 *
 * @returns a function per change that sends it, or that throws the error of its preparation
 */
async function prepareChanges(changes: readonly Change[], context: Context) {
  const resolving = changes.map(async ({ id, input }) => {
    const update = recordUpdate(input);
    return { update, key: await resolveRecordKey(id, context.flex) };
  });
  await Promise.allSettled(resolving); // from here on the order of the changes decides
  const known = new Set<string>();
  const prepare = async (resolved: (typeof resolving)[number]): Promise<RecordChange> => {
    const { key, update } = await resolved;
    if (known.has(formatRecordKey(key)))
      throw invalidInput('id', 'is that of an earlier item: send one change for each record');
    known.add(formatRecordKey(key));
    return recordChange(key, update, context.flex);
  };
  const prepared = await Promise.allSettled(resolving.map(prepare));
  return prepared.map((change, index) => async () => {
    if (change.status === 'rejected') throw change.reason;
    return updateRecord(change.value, context, { ifUpdatedAt: changes[index]?.ifUpdatedAt });
  });
}

builder.mutationFields((t) => ({
  createFlexRecords: t.field({
    type: [FlexRecord],
    ...bulkOptions,
    description: describeBulk(
      'Creates records in one database. Calls `POST /flex/dbs/:db_id/records.json` for each, and before them ' +
        '`GET /flex/dbs/:id.json` once as `createFlexRecord` does.',
    ),
    args: {
      db: t.arg.id({ required: true, description: databaseArgumentDescription }),
      inputs: t.arg({ type: [FlexRecordInput], required: true, description: 'The records.' }),
      ...bulkArguments(t.arg),
    },
    resolve: (root, { db, ...items }, context, info) =>
      bulkResolver('inputs', recordCreator(db, context))(root, items, context, info),
  }),
  updateFlexRecords: t.field({
    type: [FlexRecord],
    ...bulkOptions,
    description: describeBulk(
      'Changes records. Calls `PATCH /flex/dbs/:db_id/records/:id.json` for each, and before them, once for each ' +
        'database, what `updateFlexRecord` reads.',
    ),
    args: bulkInputs(t.arg, FlexRecordChange, 'The changes.'),
    resolve: async (root, { inputs, onFailure }, context, info) => {
      const changes = inputs.length > context.limits.bulkItems ? [] : await prepareChanges(inputs, context);
      const send = bulkResolver('inputs', async (index: number) => changes[index]?.());
      return send(root, { inputs: [...inputs.keys()], onFailure }, context, info);
    },
  }),
  deleteFlexRecords: t.field({
    type: [DeletedNode],
    ...bulkOptions,
    description: describeBulk('Deletes records. Calls `DELETE /flex/dbs/:db_id/records/:id.json` for each.'),
    args: { ids: t.arg.idList({ required: true, description: 'Global ids of records.' }), ...bulkArguments(t.arg) },
    resolve: bulkResolver('ids', deleteRecord),
  }),
}));
