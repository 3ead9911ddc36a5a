import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { connectionArguments, continuedRow, listPaging } from '../../graph/lists/connections.ts';
import { selectedAt } from '../../graph/lookahead.ts';
import { BadResponseError, invalidInput, NotFoundError, type ValidationError } from '../../errors.ts';
import { FlexDb, UnreadDatabase } from './databases.ts';
import { formatRecordKey, recordIdIn, withDatabaseId } from './stored-records.ts';
import { FlexRecord, FlexRecordConnection } from './records.ts';
import { FlexFilter, FlexSort, mapToSearchPaths, type SearchArguments, searchParameters } from './search-input.ts';
import { decodeOrUndefined, isSent } from '../../graph/lists/decodable.ts';
import { applyFilters, type Condition } from '../../graph/lists/filters.ts';
import { Rows } from '../../formats/rows.ts';
import { forwardArguments, pagePosition, readPage } from './search-page.ts';
import {
  type FlexDbRecord,
  type FlexRecordRecord,
  lacksTables,
  readableTables,
  RECORD_KEYS,
  tableName,
} from './wire.ts';

builder.objectFields(FlexDb, (t) => ({
  records: t.field({
    type: FlexRecordConnection,
    semanticNonNull: true,
    description:
      'The records of the database. Calls `GET /flex/dbs/:db_id/records.json`, which returns all records at once. ' +
      '`search` costs less when only some records are needed.',
    args: {
      table: t.arg.string({ description: 'Only records of this table. Null: records of all tables.' }),
      untabled: t.arg.boolean({ description: 'Only records of no table. Cannot be combined with `table`.' }),
      ...connectionArguments(t.arg),
    },
    resolve: async (db, { table, untabled, ...page }, context) => {
      if (untabled && typeof table === 'string') throw invalidInput('untabled', 'cannot be combined with `table`');
      const pageOf = listPaging(page, context.limits.pageSize);
      const records = await context.flex.records(db.id, continuedRow(page)).catch(missingAsInvalidId(db));
      const tableRecords = await recordsInTable(untabled ? null : (table ?? undefined), records, db, context);
      return pageOf(await tableRecords.map((record) => withDatabaseId(db.id, record)));
    },
  }),
  record: t.field({
    type: FlexRecord,
    description:
      'One record of the database. Null when it does not exist or the caller cannot see it. Calls ' +
      '`GET /flex/dbs/:db_id/records.json`, once per operation: the API has no endpoint for a single record.',
    args: { id: t.arg.id({ required: true, description: 'Global id, or id of the record in this database.' }) },
    resolve: async ({ id: db }, { id }, { flex }) => formatRecordKey({ db, id: await recordIdIn(db, id, flex) }),
  }),
  search: t.field({
    type: FlexRecordConnection,
    semanticNonNull: true,
    description:
      'The matching records. Calls `GET /flex/dbs/:db_id/search.json` once per 100 rows, and requests only the selected ' +
      'fields of the data. `hasNextPage` costs one additional row. Names of fields are checked against the definition, ' +
      'which costs a call of `GET /flex/dbs/:id.json` when the operation has not read it. A cursor is a position in the ' +
      'order: when a record before it is added or deleted, a row appears twice or is left out. See the field of `sort` ' +
      'for an order in which new records do not move pages.',
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
      sort: t.arg({ type: FlexSort, description: 'The order. Default: newest first.' }),
      allowUndefinedFields: t.arg.boolean({
        description:
          'Whether `in`, `filter`, `sort` and `data(fields:)` may name fields that the definition lacks. Records may have ' +
          'such fields. Without it the gateway refuses them, because upstream would find nothing or ignore the order.',
      }),
      ...forwardArguments(t.arg),
    },
    resolve: async (db, { first, after, offset, ...search }, context, info) => {
      const { flex, limits } = context;
      const fields = selectedFields(info);
      const parameters = searchParameters(search, fields);
      const position = pagePosition({ first, after, offset }, limits.pageSize);
      const namesTable = typeof search.table === 'string' && selectsTable(info);
      const schema = namesTable || namesFields(search, fields) ? await readSchema(db, context) : db.schema;
      assertDefinedFields(search, fields, schema);
      // Flat rows do not name their table. A search covers one table only, and a database without tables ignores the name.
      // Without the schema it is not known which of both holds.
      const named = { table_name: lacksTables(schema) ? null : (search.table ?? null) };
      const table = namesTable && schema === undefined ? {} : named;
      return readPage(position, info, async (window) => {
        const rows = await flex.search(db.id, parameters, window).catch(missingAsInvalidId(db)).catch(mapToSearchPaths);
        return rows.map((row) => withDatabaseId(db.id, { ...row, ...table }));
      });
    },
  }),
}));

