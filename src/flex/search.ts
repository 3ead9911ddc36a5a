import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../builder.ts';
import {
  connectionArguments,
  defaultSize,
  defaultSizeDescription,
  listPaging,
  offsetOfCursor,
  pageSize,
} from '../lists/connections.ts';
import { selectedAt } from '../graphql/lookahead.ts';
import { isObject } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';
import { text } from '../http/formats/leaves.ts';
import { FlexDb } from './databases.ts';
import { formatRecordKey, recordIdIn, withDatabaseId } from './stored-records.ts';
import { FlexRecord, FlexRecordConnection } from './records.ts';
import { FlexFilter, FlexSort, searchParameters } from './search-input.ts';
import { SearchPage } from './search-page.ts';
import type { FlexRecordRecord } from './wire.ts';

builder.objectFields(FlexDb, (t) => ({
  records: t.field({
    type: FlexRecordConnection,
    description:
      'The records of the database. Calls `GET /flex/dbs/:db_id/records.json`, which returns all records at once. ' +
      '`search` costs less when only some records are needed.',
    args: {
      table: t.arg.string({ description: 'Only records of this table.' }),
      ...connectionArguments(t.arg),
    },
    resolve: async ({ id }, { table, ...page }, { flex, limits }) => {
      const pageOf = listPaging(page, limits.pageSize);
      const records = await flex.records(id);
      const tableRecords = table ? records.filter((record) => isInTable(table, record)) : records;
      return pageOf(tableRecords.map((record) => withDatabaseId(id, record)));
    },
  }),
  record: t.field({
    type: FlexRecord,
    description:
      'One record of the database. Null when it does not exist or the caller cannot see it. Calls ' +
      '`GET /flex/dbs/:db_id/records.json`, once per operation: the API has no endpoint for a single record.',
    args: { id: t.arg.id({ required: true, description: 'Global id, or id of the record in this database.' }) },
    resolve: ({ id: db }, { id }) => formatRecordKey({ db, id: recordIdIn(db, id) }),
  }),
  search: t.field({
    type: FlexRecordConnection,
    description:
      'The matching records. Calls `GET /flex/dbs/:db_id/search.json` once per 100 rows, and requests only the selected ' +
      'fields of the data. `hasNextPage` costs one additional row.',
    args: {
      table: t.arg.string({ description: 'The table. Required for a database with tables.' }),
      query: t.arg.string({
        description: 'A phrase. * and % are wildcards. A phrase without wildcards also matches inside a value.',
      }),
      in: t.arg.stringList({
        description:
          'The fields in which to search the phrase. Default: the indexed fields; all fields in a database without a schema.',
      }),
      filter: t.arg({ type: [FlexFilter], description: 'Conditions, one per field. A record must match all of them.' }),
      sort: t.arg({ type: FlexSort, description: 'The order.' }),
      first: t.arg.int({ description: `Number of records, at most MAX_PAGE_SIZE. ${defaultSizeDescription}.` }),
      after: t.arg.string({ description: 'Cursor of the record before the page.' }),
    },
    resolve: ({ id, schema }, { first, after, ...search }, { flex, limits }, info) => {
      const parameters = searchParameters(search, selectedFields(info));
      // Flat rows do not name their table. A search covers one table only, and a database without tables ignores the name.
      const table_name = lacksTables(schema) ? null : (search.table ?? null);
      return new SearchPage(
        offsetOfCursor(after),
        pageSize(first ?? defaultSize(limits.pageSize), limits.pageSize),
        async (window) =>
          (await flex.search(id, parameters, window)).map((record) => withDatabaseId(id, { ...record, table_name })),
      );
    },
  }),
}));

function isInTable(table: string, record: FlexRecordRecord): boolean {
  if (Object.hasOwn(record, 'table_name')) return text(record.table_name) === table;
  throw new BadResponseError('The flex API does not return the table of its records: use `search`.');
}

/** Whether a database has no tables. False when its schema is not known. */
function lacksTables(schema: unknown): boolean {
  return schema === null || (isObject(schema) && !Object.hasOwn(schema, 'tables'));
}

/** The names in all `data(fields:)` selections of this search. Null when a selection takes all fields. */
function selectedFields(info: GraphQLResolveInfo): string[] | null {
  const selections = [...selectedAt(info, ['nodes', 'data']), ...selectedAt(info, ['edges', 'node', 'data'])];
  const names = new Set<string>();
  for (const { fields } of selections) {
    if (!Array.isArray(fields)) return null;
    for (const name of fields) names.add(String(name));
  }
  return [...names];
}
