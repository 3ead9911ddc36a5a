import { z } from 'zod';
import type { Store } from '../store.ts';
import type { ForumCaller } from './authentication.ts';

const row = z.object({ id: z.int(), name: z.string() });

/** A category of an account's forum. */
export type Category = z.infer<typeof row>;

type Account = Pick<ForumCaller, 'accountId'>;

/** Not documented (A190): the order. It is by id. */
export function listCategories(store: Store, { accountId }: Account): Category[] {
  return store.all(row, 'SELECT id, name FROM forum_categories WHERE account_id = :accountId ORDER BY id', {
    accountId,
  });
}

export function findCategoryByName(store: Store, { accountId }: Account, name: string): Category | null {
  return store.find(row, 'SELECT id, name FROM forum_categories WHERE account_id = :accountId AND name = :name', {
    accountId,
    name,
  });
}

/** Inserts a category. Returns its id: the next one unless one is given. */
export function createCategory(store: Store, accountId: number, name: string, id: number | null = null): number {
  return store.insert('INSERT INTO forum_categories (id, account_id, name) VALUES (:id, :accountId, :name)', {
    id,
    accountId,
    name,
  });
}
