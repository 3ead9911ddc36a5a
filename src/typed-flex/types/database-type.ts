import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { Context } from '../../context.ts';
import { recordsInTable } from '../../flex/search.ts';
import { withDatabaseId } from '../../flex/stored-records.ts';
import { reportProblems } from '../../graphql/field-rules.ts';
import { upstreamId } from '../../graphql/ids.ts';
import { mapRows } from '../../http/problems.ts';
import { defaultSizeDescription, listPaging, type PageArguments } from '../../lists/connections.ts';
import { connectionType } from './connection-type.ts';
import type { TableTypes } from './joins.ts';
import { explainMissing } from './missing-database.ts';
import type { TypedDatabase, TypedTable } from '../model/model.ts';
import { untabledType } from './record-type.ts';
import type { Parts } from './parts.ts';
import { listField } from './table-list.ts';
import { nodeType, type RecordSet, recordsOf, untabledRecords } from './typed-records.ts';

/** Creates the type of a database, with fields that list and read the records of its tables. */
export function databaseType(
  database: TypedDatabase,
  types: TableTypes,
  parts: Parts,
): GraphQLObjectType<unknown, Context> {
  const untabled = untabledRecords(database);
  return new GraphQLObjectType<unknown, Context>({
    name: database.typeName,
    description: `The database ${database.key}. Its types are those of its definition when the snapshot was taken.`,
    fields: () => ({
      ...Object.assign({}, ...database.tables.map((table) => tableFields(database, table, types, parts))),
      ...(untabled && {
        untabled: untabledField(database, connectionType(untabledType(database, untabled, parts), parts.shared)),
      }),
    }),
  });
}

function tableFields(
  database: TypedDatabase,
  table: TypedTable,
  types: TableTypes,
  parts: Parts,
): GraphQLFieldConfigMap<unknown, Context> {
  return {
    [table.listField]: listField(database, table, types.connection(table.typeName), parts),
    [table.oneField]: recordField(recordsOf(database, table), types.record(table.typeName)),
  };
}

function recordField(
  records: RecordSet,
  type: GraphQLObjectType,
): GraphQLFieldConfig<unknown, Context, { id: string }> {
  const node = nodeType(records);
  return {
    type,
    description:
      'One record. Null when it does not exist, belongs to another table, or the caller cannot see it. Calls ' +
      '`GET /flex/dbs/:db_id/records.json`, once per operation: the API has no endpoint for a single record.',
    args: { id: { type: new GraphQLNonNull(GraphQLID), description: 'Global id or upstream id.' } },
    resolve: async (_database, { id }, context) => node.getDataloader(context).load(upstreamId(id, records.typeName)),
  };
}

const pageArguments = {
  first: {
    type: GraphQLInt,
    description: `Number of rows from the start, at most MAX_PAGE_SIZE. ${defaultSizeDescription}, unless \`last\` is given.`,
  },
  after: { type: GraphQLString, description: 'Returns the rows after this cursor.' },
  last: { type: GraphQLInt, description: 'Number of rows from the end, at most MAX_PAGE_SIZE. Not beside `first`.' },
  before: { type: GraphQLString, description: 'Returns the rows before this cursor.' },
};

function untabledField(
  database: TypedDatabase,
  connection: GraphQLObjectType,
): GraphQLFieldConfig<unknown, Context, PageArguments> {
  return {
    type: connection,
    description:
      'The records of no table. Calls `GET /flex/dbs/:db_id/records.json`, which returns all records of the database at ' +
      'once: no search finds these.',
    args: pageArguments,
    resolve: async (_database, page, context, info) => {
      const pageOf = listPaging(page, context.limits.pageSize);
      const { id: db } = database;
      const all = await context.flex.records(db).catch(explainMissing(database));
      const records = await recordsInTable(null, all, { id: db }, context);
      const stored = await mapRows(records, (record) => withDatabaseId(db, record));
      return reportProblems(pageOf(stored), context, info);
    },
  };
}
