import type { Steps } from '../../formats/slices.ts';

type Compare<T> = (one: T, other: T) => number;

/** The number of items in one step of a merge. */
const STEP_ITEMS = 64;

/** Runs of this length are sorted in one step. */
const FIRST_RUN = 512;

/**
 * Sorts items by merging ever longer runs. Equal items keep their order.
 *
 * @returns a new array
 * @yields after each step
 */
export function* sorting<T extends object>(items: readonly T[], compare: Compare<T>): Steps<T[]> {
  let sorted: T[] = [];
  for (let start = 0; start < items.length; start += FIRST_RUN) {
    const run = items.slice(start, start + FIRST_RUN).sort(compare);
    for (const item of run) sorted.push(item);
    yield;
  }
  for (let run = FIRST_RUN; run < items.length; run *= 2) {
    const merged: T[] = [];
    for (let start = 0; start < items.length; start += 2 * run) {
      const [left, right] = [sorted.slice(start, start + run), sorted.slice(start + run, start + 2 * run)];
      yield* merging(left, right, compare, merged);
    }
    sorted = merged;
  }
  return sorted;
}

// Merges two sorted runs, and adds them to `merged`.
function* merging<T extends object>(
  left: readonly T[],
  right: readonly T[],
  compare: Compare<T>,
  merged: T[],
): Steps<void> {
  const [last, first] = [left.at(-1), right[0]];
  if (last === undefined || first === undefined || compare(last, first) <= 0) {
    for (const item of left) merged.push(item);
    for (const item of right) merged.push(item);
    yield;
    return;
  }
  const runs = { left, right, taken: { left: 0, right: 0 } };
  while (mergeSome(runs, compare, merged)) yield;
}

interface Runs<T> {
  readonly left: readonly T[];
  readonly right: readonly T[];
  readonly taken: { left: number; right: number };
}

/** Adds the next items of two runs to `merged`. Returns whether there are more. */
function mergeSome<T extends object>({ left, right, taken }: Runs<T>, compare: Compare<T>, merged: T[]): boolean {
  let [atLeft, atRight] = [taken.left, taken.right];
  for (const end = atLeft + atRight + STEP_ITEMS; atLeft + atRight < end;) {
    const [one, other] = [left[atLeft], right[atRight]];
    const next = one === undefined || (other !== undefined && compare(one, other) > 0) ? other : one;
    if (next === undefined) return false;
    merged.push(next);
    if (next === one) atLeft += 1;
    else atRight += 1;
  }
  taken.left = atLeft;
  taken.right = atRight;
  return true;
}
