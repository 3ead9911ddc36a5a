import type { StoredRecord } from '../../apis/flex/stored-records.ts';
import type { GraphQLFieldConfig, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Context } from '../../operation/context.ts';
import { recordsInTable } from '../../apis/flex/search.ts';
import { searchParameters } from '../../apis/flex/search-input.ts';
import { type ForwardPage, pagePosition, readPage } from '../../apis/flex/search-page.ts';
import { parseData } from '../../apis/flex/wire.ts';
import { reportProblems } from '../../graph/field-rules.ts';
import { operationLoader } from '../../graph/node-ref.ts';
import { nullOnlyOnError } from '../../graph/semantic-non-null.ts';
import { compareDecimals } from '../../formats/leaves.ts';
import type { Rows } from '../../formats/rows.ts';
import { inSlices } from '../../formats/slices.ts';
import { decodeOrNull } from '../../graph/lists/decodable.ts';
import { referringRows } from '../../graph/lists/foreign-keys.ts';
import { sorting } from '../../graph/lists/sorting.ts';
import type { TypedDatabase, TypedField, TypedTable } from '../model/model.ts';
import { argumentsOf } from './base-types.ts';
import { canHaveCondition } from './table-filter.ts';
import { requestedFields, searchWindow } from './table-list.ts';
import { explainMissing } from './typed-records.ts';

/** A field that refers to records of other types, with its table. */
export interface Referring {
  readonly database: TypedDatabase;
  readonly table: TypedTable;
  readonly field: TypedField;
}

type Parent = Readonly<Record<'id', string>>;

/** Creates the field that lists the records of a table which refer to a record. */
export function reverseList(
  { database, table, field }: Referring,
  connection: GraphQLObjectType,
  base: GraphQLSchema,
): GraphQLFieldConfig<Parent, Context, ForwardPage> {
  const groups = groupLoader({ database, table, field });
  return {
    type: connection,
    description:
      `The records whose \`${field.graphqlName}\` is this record, ordered by their ids. For one record calls ` +
      '`GET /flex/dbs/:db_id/search.json` once per 100 rows; for several records of a list calls ' +
      '`GET /flex/dbs/:db_id/records.json` once.',
    args: argumentsOf(base, ['FlexDb', 'search'], 'first', 'after', 'offset'),
    extensions: nullOnlyOnError(),
    resolve: async ({ id }, given, context, info) => {
      const position = pagePosition(given, context.limits.pageSize);
      const group = await groups(context).load(id);
      const page = await readPage<StoredRecord>(position, info, async (window) => {
        if (group) return group.slice(window.offset, window.offset + window.limit);
        const filter = [{ field: field.name, is: { equals: id } }];
        const search = { table: table.name, filter, sort: { field: 'id', direction: 'ASC' as const } };
        return searchWindow(database, table, searchParameters(search, requestedFields(info, table)), window, context);
      });
      return reportProblems(page, context, info);
    },
  };
}

/**
 * Loads the records that refer to several records, in one read of the database. Null for a single record: a search costs less,
 * unless it can have no condition on the field.
 */
function groupLoader(referring: Referring) {
  const load = async (ids: readonly string[], context: Context) => {
    if (new Set(ids).size === 1 && canHaveCondition(referring.field)) return ids.map(() => null);
    const recordsFor = await readGroups(referring, context);
    return Promise.all(ids.map(recordsFor));
  };
  return (context: Context) => operationLoader<Rows<StoredRecord>>(referring, load, context);
}

async function readGroups({ database, table, field: { name } }: Referring, context: Context) {
  const { id: db } = database;
  const all = await context.flex.records(db).catch(explainMissing(database));
  const inTable = table.name === null ? all : await recordsInTable(table.name, all, { id: db }, context);
  const sorted = inTable.derive(await inSlices(sorting([...inTable], byId)));
  const records = new Map<object, StoredRecord>();
  const references = await sorted.map((record): Record<string, unknown> => {
    const data = decodeOrNull(parseData, record.data);
    const reference = { [name]: data?.[name] ?? null };
    records.set(reference, { ...record, db });
    return reference;
  });
  return async (id: string): Promise<Rows<StoredRecord>> => {
    const found = await referringRows(references, name, id);
    return found.derive([...found].flatMap((reference) => records.get(reference) ?? []));
  };
}

/** Compares ids as a search orders them. Not documented (A226): numbers by their size, and other texts by code point. */
function byId({ id: one }: Parent, { id: other }: Parent): number {
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return one < other ? -1 : Number(one > other);
  return compareDecimals(one.replace(/^0+(?=\d)/, ''), other.replace(/^0+(?=\d)/, ''));
}
