import { missingAsNull } from '../http/errors.ts';
import type { Context } from '../operation/context.ts';

/**
 * For `.catch` of a read that a write needs: under an `Idempotency-Key` the record may be missing because this very write was
 * carried out before. It is null then, and the write tells: a first one is refused by upstream with the same 404.
 */
export function missingUnderKey({ keyed }: Pick<Context, 'keyed'>): (error: unknown) => null {
  return keyed ? missingAsNull : rethrown;
}

function rethrown(error: unknown): never {
  throw error;
}
