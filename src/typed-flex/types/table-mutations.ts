import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLNonNull,
  type GraphQLObjectType,
} from 'graphql';
import type { Context } from '../../context.ts';
import type { TypedDatabase, TypedTable } from '../model/model.ts';
import { mutationField } from './mutation-field.ts';
import type { Parts } from './parts.ts';
import { recordWrites } from './record-writes.ts';
import { createInput, updateInput } from './table-input.ts';
import { type RecordSet, recordsOf } from './typed-records.ts';

/** Creates the mutations of a table: `createTrackerTask`, `updateTrackerTask` and `deleteTrackerTask`. */
export function tableMutations(
  database: TypedDatabase,
  table: TypedTable,
  record: GraphQLObjectType,
  parts: Parts,
): GraphQLFieldConfigMap<unknown, Context> {
  const { typeName } = table;
  const { shared, values } = parts;
  const { create, update, remove } = recordWrites(database, table, values);
  const names = { create: `create${typeName}`, update: `update${typeName}`, remove: `delete${typeName}` };
  return {
    [names.create]: mutationField(
      names.create,
      record,
      {
        description: 'Creates a record. Calls `POST /flex/dbs/:db_id/records.json`.',
        args: { input: inputArgument(createInput(table, parts), 'The record.') },
        resolve: create,
      },
      shared,
    ),
    [names.update]: mutationField(
      names.update,
      record,
      {
        description: UPDATE,
        args: { id: idArgument, input: inputArgument(updateInput(table, parts), 'The changes.') },
        resolve: update,
      },
      shared,
    ),
    [names.remove]: mutationField(
      names.remove,
      shared.object('DeletedNode'),
      { description: describeDeletion(recordsOf(database, table)), args: { id: idArgument }, resolve: remove },
      shared,
    ),
  };
}

const UPDATE =
  'Changes a record. Calls `GET /flex/dbs/:db_id/records.json`, then `PATCH /flex/dbs/:db_id/records/:id.json` with the ' +
  'current values and the new ones: upstream does not document whether values that are left out stay. A change that ' +
  'another caller makes between the two calls is lost.';

const idArgument = { type: new GraphQLNonNull(GraphQLID), description: 'Global id or upstream id.' };

function inputArgument(type: GraphQLInputObjectType, description: string) {
  return { type: new GraphQLNonNull(type), description };
}

function describeDeletion({ table }: RecordSet): string {
  const about = 'Deletes a record. Calls `DELETE /flex/dbs/:db_id/records/:id.json`.';
  return table === undefined
    ? about
    : `${about} Before it, \`GET /flex/dbs/:db_id/records.json\` tells the table of the record.`;
}
