import { z } from 'zod';
import { validate } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { type HttpResponse, invalid, json, notFound } from '../responses.ts';
import type { Request, Router } from '../router.ts';
import { type DataCondition, textCondition } from './conditions.ts';
import { getOwn, isJsonObject, isMissing, type JsonObject, jsonObjectInput } from '../json-object.ts';
import { listPage } from './pages.ts';
import { type MethodOptions, type Operation, operations, readPublicMethods } from './public-options.ts';
import { newestFirstOrder, selectRecords } from './queries.ts';
import { findSearchedTable, flattenRecord, searchInput, searchRecords } from './search.ts';
import { findDatabaseByCode, parseJsonText, placeOf, type StoredDatabase } from './stored-databases.ts';
import { deleteRecord, findRecord, insertRecord, type Place, saveRecord, type StoredRecord } from './stored-records.ts';
import { validateData } from './validation.ts';
import { Visitor } from './visitors.ts';

/** One call of a public method. */
interface PublicCall {
  readonly house: SandboxServices;
  readonly database: StoredDatabase;
  readonly place: Place;
  readonly options: MethodOptions;
  readonly visitor: Visitor;
  readonly params: JsonObject;
}

/** Not documented (A236): whether a number is an id. It names the record of the same digits. */
const idInput = z.object({
  id: z.union([z.string(), z.int().transform(String)], 'is required').pipe(z.string().min(1, 'is required')),
});
const dataInput = z.object({ data: jsonObjectInput });

const handlers: Readonly<Record<Operation, (call: PublicCall) => HttpResponse>> = {
  list,
  get,
  create,
  update,
  delete: remove,
  search,
};

/**
 * The methods that a database offers without authorization.
 * Not documented (A104): an unknown code, and a method that is off, are 404.
 */
export function publicMethods(router: Router, house: SandboxServices): void {
  for (const operation of operations) {
    const handle = (request: Request<'db_code'>) => handlePublicCall(house, operation, request);
    router.on(`POST /flex/db/:db_code/${operation}`, handle).on(`GET /flex/db/:db_code/${operation}`, handle);
  }
}

function handlePublicCall(house: SandboxServices, operation: Operation, request: Request<'db_code'>): HttpResponse {
  const database = findDatabaseByCode(house.store, request.params.db_code);
  const options = database && readPublicMethods(parseJsonText(database.public_methods)).methods.get(operation);
  if (!database || !options) throw notFound();
  const visitor = new Visitor(house, database.account_id, request);
  const params = readParams(request);
  const response = handlers[operation]({ house, database, place: placeOf(database), options, visitor, params });
  return { ...response, headers: { ...response.headers, ...visitor.headers } };
}

/**
 * Not documented (A114): how GET carries parameters. They are in the query, `data` as `data[<field>]`; a body goes
 * before it.
 */
function readParams({ query, body }: Pick<Request, 'query' | 'body'>): JsonObject {
  const fields = Object.entries(query).flatMap(([name, value]) => {
    const [, field] = /^data\[(.+)\]$/s.exec(name) ?? [];
    return field === undefined ? [] : [[field, value]];
  });
  return { ...query, ...(fields.length > 0 && { data: Object.fromEntries(fields) }), ...(isJsonObject(body) && body) };
}

/** Newest first, the records of all tables mixed. */
function list({ house, database, options, visitor, params }: PublicCall): HttpResponse {
  const page = validate(listPage, params);
  const conditions = scopeConditions(options, visitor);
  const found = selectRecords(house.store, { database: database.number, conditions, order: newestFirstOrder, ...page });
  return json(found.map(shown));
}

function get(call: PublicCall): HttpResponse {
  return json(shown(findInScope(call)));
}

/** Creates a record with `table_name` null. Its data is validated only in a database with a single table. */
function create({ house, place, options, visitor, params }: PublicCall): HttpResponse {
  const data = fillIn(options, visitor, pickAllowedFields(options, validate(dataInput, params).data));
  assertRequired(options, data);
  const kept = validateData(place.schema.single, data);
  return json(shown(insertRecord(house.store, place, { table_name: null, data: kept }, house.now())), 201); // Not documented (A107): the status
}

/**
 * Not documented (A108): fields that are not sent stay, else a caller could empty those that it must not
 * write; and so does the record's table, whose rules are not looked at.
 */
function update(call: PublicCall): HttpResponse {
  const { house, place, options, visitor, params } = call;
  const record = findInScope(call);
  const sent = pickAllowedFields(options, validate(dataInput, params).data);
  assertRequired(options, fillIn(options, visitor, sent)); // Not documented (A228): whether what the record has counts
  const data = fillIn(options, visitor, { ...record.data, ...sent });
  const { table_name } = record;
  const kept = table_name === null ? validateData(place.schema.single, data) : data;
  return json(shown(saveRecord(house, place, record, { table_name, data: kept })));
}

/** Not documented (A110): the answer. */
function remove(call: PublicCall): HttpResponse {
  const record = findInScope(call);
  deleteRecord(call.house.store, record);
  return json({ id: record.id });
}

/** Not documented (A112, A113): the table is demanded like in the private search, and the answer is flat like its. */
function search({ house, database, options, visitor, params }: PublicCall): HttpResponse {
  const input = validate(searchInput, pickFields(params, options.allowed_params));
  const table = findSearchedTable(database, input.table_name);
  const conditions = scopeConditions(options, visitor);
  return json(
    searchRecords(house.store, database, table, { ...input, conditions }).map((record) => flattenRecord(record, null)),
  );
}

/** Finds the record by the id in the parameters, in any table. A record outside of the caller's scope is 404 too. */
function findInScope({ house, place, options, visitor, params }: PublicCall): StoredRecord {
  const record = findRecord(house.store, place, validate(idInput, params).id);
  if (!record || !scopeConditions(options, visitor).every(({ matches }) => matches(record.data))) throw notFound();
  return record;
}

/** Not documented (A116): who has no value, as a caller without a session has no user, has no records. */
function scopeConditions({ scope }: MethodOptions, visitor: Visitor): DataCondition[] {
  if (!scope) return [];
  const value = visitor.fillTemplate(scope.template);
  return [value === '' ? { matches: () => false } : textCondition(scope.field, value)];
}

function pickAllowedFields({ allowed_fields }: MethodOptions, data: JsonObject): JsonObject {
  return pickFields(data, allowed_fields);
}

function pickFields(data: JsonObject, names: readonly string[] | null): JsonObject {
  return names ? Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name))) : data;
}

/** Adds default values where a field is missing, then what the server fills in. */
function fillIn({ default_values, auto_fields }: MethodOptions, visitor: Visitor, data: JsonObject): JsonObject {
  const missing = Object.entries(default_values).filter(([field]) => getOwn(data, field) === undefined);
  const filled = [...auto_fields].map(([field, template]) => [field, visitor.fillTemplate(template)]);
  return { ...data, ...Object.fromEntries(missing), ...Object.fromEntries(filled) };
}

/** Not documented (A106): a missing required field is 422 by field, and is looked for after the others are filled in. */
function assertRequired({ required_fields }: MethodOptions, data: JsonObject): void {
  const lacking = required_fields.filter((field) => isMissing(getOwn(data, field)));
  if (lacking.length > 0) throw invalid(Object.fromEntries(lacking.map((field) => [field, ['is required']])));
}

function shown({ id, data, created_at, updated_at }: StoredRecord) {
  return { id, data, created_at, updated_at };
}
