import type { GraphQLResolveInfo } from 'graphql';
import type { ArgBuilder } from '../../graph/builder.ts';
import {
  cursorAt,
  defaultSize,
  defaultSizeDescription,
  offsetOfCursor,
  type Page,
  pageSelection,
  type PageSelection,
  pageSize,
  readSelected,
  type Row,
} from '../../graph/lists/connections.ts';
import { type GatewayError, invalidInput } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import type { KnownEnds } from './public-source.ts';
import type { Window } from './wire.ts';

/** "limit 1-100" */
export const MAX_ROWS_PER_CALL = 100;

/** The behaviour of upstream with windows. */
interface WindowRules {
  /** The most rows of a window. Default: 100. */
  readonly rowsPerCall?: number;
  /**
   * The windows that are known to end their list, where upstream may send fewer rows than a window asks for, though more follow.
   * Default: fewer rows end the list.
   */
  readonly ends?: KnownEnds | undefined;
}

/** Reads one window. */
export type ReadWindow<T> = (window: Window) => Promise<Rows<T>>;

/** The rows of a page that were read. */
interface Received<T> {
  readonly rows: readonly Row<T>[];
  /** The number of rows that upstream sent, unreadable ones too. */
  readonly count: number;
}

/**
 * A page of a list that upstream returns without a total, some rows per call. The page reads nothing until a
 * resolver needs it, and each part once. `hasNextPage` costs one additional row.
 *
 * @internal exported for the tests
 */
export class SearchPage<T extends { readonly id: string }> implements Page<T> {
  readonly hasPreviousPage: boolean;
  /** Problems of the rows that were read so far. */
  readonly problems: GatewayError[] = [];
  readonly #offset: number;
  readonly #size: number;
  /** In deferred fragments, too. */
  readonly #selection: PageSelection;
  readonly #read: ReadWindow<T>;
  readonly #rules: WindowRules & Required<Pick<WindowRules, 'rowsPerCall'>>;
  #received: Promise<Received<T>> | undefined;
  #hasNextPage: Promise<boolean> | undefined;

  constructor(
    { offset, size }: PagePosition,
    selection: PageSelection,
    read: ReadWindow<T>,
    { rowsPerCall = MAX_ROWS_PER_CALL, ends }: WindowRules = {},
  ) {
    this.hasPreviousPage = offset > 0;
    this.#offset = offset;
    this.#size = size;
    this.#selection = selection;
    this.#read = read;
    this.#rules = { rowsPerCall, ends };
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
    let { rowsPerCall } = this.#rules;
    let cut: { readonly window: string; readonly count: number } | undefined;
    let count = 0;
    while (count < requested) {
      const limit = Math.min(rowsPerCall, requested - count);
      const received = await this.#read({ limit, offset: this.#offset + count });
      if (cut && isPastEnd(received, rows)) {
        if (cut.count === count) this.#rules.ends?.add(cut.window);
        break;
      }
      this.problems.push(...received.problems);
      for (const [index, node] of [...received].entries()) {
        const position = count + received.positionAt(index);
        if (position < this.#size) rows.push({ cursor: cursorAt(this.#offset + position), node });
      }
      const { total } = received;
      const window = `${this.#offset + count} ${total} ${received.at(0)?.id} ${received.at(-1)?.id}`;
      count += total;
      if (total >= limit) continue;
      if (cut || !this.#mayBeCut(total, window)) break;
      [rowsPerCall, cut] = [total, { window, count }];
    }
    return { rows, count };
  }

  #mayBeCut(total: number, window: string): boolean {
    return isLikelyLimit(total) && this.#rules.ends?.has(window) === false;
  }

  async #readNextPage(): Promise<boolean> {
    if (this.#selection.rows) return (await (this.#received ??= this.#readRows())).count > this.#size;
    return (await this.#read({ limit: 1, offset: this.#offset + this.#size })).total > 0;
  }
}

/**
 * Whether upstream may have a largest limit of so many rows. Not documented (A234, A258): such limits are multiples of 10 or 25. The
 * end of a list is found without a call for other numbers, and for a window after which none came before.
 */
function isLikelyLimit(count: number): boolean {
  return count > 0 && (count % 10 === 0 || count % 25 === 0);
}

/** Whether a window holds no row, or rows of the windows before it alone: upstream may ignore the offset. */
function isPastEnd<T extends { readonly id: string }>(received: Rows<T>, rows: readonly Row<T>[]): boolean {
  const known = new Set(rows.map(({ node }) => node.id));
  return received.total === 0 || (received.length > 0 && !received.some(({ id }) => !known.has(id)));
}

export interface PagePosition {
  /** The number of rows before the page. */
  readonly offset: number;
  /** The maximum number of rows of the page. */
  readonly size: number;
}

/** The arguments of a page that starts after a cursor, or at an offset. */
export interface ForwardPage {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly offset?: number | null | undefined;
}

export const forwardArguments = (arg: ArgBuilder) => ({
  first: arg.int({ description: `Number of records, at most MAX_PAGE_SIZE. ${defaultSizeDescription}.` }),
  after: arg.string({ description: 'Cursor of the record before the page: its position in the order.' }),
  offset: arg.int({ description: 'Number of records before the page. Cannot be combined with `after`.' }),
});

/**
 * Checks a page.
 *
 * @param maxSize the setting MAX_PAGE_SIZE
 * @throws ValidationError for an invalid cursor, offset or size
 */
export function pagePosition({ first, after, offset }: ForwardPage, maxSize: number): PagePosition {
  if (typeof offset === 'number' && typeof after === 'string') {
    throw invalidInput('offset', 'cannot be combined with `after`');
  }
  if (typeof offset === 'number' && offset < 0) throw invalidInput('offset', 'takes 0 or more');
  return { offset: offset ?? offsetOfCursor(after), size: pageSize(first ?? defaultSize(maxSize), maxSize) };
}

/**
 * Creates the page of a connection and reads its selected parts.
 *
 * @param info of the field that returns the connection
 * @param rules Default: those of a search
 */
export async function readPage<T extends { readonly id: string }>(
  position: PagePosition,
  info: GraphQLResolveInfo,
  read: ReadWindow<T>,
  rules?: WindowRules,
) {
  return readSelected(new SearchPage(position, pageSelection(info, 'all'), read, rules), info);
}
