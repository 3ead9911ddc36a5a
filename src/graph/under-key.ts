import { GatewayError, missingAsNull } from '../errors.ts';
import type { Context } from '../operation/context.ts';

/**
 * For `.catch` of a read before a write: where an earlier attempt under the `Idempotency-Key` has a receipt, the record may be missing
 * because that attempt has deleted it. It is null then. A first attempt fails as it does without a key.
 */
export function missingUnderKey({ keyed }: Pick<Context, 'keyed'>): (error: unknown) => Promise<null> {
  return async (error) => {
    if (await keyed?.hasReceipt()) return missingAsNull(error);
    throw error;
  };
}

/**
 * For `.catch` of a field of a mutation, or of an item of a bulk one: under an `Idempotency-Key` a failure before its write says
 * nothing of an earlier attempt, which may have been carried out.
 */
export async function explained(error: unknown, { keyed, writes }: Pick<Context, 'keyed' | 'writes'>): Promise<never> {
  throw keyed && writes.number === 0 && error instanceof GatewayError ? await keyed.explain(error) : error;
}
