import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLUnionType,
} from 'graphql';
import type { Context } from '../context.ts';
import { type StoredRecord, updateFields, withDatabaseId, withSentTable } from '../flex/stored-records.ts';
import { runMutation } from '../graphql/field-rules.ts';
import { globalId, upstreamId } from '../graphql/ids.ts';
import { refusalAsResult, refusalTypeName, refusalTypeNames } from '../graphql/refusals.ts';
import { NotFoundError } from '../http/errors.ts';
import type { JsonObject } from '../http/formats/decode.ts';
import type { TypedDatabase, TypedTable } from './model.ts';
import type { Parts } from './record-type.ts';
import { createInput, dataWriter, mapToInputPaths, updateInput } from './table-input.ts';
import { findInSet, type RecordSet, recordsOf } from './typed-records.ts';

interface Identified {
  readonly id: string;
}

interface WithInput {
  readonly input: JsonObject;
}

/** Creates the mutations of a table: `createTrackerTask`, `updateTrackerTask` and `deleteTrackerTask`. */
export function tableMutations(
  database: TypedDatabase,
  table: TypedTable,
  record: GraphQLObjectType,
  parts: Parts,
): GraphQLFieldConfigMap<unknown, Context> {
  const { typeName, name } = table;
  const records = recordsOf(database, table);
  const toData = dataWriter(table, parts.values);
  const mapToPaths = mapToInputPaths(table);

  const create = async ({ input }: WithInput, { flex }: Context): Promise<StoredRecord> => {
    const fields = { table_name: name ?? undefined, data: toData(input) };
    const created = await flex.createRecord(database.id, fields).catch(mapToPaths);
    return Object.assign(withSentTable(name, created), { db: database.id });
  };
  const update = async ({ id, input }: Identified & WithInput, { flex }: Context): Promise<StoredRecord> => {
    const key = { db: database.id, id: upstreamId(id, typeName) };
    const data = toData(input);
    await assertInSet(key.id, records, flex);
    const change = { table: name ?? undefined, data, merge: true, keepsLongNumbers: true };
    const fields = await updateFields(key, change, flex);
    const updated = await flex.updateRecord(key.db, key.id, fields).catch(mapToPaths);
    return withDatabaseId(key.db, withSentTable(fields.table_name, updated));
  };
  const remove = async ({ id: given }: Identified, { flex }: Context) => {
    const id = upstreamId(given, typeName);
    if (records.table !== undefined) await assertInSet(id, records, flex);
    await flex.deleteRecord(database.id, id);
    return { deletedId: globalId(typeName, id) };
  };

  const deleted = parts.shared.object('DeletedNode');
  return {
    [`create${typeName}`]: {
      type: resultUnion(`Create${typeName}Result`, record, parts),
      description: 'Creates a record. Calls `POST /flex/dbs/:db_id/records.json`.',
      args: { input: inputArgument(createInput(table, parts), 'The record.') },
      resolve: mutationResolver(create),
    },
    [`update${typeName}`]: {
      type: resultUnion(`Update${typeName}Result`, record, parts),
      description:
        'Changes a record. Calls `GET /flex/dbs/:db_id/records.json`, then `PATCH /flex/dbs/:db_id/records/:id.json` with ' +
        'the current values and the new ones: upstream does not document whether values that are left out stay. A change ' +
        'that another caller makes between the two calls is lost.',
      args: { id: idArgument, input: inputArgument(updateInput(table, parts), 'The changes.') },
      resolve: mutationResolver(update),
    },
    [`delete${typeName}`]: {
      type: resultUnion(`Delete${typeName}Result`, deleted, parts),
      description: describeDeletion(records),
      args: { id: idArgument },
      resolve: mutationResolver(remove),
    },
  } satisfies GraphQLFieldConfigMap<unknown, Context>;
}

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

/** Upstream changes a record of any table: without this check, a wrong id would change one of another type. */
async function assertInSet(id: string, records: RecordSet, flex: Context['flex']): Promise<void> {
  if (await findInSet(id, records, flex)) return;
  throw new NotFoundError('The flex API has no such record in this table for this caller.');
}

function mutationResolver<Args>(run: (args: Args, context: Context) => Promise<object>) {
  return async (_root: unknown, args: Args, context: Context, info: GraphQLResolveInfo): Promise<unknown> =>
    runMutation(async () => run(args, context), context, info).catch(refusalAsResult);
}

function resultUnion(name: string, success: GraphQLObjectType, { shared }: Parts): GraphQLUnionType {
  return new GraphQLUnionType({
    name,
    description: 'The result of the mutation: success, or the reason why it was refused.',
    types: () => [success, ...refusalTypeNames.map((refusal) => shared.object(refusal))],
    resolveType: (result: object) => refusalTypeName(result) ?? success.name,
  });
}
