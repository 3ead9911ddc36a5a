import type { StoredRecord } from '../../flex/stored-records.ts';
import { MAX_ROWS_PER_CALL, type PagePosition, type ReadWindow } from '../../flex/search-page.ts';
import { type GatewayError, QueryLimitError } from '../../http/errors.ts';
import { cursorAt, type Page, type PageSelection, type Row } from '../../lists/connections.ts';
import { leftOut } from '../../lists/filters.ts';
import type { RangeCondition } from './table-range.ts';

/**
 * A page of the rows of a search that are in ranges. Their cursors are their places among all rows of the search, so that a page
 * reads on where the page before it ended: 100 rows with each call, until it is full or the search has no more rows.
 */
export class RangePage implements Page<StoredRecord> {
  readonly hasPreviousPage: boolean;
  /** Problems of the rows that were read, and one for each range that could not be decided for some of them. */
  readonly problems: GatewayError[] = [];
  readonly #position: PagePosition;
  readonly #conditions: readonly RangeCondition[];
  readonly #selection: PageSelection;
  readonly #read: ReadWindow<StoredRecord>;
  #found: Promise<readonly Row<StoredRecord>[]> | undefined;
  /** Whether a limit of the operation has ended the page. */
  #isCut = false;

  /** @param selection the selected parts, those in deferred fragments, too */
  constructor(
    position: PagePosition,
    conditions: readonly RangeCondition[],
    selection: PageSelection,
    read: ReadWindow<StoredRecord>,
  ) {
    this.hasPreviousPage = position.offset > 0;
    this.#position = position;
    this.#conditions = conditions;
    this.#selection = selection;
    this.#read = read;
  }

  async rows(): Promise<readonly Row<StoredRecord>[]> {
    return (await (this.#found ??= this.#find())).slice(0, this.#position.size);
  }

  /** Whether another row is in the ranges, which may take reading the rest of the search. */
  async hasNextPage(): Promise<boolean> {
    return (await (this.#found ??= this.#find())).length > this.#position.size || this.#isCut;
  }

  /**
   * Finds the rows of the page, and one more where `hasNextPage` is selected. Once a row is found and the operation may make no further
   * call, the page ends there.
   */
  async #find(): Promise<readonly Row<StoredRecord>[]> {
    const wanted = this.#position.size + (this.#selection.hasNextPage ? 1 : 0);
    const found: Row<StoredRecord>[] = [];
    const undecided = new Map<RangeCondition, number>();
    let { offset } = this.#position;
    while (found.length < wanted) {
      const isFirst = offset === this.#position.offset;
      const read = this.#read({ limit: MAX_ROWS_PER_CALL, offset });
      const window = await read.catch((error: unknown) => this.#atLimit(error, found.length, isFirst));
      if (!window) break;
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

  /** For `.catch` of a read: a smaller page alone may need as many calls, or as much time. */
  #atLimit(error: unknown, found: number, isFirst: boolean): undefined {
    if (!(error instanceof QueryLimitError) || isFirst) throw error;
    if (found === 0) throw explained(error);
    this.#isCut = true;
  }

  /** @param undecided counts the rows for which a condition cannot be decided, and no other one fails */
  #isInRanges(record: StoredRecord, undecided: Map<RangeCondition, number>): boolean {
    const decided = this.#conditions.map((condition) => ({ condition, holds: condition.holds(record) }));
    if (decided.some(({ holds }) => holds === false)) return false;
    const open = decided.filter(({ holds }) => holds === undefined);
    for (const { condition } of open) undecided.set(condition, (undecided.get(condition) ?? 0) + 1);
    return open.length === 0;
  }
}

function explained(error: QueryLimitError): QueryLimitError {
  const advice = 'Narrow them by `filter` or `query`, or ask for fewer rows, without `hasNextPage`.';
  const message = `${error.message} \`range\` reads the rows that match everything else, ${MAX_ROWS_PER_CALL} with each call. ${advice}`;
  return new QueryLimitError(message, error.upstream);
}
