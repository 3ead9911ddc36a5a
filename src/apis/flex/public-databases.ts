import { builder } from '../../graph/builder.ts';
import { DeletedNode } from '../../graph/node-ref.ts';
import { NotFoundError, ValidationError } from '../../errors.ts';
import { globalId } from '../../graph/ids.ts';
import {
  formatPublicKey,
  PublicFlexRecord,
  PublicFlexRecordConnection,
  publicRecordId,
  readPublicRecord,
  withCode,
} from './public-records.ts';
import { mapToDataPaths } from './records.ts';
import { FlexSort, mapToSearchPaths, sortParameter } from './search-input.ts';
import { forwardArguments, pagePosition, readPage } from './search-page.ts';
import type { Window } from './wire.ts';

const codeDescription = 'Code of the database.';
const idDescription = 'Global id of the record, or its id in this database.';

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
    id: t.id({
      nullable: false,
      description: 'Id for the cache of a client, such as `PublicFlexDb:guestbook`. `node` does not take it.',
      resolve: ({ code }) => globalId('PublicFlexDb', code),
    }),
    code: t.exposeString('code', { nullable: false, description: 'Code of the database.' }),
    list: t.field({
      type: PublicFlexRecordConnection,
      semanticNonNull: true,
      description:
        'Records of all tables, newest first. Calls `POST /flex/db/:db_code/list` once per 100 records, or per as many as ' +
        'upstream sends at once. `hasNextPage` costs one additional record.',
      args: forwardArguments(t.arg),
      resolve: ({ code }, page, { publicFlex, limits }, info) => {
        const read = async (window: Window) => {
          const records = await publicFlex.list(code, window).catch(missingAsInvalidCode);
          return records.map((record) => withCode(code, record));
        };
        return readPage(pagePosition(page, limits.pageSize), info, read, { ends: publicFlex.listEnds(code) });
      },
    }),
    get: t.field({
      type: PublicFlexRecord,
      description:
        'One record. Null when it does not exist or the caller cannot see it. Calls `POST /flex/db/:db_code/get`.',
      args: { id: t.arg.id({ required: true, description: idDescription }) },
      resolve: async ({ code }, { id }, { publicFlex }) =>
        readPublicRecord({ code, id: publicRecordId(code, id) }, publicFlex),
    }),
    search: t.field({
      type: PublicFlexRecordConnection,
      semanticNonNull: true,
      description:
        'The matching records of one table. Calls `POST /flex/db/:db_code/search` once per 100 records. `hasNextPage` ' +
        'costs one additional record.',
      args: {
        query: t.arg.string({
          description: 'A phrase. * and % are wildcards. A phrase without wildcards also matches inside a value.',
        }),
        table: t.arg.string({ description: 'The table. Required for a database with tables.' }),
        sort: t.arg({ type: FlexSort, description: 'The order. Default: newest first.' }),
        ...forwardArguments(t.arg),
      },
      resolve: ({ code }, { query, table, sort, ...page }, { publicFlex, limits }, info) => {
        const parameters = { q: query ?? undefined, table_name: table ?? undefined, sort: sortParameter(sort) };
        return readPage(pagePosition(page, limits.pageSize), info, async (window) => {
          const found = publicFlex.search(code, { ...parameters, ...window });
          const records = await found.catch(missingAsInvalidCode).catch(mapToSearchPaths);
          return records.map((record) => withCode(code, record));
        });
      },
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
    resolve: async (_root, { code, data }, { publicFlex }) =>
      Object.assign(await publicFlex.create(code, data).catch(mapToDataPaths), { code }),
  }),
  updatePublicFlexRecord: t.field({
    type: PublicFlexRecord,
    description:
      'Changes a record without authorization. Calls `POST /flex/db/:db_code/update`. When the response holds no ' +
      'data, and it is selected, it calls `POST /flex/db/:db_code/get`.',
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
    resolve: async (_root, { code, id, data }, { publicFlex }) => {
      const updated = await publicFlex.update(code, publicRecordId(code, id), data).catch(mapToDataPaths);
      return Object.assign(updated, { code });
    },
  }),
  deletePublicFlexRecord: t.field({
    type: DeletedNode,
    description: 'Deletes a record without authorization. Calls `POST /flex/db/:db_code/delete`.',
    errors: {},
    args: {
      code: t.arg.string({ required: true, description: codeDescription }),
      id: t.arg.id({ required: true, description: idDescription }),
    },
    resolve: async (_root, { code, id: argument }, { publicFlex }) => {
      const id = publicRecordId(code, argument);
      await publicFlex.delete(code, id);
      return { deletedId: globalId('PublicFlexRecord', formatPublicKey({ code, id })) };
    },
  }),
}));
