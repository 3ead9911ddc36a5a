import { z } from 'zod';
import { verifyPassword } from '../account/secrets.ts';
import { type Caller, normalizeLogin } from '../account/users.ts';
import type { SandboxServices } from '../services.ts';
import type { Request } from '../router.ts';
import { unauthorized } from './responses.ts';

const credentialRow = z.object({
  account_id: z.int(),
  id: z.int(),
  name: z.string(),
  password: z.string(),
});

/** The authenticated user of a request. */
export type ForumCaller = Pick<Caller, 'accountId' | 'userId' | 'name'>;

/**
 * Authenticates a request by HTTP basic authentication, with a login and a password.
 *
 * @throws HttpError 401
 */
export function authenticate({ store }: SandboxServices, { headers }: Pick<Request, 'headers'>): ForumCaller {
  const sent = parseBasicCredential(headers['authorization'] ?? '');
  if (!sent) throw unauthorized();
  const found = store.find(
    credentialRow,
    'SELECT account_id, id, name, password FROM users WHERE login = :login AND password IS NOT NULL',
    { login: normalizeLogin(sent.login) },
  );
  if (!found || !verifyPassword(sent.password, found.password)) throw unauthorized();
  return { accountId: found.account_id, userId: found.id, name: found.name };
}

/** The login ends at the first colon. Not documented (A172): both are UTF-8. */
function parseBasicCredential(header: string): { login: string; password: string } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header) ?? [];
  if (encoded === undefined) return null;
  const [, login, password] = /^([^:]*):(.*)$/s.exec(decodeUtf8(Buffer.from(encoded, 'base64')) ?? '') ?? [];
  return login === undefined || password === undefined ? null : { login, password };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
