import { nodeRef } from '../graphql/node-ref.ts';
import { builder } from '../builder.ts';
import { DeletedNode } from '../graphql/deleted-node.ts';
import { wireEnum } from '../graphql/enums.ts';
import { globalId, upstreamId } from '../graphql/ids.ts';
import { lazyFieldResolver } from '../lists/lazy-fields.ts';
import { ForbiddenError, missingAsNull, NotFoundError, ValidationError } from '../http/errors.ts';
import { text } from '../http/formats/leaves.ts';
import { FlexPublicMethod, FlexPublicMethodInput, publicMethodFields, publicMethodsOf } from './public-methods.ts';
import { FlexSchemaInput, FlexTable, schemaFields } from './schemas.ts';
import type { FlexSource } from './source.ts';
import { type FlexDbRecord, tablesOf } from './wire.ts';

export const FlexDb = nodeRef<FlexDbRecord>('FlexDb', (ids, { flex }) => flex.databasesById(ids));

const lazy = lazyFieldResolver<FlexDbRecord>({
  batched: ({ id }, context) => FlexDb.getDataloader(context).load(id),
  byId: ({ id }, { flex }) => flex.database(id).catch(missingAsNull),
});

builder.objectType(FlexDb, {
  name: 'FlexDb',
  description: 'A flexible JSON database.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the flex API.' }),
    name: t.string({ description: 'Its name.', resolve: lazy('name', text) }),
    code: t.string({
      description: 'Unique slug, by which its public methods are called.',
      resolve: lazy('code', text),
    }),
    appId: t.id({ description: 'The application that it is linked to.', resolve: lazy('app_id', text) }),
    tables: t.field({
      type: [FlexTable],
      description: 'The tables of its schema; null without a schema.',
      resolve: lazy('schema', tablesOf),
    }),
    publicMethods: t.field({
      type: [FlexPublicMethod],
      description: 'The operations that anybody may call without authorization.',
      resolve: lazy('public_methods', publicMethodsOf),
    }),
    schema: t.field({
      type: 'JSONObject',
      description: 'Its schema exactly as upstream stores it; null without one.',
      resolve: lazy('schema', (schema) => schema),
    }),
  }),
});

export const databaseArgument = 'Global id, upstream id or code of the database.';

/** The id of the database that an argument names. A text that is no global id may be a code: that costs a call. */
export async function databaseId(named: string, flex: FlexSource): Promise<string> {
  const idOrCode = upstreamId(named, 'FlexDb');
  return idOrCode === named ? (await flex.database(idOrCode)).id : idOrCode;
}

builder.queryFields((t) => ({
  flexDbs: t.field({
    type: [FlexDb],
    description: 'The databases of the account. Calls `GET /flex/dbs.json`.',
    resolve: (_root, _args, { flex }) => flex.databases(),
  }),
  flexDb: t.field({
    type: FlexDb,
    description: 'One database, or null when the caller can see none. Calls `GET /flex/dbs/:id.json`.',
    args: { id: t.arg.id({ required: true, description: databaseArgument }) },
    resolve: (_root, { id }) => upstreamId(id, 'FlexDb'),
  }),
}));

const CreateFlexDbInput = builder.inputType('CreateFlexDbInput', {
  description: 'A new database.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    code: t.string({ description: 'Unique slug, by which its public methods are called.' }),
    appId: t.id({ description: 'The application to link it to: a uuid.' }),
    schema: t.field({ type: FlexSchemaInput, description: 'Its schema; without one it takes any data.' }),
    publicMethods: t.field({
      type: [FlexPublicMethodInput],
      description: 'Operations to offer without authorization.',
    }),
  }),
});

const UpdateFlexDbInput = builder.inputType('UpdateFlexDbInput', {
  description: 'Changes of a database: a field that is left out stays, null clears.',
  fields: (t) => ({
    name: t.string({ description: 'Its name.' }),
    code: t.string({ description: 'Unique slug, by which its public methods are called.' }),
    appId: t.id({ description: 'The application to link it to: a uuid.' }),
    schema: t.field({ type: FlexSchemaInput, description: 'Its schema, in place of the one before.' }),
    publicMethods: t.field({
      type: [FlexPublicMethodInput],
      description: 'Operations to offer without authorization, in place of those before.',
    }),
  }),
});

function dbFields(input: typeof UpdateFlexDbInput.$inferInput) {
  const { name, code, appId: app_id } = input;
  const public_methods = publicMethodFields(input.publicMethods);
  return { name, code, app_id, schema: schemaFields(input.schema), public_methods };
}

const FlexReplaceField = wireEnum('FlexReplaceField', 'A part of a database that is edited as text.', {
  fields: 'The fields of its schema.',
  schema: 'Its schema.',
  public_methods: 'Its public methods.',
});

const ReplaceInFlexDbInput = builder.inputType('ReplaceInFlexDbInput', {
  description: 'An edit of the stored text of one part.',
  fields: (t) => ({
    field: t.field({ type: FlexReplaceField, required: true, description: 'The part.' }),
    oldString: t.string({
      required: true,
      description: 'The text to be replaced; refused when it is missing or not unique.',
    }),
    newString: t.string({ required: true, description: 'The text in its place; empty removes.' }),
    replaceAll: t.boolean({ description: 'Whether to replace every occurrence.' }),
  }),
});

builder.mutationFields((t) => ({
  createFlexDb: t.field({
    type: FlexDb,
    description: 'Creates a database. Calls `POST /flex/dbs.json`.',
    errors: { types: [ValidationError, ForbiddenError] },
    args: { input: t.arg({ type: CreateFlexDbInput, required: true, description: 'The database.' }) },
    resolve: (_root, { input }, { flex }) => flex.createDatabase(dbFields(input)),
  }),
  updateFlexDb: t.field({
    type: FlexDb,
    description:
      'Changes a database. Calls `PATCH /flex/dbs/:id.json`. Where that answers no record, it is read by id.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      id: t.arg.id({ required: true, description: databaseArgument }),
      input: t.arg({ type: UpdateFlexDbInput, required: true, description: 'The changes.' }),
    },
    resolve: async (_root, { id, input }, { flex }) => {
      const db = upstreamId(id, 'FlexDb');
      return (await flex.updateDatabase(db, dbFields(input))) ?? db;
    },
  }),
  replaceInFlexDb: t.field({
    type: FlexDb,
    description:
      'Edits a part of a database as text. Calls `PATCH /flex/dbs/:id/replace.json`. Where that answers no record, it is read by id.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      id: t.arg.id({ required: true, description: databaseArgument }),
      input: t.arg({ type: ReplaceInFlexDbInput, required: true, description: 'The edit.' }),
    },
    resolve: async (_root, { id, input: { field, oldString, newString, replaceAll } }, { flex }) => {
      const db = upstreamId(id, 'FlexDb');
      const edit = { field, old_string: oldString, new_string: newString, replace_all: replaceAll };
      return (await flex.replace(db, edit)) ?? db;
    },
  }),
  deleteFlexDb: t.field({
    type: DeletedNode,
    description:
      'Deletes a database together with its records. Calls `DELETE /flex/dbs/:id.json`, and before it, unless the ' +
      'global id is given, `GET /flex/dbs/:id.json` for its id.',
    errors: { types: [ForbiddenError, NotFoundError] },
    args: { id: t.arg.id({ required: true, description: databaseArgument }) },
    resolve: async (_root, { id }, { flex }) => {
      const db = await databaseId(id, flex);
      await flex.deleteDatabase(db);
      return { deletedId: globalId('FlexDb', db) };
    },
  }),
}));
