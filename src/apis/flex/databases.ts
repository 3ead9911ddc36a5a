import type { GraphQLResolveInfo } from 'graphql';
import { selectedNames } from '../../graph/lookahead.ts';
import { DeletedNode, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { wireEnum } from '../../graph/enums.ts';
import { globalId, upstreamId } from '../../graph/ids.ts';
import { ifUnchanged, ifUpdatedAtArgument } from '../../graph/if-updated-at.ts';
import { missingUnderKey } from '../../graph/under-key.ts';
import { lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import { changesOf, invalidInput, missingAsNull } from '../../errors.ts';
import type { Context } from '../../operation/context.ts';
import { raw, text } from '../../formats/leaves.ts';
import { DefinitionPlan, dryRunArgument, FlexDbPlan, planCreation, planReplacement, planUpdate } from './plans.ts';
import { FlexPublicMethod, parsePublicMethods, publicMethodFields, publicMethodInputFields } from './public-methods.ts';
import { FlexSchemaInput, FlexTable, schemaFields } from './schemas.ts';
import type { FlexSource } from './source.ts';
import { type FlexDbRecord, looksLikeId, shownTables } from './wire.ts';

export const FlexDb = nodeRef<FlexDbRecord>(
  'FlexDb',
  (ids, { flex }) => flex.databasesById(ids),
  ({ id }) => id,
);

const lazy = lazyFieldResolver<FlexDbRecord>({
  batched: ({ id }, context) => FlexDb.getDataloader(context).load(id),
  byId: ({ id }, { flex }) => flex.database(id).catch(missingAsNull),
});

builder.objectType(FlexDb, {
  name: 'FlexDb',
  description: 'A flexible JSON database.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the flex API.' }),
    name: t.string({ description: 'Name of the database.', resolve: lazy('name', text) }),
    code: t.string({
      description: 'Unique slug. Calls of the public methods name the database by its code.',
      resolve: lazy('code', text),
    }),
    appId: t.id({
      description: 'Upstream id of the application that the database is linked to.',
      resolve: lazy('app_id', text),
    }),
    tables: t.field({
      type: [FlexTable],
      description: 'The tables of the schema. Null for a database without a schema.',
      resolve: lazy('schema', shownTables),
    }),
    publicMethods: t.field({
      type: [FlexPublicMethod],
      description: 'The operations that can be called without authorization.',
      resolve: lazy('public_methods', parsePublicMethods),
    }),
    publicMethodsRaw: t.field({
      type: 'JSONObject',
      description:
        'The public methods exactly as upstream stores them: operations and options that the gateway does not know too.',
      resolve: lazy('public_methods', (methods) => methods),
    }),
    schema: t.field({
      type: 'JSONObject',
      description: 'The schema exactly as upstream stores it. Null for a database without a schema.',
      resolve: lazy('schema', (schema) => schema),
    }),
    createdAt: t.field({ type: 'DateTime', description: 'Time of the creation.', resolve: lazy('created_at', raw) }),
    updatedAt: t.field({ type: 'DateTime', description: 'Time of the last change.', resolve: lazy('updated_at', raw) }),
  }),
});

