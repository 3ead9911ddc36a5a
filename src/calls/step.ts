/** The way of an exchange to its result. */
export type Way<On, Result> = (exchange: On) => Result | Promise<Result>;

/**
 * One step of a way, which is put before the rest of it once, at the start. It ends the way, with a result or an error, or calls
 * the rest, and may see its result or its error.
 */
export type Step<On, Result> = (next: Way<On, Result>) => Way<On, Result>;

/** Joins steps to a way, in the order in which an exchange comes to them. One that is undefined is left out. */
export function inOrder<On, Result>(
  steps: readonly (Step<On, Result> | undefined)[],
  end: Way<On, Result>,
): Way<On, Result> {
  return steps.reduceRight((next, step) => step?.(next) ?? next, end);
}
