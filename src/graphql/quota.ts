import type { Context } from '../context.ts';

/**
 * Creates a counter that all fields of an operation share.
 *
 * @returns a function that adds `count` to the operation's total. It returns false, and adds nothing, when the total would
 *   exceed `limit`.
 */
export function operationQuota(): (context: Context, count: number, limit: number) => boolean {
  const taken = new WeakMap<Context, number>();
  return (context, count, limit) => {
    const total = (taken.get(context) ?? 0) + count;
    if (total > limit) return false;
    taken.set(context, total);
    return true;
  };
}
