import { z } from 'zod';
import type { House } from '../house.ts';
import { forbidden, unauthorized } from '../replies.ts';
import type { Request } from '../router.ts';
import { flag, jsonText, type Store } from '../store.ts';
import { hasExpired } from './expiry.ts';
import { digest } from './secrets.ts';

/** Not documented: the identifiers of the account-settings and the TODO permission. */
export const permissionNames = ['account_settings', 'dashboard_advanced', 'crm_notes_index', 'todo'] as const;
export type Permission = (typeof permissionNames)[number];

/** Who sent a request, and what the token lets that user do. */
export interface Caller {
  readonly accountId: number;
  readonly userId: number;
  readonly permissions: ReadonlySet<Permission>;
}

const credential = z.object({
  account_id: z.int(),
  user_id: z.int(),
  permissions: jsonText(z.array(z.enum(permissionNames))),
  active: flag,
  expires_at: z.string().nullable(),
  privileges: jsonText(z.array(z.string())),
});

/** The user behind `Authorization: Bearer <API_TOKEN>`, or 401. */
export function authenticate({ store, now }: House, { headers }: Pick<Request, 'headers'>): Caller {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw unauthorized();

  const found = store.find(
    credential,
    `SELECT users.account_id, user_id, permissions, active, expires_at, privileges
     FROM api_tokens JOIN users ON users.id = user_id WHERE digest = :digest`,
    { digest: digest(token) },
  );
  if (!found?.active || hasExpired(found.expires_at, now())) throw unauthorized();
  return { accountId: found.account_id, userId: found.user_id, permissions: effective(found) };
}

/**
 * Privileges only narrow: none given is all that the owner has.
 * Not documented: their identifiers. They are those of the permissions, any other grants nothing.
 */
function effective({ permissions, privileges }: z.infer<typeof credential>): ReadonlySet<Permission> {
  return new Set(permissions.filter((held) => privileges.length === 0 || privileges.includes(held)));
}

/** 403 unless the caller holds the permission. */
export function demand({ permissions }: Caller, permission: Permission): void {
  if (!permissions.has(permission)) throw forbidden();
}

/** Answers the new user's id. */
export function createUser(
  store: Store,
  user: { account: number; name: string; permissions: readonly Permission[] },
): number {
  return store.insert('INSERT INTO users (account_id, name, permissions) VALUES (:account, :name, :permissions)', {
    account: user.account,
    name: user.name,
    permissions: JSON.stringify(user.permissions),
  });
}

export function setPermissions(store: Store, user: number, permissions: readonly Permission[]): void {
  store.run('UPDATE users SET permissions = :permissions WHERE id = :user', {
    user,
    permissions: JSON.stringify(permissions),
  });
}
