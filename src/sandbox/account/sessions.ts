import { z } from 'zod';
import type { Store } from '../store.ts';
import { digest, newSecret } from './secrets.ts';

const userRow = z.object({ id: z.int(), account_id: z.int(), name: z.string() });

/** The user of a session. */
export type SessionUser = z.infer<typeof userRow>;

/** Not documented (A120): how a browser shows its session. It sends a secret in the cookie of this name. */
export const sessionCookie = 'session';

/** Starts a session and returns its secret. No endpoint starts one. */
export function startSession(store: Store, userId: number): string {
  const secret = newSecret();
  store.run('INSERT INTO sessions (digest, user_id) VALUES (:digest, :userId)', { digest: digest(secret), userId });
  return secret;
}

export function findSessionUser(store: Store, secret: string): SessionUser | null {
  return store.find(
    userRow,
    'SELECT users.id, account_id, name FROM sessions JOIN users ON users.id = user_id WHERE digest = :digest',
    { digest: digest(secret) },
  );
}
