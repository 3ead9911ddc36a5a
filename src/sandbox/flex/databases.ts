import { z } from 'zod';
import { authenticate } from '../account/users.ts';
import { text, validateWrapped } from '../body.ts';
import { stringifyJson } from '../json-text.ts';
import type { SandboxServices } from '../services.ts';
import { empty, invalid, json, notFound } from '../responses.ts';
import type { Request, Router } from '../router.ts';
import type { Store } from '../store.ts';
import { readPublicMethods } from './public-options.ts';
import { readSchema } from './schemas.ts';
import {
  deleteDatabase,
  findDatabase,
  findDatabaseByCode,
  insertDatabase,
  listDatabases,
  parseJsonText,
  saveDatabase,
  type StoredDatabase,
} from './stored-databases.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Not documented (A63, A212): the form of a code. One like an id, a uuid or a number, would be mistaken for one. */
const codeInput = z
  .string('must be a string')
  .refine((value) => value === '' || /^[\w-]{1,100}$/.test(value), 'must be letters, digits, - and _, at most 100')
  .refine((value) => !uuid.test(value) && !/^\d+$/.test(value), 'must not look like an id')
  .nullable()
  .transform((value) => value || null);

/** Not documented (A69): that the application exists is not checked. */
const appIdInput = text
  .refine((value) => value === '' || uuid.test(value), 'must be a uuid')
  .nullable()
  .transform((value) => value?.toLowerCase() || null);

/** Fields that a caller may send. Not documented (A68): null and the empty text clear a field; unknown fields are ignored. */
const change = z.object({
  name: text.refine((value) => value.trim() !== '', 'must not be blank').exactOptional(),
  code: codeInput.exactOptional(),
  app_id: appIdInput.exactOptional(),
  schema: jsonTextInput((value) => readSchema(value).problems).exactOptional(),
  public_methods: jsonTextInput((value) => readPublicMethods(value).problems).exactOptional(),
});

/** The fields of a new database. An absent field is null. */
export const databaseFields = change
  .extend({ name: change.shape.name.unwrap() })
  .transform((given) => ({ code: null, app_id: null, schema: null, public_methods: null, ...given }));

/** Adds the routes of databases. */
export function databases(router: Router, house: SandboxServices): void {
  const { store } = house;
  router
    .on('GET /flex/dbs.json', (request) => json(listDatabases(store, authenticate(house, request)).map(shown)))
    .on('GET /flex/dbs/:id.json', (request) => json(shown(visible(house, request))))
    .on('POST /flex/dbs.json', (request) => {
      const caller = authenticate(house, request);
      const given = validateWrapped('db', databaseFields, request.body);
      assertCodeIsUnique(store, given.code);
      return json(shown(insertDatabase(house, caller, given)), 201); // Not documented (A9): the status
    })
    .on('PATCH /flex/dbs/:id.json', (request) => {
      const database = visible(house, request);
      const given = validateWrapped('db', change, request.body);
      assertCodeIsUnique(store, given.code, database.id);
      return json(shown(saveDatabase(house, database, given)));
    })
    .on('DELETE /flex/dbs/:id.json', (request) => {
      deleteDatabase(store, visible(house, request));
      return empty(); // Not documented (A9): the status
    });
}

/** The caller's database that a path names. Not documented (A66): another account's is 404. */
export function visible(services: SandboxServices, request: Request<'id'>): StoredDatabase {
  const database = findDatabase(services.store, authenticate(services, request), request.params.id);
  if (!database) throw notFound();
  return database;
}

/**
 * A database as the API answers it. Not documented (A67): its fields. They are all that can be written, and the stamps.
 */
export function shown({ id, name, code, app_id, created_at, updated_at, ...rest }: StoredDatabase) {
  const [schema, public_methods] = [parseJsonText(rest.schema), parseJsonText(rest.public_methods)];
  return { id, name, code, app_id, schema, public_methods, created_at, updated_at };
}

/** Not documented (A64): across all accounts, because a public address names no account. */
function assertCodeIsUnique(store: Store, code: string | null | undefined, except?: string): void {
  const holder = code ? findDatabaseByCode(store, code) : null;
  if (holder && holder.id !== except) throw invalid({ code: ['has already been taken'] });
}

/** A value that is stored as JSON text when it has no problems. Null stays null. */
function jsonTextInput(problemsOf: (value: unknown) => readonly string[]) {
  return z.unknown().transform((value, context) => {
    const problems = problemsOf(value);
    for (const message of problems) context.addIssue({ code: 'custom', message });
    // An invalid value may be nested too deeply for JSON.stringify.
    return value === null || problems.length > 0 ? null : stringifyJson(value);
  });
}
