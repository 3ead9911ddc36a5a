import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { isListable, searchArgument, type SearchArguments, searchParameters } from '../../apis/flex/search-input.ts';
import { type ForwardPage, pagePosition, readPage, type ReadWindow } from '../../apis/flex/search-page.ts';
import { type StoredRecord, withDatabaseId } from '../../apis/flex/stored-records.ts';
import type { SearchParameters, Window } from '../../apis/flex/wire.ts';
import { pageSelection, readSelected } from '../../graph/lists/connections.ts';
import { reportProblems } from '../../graph/field-rules.ts';
import { selectedNames } from '../../graph/lookahead.ts';
import { nullOnlyOnError } from '../../graph/semantic-non-null.ts';
import { invalidInput, mapFieldPaths } from '../../errors.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { LongNumber } from '../../formats/long-numbers.ts';
import { Rows } from '../../formats/rows.ts';
import type { TypedDatabase, TypedField, TypedTable } from '../model/model.ts';
import { argumentsOf } from './base-types.ts';
import { toWire } from './field-values.ts';
import { fieldsByName, isShadowed } from './table-fields.ts';
import { rangePage } from './range-page.ts';
import { filterInput, orderInput, searchedFields } from './table-filter.ts';
import { rangeConditions, rangeInput } from './table-range.ts';
import { explainMissing } from './typed-records.ts';

interface ListArguments extends ForwardPage {
  readonly query?: string | null;
  readonly in?: readonly string[] | null;
  readonly filter?: JsonObject | null;
  readonly range?: JsonObject | null;
  readonly orderBy?: SearchArguments['sort'];
}

/** Creates the field that lists the records of a table. */
export function listField(
  database: TypedDatabase,
  table: TypedTable,
  connection: GraphQLObjectType,
  base: GraphQLSchema,
): GraphQLFieldConfig<unknown, Context, ListArguments> {
  return {
    type: connection,
    description:
      'The matching records. Calls `GET /flex/dbs/:db_id/search.json` once per 100 rows, and requests only the selected ' +
      'fields of the data. `hasNextPage` costs one additional row. Without `orderBy`, rows are ordered by their ids. Upstream ' +
      'has no ranges: with `range` the gateway reads the rows that match everything else, in calls of 100, from the cursor or `offset` on ' +
      'until the page is full, or to the last one.',
    args: listArguments(table, base),
    extensions: nullOnlyOnError(),
    resolve: async (_database, { first, after, offset, range, ...given }, context, info) => {
      const { limits } = context;
      const search = toSearch(given, table);
      const conditions = rangeConditions(range, table);
      const compared = conditions.map(({ key }) => key);
      const parameters = searchParameters(search, requestedFields(info, table, compared));
      const position = pagePosition({ first, after, offset }, limits.pageSize);
      const findsNone = conditions.some(({ isEmpty }) => isEmpty);
      const read: ReadWindow<StoredRecord> = async (window) =>
        findsNone ? new Rows([]) : searchWindow(database, table, parameters, window, context);
      const page =
        conditions.length === 0
          ? await readPage(position, info, read)
          : await readSelected(rangePage(position, conditions, pageSelection(info, 'all'), read), info);
      return reportProblems(page, context, info);
    },
  };
}

function listArguments(table: TypedTable, base: GraphQLSchema): GraphQLFieldConfigArgumentMap {
  const searched = searchedFields(table);
  const filter = filterInput(table, base);
  return {
    ...argumentsOf(base, ['FlexDb', 'search'], 'query'),
    ...(searched && {
      in: {
        type: new GraphQLList(new GraphQLNonNull(searched)),
        description: 'The fields in which to search the phrase. Default: the indexed fields alone.',
      },
    }),
    ...(filter && { filter: { type: filter, description: 'Conditions. A record must match all of them.' } }),
    range: {
      type: rangeInput(table, base),
      description:
        'Ranges. A record must be in all of them. The field fails where the rows that match everything else need more than ' +
        'MAX_UPSTREAM_CALLS calls, 100 rows with each, before the page is full: narrow them by `filter`.',
    },
    orderBy: { type: orderInput(table, base), description: 'The order. Default: by id.' },
    ...argumentsOf(base, ['FlexDb', 'search'], 'first', 'after', 'offset'),
  };
}

/** @throws ValidationError for a null, which a search cannot find */
function toSearch({ query, in: searched, filter, orderBy }: ListArguments, table: TypedTable): SearchArguments {
  const conditions = Object.entries(filter ?? {}).flatMap(([graphqlName, value]) => {
    const field = fieldsByName(table).get(graphqlName);
    return field ? [toCondition(field, value)] : [];
  });
  return {
    table: table.name,
    query,
    in: searched,
    filter: conditions,
    sort: orderBy ?? { field: 'id', direction: 'ASC' },
  };
}

function toCondition(of: TypedField, value: unknown) {
  const field = of.name;
  const path = `filter.${of.graphqlName}`;
  if (value === null || value === undefined)
    throw invalidInput(path, 'takes a value: a search finds no records without one');
  if (!isObject(value)) {
    const equals = toWire(of, value, path);
    const exact = equals instanceof LongNumber ? String(equals) : (equals ?? '');
    return { field, is: { equals: exact }, paths: { equals: path, matches: path } };
  }
  const { equals, matches } = value; // one of them is a text
  const is = typeof matches === 'string' ? { matches } : { equals: equals ?? '' };
  return { field, is, paths: { equals: `${path}.equals`, matches: `${path}.matches` } };
}

/**
 * The keys of the data that a list has to request from upstream. Null for all of them.
 *
 * @param compared keys that the gateway looks at, selected or not
 */
export function requestedFields(
  info: GraphQLResolveInfo,
  { fields }: TypedTable,
  compared: readonly string[] = [],
): string[] | null {
  const selected = new Set([...selectedNames(info, ['nodes']), ...selectedNames(info, ['edges', 'node'])]);
  if (selected.has('extra')) return null;
  const shown = fields.filter(({ graphqlName }) => selected.has(graphqlName)).map(({ name }) => name);
  const names = [...new Set([...shown, ...compared])].filter((name) => !isShadowed(name));
  return names.every(isListable) ? names : null;
}

/** Reads one window of a search in a table. */
export async function searchWindow(
  database: TypedDatabase,
  { name: table_name }: TypedTable,
  parameters: SearchParameters,
  window: Window,
  { flex }: Context,
): Promise<Rows<StoredRecord>> {
  const searching = flex.search(database.id, parameters, window).catch(explainMissing(database));
  const rows = await searching.catch(mapToListPaths);
  return rows.map((row) => ({ ...withDatabaseId(database.id, row), table_name }));
}

/** For `.catch` of a search: upstream's parameters become the arguments of the field. */
export const mapToListPaths = mapFieldPaths((parameter) =>
  parameter === 'sort' ? 'orderBy' : searchArgument(parameter),
);
