import type { Context } from '../operation/context.ts';

/**
 * Returns an object that all fields of an operation share. The first of them creates it.
 *
 * @param owner the rule to which it belongs: each owner has one of its own
 */
export function ofOperation<State extends object>(context: Context, owner: object, Kind: new () => State): State {
  const known = context.shared.get(owner);
  if (known instanceof Kind) return known;
  const state = new Kind();
  context.shared.set(owner, state);
  return state;
}

/** Counts the use of a limit by the fields of one operation. */
class Quota {
  #taken = 0;

  take(count: number, limit: number): boolean {
    if (this.#taken + count > limit) return false;
    this.#taken += count;
    return true;
  }
}

/**
 * Creates a counter that all fields of an operation share.
 *
 * @returns a function that adds `count` to the operation's total. It returns false, and adds nothing, when the total would
 *   exceed `limit`.
 */
export function operationQuota(): (context: Context, count: number, limit: number) => boolean {
  const owner = {};
  return (context, count, limit) => ofOperation(context, owner, Quota).take(count, limit);
}
