import { cursorAt, type Page, type Row } from '../lists/connections.ts';
import type { Window } from './wire.ts';

/** "limit 1-100" */
const MAX_ROWS_PER_CALL = 100;

/**
 * A page of a list that upstream returns without a total, at most 100 rows per call. The page reads nothing until a
 * resolver needs it. `hasNextPage` costs one additional row.
 */
export class SearchPage<T> implements Page<T> {
  readonly hasPreviousPage: boolean;
  readonly #offset: number;
  readonly #size: number;
  readonly #read: (window: Window) => Promise<readonly T[]>;
  #needsRows = false;
  #needsNextPage = false;
  #requestedRows = 0;
  #rows: Promise<readonly T[]> | undefined;

  /**
   * @param offset number of rows before the page
   * @param size maximum number of rows of the page
   * @param read reads one window of at most 100 rows; fewer rows than its limit end the list
   */
  constructor(offset: number, size: number, read: (window: Window) => Promise<readonly T[]>) {
    this.hasPreviousPage = offset > 0;
    this.#offset = offset;
    this.#size = size;
    this.#read = read;
  }

  /** The rows of the page, each with its cursor. */
  async rows(): Promise<readonly Row<T>[]> {
    this.#needsRows = true;
    const rows = await (this.#rows ??= this.#fetch());
    return rows.slice(0, this.#size).map((node, index) => ({ cursor: cursorAt(this.#offset + index), node }));
  }

  /** Whether rows follow the page. */
  async hasNextPage(): Promise<boolean> {
    this.#needsNextPage = true;
    await siblingResolversStarted();
    // A single row after the page answers the question when the rows are not selected, or when their call has already
    // been made without the additional row.
    if (!this.#needsRows) return this.#probe();
    const rows = await (this.#rows ??= this.#fetch());
    return rows.length === this.#size && this.#requestedRows === this.#size ? this.#probe() : rows.length > this.#size;
  }

  async #fetch(): Promise<readonly T[]> {
    await siblingResolversStarted();
    const requested = this.#size + (this.#needsNextPage ? 1 : 0);
    this.#requestedRows = requested;
    const rows: T[] = [];
    while (rows.length < requested) {
      const limit = Math.min(MAX_ROWS_PER_CALL, requested - rows.length);
      const received = await this.#read({ limit, offset: this.#offset + rows.length });
      rows.push(...received);
      if (received.length < limit) break;
    }
    return rows;
  }

  async #probe(): Promise<boolean> {
    return (await this.#read({ limit: 1, offset: this.#offset + this.#size })).length > 0;
  }
}

/** Waits until the resolvers of the same selection have started, so that `#fetch` knows which fields are selected. */
async function siblingResolversStarted(): Promise<void> {
  await Promise.resolve();
}
