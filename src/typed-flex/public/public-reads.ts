import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { type PublicRecord, readPublicRecord, withCode } from '../../apis/flex/public-records.ts';
import { type Sort, sortParameter } from '../../apis/flex/search-input.ts';
import { type ForwardPage, MAX_ROWS_PER_CALL, pagePosition, readPage } from '../../apis/flex/search-page.ts';
import type { FoundRecord, Window } from '../../apis/flex/wire.ts';
import { reportProblems } from '../../graph/field-rules.ts';
import { upstreamId } from '../../graph/ids.ts';
import { nullOnlyOnError } from '../../graph/semantic-non-null.ts';
import { BadResponseError, NotFoundError } from '../../errors.ts';
import { Rows } from '../../formats/rows.ts';
import { defaultSizeDescription } from '../../graph/lists/connections.ts';
import type { PublicMethods } from '../model/model.ts';
import type { MethodDefinition } from '../snapshot/definition.ts';
import { argumentsOf } from '../types/base-types.ts';
import { connectionType } from '../types/connection-type.ts';
import { orderInput } from '../types/table-filter.ts';
import { fieldsByKey } from '../types/table-fields.ts';
import { mapToListPaths } from '../types/table-list.ts';

// The public methods that read, as fields of the type of a database.

type Field<Arguments> = GraphQLFieldConfig<unknown, Context, Arguments>;

/** Creates the fields of the methods that are on. */
export function publicReads(
  methods: PublicMethods,
  row: GraphQLObjectType,
  base: GraphQLSchema,
): GraphQLFieldConfigMap<unknown, Context> {
  const { methods: on } = methods;
  const connection = connectionType(row, base);
  const [list, get, search] = [on.get('list'), on.get('get'), on.get('search')];
  return {
    ...(list && { list: listField(methods, list, connection, base) }),
    ...(get && { get: getField(methods, get, row) }),
    ...(search && { search: searchField(methods, search, connection, base) }),
  };
}

/** Completes the description of a method that shows each caller only their own records. */
export const ownRecords = ({ scope_by: owner }: MethodDefinition): string =>
  owner === undefined ? '' : ' Each caller sees only their own records.';

function listField(
  { code }: PublicMethods,
  method: MethodDefinition,
  connection: GraphQLObjectType,
  base: GraphQLSchema,
): Field<ForwardPage> {
  return {
    type: connection,
    description: `Records of all tables, newest first.${ownRecords(method)} Calls \`POST /flex/db/:db_code/list\` once per 100 records, or per as many as upstream sends at once. \`hasNextPage\` costs one additional record.`,
    args: argumentsOf(base, ['PublicFlexDb', 'list'], 'first', 'after', 'offset'),
    extensions: nullOnlyOnError(),
    resolve: async (_database, page, context, info) => {
      const { publicFlex, limits } = context;
      const read = async (window: Window) =>
        withCodes(code, await publicFlex.list(code, window).catch(missingAsGone('list')));
      const ends = publicFlex.listEnds(code);
      const records = await readPage(pagePosition(page, limits.pageSize), info, read, { ends });
      return reportProblems(records, context, info);
    },
  };
}

function getField(
  { code, rowTypeName }: PublicMethods,
  method: MethodDefinition,
  row: GraphQLObjectType,
): Field<{ readonly id: string }> {
  return {
    type: row,
    description: `One record. Null when it does not exist or the caller cannot see it.${ownRecords(method)} Calls \`POST /flex/db/:db_code/get\`.`,
    args: { id: idArgument },
    resolve: async (_database, { id }, { publicFlex }) =>
      readPublicRecord({ code, id: upstreamId(id, rowTypeName) }, publicFlex),
  };
}

/** The `id` argument of each field that names one record. */
export const idArgument = {
  type: new GraphQLNonNull(GraphQLID),
  description: 'Id of the record: its `id`, or its `upstreamId`.',
};

interface SearchArguments extends ForwardPage {
  readonly query?: string | null;
  readonly table?: string | null;
  readonly orderBy?: Sort | null;
}

/** Not documented (A227): the number of records that a public search returns without a limit. */
const DEFAULT_LIMIT = 20;

