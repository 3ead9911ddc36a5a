import { GatewayError, missingAsNull } from '../http/errors.ts';
import type { Context } from '../operation/context.ts';

/**
 * For `.catch` of a read that a write needs: under an `Idempotency-Key` the record may be missing because this very write was
 * carried out before. It is null then, and the write tells: a first one is refused by upstream with the same 404.
 */
export function missingUnderKey({ keyed }: Pick<Context, 'keyed'>): (error: unknown) => null {
  return keyed ? missingAsNull : rethrown;
}

/**
 * For `.catch` of a field of a mutation, or of an item of a bulk one: under an `Idempotency-Key` a failure before its write says
 * nothing of an earlier attempt, which may have been carried out.
 */
export async function explained(error: unknown, { keyed, writes }: Pick<Context, 'keyed' | 'writes'>): Promise<never> {
  throw keyed && writes.number === 0 && error instanceof GatewayError ? await keyed.explain(error) : error;
}

function rethrown(error: unknown): never {
  throw error;
}
