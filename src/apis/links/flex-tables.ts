import { foldCase } from '../../graph/lists/folding.ts';
import type { FlexSource } from '../flex/source.ts';
import { withDatabaseId, type StoredRecord } from '../flex/stored-records.ts';
import { type FlexDbRecord, tablesOf } from '../flex/wire.ts';
import { GatewayError } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import { inSlices, type Steps } from '../../formats/slices.ts';

/** The most tables that one search covers. The API has no search over all databases, so each table costs a call. */
const MAX_TABLES = 10;

/** The most records that upstream returns for one search. */
const MAX_ROWS = 100;

/** The characters that upstream treats as wildcards. A phrase with a wildcard must match a whole value. */
const WILDCARD = /[*%]/;

interface Table {
  readonly db: string;
  /** Null for a database without tables. */
  readonly table: string | null;
}

interface TableResult {
  readonly records: readonly StoredRecord[];
  /** Whether upstream may hold more matches than it returned. */
  readonly mayHaveMore: boolean;
  /** Rows that were left out. */
  readonly problems: readonly GatewayError[];
}

/**
 * Searches the first ten tables of all databases, with one call each. A table whose search fails loses only its own
 * records.
 *
 * @param text the text to find; `*` and `%` stand for themselves
 * @param first the most records to take from each table
 * @returns the records, one table after the other in turns; whether there may be more; the first failure, or
 *   the first problem of rows that were left out, if any
 * @throws GatewayError when the list of databases cannot be read
 */
export async function searchTables(text: string, first: number, flex: FlexSource) {
  const databases = await flex.databases();
  const tables = [...databases].flatMap(tablesIn).slice(0, MAX_TABLES);
  const answers = await Promise.allSettled(tables.map((table) => searchTable(table, text, first, flex)));
  const results = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [asGatewayError(answer.reason)] : []));
  return {
    records: interleave(results.map(({ records }) => records)),
    mayHaveMore: results.some(({ mayHaveMore }) => mayHaveMore),
    error: failures[0] ?? [...databases.problems, ...results.flatMap(({ problems }) => problems)][0],
  };
}

/** Searches one table. A text with wildcards is sent as a pattern; records that do not hold it literally are dropped. */
async function searchTable({ db, table }: Table, text: string, first: number, flex: FlexSource): Promise<TableResult> {
  const isPattern = WILDCARD.test(text);
  const parameters = { q: isPattern ? `*${text}*` : text, table_name: table ?? undefined, filters: {} };
  const limit = isPattern ? MAX_ROWS : Math.min(first, MAX_ROWS);
  const records = await flex.search(db, parameters, { limit, offset: 0 });
  const found = isPattern ? await inSlices(containing(records, foldCase(text))) : records;
  return {
    records: Array.from(found, (record) => withDatabaseId(db, { ...record, table_name: table })),
    mayHaveMore: records.length >= MAX_ROWS,
    problems: records.problems,
  };
}

/** The number of texts in one step. */
const STEP_TEXTS = 64;

// The records with a text in their data that matches.
function* containing<T extends { readonly data?: unknown }>(records: Rows<T>, wanted: string): Steps<readonly T[]> {
  const found: T[] = [];
  let texts = 0;
  for (const record of records) {
    for (const text of textsIn(record.data)) {
      if (++texts % STEP_TEXTS === 0) yield;
      if (!foldCase(text).includes(wanted)) continue;
      found.push(record);
      break;
    }
  }
  return found;
}

// The texts inside a value, and an empty one for each other value. Without recursion: nesting has no limit.
function* textsIn(root: unknown): Generator<string> {
  const pending = [root];
  for (const value of pending) {
    yield typeof value === 'string' ? value : '';
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) pending.push(part);
  }
}

/** Merges lists in turns: the first item of each list, then the second of each, so that no list crowds out another. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** The tables of a database. Without tables or a readable schema, the database itself is the one table. */
function tablesIn({ id: db, schema }: FlexDbRecord): Table[] {
  try {
    return (tablesOf(schema) ?? [{ name: null }]).map(({ name }) => ({ db, table: name }));
  } catch {
    return [{ db, table: null }];
  }
}

function asGatewayError(reason: unknown): GatewayError {
  if (reason instanceof GatewayError) return reason;
  throw reason;
}