/**
 * Returns the records of one table.
 *
 * @param table null for the records of no table, undefined for all records
 * @throws BadResponseError when upstream does not return the table of its records, and the database may have tables
 */
export async function recordsInTable(
  table: string | null | undefined,
  records: Rows<FlexRecordRecord>,
  db: FlexDbRecord,
  context: Context,
): Promise<Rows<FlexRecordRecord>> {
  if (table === undefined) return records;
  records.assertComplete();
  if (records.length === 0 || isSent(records, 'table_name')) {
    // A record that lacks the key has no value for it, because others of the list have the key.
    const inTable: Condition<FlexRecordRecord> = {
      keys: ['table_name'],
      leaf: tableName,
      holds: ({ table_name: name }) => {
        const found = decodeOrUndefined(tableName, name);
        return found === undefined ? undefined : found === table;
      },
    };
    return applyFilters(records, [inTable]);
  }
  if (lacksTables(await readSchema(db, context))) return table === null ? records : new Rows([]);
  const advice = table === null ? '' : ': use `search`';
  throw new BadResponseError(`The flex API does not return the table of its records${advice}.`);
}

/** For `.catch`: of a database that was not read before, upstream's 404 means that its id is wrong. */
function missingAsInvalidId(db: FlexDbRecord) {
  return (error: unknown): never => {
    if (!(error instanceof NotFoundError) || !(db instanceof UnreadDatabase)) throw error;
    throw noSuchDatabase();
  };
}

function noSuchDatabase(): ValidationError {
  return invalidInput('id', 'is the id of no database that the caller can see');
}

/** The schema of a database, which is read unless it is known. Undefined when upstream does not send it. */
async function readSchema(db: FlexDbRecord, context: Context): Promise<unknown> {
  if (Object.hasOwn(db, 'schema')) return db.schema;
  const found = await FlexDb.getDataloader(context).load(db.id);
  if (!found && db instanceof UnreadDatabase) throw noSuchDatabase();
  return found?.schema;
}

function selectsTable(info: GraphQLResolveInfo): boolean {
  return [['nodes'], ['edges', 'node']].some((path) => selectedAt(info, [...path, 'table']).length > 0);
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

/** An error lists this many known names at most. */
const MAX_NAMES = 20;

/**
 * Checks that the definition of a database has all fields that a search names: upstream finds nothing, or ignores the
 * order, for any other name.
 *
 * @param schema the schema of the database; undefined when it is not known. Without fields in it, all names pass.
 * @param fields the names of the fields to return; null for all
 * @throws ValidationError for the first name that the definition lacks. It lists the names that the definition has.
 */
function assertDefinedFields(search: SearchArguments, fields: readonly string[] | null, schema: unknown): void {
  const defined = definedFields(schema, search.table);
  if (!defined || search.allowUndefinedFields) return;
  const refuseUnknown = (path: string, name: string, more: readonly string[] = []) => {
    const known = [...defined, ...more];
    if (!known.includes(name)) throw invalidInput(path, `names no field of the definition, which has ${listed(known)}`);
  };
  for (const [index, { field }] of (search.filter ?? []).entries()) refuseUnknown(`filter.${index}.field`, field);
  for (const [index, name] of (search.in ?? []).entries()) refuseUnknown(`in.${index}`, name);
  if (search.sort) refuseUnknown('sort.field', search.sort.field, RECORD_KEYS);
  for (const name of fields ?? []) refuseUnknown('fields', name, RECORD_KEYS);
}

/** Whether a search names fields that `assertDefinedFields` can check. */
function namesFields(search: SearchArguments, fields: readonly string[] | null): boolean {
  if (search.allowUndefinedFields) return false;
  return [search.filter, search.in, fields].some((names) => names && names.length > 0) || Boolean(search.sort);
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The names of the fields of a table; null when they are not known, or none is defined. */
function definedFields(schema: unknown, table: string | null | undefined): readonly string[] | null {
  const tables = readableTables(schema);
  const searched = tables?.find(({ name }) => name === null || name === table);
  const names = searched ? Object.keys(searched.fields) : [];
  return names.length > 0 ? names : null;
}
