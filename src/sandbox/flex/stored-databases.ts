import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../account/users.ts';
import { parseJson } from '../json-text.ts';
import type { SandboxServices } from '../services.ts';
import type { Store } from '../store.ts';
import { readSchema, type Schema } from './schemas.ts';
import { type Place, reindex } from './stored-records.ts';

const row = z.object({
  number: z.int(),
  id: z.string(),
  account_id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  app_id: z.string().nullable(),
  /** JSON text. The replace endpoint edits it as text. */
  schema: z.string().nullable(),
  public_methods: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** A row of the table `flex_databases`. */
export type StoredDatabase = z.infer<typeof row>;
export type DatabaseFields = Pick<StoredDatabase, 'name' | 'code' | 'app_id' | 'schema' | 'public_methods'>;

type Viewer = Pick<Caller, 'accountId'>;

/** All databases of an account, oldest first. */
export function listDatabases(store: Store, { accountId }: Viewer): StoredDatabase[] {
  return store.all(row, 'SELECT * FROM flex_databases WHERE account_id = :accountId ORDER BY number', { accountId });
}

/** The database of this account with this id or code. */
export function findDatabase(store: Store, { accountId }: Viewer, idOrCode: string): StoredDatabase | null {
  return store.find(
    row,
    'SELECT * FROM flex_databases WHERE account_id = :accountId AND (id = :idOrCode OR code = :idOrCode)',
    { accountId, idOrCode },
  );
}

/** Finds a database of any account by its code, for the public methods. */
export function findDatabaseByCode(store: Store, code: string): StoredDatabase | null {
  return store.find(row, 'SELECT * FROM flex_databases WHERE code = :code', { code });
}

export function getDatabase(store: Store, id: string): StoredDatabase {
  return store.one(row, 'SELECT * FROM flex_databases WHERE id = :id', { id });
}

export function insertDatabase(
  { store, now }: SandboxServices,
  { accountId }: Viewer,
  fields: DatabaseFields,
  id: string = randomUUID(),
): StoredDatabase {
  const time = now().toISOString();
  return store.one(
    row,
    `INSERT INTO flex_databases (id, account_id, name, code, app_id, schema, public_methods, created_at, updated_at)
     VALUES (:id, :accountId, :name, :code, :app_id, :schema, :public_methods, :time, :time) RETURNING *`,
    { id, accountId, time, ...columns(fields) },
  );
}

/** Updates a database. A changed schema rebuilds the index columns of its records. */
export function saveDatabase(
  { store, now }: SandboxServices,
  database: StoredDatabase,
  changes: Partial<DatabaseFields>,
): StoredDatabase {
  const changed = store.one(
    row,
    `UPDATE flex_databases SET name = :name, code = :code, app_id = :app_id, schema = :schema,
       public_methods = :public_methods, updated_at = :time
     WHERE number = :number RETURNING *`,
    { number: database.number, time: now().toISOString(), ...columns({ ...database, ...changes }) },
  );
  if (changed.schema !== database.schema) reindex(store, changed.number, schemaOf(changed));
  return changed;
}

/** Deletes a database together with its records. */
export function deleteDatabase(store: Store, { number }: StoredDatabase): void {
  store.run('DELETE FROM flex_databases WHERE number = :number', { number });
}

/** Parses the stored schema. */
export function schemaOf({ schema }: StoredDatabase): Schema {
  return readSchema(parseJsonText(schema)).schema;
}

/** The number and the schema of a database, which reads and writes of its records need. */
export function placeOf(database: StoredDatabase): Place {
  return { database: database.number, schema: schemaOf(database) };
}

/** Parses a column with JSON text. Null stays null. */
export function parseJsonText(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}

function columns({ name, code, app_id, schema, public_methods }: DatabaseFields) {
  return { name, code, app_id, schema, public_methods };
}
