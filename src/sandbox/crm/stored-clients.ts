import { z } from 'zod';
import { newSecret } from '../account/secrets.ts';
import type { Owner } from '../account/stored-tokens.ts';
import { type JsonObject, parseJsonObject } from '../json-object.ts';
import type { Store } from '../store.ts';
import { linkId } from './links.ts';

const row = z.object({
  id: z.int(),
  contact_id: z.int().nullable(),
  token: z.string(),
  fields: z.string().transform(parseJsonObject),
  creator_id: z.int(),
  updater_id: z.int(),
  last_activity: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  posts_count: z.int(),
});

/** A row of the table `clients`, with the number of its posts. */
export type StoredClient = z.infer<typeof row>;

const selectSql = `SELECT clients.*,
    (SELECT count(*) FROM posts WHERE posts.client_id = clients.id AND task_kind <> 'comment') AS posts_count
  FROM clients WHERE account_id = :accountId`;

/** All clients of an account, ordered by id. */
export function listClients(store: Store, { accountId }: Pick<Owner, 'accountId'>): StoredClient[] {
  return store.all(row, `${selectSql} ORDER BY id`, { accountId });
}

export function findClient(
  store: Store,
  { accountId }: Pick<Owner, 'accountId'>,
  id: number | null,
): StoredClient | null {
  return store.find(row, `${selectSql} AND id = :id`, { accountId, id });
}

/** The id of the first client with one of these ids in the same other system. */
export function findClientIdByExternalIds(
  store: Store,
  { accountId }: Pick<Owner, 'accountId'>,
  ids: JsonObject,
): number | null {
  return findFirstId(
    store,
    `SELECT id FROM clients WHERE account_id = :accountId AND EXISTS (
       SELECT 1 FROM json_each(fields, '$.external_ids') AS own JOIN json_each(:ids) AS wanted
       ON own.key = wanted.key AND own.value = wanted.value AND own.value <> ''
     ) ORDER BY id LIMIT 1`,
    { accountId, ids: JSON.stringify(ids) },
  );
}

/** The id of the first client with this email address, ignoring case. */
export function findClientIdByEmail(
  store: Store,
  { accountId }: Pick<Owner, 'accountId'>,
  email: string,
): number | null {
  return findFirstId(
    store,
    `SELECT id FROM clients WHERE account_id = :accountId AND lower(json_extract(fields, '$.email')) = lower(:email)
     ORDER BY id LIMIT 1`,
    { accountId, email },
  );
}

/** Inserts a client with this time of creation. Returns its id: the next one unless one is given. */
export function insertClient(
  store: Store,
  { accountId, userId }: Owner,
  fields: JsonObject,
  time: Date,
  id: number | null = null,
): number {
  return store.insert(
    `INSERT INTO clients (id, account_id, contact_id, token, fields, creator_id, updater_id, last_activity, created_at, updated_at)
     VALUES (:id, :accountId, :contact_id, :token, :fields, :userId, :userId, :time, :time, :time)`,
    { id, accountId, userId, token: newSecret(), time: time.toISOString(), ...columns(fields) },
  );
}

export function saveClient(
  store: Store,
  { userId }: Owner,
  { id, contact_id, fields }: StoredClient,
  changes: JsonObject,
  time: Date,
): void {
  store.run(
    `UPDATE clients SET contact_id = :contact_id, fields = :fields, updater_id = :userId, last_activity = :time, updated_at = :time
     WHERE id = :id`,
    { id, userId, time: time.toISOString(), ...columns({ contact_id, ...fields, ...changes }) },
  );
}

/** Moves the `last_activity` of a client forward. */
export function touchClient(store: Store, id: number | null, time: Date): void {
  store.run('UPDATE clients SET last_activity = max(last_activity, :time) WHERE id = :id', {
    id,
    time: time.toISOString(),
  });
}

/** Not documented (A144): its posts and deals stay, without a client. */
export function deleteClient(store: Store, { id }: StoredClient): void {
  store.run('DELETE FROM clients WHERE id = :id', { id });
}

function columns({ contact_id, ...fields }: JsonObject) {
  return { contact_id: linkId.parse(contact_id), fields: JSON.stringify(fields) };
}

function findFirstId(store: Store, sql: string, params: Readonly<Record<string, string | number>>): number | null {
  return store.find(z.object({ id: z.int() }), sql, params)?.id ?? null;
}
