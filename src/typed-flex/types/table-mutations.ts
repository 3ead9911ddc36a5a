import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { updateRecord } from '../../apis/flex/records.ts';
import { recordChange } from '../../apis/flex/stored-records.ts';
import { idDescription, globalId, upstreamId } from '../../graph/ids.ts';
import { missingUnderKey } from '../../graph/under-key.ts';
import { changesOf, NotFoundError } from '../../errors.ts';
import type { TypedDatabase, TypedField, TypedTable } from '../model/model.ts';
import { argumentsOf, objectType } from './base-types.ts';
import { type Identified, mutationField, type WithInput } from './mutation-field.ts';
import { type RecordInput, recordInput } from './record-input.ts';
import { explainMissing, findInSet, type RecordSet, recordsOf } from './typed-records.ts';

/** The `id` argument of each field that names one record of a table. */
export const idArgument = { type: new GraphQLNonNull(GraphQLID), description: idDescription };

/** Creates the mutations of a table: `createTrackerTask`, `updateTrackerTask` and `deleteTrackerTask`. */
export function tableMutations(
  database: TypedDatabase,
  table: TypedTable,
  record: GraphQLObjectType,
  base: GraphQLSchema,
): GraphQLFieldConfigMap<unknown, Context> {
  return {
    ...createField(database, table, record, base),
    ...updateField(database, table, record, base),
    ...deleteField(recordsOf(database, table), base),
  };
}

function createField(database: TypedDatabase, table: TypedTable, record: GraphQLObjectType, base: GraphQLSchema) {
  const { typeName, name } = table;
  const input = tableInput('Create', table, base);
  return mutationField<WithInput>(base, {
    name: `create${typeName}`,
    success: record,
    description: 'Creates a record. Calls `POST /flex/dbs/:db_id/records.json`.',
    args: { input: inputArgument(input.type, 'The record.') },
    resolve: async (_root, given, { flex }) => {
      const fields = { table_name: name ?? undefined, data: input.dataOf(given.input) };
      const creating = flex.createRecord(database.id, fields).catch(explainMissing(database));
      const created = await creating.catch(input.mapPaths);
      return Object.assign(created, { db: database.id });
    },
  });
}

function updateField(database: TypedDatabase, table: TypedTable, record: GraphQLObjectType, base: GraphQLSchema) {
  const { typeName, name } = table;
  const input = tableInput('Update', table, base);
  return mutationField<Identified & WithInput & { readonly ifUpdatedAt?: string | null }>(base, {
    name: `update${typeName}`,
    success: record,
    description:
      'Changes a record. Calls `GET /flex/dbs/:db_id/records.json`, then `PATCH /flex/dbs/:db_id/records/:id.json` with ' +
      'the current values and the new ones: upstream does not document whether values that are left out stay. A change ' +
      'that another caller makes between the two calls is lost, unless `ifUpdatedAt` is given.',
    args: {
      id: idArgument,
      input: inputArgument(input.type, 'The changes.'),
      ...argumentsOf(base, ['Mutation', 'updateFlexRecord'], 'ifUpdatedAt'),
    },
    resolve: async (_root, given, context) => {
      const { flex } = context;
      const key = { db: database.id, id: upstreamId(given.id, typeName) };
      const data = changesOf(input.dataOf(given.input));
      await assertInSet(key.id, recordsOf(database, table), flex);
      const change = { table: name ?? undefined, data, merge: true, keepsLongNumbers: true };
      const { ifUpdatedAt } = given;
      return updateRecord(await recordChange(key, change, flex), context, {
        ifUpdatedAt,
        type: { name: typeName },
        mapPaths: input.mapPaths,
      });
    },
  });
}

function deleteField(records: RecordSet, base: GraphQLSchema) {
  const { typeName, db, table } = records;
  const about = 'Deletes a record. Calls `DELETE /flex/dbs/:db_id/records/:id.json`.';
  return mutationField<Identified>(base, {
    name: `delete${typeName}`,
    success: objectType(base, 'DeletedNode'),
    description:
      table === undefined
        ? about
        : `${about} Before it, \`GET /flex/dbs/:db_id/records.json\` tells the table of the record.`,
    args: { id: idArgument },
    resolve: async (_root, given, context) => {
      const { flex } = context;
      const id = upstreamId(given.id, typeName);
      if (table !== undefined) await assertInSet(id, records, flex).catch(missingUnderKey(context));
      await flex.deleteRecord(db, id);
      return { deletedId: globalId(typeName, id) };
    },
  });
}

function inputArgument(type: GraphQLInputObjectType, description: string) {
  return { type: new GraphQLNonNull(type), description };
}

/** @param operation a new record needs the required fields, which may be left out of a change */
function tableInput(operation: keyof typeof inputs, table: TypedTable, base: GraphQLSchema): RecordInput {
  const name = `${operation}${table.typeName}Input`;
  const isRequired = ({ required }: TypedField) => operation === 'Create' && required;
  return recordInput({ name, description: inputs[operation], taken: table, known: table, isRequired, extra }, base);
}

const inputs = {
  Create: 'A new record.',
  Update: 'Changes of a record. A field that is left out stays as it is; null clears it.',
};

const extra = {
  description: 'Values under other keys than those of the fields here. The gateway refuses a key that has a field.',
  isTaken: () => true,
};

/** Upstream changes a record of any table: without this check, a wrong id would change one of another type. */
async function assertInSet(id: string, records: RecordSet, flex: Context['flex']): Promise<void> {
  if (await findInSet(id, records, flex)) return;
  throw new NotFoundError('The flex API has no such record in this table for this caller.');
}
