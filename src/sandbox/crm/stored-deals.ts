import { z } from 'zod';
import type { Owner } from '../account/stored-tokens.ts';
import { type JsonObject, parseJsonObject } from '../json-object.ts';
import type { Store } from '../store.ts';
import { linkId } from './links.ts';
import { touchClient } from './stored-clients.ts';

const row = z.object({
  id: z.int(),
  client_id: z.int().nullable(),
  fields: z.string().transform(parseJsonObject),
});

/** A row of the table `deals`. */
export type StoredDeal = z.infer<typeof row>;

/** All deals of an account, ordered by id. */
export function listDeals(store: Store, { accountId }: Pick<Owner, 'accountId'>): StoredDeal[] {
  return store.all(row, 'SELECT * FROM deals WHERE account_id = :accountId ORDER BY id', { accountId });
}

export function findDeal(store: Store, { accountId }: Pick<Owner, 'accountId'>, id: number | null): StoredDeal | null {
  return store.find(row, 'SELECT * FROM deals WHERE account_id = :accountId AND id = :id', { accountId, id });
}

/** Inserts a deal with this time of creation and updates its client's `last_activity`. Returns its id: the next one unless one is given. */
export function insertDeal(
  store: Store,
  { accountId }: Pick<Owner, 'accountId'>,
  { client_id, ...fields }: JsonObject,
  time: Date,
  id: number | null = null,
): number {
  const client = linkId.parse(client_id);
  touchClient(store, client, time);
  return store.insert(
    `INSERT INTO deals (id, account_id, client_id, fields, created_at, updated_at)
     VALUES (:id, :accountId, :client, :fields, :time, :time)`,
    { id, accountId, client, fields: JSON.stringify(fields), time: time.toISOString() },
  );
}

export function saveDeal(store: Store, { id, ...current }: StoredDeal, changes: JsonObject, time: Date): void {
  const { client_id, ...fields } = { client_id: current.client_id, ...current.fields, ...changes };
  store.run('UPDATE deals SET client_id = :client, fields = :fields, updated_at = :time WHERE id = :id', {
    id,
    client: linkId.parse(client_id),
    fields: JSON.stringify(fields),
    time: time.toISOString(),
  });
}

export function deleteDeal(store: Store, { id }: StoredDeal): void {
  store.run('DELETE FROM deals WHERE id = :id', { id });
}
