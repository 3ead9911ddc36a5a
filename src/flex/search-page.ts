import type { GraphQLResolveInfo } from 'graphql';
import { selectedAt } from '../graphql/lookahead.ts';
import { cursorAt, type Page, type Row } from '../lists/connections.ts';
import type { Window } from './wire.ts';

/** "limit 1-100" */
const MAX_ROWS_PER_CALL = 100;

/** Reads one window of at most 100 rows. Fewer rows than its limit end the list. */
type ReadWindow<T> = (window: Window) => Promise<readonly T[]>;

/** The parts of a page that an operation selects, in deferred fragments too. */
interface Selection {
  readonly rows: boolean;
  readonly hasNextPage: boolean;
}

/**
 * A page of a list that upstream returns without a total, at most 100 rows per call. The page reads nothing until a
 * resolver needs it, and each part once. `hasNextPage` costs one additional row.
 */
export class SearchPage<T> implements Page<T> {
  readonly hasPreviousPage: boolean;
  readonly #offset: number;
  readonly #size: number;
  readonly #selection: Selection;
  readonly #read: ReadWindow<T>;
  #rows: Promise<readonly T[]> | undefined;
  #hasNextPage: Promise<boolean> | undefined;

  constructor({ offset, size }: PagePosition, selection: Selection, read: ReadWindow<T>) {
    this.hasPreviousPage = offset > 0;
    this.#offset = offset;
    this.#size = size;
    this.#selection = selection;
    this.#read = read;
  }

  /** The rows of the page, each with its cursor. */
  async rows(): Promise<readonly Row<T>[]> {
    const rows = await (this.#rows ??= this.#readRows());
    return rows.slice(0, this.#size).map((node, index) => ({ cursor: cursorAt(this.#offset + index), node }));
  }

  /** Whether rows follow the page. */
  async hasNextPage(): Promise<boolean> {
    return (this.#hasNextPage ??= this.#readNextPage());
  }

  async #readRows(): Promise<readonly T[]> {
    const requested = this.#size + (this.#selection.hasNextPage ? 1 : 0);
    const rows: T[] = [];
    while (rows.length < requested) {
      const limit = Math.min(MAX_ROWS_PER_CALL, requested - rows.length);
      const received = await this.#read({ limit, offset: this.#offset + rows.length });
      rows.push(...received);
      if (received.length < limit) break;
    }
    return rows;
  }

  async #readNextPage(): Promise<boolean> {
    if (this.#selection.rows) return (await (this.#rows ??= this.#readRows())).length > this.#size;
    return (await this.#read({ limit: 1, offset: this.#offset + this.#size })).length > 0;
  }
}

interface PagePosition {
  /** The number of rows before the page. */
  readonly offset: number;
  /** The maximum number of rows of the page. */
  readonly size: number;
}

/**
 * Creates the page of a connection and reads its selected parts, so that a failure is one error of the connection's field
 * and not one of each part. A page of which deferred fragments alone select something is read with them.
 *
 * @param info of the field that returns the connection
 */
export async function readPage<T>(position: PagePosition, info: GraphQLResolveInfo, read: ReadWindow<T>) {
  const page = new SearchPage(position, selectionOf(info, 'all'), read);
  const needed = selectionOf(info, 'first');
  await Promise.all([needed.rows && page.rows(), needed.hasNextPage && page.hasNextPage()]);
  return page;
}

const rowFields = [['nodes'], ['edges'], ['pageInfo', 'startCursor'], ['pageInfo', 'endCursor']];

function selectionOf(info: GraphQLResolveInfo, parts: 'all' | 'first'): Selection {
  const isSelected = (path: readonly string[]) => selectedAt(info, path, parts).length > 0;
  return { rows: rowFields.some(isSelected), hasNextPage: isSelected(['pageInfo', 'hasNextPage']) };
}
