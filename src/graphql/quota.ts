import type { Context } from '../context.ts';

/** Takes from a limit of the operation, for any of its fields: false, and nothing taken, where too little is left. */
export function operationQuota(): (context: Context, count: number, limit: number) => boolean {
  const taken = new WeakMap<Context, number>();
  return (context, count, limit) => {
    const total = (taken.get(context) ?? 0) + count;
    if (total > limit) return false;
    taken.set(context, total);
    return true;
  };
}
