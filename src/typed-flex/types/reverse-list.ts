import type { GraphQLFieldConfig, GraphQLObjectType } from 'graphql';
import type { Context } from '../../context.ts';
import { recordsInTable } from '../../flex/search.ts';
import { searchParameters } from '../../flex/search-input.ts';
import { type ForwardPage, pagePosition, readPage } from '../../flex/search-page.ts';
import { parseData } from '../../flex/wire.ts';
import { reportProblems } from '../../graphql/field-rules.ts';
import { operationLoader } from '../../graphql/node-ref.ts';
import { problemsOf, withProblems } from '../../http/problems.ts';
import { decodeOrNull } from '../../lists/decodable.ts';
import { indexByForeignKey } from '../../lists/foreign-keys.ts';
import { afterArgument, firstArgument } from './list-arguments.ts';
import { explainMissing } from './missing-database.ts';
import type { TypedDatabase, TypedField, TypedTable } from '../model/model.ts';
import { canHaveCondition } from './table-filter.ts';
import { requestedFields, searchWindow } from './table-list.ts';
import type { TypedRecord } from './typed-records.ts';

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
): GraphQLFieldConfig<Parent, Context, ForwardPage> {
  const groups = groupLoader({ database, table, field });
  return {
    type: connection,
    description:
      `The records whose \`${field.graphqlName}\` is this record, ordered by their ids. For one record calls ` +
      '`GET /flex/dbs/:db_id/search.json` once per 100 rows; for several records of a list calls ' +
      '`GET /flex/dbs/:db_id/records.json` once.',
    args: { first: firstArgument(), after: afterArgument },
    resolve: async ({ id }, given, context, info) => {
      const position = pagePosition(given, context.limits.pageSize);
      const group = await groups(context).load(id);
      const page = await readPage<TypedRecord>(position, info, async (window) => {
        if (group) return windowOf(group, window.offset, window.limit);
        const filter = [{ field: field.name, is: { equals: id } }];
        const search = { table: table.name, filter, sort: { field: 'id', direction: 'ASC' as const } };
        return searchWindow(database, table, searchParameters(search, requestedFields(info, table)), window, context);
      });
      return reportProblems(page, context, info);
    },
  };
}

function windowOf(group: readonly TypedRecord[], offset: number, limit: number): readonly TypedRecord[] {
  return withProblems(group.slice(offset, offset + limit), problemsOf(group));
}

/**
 * Loads the records that refer to several records, in one read of the database. Null for a single record: a search costs less,
 * unless it can have no condition on the field.
 */
function groupLoader(referring: Referring) {
  const load = async (ids: readonly string[], context: Context) => {
    if (new Set(ids).size === 1 && canHaveCondition(referring.field)) return ids.map(() => null);
    const recordsFor = await readGroups(referring, context);
    return ids.map(recordsFor);
  };
  return (context: Context) => operationLoader<readonly TypedRecord[]>(referring, load, context);
}

async function readGroups({ database, table, field: { name } }: Referring, context: Context) {
  const { id: db } = database;
  const all = await context.flex.records(db).catch(explainMissing(database));
  const inTable = table.name === null ? all : await recordsInTable(table.name, all, { id: db }, context);
  const rows = [...inTable].sort(byId).map((record) => {
    const data = decodeOrNull(parseData, record.data);
    return { reference: { [name]: data?.[name] ?? null }, record: { ...record, db } };
  });
  const records = new Map<object, TypedRecord>(rows.map(({ reference, record }) => [reference, record]));
  const references = withProblems(
    rows.map(({ reference }) => reference),
    problemsOf(inTable),
  );
  const referring = indexByForeignKey<Record<string, unknown>>(name);
  return (id: string): readonly TypedRecord[] => {
    const found = referring(references, id);
    const problems = [...problemsOf(references), ...problemsOf(found)];
    return withProblems(
      found.flatMap((reference) => records.get(reference) ?? []),
      problems,
    );
  };
}

/** Compares ids as a search orders them. Not documented (A226): numbers by their size, and other texts by code point. */
function byId({ id: one }: Parent, { id: other }: Parent): number {
  const areNumbers = /^\d+$/.test(one) && /^\d+$/.test(other);
  const [left, right] = areNumbers ? [BigInt(one), BigInt(other)] : [one, other];
  return left < right ? -1 : Number(left > right);
}
