import { z } from 'zod';
import { authenticate } from '../account/users.ts';
import { validate } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { HttpError, json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { type Condition, filterCondition, phraseCondition } from './conditions.ts';
import { getOwn, type JsonObject } from '../json-object.ts';
import { searchPage } from './pages.ts';
import { newestFirstOrder, selectRecords, sortOrder } from './queries.ts';
import { type Table, tableOf } from './schemas.ts';
import { findDatabase, schemaOf, type StoredDatabase } from './stored-databases.ts';
import type { StoredRecord } from './stored-records.ts';

/** Not documented (A97): an empty parameter is like an absent one. */
const optionalText = z
  .string('must be a text')
  .nullish()
  .transform((value) => value || null);
const commaSeparated = optionalText.transform((value) => value?.split(',').filter((name) => name !== '') ?? null);

/** Parameters of the private and the public search. The public search reads them from a body, too. */
export const searchInput = searchPage.extend({
  table_name: optionalText,
  q: optionalText,
  sort: optionalText.refine((value) => value !== '-', 'must name a field'),
});
type SearchInput = z.infer<typeof searchInput>;

const privateSearchInput = searchInput.extend({ search_in: commaSeparated, fields: commaSeparated });

/** Adds the route of the private search. */
export function search(router: Router, services: SandboxServices): void {
  router.on('GET /flex/dbs/:db_id/search.json', (request) => {
    const database = findDatabase(services.store, authenticate(services, request), request.params.db_id);
    if (!database) throw notFound();
    const input = validate(privateSearchInput, request.query);
    const table = findSearchedTable(database, input.table_name);
    const filters = parseFilters(request.query).map(([field, value]) =>
      filterCondition(table.definition, field, value),
    );
    const found = searchRecords(services.store, database, table, { ...input, conditions: filters });
    return json(found.map((record) => flattenRecord(record, input.fields)));
  });
}

interface SearchedTable {
  readonly name: string | null;
  /** Null when the schema does not define the table. */
  readonly definition: Table | null;
}

/**
 * The table that a search is restricted to. With several tables it must be one of them.
 * Not documented (A98): a database without several tables does not look at `table_name`.
 */
export function findSearchedTable(database: StoredDatabase, given: string | null): SearchedTable {
  const schema = schemaOf(database);
  const name = schema.tables ? given : null;
  if (schema.tables && (name === null || !schema.tables.has(name))) {
    const error = name === null ? 'table_name is required' : `unknown table_name: ${name}`;
    throw new HttpError(json({ error, available_tables: [...schema.tables.keys()] }, 400));
  }
  return { name, definition: tableOf(schema, name) };
}

/** Not documented (A92): the order without `sort`, newest first. */
export function searchRecords(
  store: Store,
  database: StoredDatabase,
  table: SearchedTable,
  input: SearchInput & { readonly search_in?: readonly string[] | null; readonly conditions: readonly Condition[] },
): StoredRecord[] {
  const { q, sort, search_in, limit, offset } = input;
  const phrase = q === null ? [] : [phraseCondition(search_in ?? defaultSearchFields(table.definition), q)];
  return selectRecords(store, {
    database: database.number,
    table_name: table.name,
    conditions: [...input.conditions, ...phrase],
    order: sort === null ? newestFirstOrder : sortOrder(table.definition, sort),
    limit,
    offset,
  });
}

/** The indexed fields, or all of `data`. Not documented (A96): a schema without any is like none. */
function defaultSearchFields(table: Table | null): string[] | null {
  return table && table.columns.size > 0 ? [...table.columns.keys()] : null;
}

/**
 * Not documented (A100): the name is all that is between the outer brackets; of filters of the same name the last
 * counts.
 */
function parseFilters(query: Readonly<Record<string, string>>): [field: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]) => {
    const [, field] = /^filter\[(.+)\]$/s.exec(name) ?? [];
    return field === undefined ? [] : [[field, value]];
  });
}

/**
 * A record as a search answers it. Not documented (A102, A103): a field that the record lacks is left out, and
 * one that is called like a part of the record is covered by it.
 */
export function flattenRecord(
  { id, created_at, updated_at, data }: StoredRecord,
  fields: readonly string[] | null,
): JsonObject {
  const wanted = fields?.filter((field) => Object.hasOwn(data, field)) ?? Object.keys(data);
  const values = wanted.map((field) => [field, getOwn(data, field)]);
  return { ...Object.fromEntries(values), id, created_at, updated_at };
}
