import { z } from 'zod';
import type { SandboxServices } from '../services.ts';
import { forbidden, unauthorized } from '../responses.ts';
import type { Request } from '../router.ts';
import { booleanColumn, jsonColumn, type Store } from '../store.ts';
import { hasExpired } from './expiry.ts';
import { digest } from './secrets.ts';

/** Not documented (A13): the identifiers of the account-settings and the TODO permission. */
export const permissionNames = ['account_settings', 'dashboard_advanced', 'crm_notes_index', 'todo'] as const;
export type Permission = (typeof permissionNames)[number];

/** The authenticated user of a request, with the permissions of the token. */
export interface Caller {
  readonly accountId: number;
  readonly userId: number;
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
}

const credentialRow = z.object({
  account_id: z.int(),
  user_id: z.int(),
  user_name: z.string(),
  permissions: jsonColumn(z.array(z.enum(permissionNames))),
  active: booleanColumn,
  expires_at: z.string().nullable(),
  privileges: jsonColumn(z.array(z.string())),
});

/**
 * Authenticates a request by `Authorization: Bearer <API_TOKEN>`.
 *
 * @throws HttpError 401
 */
export function authenticate(services: SandboxServices, { headers }: Pick<Request, 'headers'>): Caller {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return authenticateToken(services, token);
}

/**
 * Authenticates a raw token.
 *
 * @throws HttpError 401 when the token is missing, unknown, inactive or expired
 */
export function authenticateToken({ store, now }: SandboxServices, token: unknown): Caller {
  if (typeof token !== 'string') throw unauthorized();
  const found = store.find(
    credentialRow,
    `SELECT users.account_id, user_id, users.name AS user_name, permissions, active, expires_at, privileges
     FROM api_tokens JOIN users ON users.id = user_id WHERE digest = :digest`,
    { digest: digest(token) },
  );
  if (!found?.active || hasExpired(found.expires_at, now())) throw unauthorized();
  const { account_id: accountId, user_id: userId, user_name: name } = found;
  return { accountId, userId, name, permissions: effectivePermissions(found) };
}

/**
 * The owner's permissions, narrowed to the token's privileges. An empty list of privileges narrows nothing.
 * Not documented (A14): their identifiers. They are those of the permissions, any other grants nothing.
 */
function effectivePermissions({ permissions, privileges }: z.infer<typeof credentialRow>): ReadonlySet<Permission> {
  return new Set(permissions.filter((held) => privileges.length === 0 || privileges.includes(held)));
}

/**
 * Requires a permission of the caller.
 *
 * @throws HttpError 403
 */
export function demand({ permissions }: Caller, permission: Permission): void {
  if (!permissions.has(permission)) throw forbidden();
}

interface NewUser {
  /** Default: the next one. */
  readonly id?: number;
  readonly account: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Unique among all accounts. */
  readonly login?: string;
  readonly email?: string;
  readonly passwordHash?: string;
  readonly description?: string;
  readonly www?: string;
}

/** Inserts a user with this time of creation. Returns the id. */
export function createUser(store: Store, user: NewUser, time: Date): number {
  return store.insert(
    `INSERT INTO users (id, account_id, name, permissions, login, email, password, description, www, created_at, updated_at)
     VALUES (:id, :account, :name, :permissions, :login, :email, :password, :description, :www, :time, :time)`,
    {
      id: user.id ?? null,
      account: user.account,
      name: user.name,
      permissions: JSON.stringify(user.permissions),
      login: user.login ?? null,
      email: user.email ?? null,
      password: user.passwordHash ?? null,
      description: user.description ?? null,
      www: user.www ?? null,
      time: time.toISOString(),
    },
  );
}

/** Not documented (A164): logins do not differ by case, or by white space around them. */
export function normalizeLogin(login: string): string {
  return login.trim().toLowerCase();
}

export function isLoginTaken(store: Store, login: string): boolean {
  return store.find(z.unknown(), 'SELECT 1 FROM users WHERE login = :login', { login }) !== null;
}

export function setPermissions(store: Store, user: number, permissions: readonly Permission[]): void {
  store.run('UPDATE users SET permissions = :permissions WHERE id = :user', {
    user,
    permissions: JSON.stringify(permissions),
  });
}
