import { z } from 'zod';
import type { Caller } from '../account/users.ts';
import type { FieldErrors } from '../body.ts';
import { getOwn, type JsonObject } from '../json-object.ts';
import { convertTo } from '../field-types.ts';
import type { Store } from '../store.ts';

/** The id in a validated link field, or null. */
export const linkId = z.int().nullable().default(null);

const idRow = z.object({ id: z.int() });

/** Not documented (A134): an id that names nothing of the caller's account is 422. */
export function findLinkErrors(
  store: Store,
  { accountId }: Pick<Caller, 'accountId'>,
  given: JsonObject,
  links: Readonly<Record<string, 'clients' | 'contacts' | 'posts'>>,
): FieldErrors {
  const dangling = Object.entries(links).filter(([field, table]) => {
    const id = convertTo('integer', getOwn(given, field) ?? null);
    if (typeof id !== 'number') return false; // none, or refused for what it is
    return !store.find(idRow, `SELECT id FROM ${table} WHERE id = :id AND account_id = :accountId`, { id, accountId });
  });
  return Object.fromEntries(dangling.map(([field]) => [field, ['does not exist']]));
}
