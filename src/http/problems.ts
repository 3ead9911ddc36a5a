import type { GatewayError } from './errors.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';

// A list can carry the problems of its rows to the field that shows it, and the positions of rows beside some that were
// left out.

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

/** Whether a value is a list with problems. */
export function hasProblems<List>(list: List): list is List & object {
  return typeof list === 'object' && list !== null && problemsByList.has(list);
}

/** Replaces the problems of a list. Returns the list itself. */
export function mapProblems<List extends object>(list: List, map: (problem: GatewayError) => GatewayError): List {
  problemsByList.set(list, problemsOf(list).map(map));
  return list;
}

/** The problems of a list. A list that is derived from another one has none until it is given them. */
export function problemsOf(list: object): readonly GatewayError[] {
  return problemsByList.get(list) ?? [];
}

/** The places of a list's rows in the response of upstream. */
export interface Positions {
  /** The position of each row. */
  readonly of: readonly number[];
  /** The number of rows in the response. */
  readonly total: number;
}

const positionsByList = new WeakMap<object, Positions>();

/** Attaches the positions of rows to a list that lacks some of them. Returns the list itself. */
export function withPositions<List extends object>(list: List, positions: Positions): List {
  positionsByList.set(list, positions);
  return list;
}

/** The positions of rows in the response of upstream. */
export function positionsIn(list: readonly object[]): Positions {
  return positionsByList.get(list) ?? { of: list.map((_row, index) => index), total: list.length };
}

/**
 * Maps the rows of a list. The new list has the problems and the positions of the old one.
 *
 * @returns a promise for a list that takes long only
 */
export function mapRows<Row extends object, Mapped extends object>(
  list: readonly Row[],
  map: (row: Row) => Mapped,
): readonly Mapped[] | Promise<readonly Mapped[]> {
  return list.length < STEP_ROWS ? atOnce(mappingRows(list, map)) : inSlices(mappingRows(list, map));
}

/** The number of rows in one step. */
const STEP_ROWS = 64;

function* mappingRows<Row extends object, Mapped extends object>(
  list: readonly Row[],
  map: (row: Row) => Mapped,
): Steps<readonly Mapped[]> {
  const rows: Mapped[] = [];
  for (const row of list) {
    rows.push(map(row));
    if (rows.length % STEP_ROWS === 0) yield;
  }
  const mapped = withProblems(rows, problemsOf(list));
  const positions = positionsByList.get(list);
  return positions ? withPositions(mapped, positions) : mapped;
}
