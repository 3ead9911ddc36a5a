import type { GraphQLResolveInfo } from 'graphql';
import { selectedAt } from '../graphql/lookahead.ts';
import { cursorAt, defaultSize, offsetOfCursor, type Page, pageSize, type Row } from '../lists/connections.ts';
import type { GatewayError } from '../http/errors.ts';
import { positionsIn, problemsOf } from '../http/problems.ts';
import type { Window } from './wire.ts';

/** "limit 1-100" */
export const MAX_ROWS_PER_CALL = 100;

/** Reads one window. Fewer rows than its limit end the list. */
type ReadWindow<T> = (window: Window) => Promise<readonly T[]>;

/** The rows of a page that were read. */
interface Received<T> {
  readonly rows: readonly Row<T>[];
  /** The number of rows that upstream sent, unreadable ones too. */
  readonly count: number;
}

/** The parts of a page that an operation selects, in deferred fragments too. */
interface Selection {
  readonly rows: boolean;
  readonly hasNextPage: boolean;
}

/**
 * A page of a list that upstream returns without a total, some rows per call. The page reads nothing until a
 * resolver needs it, and each part once. `hasNextPage` costs one additional row.
 *
 * @internal exported for the tests
 */
export class SearchPage<T extends object> implements Page<T> {
  readonly hasPreviousPage: boolean;
  /** Problems of the rows that were read so far. */
  readonly problems: GatewayError[] = [];
  readonly #offset: number;
  readonly #size: number;
  readonly #selection: Selection;
  readonly #read: ReadWindow<T>;
  readonly #rowsPerCall: number;
  #received: Promise<Received<T>> | undefined;
  #hasNextPage: Promise<boolean> | undefined;

  /** @param rowsPerCall the most rows of a window */
  constructor(
    { offset, size }: PagePosition,
    selection: Selection,
    read: ReadWindow<T>,
    rowsPerCall = MAX_ROWS_PER_CALL,
  ) {
    this.hasPreviousPage = offset > 0;
    this.#offset = offset;
    this.#size = size;
    this.#selection = selection;
    this.#read = read;
    this.#rowsPerCall = rowsPerCall;
  }

  /** The rows of the page, each with its cursor. */
  async rows(): Promise<readonly Row<T>[]> {
    return (await (this.#received ??= this.#readRows())).rows;
  }

  /** Whether rows follow the page. */
  async hasNextPage(): Promise<boolean> {
    return (this.#hasNextPage ??= this.#readNextPage());
  }

  async #readRows(): Promise<Received<T>> {
    const requested = this.#size + (this.#selection.hasNextPage ? 1 : 0);
    const rows: Row<T>[] = [];
    let count = 0;
    while (count < requested) {
      const limit = Math.min(this.#rowsPerCall, requested - count);
      const received = await this.#read({ limit, offset: this.#offset + count });
      this.problems.push(...problemsOf(received));
      const positions = positionsIn(received);
      for (const [index, node] of received.entries()) {
        const position = count + (positions.of[index] ?? index);
        if (position < this.#size) rows.push({ cursor: cursorAt(this.#offset + position), node });
      }
      count += positions.total;
      if (positions.total < limit) break;
    }
    return { rows, count };
  }

  async #readNextPage(): Promise<boolean> {
    if (this.#selection.rows) return (await (this.#received ??= this.#readRows())).count > this.#size;
    return positionsIn(await this.#read({ limit: 1, offset: this.#offset + this.#size })).total > 0;
  }
}

interface PagePosition {
  /** The number of rows before the page. */
  readonly offset: number;
  /** The maximum number of rows of the page. */
  readonly size: number;
}

/** The arguments of a page that begins after a cursor. */
export interface ForwardPage {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/**
 * Checks a page.
 *
 * @param maxSize the setting MAX_PAGE_SIZE
 * @throws ValidationError for an invalid cursor or size
 */
export function pagePosition({ first, after }: ForwardPage, maxSize: number): PagePosition {
  return { offset: offsetOfCursor(after), size: pageSize(first ?? defaultSize(maxSize), maxSize) };
}

/**
 * Creates the page of a connection and reads its selected parts, so that a failure is one error of the connection's field
 * and not one of each part. A page of which deferred fragments alone select something is read with them.
 *
 * @param info of the field that returns the connection
 * @param rowsPerCall the most rows of a window
 */
export async function readPage<T extends object>(
  position: PagePosition,
  info: GraphQLResolveInfo,
  read: ReadWindow<T>,
  rowsPerCall = MAX_ROWS_PER_CALL,
) {
  const page = new SearchPage(position, selectionOf(info, 'all'), read, rowsPerCall);
  const needed = selectionOf(info, 'first');
  await Promise.all([needed.rows && page.rows(), needed.hasNextPage && page.hasNextPage()]);
  return page;
}

const rowFields = [['nodes'], ['edges'], ['pageInfo', 'startCursor'], ['pageInfo', 'endCursor']];

function selectionOf(info: GraphQLResolveInfo, parts: 'all' | 'first'): Selection {
  const isSelected = (path: readonly string[]) => selectedAt(info, path, parts).length > 0;
  return { rows: rowFields.some(isSelected), hasNextPage: isSelected(['pageInfo', 'hasNextPage']) };
}
