import { builder } from '../builder.ts';
import { invalidInput, missingAsNull, NotFoundError, ValidationError } from '../http/errors.ts';
import { mapToDataPaths } from './records.ts';
import { FlexSort, sortParameter } from './search-input.ts';
import { parseData, type FlexRecordRecord } from './wire.ts';

const PublicFlexRecord = builder.objectRef<FlexRecordRecord>('PublicFlexRecord').implement({
  description: 'A record as a public method returns it.',
  fields: (t) => ({
    id: t.exposeID('id', { nullable: false, description: 'Id of the record in its database.' }),
    data: t.field({ type: 'JSONObject', description: 'Values of the record.', resolve: ({ data }) => parseData(data) }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the creation.',
      resolve: (record) => record.created_at,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time of the last change.',
      resolve: (record) => record.updated_at,
    }),
  }),
});

const codeDescription = 'Code of the database.';
const idDescription = 'Id of the record in its database.';
const limitDescription = 'Maximum number of records, 1 to 100.';
const offsetDescription = 'Number of records to skip.';

/**
 * Checks a page. Upstream takes a limit of 1 to 100.
 *
 * @throws ValidationError for a limit or offset out of range
 */
function pageParameters(page: { limit?: number | null | undefined; offset?: number | null | undefined }) {
  const limit = page.limit ?? undefined;
  const offset = page.offset ?? undefined;
  if (limit !== undefined && (limit < 1 || limit > 100)) throw invalidInput('limit', 'takes 1 to 100');
  if (offset !== undefined && offset < 0) throw invalidInput('offset', 'takes 0 or more');
  return { limit, offset };
}

/** For `.catch` of a list: 404 means that no database has this code, or that the database does not allow the method. */
function missingAsInvalidCode(error: unknown): never {
  if (!(error instanceof NotFoundError)) throw error;
  const reason = 'is not the code of a database that allows this public method';
  throw new ValidationError(`\`code\` ${reason}.`, { code: [reason] }, error.upstream);
}

const PublicFlexDb = builder.objectRef<{ readonly code: string }>('PublicFlexDb').implement({
  description:
    'The public methods of a database. The gateway sends no credential for them, even if the request has one. It ' +
    "sends the caller's address and the cookies that FLEX_COOKIES lists.",
  fields: (t) => ({
    code: t.exposeString('code', { nullable: false, description: 'Code of the database.' }),
    list: t.field({
      type: [PublicFlexRecord],
      description: 'Records of all tables, newest first. Calls `POST /flex/db/:db_code/list`.',
      args: {
        limit: t.arg.int({ description: limitDescription }),
        offset: t.arg.int({ description: offsetDescription }),
      },
      resolve: ({ code }, page, { publicFlex }) =>
        publicFlex.list(code, pageParameters(page)).catch(missingAsInvalidCode),
    }),
    get: t.field({
      type: PublicFlexRecord,
      description:
        'One record. Null when it does not exist or the caller cannot see it. Calls `POST /flex/db/:db_code/get`.',
      args: { id: t.arg.id({ required: true, description: 'Id of the record in this database.' }) },
      resolve: ({ code }, { id }, { publicFlex }) => publicFlex.get(code, id).catch(missingAsNull),
    }),
    search: t.field({
      type: [PublicFlexRecord],
      description: 'The matching records of one table. Calls `POST /flex/db/:db_code/search`.',
      args: {
        query: t.arg.string({
          description: 'A phrase. * and % are wildcards. A phrase without wildcards also matches inside a value.',
        }),
        table: t.arg.string({ description: 'The table. Required for a database with tables.' }),
        sort: t.arg({ type: FlexSort, description: 'The order.' }),
        limit: t.arg.int({ description: limitDescription }),
        offset: t.arg.int({ description: offsetDescription }),
      },
      resolve: ({ code }, { query, table, sort, ...page }, { publicFlex }) =>
        publicFlex
          .search(code, {
            q: query ?? undefined,
            table_name: table ?? undefined,
            sort: sortParameter(sort),
            ...pageParameters(page),
          })
          .catch(missingAsInvalidCode),
    }),
  }),
});

builder.queryField('publicFlexDb', (t) =>
  t.field({
    type: PublicFlexDb,
    nullable: false,
    description:
      'The public methods of a database, for callers without authorization. It calls no endpoint itself; its fields call ' +
      '`POST /flex/db/:db_code/list`, `POST /flex/db/:db_code/get` and `POST /flex/db/:db_code/search`.',
    args: { code: t.arg.string({ required: true, description: codeDescription }) },
    resolve: (_root, { code }) => ({ code }),
  }),
);

const PublicFlexRecordDeletion = builder
  .objectRef<{ readonly deletedId: string }>('PublicFlexRecordDeletion')
  .implement({
    description: 'A deleted record.',
    fields: (t) => ({
      deletedId: t.exposeID('deletedId', { nullable: false, description: 'Id of the deleted record in its database.' }),
    }),
  });

builder.mutationFields((t) => ({
  createPublicFlexRecord: t.field({
    type: PublicFlexRecord,
    description: 'Creates a record without authorization. Calls `POST /flex/db/:db_code/create`.',
    errors: {},
    args: {
      code: t.arg.string({ required: true, description: codeDescription }),
      data: t.arg({
        type: 'JSONObject',
        required: true,
        description: 'Values of the record. Upstream may ignore or overwrite some of them.',
      }),
    },
    resolve: (_root, { code, data }, { publicFlex }) => publicFlex.create(code, data).catch(mapToDataPaths),
  }),
  updatePublicFlexRecord: t.field({
    type: PublicFlexRecord,
    description:
      'Changes a record without authorization. Calls `POST /flex/db/:db_code/update`. When the response holds no ' +
      'record, it calls `POST /flex/db/:db_code/get`. When that returns no record either, the result has only its id.',
    errors: {},
    args: {
      code: t.arg.string({ required: true, description: codeDescription }),
      id: t.arg.id({ required: true, description: idDescription }),
      data: t.arg({
        type: 'JSONObject',
        required: true,
        description: 'Values of the record. Upstream may ignore or overwrite some of them.',
      }),
    },
    resolve: (_root, { code, id, data }, { publicFlex }) => publicFlex.update(code, id, data).catch(mapToDataPaths),
  }),
  deletePublicFlexRecord: t.field({
    type: PublicFlexRecordDeletion,
    description: 'Deletes a record without authorization. Calls `POST /flex/db/:db_code/delete`.',
    errors: {},
    args: {
      code: t.arg.string({ required: true, description: codeDescription }),
      id: t.arg.id({ required: true, description: idDescription }),
    },
    resolve: async (_root, { code, id }, { publicFlex }) => {
      await publicFlex.delete(code, id);
      return { deletedId: id };
    },
  }),
}));