/** A database that was not read: nothing but its id is known, and it may not exist. */
export class UnreadDatabase {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

const recordFields: ReadonlySet<string> = new Set(['records', 'record', 'search']);
const idFields: ReadonlySet<string> = new Set(['__typename', 'id', 'upstreamId']);

/** Whether fields of records are selected of a database, and its own id at most: then the database is not read. */
function selectsRecordsOnly(info: GraphQLResolveInfo): boolean {
  const names = [...selectedNames(info)];
  return (
    names.some((name) => recordFields.has(name)) && names.every((name) => recordFields.has(name) || idFields.has(name))
  );
}

/** Description of an argument that takes a database. */
export const databaseArgumentDescription = 'Global id, upstream id or code of the database.';

/** Whether an argument is a global id that surely holds the upstream id of a database, and not its code. */
function isGlobalDatabaseId(argument: string, id: string): boolean {
  return id !== argument && looksLikeId(id);
}

/**
 * Resolves an argument that takes a database to its upstream id. A text that is not a global id may be a code, so the
 * gateway then calls `GET /flex/dbs/:id.json`.
 *
 * @throws ValidationError for a global id of another type
 * @throws NotFoundError when there is no such database
 */
export async function resolveDatabaseId(argument: string, flex: FlexSource): Promise<string> {
  const idOrCode = upstreamId(argument, 'FlexDb');
  return isGlobalDatabaseId(argument, idOrCode) ? idOrCode : (await flex.database(idOrCode)).id;
}

/** The same for a write: under a key that has deleted the database, or changed its code, the argument itself. */
async function writtenDatabaseId(argument: string, context: Context): Promise<string> {
  const id = await resolveDatabaseId(argument, context.flex).catch(missingUnderKey(context));
  return id ?? upstreamId(argument, 'FlexDb');
}

builder.queryFields((t) => ({
  flexDbs: t.field({
    type: [FlexDb],
    semanticNonNull: true,
    description: 'The databases of the account. Calls `GET /flex/dbs.json`.',
    resolve: (_root, _args, { flex }) => flex.databases(),
  }),
  flexDb: t.field({
    type: FlexDb,
    description:
      'One database. Null when it does not exist or the caller cannot see it. Calls `GET /flex/dbs/:id.json`, unless the ' +
      'argument is a global id and of the database only records are selected: then `records` or `search` has an error ' +
      'when it does not exist.',
    args: { id: t.arg.id({ required: true, description: databaseArgumentDescription }) },
    resolve: (_root, { id: argument }, _context, info) => {
      const id = upstreamId(argument, 'FlexDb');
      return isGlobalDatabaseId(argument, id) && selectsRecordsOnly(info) ? new UnreadDatabase(id) : id;
    },
  }),
}));

const CreateFlexDbInput = builder.inputType('CreateFlexDbInput', {
  description: 'A new database.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the database.' }),
    code: t.string({ description: 'Unique slug. Calls of the public methods name the database by its code.' }),
    appId: t.id({ description: 'Upstream id of the application to link the database to: a UUID.' }),
    schema: t.field({ type: FlexSchemaInput, description: 'The schema. A database without a schema takes any data.' }),
    ...publicMethodInputFields(t),
  }),
});

const UpdateFlexDbInput = builder.inputType('UpdateFlexDbInput', {
  description: 'Changes of a database. A field that is left out stays as it is; null clears it.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the database.' }),
    code: t.string({ description: 'Unique slug. Calls of the public methods name the database by its code.' }),
    appId: t.id({ description: 'Upstream id of the application to link the database to: a UUID.' }),
    schema: t.field({ type: FlexSchemaInput, description: 'The schema. It replaces the previous one.' }),
    ...publicMethodInputFields(t),
  }),
});

/** Maps the input to the names of the wire. @throws ValidationError for a name that appears twice, and a code like an id */
function databaseFields(input: typeof UpdateFlexDbInput.$inferInput) {
  const { name, code, appId: app_id } = input;
  if (looksLikeId(code ?? '')) throw invalidInput('code', 'must not look like an id: a uuid or a whole number');
  const public_methods = publicMethodFields(input);
  return { name, code, app_id, schema: schemaFields(input.schema), public_methods };
}

const FlexReplaceField = wireEnum('FlexReplaceField', 'A part of a database that can be edited as text.', {
  fields: 'The fields of the schema.',
  schema: 'The schema.',
  public_methods: 'The public methods.',
});

const ReplaceInFlexDbInput = builder.inputType('ReplaceInFlexDbInput', {
  description: 'An edit of the stored text of one part of a database.',
  fields: (t) => ({
    field: t.field({ type: FlexReplaceField, required: true, description: 'The part to edit.' }),
    oldString: t.string({
      required: true,
      description:
        'The text to replace. Upstream refuses a text that does not occur, or that occurs several times without `replaceAll`.',
    }),
    newString: t.string({ required: true, description: 'The new text. An empty text removes the old one.' }),
    replaceAll: t.boolean({ description: 'Whether to replace all occurrences.' }),
  }),
});

/** The member of a result union that a result is. */
const resolveType = (result: unknown) => (result instanceof DefinitionPlan ? 'FlexDbPlan' : 'FlexDb');

