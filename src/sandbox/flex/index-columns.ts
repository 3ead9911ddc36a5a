import { convertTo, type FieldType, maxBigint, minBigint } from '../field-types.ts';

/** The indexed columns of `flex_records`, which a search can use without parsing the data. */
export const indexColumns = [
  'idx_str_1',
  'idx_str_2',
  'idx_str_3',
  'idx_int_1',
  'idx_int_2',
  'idx_time_1',
  'idx_time_2',
] as const;
export type IndexColumn = (typeof indexColumns)[number];

const maxCharacters = 255;

const columnPrefixes: Readonly<Record<FieldType, string | null>> = {
  string: 'idx_str_',
  text: 'idx_str_',
  integer: 'idx_int_',
  number: 'idx_int_',
  boolean: null, // no column is made for it
  datetime: 'idx_time_',
  date: 'idx_time_',
  time: 'idx_time_',
};

/** A value as an index column stores it. */
interface IndexedValue {
  readonly value: string | number | bigint | null;
  /** Whether equal columns mean equal values, so that the data need not be compared. */
  readonly isExact: boolean;
}

export function isIndexColumn(text: string): text is IndexColumn {
  return indexColumns.some((column) => column === text);
}

/** Whether a column can store values of this type. */
export function fitsColumn(type: FieldType, column: IndexColumn): boolean {
  const family = columnPrefixes[type];
  return family !== null && column.startsWith(family);
}

/** Assigns the next free column of its type to each field. A field without a free column is not indexed. */
export function assignColumns(fields: Iterable<readonly [name: string, type: FieldType]>): Map<string, IndexColumn> {
  const columns = new Map<string, IndexColumn>();
  const free = new Set(indexColumns);
  for (const [name, type] of fields) {
    const column = [...free].find((candidate) => fitsColumn(type, candidate));
    if (!column || columns.has(name)) continue;
    free.delete(column);
    columns.set(name, column);
  }
  return columns;
}

/**
 * Converts the value of a field to the value of its column.
 * Not documented (A75): of a longer text the column holds the first 255 characters, of a number the whole
 * part; both are compared in full. A value from before its field had this type is not indexed.
 */
export function toIndexedValue(type: FieldType, value: unknown): IndexedValue {
  if (value === undefined || value === null || convertTo(type, value) !== value) return { value: null, isExact: false };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { value: toBigintColumn(value), isExact: type === 'integer' };
  }
  const text = String(value);
  if (text.length >= maxCharacters) return { value: firstCharacters(text), isExact: false };
  // SQLite keeps half a surrogate pair as the replacement character, which stands for nothing for sure then.
  return { value: text, isExact: text.isWellFormed() && !text.includes('\ufffd') };
}

/** The whole part of a number. Beyond 64 bits it is the nearest value that the column has. */
function toBigintColumn(value: number | bigint): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(Math.trunc(value))) return Math.trunc(value);
  const whole = BigInt(typeof value === 'number' ? Math.trunc(value) : value);
  if (whole > maxBigint) return maxBigint;
  return whole < minBigint ? minBigint : whole;
}

function firstCharacters(text: string): string {
  return [...text.slice(0, maxCharacters * 2)].slice(0, maxCharacters).join('');
}
