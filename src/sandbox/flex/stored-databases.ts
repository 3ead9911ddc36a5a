import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../account/users.ts';
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
  /** JSON text, which the partial edit works on. */
  schema: z.string().nullable(),
  public_methods: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** A database as it is kept. */
export type StoredDatabase = z.infer<typeof row>;
export type DatabaseFields = Pick<StoredDatabase, 'name' | 'code' | 'app_id' | 'schema' | 'public_methods'>;

type Viewer = Pick<Caller, 'accountId'>;

/** Oldest first. */
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

/** The database of whatever account that a public address names. */
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
): StoredDatabase {
  const time = now().toISOString();
  return store.one(
    row,
    `INSERT INTO flex_databases (id, account_id, name, code, app_id, schema, public_methods, created_at, updated_at)
     VALUES (:id, :accountId, :name, :code, :app_id, :schema, :public_methods, :time, :time) RETURNING *`,
    { id: randomUUID(), accountId, time, ...columns(fields) },
  );
}

/** Saves what was changed of a database. Another schema means other index columns for its records. */
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

/** Its records go with it. */
export function deleteDatabase(store: Store, { number }: StoredDatabase): void {
  store.run('DELETE FROM flex_databases WHERE number = :number', { number });
}

/** What a database knows of its records. */
export function schemaOf({ schema }: StoredDatabase): Schema {
  return readSchema(parseJsonText(schema)).schema;
}

/** Where its records are. */
export function placeOf(database: StoredDatabase): Place {
  return { database: database.number, schema: schemaOf(database) };
}

/** A part of a database that is kept as JSON text. */
export function parseJsonText(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

function columns({ name, code, app_id, schema, public_methods }: DatabaseFields) {
  return { name, code, app_id, schema, public_methods };
}
