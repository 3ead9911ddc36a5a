import { z } from 'zod';
import type { Store } from '../store.ts';
import type { ForumCaller } from './authentication.ts';

const row = z.object({
  id: z.int(),
  name: z.string(),
  login: z.string().nullable(),
  email: z.string().nullable(),
  description: z.string().nullable(),
  www: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** The columns of a user that the forum shows. */
export type ForumUser = z.infer<typeof row>;

const selectSql = `SELECT id, name, login, email, description, www, created_at, updated_at FROM users`;

/** Not documented (A190): the order. It is by id. */
export function listUsers(store: Store, { accountId }: Pick<ForumCaller, 'accountId'>): ForumUser[] {
  return store.all(row, `${selectSql} WHERE account_id = :accountId ORDER BY id`, { accountId });
}

export function userById(store: Store, id: number): ForumUser {
  return store.one(row, `${selectSql} WHERE id = :id`, { id });
}