/** Creates the field of `search`. It has no arguments for parameters that are not allowed: upstream ignores them (A227). */
function searchField(
  methods: PublicMethods,
  method: MethodDefinition,
  connection: GraphQLObjectType,
  base: GraphQLSchema,
): Field<SearchArguments> {
  const { code } = methods;
  const takes = (parameter: string) => method.allowed_params?.includes(parameter) ?? true;
  const [takesLimit, takesOffset] = [takes('limit'), takes('offset')];
  return {
    type: connection,
    description: describeSearch(methods, method, takes),
    args: searchArguments(methods, takes, base),
    extensions: nullOnlyOnError(),
    resolve: async (_database, { query, table, orderBy, ...page }, context, info) => {
      const { publicFlex, limits } = context;
      const sort = sortParameter(takes('sort') ? (orderBy ?? { field: 'id' }) : undefined);
      const parameters = { q: query ?? undefined, table_name: table ?? undefined, sort };
      const position = pagePosition(page, Math.min(limits.pageSize, takesOffset ? Infinity : MAX_ROWS_PER_CALL));
      const search = async (window: Partial<Window>) => {
        const found = publicFlex.search(code, { ...parameters, ...window }, fieldsByKey(methods).has('data'));
        return withCodes(code, await found.catch(missingAsGone('search')).catch(mapToListPaths));
      };
      const read = async ({ limit, offset }: Window) => {
        if (takesOffset) return search({ offset, ...(takesLimit && { limit }) });
        const rest = Math.min(limit, position.size - offset); // no page follows this one
        return rest > 0 ? search({ ...(takesLimit && { limit: rest }) }) : new Rows<PublicRecord>([]);
      };
      const records = await readPage(position, info, read, takesLimit ? {} : { rowsPerCall: DEFAULT_LIMIT });
      return reportProblems(records, context, info);
    },
  };
}

function describeSearch(
  { tables }: PublicMethods,
  method: MethodDefinition,
  takes: (parameter: string) => boolean,
): string {
  const rows = tables.length > 0 ? 'The matching records of one table.' : 'The matching records.';
  const order = takes('sort')
    ? ' Without `orderBy` they are ordered by `id`: new records do not move the pages. Under any other order they may.'
    : '';
  const pages = takes('offset')
    ? ` Calls \`POST /flex/db/:db_code/search\` once per ${takes('limit') ? MAX_ROWS_PER_CALL : DEFAULT_LIMIT} records. \`hasNextPage\` costs one additional record.`
    : ' Calls `POST /flex/db/:db_code/search`. No page follows the first one: `hasNextPage` is false.';
  return `${rows}${ownRecords(method)}${order}${pages}`;
}

function searchArguments(
  { tables, rowTypeName, fields }: PublicMethods,
  takes: (parameter: string) => boolean,
  base: GraphQLSchema,
): GraphQLFieldConfigArgumentMap {
  const order = orderInput({ typeName: rowTypeName, fields }, base);
  const untyped = (...names: string[]) => argumentsOf(base, ['PublicFlexDb', 'search'], ...names);
  return {
    ...(takes('q') && untyped('query')),
    ...(takes('table_name') && tables.length > 0 && { table: tableArgument(rowTypeName, tables) }),
    ...(takes('sort') && { orderBy: { type: order, description: 'The order.' } }),
    ...(takes('limit') && (takes('offset') ? untyped('first') : { first: onlyFirst })),
    ...(takes('offset') && untyped('after', 'offset')),
  };
}

/** The size of a page that no other follows. */
const onlyFirst = {
  type: GraphQLInt,
  description: `Number of records, at most ${MAX_ROWS_PER_CALL}, or MAX_PAGE_SIZE where that is less. ${defaultSizeDescription}.`,
};

function tableArgument(rowTypeName: string, tables: PublicMethods['tables']) {
  const Table = new GraphQLEnumType({
    name: `${rowTypeName}Table`,
    description: 'A table of the database.',
    values: Object.fromEntries(tables.map(({ name, enumValue }) => [enumValue, { value: name }])),
  });
  return { type: new GraphQLNonNull(Table), description: 'The table.' };
}

/** Adds the code of the database to the records of a list. */
async function withCodes(code: string, records: Rows<FoundRecord>): Promise<Rows<PublicRecord>> {
  return records.map((record) => withCode(code, record));
}

/** For `.catch` of a list: 404 means that the database is gone, or allows the method no longer. */
function missingAsGone(method: string) {
  return (error: unknown): never => {
    if (!(error instanceof NotFoundError)) throw error;
    const message = `The database no longer allows the public method \`${method}\`: the schema is older than its definition.`;
    throw new BadResponseError(message, error.upstream);
  };
}
