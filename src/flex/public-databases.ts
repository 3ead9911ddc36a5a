import { builder } from '../builder.ts';
import { ForbiddenError, invalidInput, missingAsNull, NotFoundError, ValidationError } from '../http/errors.ts';
import { mapToDataPaths } from './records.ts';
import { FlexSort, sortParameter } from './search-input.ts';
import { dataOf, type FlexRecordRecord } from './wire.ts';

const PublicFlexRecord = builder.objectRef<FlexRecordRecord>('PublicFlexRecord').implement({
  description: 'A record as a public method shows it.',
  fields: (t) => ({
    id: t.exposeID('id', { nullable: false, description: 'Id in its database.' }),
    data: t.field({ type: 'JSONObject', description: 'Its values.', resolve: ({ data }) => dataOf(data) }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was created.',
      resolve: (record) => record.created_at,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: (record) => record.updated_at,
    }),
  }),
});

const limit = 'How many, 1 to 100.';
const offset = 'How many to pass over.';

/** Upstream takes 1 to 100 rows. */
function rowWindow(page: { limit?: number | null | undefined; offset?: number | null | undefined }) {
  const rows = page.limit ?? undefined;
  const skipped = page.offset ?? undefined;
  if (rows !== undefined && (rows < 1 || rows > 100)) refuse('limit', 'takes 1 to 100');
  if (skipped !== undefined && skipped < 0) refuse('offset', 'takes 0 or more');
  return { limit: rows, offset: skipped };
}

function refuse(argument: string, reason: string): never {
  throw invalidInput(argument, reason);
}

/** After an update that was made, a `get` that is off or restricted must not look like a refusal of the update. */
function refusedAsNull(error: unknown): null {
  if (error instanceof ForbiddenError || error instanceof ValidationError) return null;
  return missingAsNull(error);
}

/** A list cannot be missing: there is no such database, or it does not offer this. */
function notOffered(error: unknown): never {
  if (!(error instanceof NotFoundError)) throw error;
  const reason = 'names no database that offers this publicly';
  throw new ValidationError(`\`code\` ${reason}.`, { code: [reason] }, error.upstream);
}

const PublicFlexDb = builder.objectRef<{ readonly code: string }>('PublicFlexDb').implement({
  description:
    'The public methods of a database. No credential is sent for them, even if the request has one; upstream knows ' +
    "the caller's address and the cookies that FLEX_COOKIES names.",
  fields: (t) => ({
    code: t.exposeString('code', { nullable: false, description: 'The code of the database.' }),
    list: t.field({
      type: [PublicFlexRecord],
      description: 'Records of all tables, newest first. Calls `POST /flex/db/:db_code/list`.',
      args: { limit: t.arg.int({ description: limit }), offset: t.arg.int({ description: offset }) },
      resolve: ({ code }, page, { publicFlex }) => publicFlex.list(code, rowWindow(page)).catch(notOffered),
    }),
    get: t.field({
      type: PublicFlexRecord,
      description: 'One record, or null when the caller can see none. Calls `POST /flex/db/:db_code/get`.',
      args: { id: t.arg.id({ required: true, description: 'Id in this database.' }) },
      resolve: ({ code }, { id }, { publicFlex }) => publicFlex.get(code, id).catch(missingAsNull),
    }),
    search: t.field({
      type: [PublicFlexRecord],
      description: 'Records that match, of one table. Calls `POST /flex/db/:db_code/search`.',
      args: {
        query: t.arg.string({ description: 'A phrase; * and % are wildcards, without them it may be a fragment.' }),
        table: t.arg.string({ description: 'The table: needed in a database with tables.' }),
        sort: t.arg({ type: FlexSort, description: 'The order.' }),
        limit: t.arg.int({ description: limit }),
        offset: t.arg.int({ description: offset }),
      },
      resolve: ({ code }, { query, table, sort, ...page }, { publicFlex }) =>
        publicFlex
          .search(code, {
            q: query ?? undefined,
            table_name: table ?? undefined,
            sort: sortParameter(sort),
            ...rowWindow(page),
          })
          .catch(notOffered),
    }),
  }),
});

builder.queryField('publicFlexDb', (t) =>
  t.field({
    type: PublicFlexDb,
    nullable: false,
    description:
      'The public methods of a database, for anybody. Calls nothing itself; its fields call ' +
      '`POST /flex/db/:db_code/list`, `POST /flex/db/:db_code/get` and `POST /flex/db/:db_code/search`.',
    args: { code: t.arg.string({ required: true, description: 'The code of the database.' }) },
    resolve: (_root, { code }) => ({ code }),
  }),
);

const PublicFlexRecordDeletion = builder
  .objectRef<{ readonly deletedId: string }>('PublicFlexRecordDeletion')
  .implement({
    description: 'A record that is gone.',
    fields: (t) => ({
      deletedId: t.exposeID('deletedId', { nullable: false, description: 'The id that it had in its database.' }),
    }),
  });

const code = 'The code of the database.';
const id = 'Id of the record in its database.';

builder.mutationFields((t) => ({
  createPublicFlexRecord: t.field({
    type: PublicFlexRecord,
    description: 'Creates a record without authorization. Calls `POST /flex/db/:db_code/create`.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      code: t.arg.string({ required: true, description: code }),
      data: t.arg({
        type: 'JSONObject',
        required: true,
        description: 'Its values; upstream may ignore or overwrite some.',
      }),
    },
    resolve: (_root, { code, data }, { publicFlex }) => publicFlex.create(code, data).catch(mapToDataPaths),
  }),
  updatePublicFlexRecord: t.field({
    type: PublicFlexRecord,
    description:
      'Changes a record without authorization. Calls `POST /flex/db/:db_code/update`; where that answers no record, ' +
      'it is read by `POST /flex/db/:db_code/get`, and where that shows none, its id is all that is known.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      code: t.arg.string({ required: true, description: code }),
      id: t.arg.id({ required: true, description: id }),
      data: t.arg({
        type: 'JSONObject',
        required: true,
        description: 'Its values; upstream may ignore or overwrite some.',
      }),
    },
    resolve: async (_root, { code, id, data }, { publicFlex }) =>
      (await publicFlex.update(code, id, data).catch(mapToDataPaths)) ??
      (await publicFlex.get(code, id).catch(refusedAsNull)) ?? { id },
  }),
  deletePublicFlexRecord: t.field({
    type: PublicFlexRecordDeletion,
    description: 'Deletes a record without authorization. Calls `POST /flex/db/:db_code/delete`.',
    errors: { types: [ForbiddenError, NotFoundError] },
    args: {
      code: t.arg.string({ required: true, description: code }),
      id: t.arg.id({ required: true, description: id }),
    },
    resolve: async (_root, { code, id }, { publicFlex }) => {
      await publicFlex.delete(code, id);
      return { deletedId: id };
    },
  }),
}));
