import type { StoredRecord } from '../../apis/flex/stored-records.ts';
import { MAX_ROWS_PER_CALL, type PagePosition, type ReadWindow } from '../../apis/flex/search-page.ts';
import { type GatewayError, QueryLimitError } from '../../errors.ts';
import { cursorAt, type Page, type PageSelection, type Row } from '../../graph/lists/connections.ts';
import { leftOut, undecidedConditions } from '../../graph/lists/filters.ts';
import { once } from '../../graph/lists/folding.ts';
import type { RangeCondition } from './table-range.ts';

/**
 * Creates a page of the rows of a search that are in ranges. Their cursors are their places among all rows of the search, so that a
 * page reads on where the page before it ended: 100 rows with each call, until it is full or the search has no more rows.
 *
 * @param selection the selected parts, those in deferred fragments, too
 * @returns a page with the problems of the rows that were read, and one for each range that could not be decided for some of them
 */
export function rangePage(
  position: PagePosition,
  conditions: readonly RangeCondition[],
  selection: PageSelection,
  read: ReadWindow<StoredRecord>,
): Page<StoredRecord> {
  const { size } = position;
  const problems: GatewayError[] = [];
  /** Whether a limit of the operation has ended the page. */
  let isCut = false;

  /** For `.catch` of a read: a smaller page alone may need as many calls, or as much time. */
  const atLimit = (error: unknown, found: number, isFirst: boolean): undefined => {
    if (!(error instanceof QueryLimitError) || isFirst) throw error;
    if (found === 0) throw explained(error);
    isCut = true;
  };

  /**
   * Finds the rows of the page, and one more where `hasNextPage` is selected. Once a row is found and the operation may make no further
   * call, the page ends there.
   */
  const find = async (): Promise<readonly Row<StoredRecord>[]> => {
    const wanted = size + (selection.hasNextPage ? 1 : 0);
    const found: Row<StoredRecord>[] = [];
    const undecidedRows = new Map<RangeCondition, number>();
    let { offset } = position;
    while (found.length < wanted) {
      const isFirst = offset === position.offset;
      const window = await read({ limit: MAX_ROWS_PER_CALL, offset }).catch((error: unknown) =>
        atLimit(error, found.length, isFirst),
      );
      if (!window) break;
      problems.push(...window.problems);
      for (const [index, node] of [...window].entries()) {
        if (found.length === wanted) break;
        const undecided = undecidedConditions(node, conditions);
        for (const condition of undecided ?? []) undecidedRows.set(condition, (undecidedRows.get(condition) ?? 0) + 1);
        if (undecided?.length === 0) found.push({ cursor: cursorAt(offset + window.positionAt(index)), node });
      }
      if (window.total < MAX_ROWS_PER_CALL) break;
      offset += window.total;
    }
    for (const [{ key }, rows] of undecidedRows) problems.push(leftOut(rows, [key]));
    return found;
  };

  const found = once(find);
  return {
    hasPreviousPage: position.offset > 0,
    problems,
    rows: async () => (await found()).slice(0, size),
    /** Whether another row is in the ranges, which may take reading the rest of the search. */
    hasNextPage: async () => (await found()).length > size || isCut,
  };
}

function explained(error: QueryLimitError): QueryLimitError {
  const advice = 'Narrow them by `filter` or `query`, or ask for fewer rows, without `hasNextPage`.';
  const message = `${error.message} \`range\` reads the rows that match everything else, ${MAX_ROWS_PER_CALL} with each call. ${advice}`;
  return new QueryLimitError(message, error.upstream);
}
