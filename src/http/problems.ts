import type { GatewayError } from './errors.ts';

const problemsByList = new WeakMap<object, readonly GatewayError[]>();

/**
 * Attaches problems to a list that is shown all the same, such as rows that were left out. The field that returns the
 * list reports each of them as an error at its path.
 *
 * @returns the list itself
 */
export function withProblems<List extends object>(list: List, problems: readonly GatewayError[]): List {
  if (problems.length > 0) problemsByList.set(list, [...problemsOf(list), ...problems]);
  return list;
}

/** The problems of a list. A list that is derived from another one has none until it is given them. */
export function problemsOf(list: object): readonly GatewayError[] {
  return problemsByList.get(list) ?? [];
}
