import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { inSlices, type Steps } from '../http/slices.ts';

/**
 * A cache of results that are computed from lists. Each result is computed once for all fields of an operation. Results
 * live as long as their list, which is as long as the operation that read it.
 *
 * Computations from the same list run one after the other, each begins in its own turn of the event loop, and a long one goes
 * on in others: other requests are served in between.
 */
export class OncePerList<Result> {
  readonly #resultsByList = new WeakMap<readonly object[], Map<string, Promise<Result>>>();

  /**
   * @param list the list as it was read; its identity is part of the key
   * @param inputs everything else that the result depends on, as JSON values
   * @throws the errors of `compute`
   */
  async get(list: readonly object[], inputs: unknown, compute: () => Result | Promise<Result>): Promise<Result> {
    const results = this.#resultsByList.get(list) ?? new Map<string, Promise<Result>>();
    this.#resultsByList.set(list, results);
    const hashed = inSlices(hashing(inputs));
    const key = typeof hashed === 'string' ? hashed : await hashed;
    const known = results.get(key);
    if (known) return known;

    const previous = [...results.values()].at(-1);
    const result = computedAfter(previous, compute);
    results.set(key, result);
    return result;
  }
}

// Hashes inputs, which may be long.
function* hashing(inputs: unknown): Steps<string> {
  const text = JSON.stringify(inputs);
  yield;
  return createHash('sha256').update(text).digest('base64');
}

async function computedAfter<Result>(
  previous: Promise<unknown> | undefined,
  compute: () => Result | Promise<Result>,
): Promise<Result> {
  if (previous) {
    await Promise.allSettled([previous]);
    await setImmediate();
  }
  return compute();
}
