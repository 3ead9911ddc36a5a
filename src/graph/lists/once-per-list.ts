import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { keepFinding } from '../../formats/rows.ts';
import { inSlices, type Steps } from '../../formats/slices.ts';

/**
 * Computes a result of a list once for all fields that need it.
 *
 * Computations from the same list run one after the other, each begins in its own turn of the event loop, and a long one goes
 * on in others: other requests are served in between.
 *
 * @param results those of the list, by a hash of their inputs
 * @param inputs what the result depends on beside the list, as JSON values
 * @throws the errors of `compute`
 */
export async function oncePerList<Result>(
  results: Map<string, Promise<Result>>,
  inputs: unknown,
  compute: () => Result | Promise<Result>,
): Promise<Result> {
  const hashed = inSlices(hashing(inputs));
  const key = typeof hashed === 'string' ? hashed : await hashed;
  const known = results.get(key);
  if (known) return known;

  const previous = [...results.values()].at(-1);
  const result = computedAfter(previous, compute);
  keepFinding(results, key, result);
  return result;
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