builder.mutationFields((t) => ({
  createFlexDb: t.errorUnionField({
    types: [FlexDb, FlexDbPlan],
    union: { resolveType },
    description: `Creates a database. Calls \`POST /flex/dbs.json\`, or with \`dryRun\` \`GET /flex/dbs.json\`.`,
    args: {
      input: t.arg({ type: CreateFlexDbInput, required: true, description: 'The database.' }),
      dryRun: dryRunArgument(t.arg),
    },
    resolve: (_root, { input, dryRun }, { flex }) =>
      dryRun ? planCreation(databaseFields(input), flex) : flex.createDatabase(databaseFields(input)),
  }),
  updateFlexDb: t.errorUnionField({
    types: [FlexDb, FlexDbPlan],
    union: { resolveType },
    description:
      'Changes a database. Calls `PATCH /flex/dbs/:id.json`. When the response holds no record, the gateway reads the ' +
      'database by id. A change of the code, and one with `ifUpdatedAt`, first calls `GET /flex/dbs/:id.json`, unless the ' +
      'argument is a global id. With `dryRun` it calls `GET /flex/dbs/:id.json`, and for a new code `GET /flex/dbs.json`, ' +
      'and ignores `ifUpdatedAt`.',
    args: {
      id: t.arg.id({ required: true, description: databaseArgumentDescription }),
      input: t.arg({ type: UpdateFlexDbInput, required: true, description: 'The changes.' }),
      dryRun: dryRunArgument(t.arg),
      ifUpdatedAt: ifUpdatedAtArgument(t.arg),
    },
    resolve: async (_root, { id, input, dryRun, ifUpdatedAt }, context) => {
      const { flex } = context;
      const fields = changesOf(databaseFields(input));
      const unchanged = ifUnchanged(ifUpdatedAt, FlexDb);
      if (dryRun) return planUpdate(upstreamId(id, 'FlexDb'), fields, flex);
      // After a change of its code, a database cannot be read by the old one.
      const needsId = input.code !== undefined || unchanged !== undefined;
      const databaseId = needsId ? await writtenDatabaseId(id, context) : upstreamId(id, 'FlexDb');
      return flex.updateDatabase(databaseId, fields, needsId || isGlobalDatabaseId(id, databaseId), unchanged);
    },
  }),
  replaceInFlexDb: t.errorUnionField({
    types: [FlexDb, FlexDbPlan],
    union: { resolveType },
    description:
      'Edits a part of a database as text. Calls `PATCH /flex/dbs/:id/replace.json`. When the response holds no record, ' +
      'the gateway reads the database by id. With `dryRun` it calls `GET /flex/dbs/:id.json`, and edits the JSON of that ' +
      'read. Not documented: how upstream writes the stored text, such as its blanks and the order of its keys.',
    args: {
      id: t.arg.id({ required: true, description: databaseArgumentDescription }),
      input: t.arg({ type: ReplaceInFlexDbInput, required: true, description: 'The edit.' }),
      dryRun: dryRunArgument(t.arg),
    },
    resolve: async (_root, { id, input: { field, oldString, newString, replaceAll }, dryRun }, { flex }) => {
      const databaseId = upstreamId(id, 'FlexDb');
      const edit = { field, old_string: oldString, new_string: newString, replace_all: replaceAll };
      if (dryRun) return planReplacement(databaseId, edit, flex);
      return flex.replace(databaseId, edit, isGlobalDatabaseId(id, databaseId));
    },
  }),
  deleteFlexDb: t.field({
    type: DeletedNode,
    description:
      'Deletes a database and its records. Calls `DELETE /flex/dbs/:id.json`. Without a global id, it first calls ' +
      '`GET /flex/dbs/:id.json` to read the id.',
    errors: {},
    args: { id: t.arg.id({ required: true, description: databaseArgumentDescription }) },
    resolve: async (_root, { id }, context) => {
      const databaseId = await writtenDatabaseId(id, context);
      const deletedId = await context.flex.deleteDatabase(databaseId);
      return { deletedId: globalId('FlexDb', deletedId ?? databaseId) };
    },
  }),
}));
