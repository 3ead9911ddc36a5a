import { MAX_ROWS_PER_CALL, type PagePosition, type ReadWindow } from '../../flex/search-page.ts';
import { type GatewayError, QueryLimitError } from '../../http/errors.ts';
import { cursorAt, type Page, type PageSelection, type Row } from '../../lists/connections.ts';
import { leftOut } from '../../lists/filters.ts';
import type { RangeCondition } from './table-range.ts';
import type { TypedRecord } from './typed-records.ts';

/**
 * A page of the rows of a search that are in ranges. Their cursors are their places among all rows of the search, so that a page
 * reads on where the page before it ended: 100 rows with each call, until it is full or the search has no more rows.
 */
export class RangePage implements Page<TypedRecord> {
  readonly hasPreviousPage: boolean;
  /** Problems of the rows that were read, and one for each range that could not be decided for some of them. */
  readonly problems: GatewayError[] = [];
  readonly #position: PagePosition;
  readonly #conditions: readonly RangeCondition[];
  readonly #selection: PageSelection;
  readonly #read: ReadWindow<TypedRecord>;
  #found: Promise<readonly Row<TypedRecord>[]> | undefined;

  /** @param selection the selected parts, those in deferred fragments, too */
  constructor(
    position: PagePosition,
    conditions: readonly RangeCondition[],
    selection: PageSelection,
    read: ReadWindow<TypedRecord>,
  ) {
    this.hasPreviousPage = position.offset > 0;
    this.#position = position;
    this.#conditions = conditions;
    this.#selection = selection;
    this.#read = read;
  }

  async rows(): Promise<readonly Row<TypedRecord>[]> {
    return (await (this.#found ??= this.#find())).slice(0, this.#position.size);
  }

  /** Whether another row is in the ranges, which may take reading the rest of the search. */
  async hasNextPage(): Promise<boolean> {
    return (await (this.#found ??= this.#find())).length > this.#position.size;
  }

  /** Finds the rows of the page, and one more where `hasNextPage` is selected. */
  async #find(): Promise<readonly Row<TypedRecord>[]> {
    const wanted = this.#position.size + (this.#selection.hasNextPage ? 1 : 0);
    const found: Row<TypedRecord>[] = [];
    const undecided = new Map<RangeCondition, number>();
    let { offset } = this.#position;
    while (found.length < wanted) {
      const isFirst = offset === this.#position.offset;
      const read = this.#read({ limit: MAX_ROWS_PER_CALL, offset });
      const window = await read.catch(isFirst ? undefined : explainLimit);
      this.problems.push(...window.problems);
      for (const [index, node] of [...window].entries()) {
        if (found.length < wanted && this.#isInRanges(node, undecided))
          found.push({ cursor: cursorAt(offset + window.positionAt(index)), node });
      }
      if (window.total < MAX_ROWS_PER_CALL) break;
      offset += window.total;
    }
    for (const [{ key }, rows] of undecided) this.problems.push(leftOut(rows, [key]));
    return found;
  }

  /** @param undecided counts the rows for which a condition cannot be decided, and no other one fails */
  #isInRanges(record: TypedRecord, undecided: Map<RangeCondition, number>): boolean {
    const decided = this.#conditions.map((condition) => ({ condition, holds: condition.holds(record) }));
    if (decided.some(({ holds }) => holds === false)) return false;
    const open = decided.filter(({ holds }) => holds === undefined);
    for (const { condition } of open) undecided.set(condition, (undecided.get(condition) ?? 0) + 1);
    return open.length === 0;
  }
}

/** For `.catch` of a read after the first: a smaller page alone may need as many calls, or as much time. */
function explainLimit(error: unknown): never {
  if (!(error instanceof QueryLimitError)) throw error;
  const advice = 'Narrow them by `filter` or `query`, or ask for fewer rows, without `hasNextPage`.';
  const message = `${error.message} \`range\` reads the rows that match everything else, ${MAX_ROWS_PER_CALL} with each call. ${advice}`;
  throw new QueryLimitError(message, error.upstream);
}
