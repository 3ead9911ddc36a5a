import { z } from 'zod';
import type { Params, Store } from '../store.ts';
import type { Condition } from './conditions.ts';
import { parseJsonObject } from '../json-object.ts';
import type { Table } from './schemas.ts';
import { recordColumns, recordRow, type StoredRecord } from './stored-records.ts';

/** A page of records, filtered and ordered. */
export interface RecordQuery {
  readonly database: number;
  /** Null means the null table; undefined means all tables. */
  readonly table_name?: string | null;
  readonly conditions: readonly Condition[];
  readonly order: SqlOrder;
  readonly limit: number;
  readonly offset: number;
}

/** Terms of ORDER BY, and the value of their parameter `:sort`. */
interface SqlOrder {
  readonly terms: string;
  readonly sort?: string;
}

interface Statement {
  readonly sql: string;
  readonly params: Params;
}

/** A row to check. It has no zod transform, because a search may read 100,000 of them. */
const candidateRow = z.object({ number: z.int(), data: z.string() });

export const newestFirstOrder: SqlOrder = { terms: 'number DESC' };

/** Selects the field `:sort` of the data. A JSON path could not name a key with a quote. */
const sortFieldSql = '(SELECT value FROM json_each(data) WHERE key = :sort)';

/**
 * `sort`, with `-` for descending.
 * Not documented (A93): null comes first, then numbers and booleans, then texts by code point; equal values
 * are ordered by creation; a field that no record has leaves them so.
 */
export function sortOrder(table: Table | null, sort: string): SqlOrder {
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  const order = (...terms: string[]) =>
    [...terms, 'number'].map((term) => (descending ? `${term} DESC` : term)).join(', ');
  if (['id', 'created_at', 'updated_at'].includes(field)) return { terms: order(field) };
  const column = table?.columns.get(field);
  const type = table?.fields.get(field)?.type;
  // A column of these types may store a part of a value, so equal parts are ordered by the full value.
  const inPart = type === 'number' || type === 'string' || type === 'text';
  if (column) return inPart ? { terms: order(column, sortFieldSql), sort: field } : { terms: order(column) };
  return { terms: order(sortFieldSql), sort: field };
}

/** Reads a page of the records that match all conditions. */
export function selectRecords(store: Store, query: RecordQuery): StoredRecord[] {
  const checks = query.conditions.flatMap(({ matches }) => matches ?? []);
  if (checks.length === 0) {
    const { sql, params } = pageStatement(query);
    return store.all(recordRow, sql, params);
  }

  const { sql, params } = candidateStatement(query);
  const found: number[] = [];
  store.forEachRow(candidateRow, sql, params, ({ number, ...row }) => {
    const data = parseJsonObject(row.data);
    if (checks.every((holds) => holds(data))) found.push(number);
  });
  const page = pageStatement(query, {
    sql: 'number IN (SELECT value FROM json_each(:found))',
    params: { found: JSON.stringify(found) },
  });
  return store.all(recordRow, page.sql, page.params);
}

/**
 * The statement that finds the records that may match, by the parts of the conditions that SQLite checks.
 *
 * @internal exported for the tests, which look at its query plan
 */
export function candidateStatement(query: RecordQuery): Statement {
  const { sql, params } = whereClause(query);
  return { sql: `SELECT number, data FROM flex_records WHERE ${sql}`, params };
}

/**
 * The statement that reads one page of the records that match a condition in SQL.
 *
 * @internal exported for the tests, which look at its query plan
 */
export function pageStatement(query: RecordQuery, { sql, params } = whereClause(query)): Statement {
  const { order, limit, offset, conditions } = query;
  // A plus keeps SQLite from walking through the order's index where a filter's finds fewer records.
  const terms = conditions.some(({ column }) => column) ? order.terms.replace(/^idx/, '+idx') : order.terms;
  return {
    sql: `SELECT ${recordColumns} FROM flex_records WHERE ${sql} ORDER BY ${terms} LIMIT :limit OFFSET :offset`,
    params: { ...params, limit, offset, ...(order.sort !== undefined && { sort: order.sort }) },
  };
}

function whereClause({ database, table_name, conditions }: RecordQuery): Statement {
  const terms = ['database = :database'];
  const params: Record<string, string | number | bigint | null> = { database };
  if (table_name !== undefined) {
    terms.push('table_name IS :table_name');
    params['table_name'] = table_name;
  }
  for (const { column } of conditions) {
    if (!column) continue;
    terms.push(`${column.name} = :${column.name}`);
    params[column.name] = column.value;
  }
  const contained = mostSelectiveSubstrings(conditions);
  if (contained.length > 0) {
    terms.push(`(${contained.map((_, index) => `instr(data, :text${index}) > 0`).join(' OR ')})`);
    for (const [index, text] of contained.entries()) params[`text${index}`] = text;
  }
  return { sql: terms.join(' AND '), params };
}

/** The longest text is likely the rarest. One is enough: SQLite refuses an expression of a thousand terms. */
function mostSelectiveSubstrings(conditions: readonly Condition[]): readonly string[] {
  const all = conditions.flatMap(({ jsonSubstrings }) => (jsonSubstrings ? [jsonSubstrings] : []));
  return all.toSorted(([one = ''], [other = '']) => other.length - one.length)[0] ?? [];
}
