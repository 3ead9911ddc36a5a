import { z } from 'zod';
import { booleanColumn, jsonColumn, type Store } from '../store.ts';
import { digest, maskSecret, newSecret } from './secrets.ts';
import type { Caller } from './users.ts';

const row = z.object({
  id: z.int(),
  user_id: z.int(),
  token_info: z.string(),
  name: z.string().nullable(),
  code: z.string().nullable(),
  kind: z.string().nullable(),
  integration_app_code: z.string().nullable(),
  expires_at: z.string().nullable(),
  active: booleanColumn,
  for_account: booleanColumn,
  privileges: jsonColumn(z.array(z.string())),
});

/** A row of the table `api_tokens`. The raw value is not stored. */
export type StoredToken = z.infer<typeof row>;
export type TokenFields = Omit<StoredToken, 'id' | 'user_id' | 'token_info'>;

/** The user that owns a token. */
export type Owner = Pick<Caller, 'accountId' | 'userId'>;

const defaultFields: TokenFields = {
  name: null,
  code: null,
  kind: null,
  integration_app_code: null,
  expires_at: null,
  active: true,
  for_account: false,
  privileges: [],
};

/** Inserts a token. The result alone holds the raw value. */
export function issueToken(
  store: Store,
  owner: Owner,
  given: Partial<TokenFields>,
  token = newSecret(),
): StoredToken & { readonly token: string } {
  const fields = { ...defaultFields, ...given };
  const token_info = maskSecret(token);
  const id = store.insert(
    `INSERT INTO api_tokens (account_id, user_id, digest, token_info,
       name, code, kind, integration_app_code, expires_at, active, for_account, privileges)
     VALUES (:accountId, :userId, :digest, :token_info,
       :name, :code, :kind, :integration_app_code, :expires_at, :active, :for_account, :privileges)`,
    { accountId: owner.accountId, userId: owner.userId, digest: digest(token), token_info, ...columns(fields) },
  );
  return { id, user_id: owner.userId, token, token_info, ...fields };
}

export function saveToken(store: Store, { id, ...fields }: StoredToken): void {
  store.run(
    `UPDATE api_tokens SET name = :name, code = :code, kind = :kind, integration_app_code = :integration_app_code,
       expires_at = :expires_at, active = :active, for_account = :for_account, privileges = :privileges
     WHERE id = :id`,
    { id, ...columns(fields) },
  );
}

export function deleteToken(store: Store, id: number): void {
  store.run('DELETE FROM api_tokens WHERE id = :id', { id });
}

export function findToken(store: Store, { accountId }: Owner, id: number | null): StoredToken | null {
  return store.find(row, 'SELECT * FROM api_tokens WHERE id = :id AND account_id = :accountId', { id, accountId });
}

/** The tokens of one user. */
export function listUserTokens(store: Store, { userId }: Owner): StoredToken[] {
  return store.all(row, 'SELECT * FROM api_tokens WHERE user_id = :userId ORDER BY id', { userId });
}

/** The tokens of the whole account. */
export function listAccountTokens(store: Store, { accountId }: Owner): StoredToken[] {
  return store.all(row, 'SELECT * FROM api_tokens WHERE account_id = :accountId AND for_account ORDER BY id', {
    accountId,
  });
}

/** The names of the unique fields whose value another token of the account has. */
export function takenCodes(store: Store, { accountId }: Owner, fields: Partial<TokenFields>, except?: number) {
  return (['code', 'integration_app_code'] as const).filter((field) => {
    const holder = store.find(
      row,
      `SELECT * FROM api_tokens WHERE account_id = :accountId AND ${field} = :value AND id IS NOT :except`,
      { accountId, value: fields[field] ?? null, except: except ?? null },
    );
    return holder !== null;
  });
}

function columns({ name, code, kind, integration_app_code, expires_at, ...rest }: TokenFields) {
  return {
    name,
    code,
    kind,
    integration_app_code,
    expires_at,
    active: Number(rest.active),
    for_account: Number(rest.for_account),
    privileges: JSON.stringify(rest.privileges),
  };
}
