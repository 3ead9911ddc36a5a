import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../builder.ts';
import { DEFAULT_SIZE, offsetOfCursor, connectionArguments, pageSize, listPaging } from '../lists/connections.ts';
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
      'Its records. Calls `GET /flex/dbs/:db_id/records.json`, which answers all of them at once: to look for some, ' +
      '`search` costs less.',
    args: {
      table: t.arg.string({ description: 'Only those of this table.' }),
      ...connectionArguments(t.arg),
    },
    resolve: async ({ id }, { table, ...page }, { flex, limits }) => {
      const pageOf = listPaging(page, limits.pageSize);
      const records = await flex.records(id);
      const shown = table ? records.filter((record) => isIn(table, record)) : records;
      return pageOf(shown.map((record) => withDatabaseId(id, record)));
    },
  }),
  record: t.field({
    type: FlexRecord,
    description:
      'One of its records, or null when the caller can see none. There is no endpoint for one: calls ' +
      '`GET /flex/dbs/:db_id/records.json`, once for all records of an operation.',
    args: { id: t.arg.id({ required: true, description: 'Global id, or id in this database.' }) },
    resolve: ({ id: db }, { id }) => formatRecordKey({ db, id: recordIdIn(db, id) }),
  }),
  search: t.field({
    type: FlexRecordConnection,
    description:
      'Records that match. Calls `GET /flex/dbs/:db_id/search.json`, once for each 100 rows, and asks upstream for ' +
      'no other fields of the data than are selected. Whether there is a next page costs one row more.',
    args: {
      table: t.arg.string({ description: 'The table: needed in a database with tables.' }),
      query: t.arg.string({ description: 'A phrase; * and % are wildcards, without them it may be a fragment.' }),
      in: t.arg.stringList({
        description: 'The fields to look for the phrase in; by default the indexed ones, without a schema all.',
      }),
      filter: t.arg({ type: [FlexFilter], description: 'Conditions that all have to hold, one a field.' }),
      sort: t.arg({ type: FlexSort, description: 'The order.' }),
      first: t.arg.int({ defaultValue: DEFAULT_SIZE, description: 'How many, at most MAX_PAGE_SIZE.' }),
      after: t.arg.string({ description: 'Cursor of the row before the first.' }),
    },
    resolve: ({ id, schema }, { first, after, ...search }, { flex, limits }, info) => {
      const parameters = searchParameters(search, selectedFields(info));
      // Flat rows do not tell it, and queries never mix tables; without tables a name means nothing.
      const table_name = lacksTables(schema) ? null : (search.table ?? null);
      return new SearchPage(offsetOfCursor(after), pageSize(first ?? DEFAULT_SIZE, limits.pageSize), async (window) =>
        (await flex.search(id, parameters, window)).map((record) => withDatabaseId(id, { ...record, table_name })),
      );
    },
  }),
}));

function isIn(table: string, record: FlexRecordRecord): boolean {
  if (Object.hasOwn(record, 'table_name')) return text(record.table_name) === table;
  throw new BadResponseError('The flex API does not tell the tables of its records: use `search`.');
}

/** Where the schema is not known, it may have some. */
function lacksTables(schema: unknown): boolean {
  return schema === null || (isObject(schema) && !Object.hasOwn(schema, 'tables'));
}

/** The union of what the selections of `data` ask for; null for all of it. */
function selectedFields(info: GraphQLResolveInfo): string[] | null {
  const selections = [...selectedAt(info, ['nodes', 'data']), ...selectedAt(info, ['edges', 'node', 'data'])];
  const names = new Set<string>();
  for (const { fields } of selections) {
    if (!Array.isArray(fields)) return null;
    for (const name of fields) names.add(String(name));
  }
  return [...names];
}
