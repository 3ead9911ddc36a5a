import { cursorAt, type Page, type Row } from '../lists/connections.ts';
import type { Window } from './wire.ts';

/** "limit 1-100" */
const MOST_ROWS = 100;

/**
 * A page of a list that upstream serves in windows of at most 100 rows, and without a total. Whether there is a next
 * page costs one more row, and only when it is asked for.
 */
export class SearchPage<T> implements Page<T> {
  readonly hasPreviousPage: boolean;
  readonly #offset: number;
  readonly #size: number;
  readonly #read: (window: Window) => Promise<readonly T[]>;
  #wantsRows = false;
  #wantsNext = false;
  #asked = 0;
  #found: Promise<readonly T[]> | undefined;

  constructor(offset: number, size: number, read: (window: Window) => Promise<readonly T[]>) {
    this.hasPreviousPage = offset > 0;
    this.#offset = offset;
    this.#size = size;
    this.#read = read;
  }

  async rows(): Promise<readonly Row<T>[]> {
    this.#wantsRows = true;
    const found = await (this.#found ??= this.#fetch());
    return found.slice(0, this.#size).map((node, index) => ({ cursor: cursorAt(this.#offset + index), node }));
  }

  async hasNextPage(): Promise<boolean> {
    this.#wantsNext = true;
    await allAsked();
    // Asked for alone, or too late to be fetched along with a full page of rows: one row behind them tells.
    if (!this.#wantsRows) return this.#probe();
    const found = await (this.#found ??= this.#fetch());
    return found.length === this.#size && this.#asked === this.#size ? this.#probe() : found.length > this.#size;
  }

  async #fetch(): Promise<readonly T[]> {
    await allAsked();
    const wanted = this.#size + (this.#wantsNext ? 1 : 0);
    this.#asked = wanted;
    const found: T[] = [];
    while (found.length < wanted) {
      const limit = Math.min(MOST_ROWS, wanted - found.length);
      const rows = await this.#read({ limit, offset: this.#offset + found.length });
      found.push(...rows);
      if (rows.length < limit) break;
    }
    return found;
  }

  async #probe(): Promise<boolean> {
    return (await this.#read({ limit: 1, offset: this.#offset + this.#size })).length > 0;
  }
}

/** The other fields of the same selection say what they want before anything is called. */
async function allAsked(): Promise<void> {
  await Promise.resolve();
}
