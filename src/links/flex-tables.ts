import { foldCase } from '../lists/filters.ts';
import type { FlexSource } from '../flex/source.ts';
import { withDatabaseId, type StoredRecord } from '../flex/stored-records.ts';
import { type FlexDbRecord, tablesOf } from '../flex/wire.ts';
import { GatewayError } from '../http/errors.ts';

/** There is no search over all databases, so each table costs a call. */
const MOST_TABLES = 10;

/** Upstream answers at most so many records of a search. */
const MOST_ROWS = 100;

/** What upstream takes for a wildcard. A phrase with one has to match a whole value. */
const WILDCARD = /[*%]/;

interface Table {
  readonly db: string;
  /** Null in a database without tables. */
  readonly table: string | null;
}

interface TableFinds {
  readonly records: readonly StoredRecord[];
  /** Whether upstream may know of more than it may answer. */
  readonly mayHaveMore: boolean;
}

/** What was found in each table, in turn, and the first failure among them: each costs its own records only. */
export async function searchTables(text: string, first: number, flex: FlexSource) {
  const tables = (await flex.databases()).flatMap(tablesIn).slice(0, MOST_TABLES);
  const answers = await Promise.allSettled(tables.map((table) => searchTable(table, text, first, flex)));
  const finds = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [asGatewayError(answer.reason)] : []));
  return {
    records: interleave(finds.map(({ records }) => records)),
    mayHaveMore: finds.some(({ mayHaveMore }) => mayHaveMore),
    error: failures[0],
  };
}

/** Wildcards stand for themselves here: upstream is asked for what is like the text, and the rest is left out. */
async function searchTable({ db, table }: Table, text: string, first: number, flex: FlexSource): Promise<TableFinds> {
  const isPattern = WILDCARD.test(text);
  const parameters = { q: isPattern ? `*${text}*` : text, table_name: table ?? undefined, filters: {} };
  const limit = isPattern ? MOST_ROWS : Math.min(first, MOST_ROWS);
  const found = await flex.search(db, parameters, { limit, offset: 0 });
  const wanted = foldCase(text);
  return {
    records: found
      .filter(({ data }) => !isPattern || holds(data, wanted))
      .map((record) => withDatabaseId(db, { ...record, table_name: table })),
    mayHaveMore: found.length >= MOST_ROWS,
  };
}

function holds(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return foldCase(value).includes(wanted);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => holds(part, wanted));
}

/** One of each list, then the next of each: none crowds out another. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** A database without tables, or whose schema cannot be read, is searched as one. */
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
