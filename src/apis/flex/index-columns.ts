import { isObject } from '../../formats/decode.ts';
import type { TableSchema } from './wire.ts';

/** "string/text to idx_str_*, integer/number to idx_int_*, date/time/datetime to idx_time_*", for each table. */
const columnFamilies = [
  { column: 'idx_str', types: ['string', 'text'], count: 3 },
  { column: 'idx_int', types: ['integer', 'number'], count: 2 },
  { column: 'idx_time', types: ['date', 'time', 'datetime'], count: 2 },
];

/**
 * Finds the index columns of a table: those of its `indexes`, else those computed from the types of its
 * `indexed_fields`.
 *
 * @returns the name of the column by the name of the field
 */
export function indexColumns({ fields, indexes, indexedFields }: TableSchema): Map<string, string> {
  if (isObject(indexes)) {
    // Upstream stores {<column>: <field>}. The document describes {<field>: <column>}, so the gateway reads both.
    return new Map(
      Object.entries(indexes).map(([key, value]) => (isIndexColumn(key) ? [String(value), key] : [key, String(value)])),
    );
  }
  const columns = new Map<string, string>();
  const usedByFamily = new Map<string, number>();
  for (const name of Array.isArray(indexedFields) ? indexedFields : []) {
    const definition: unknown = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined;
    const type = isObject(definition) ? definition['type'] : definition;
    const family = columnFamilies.find(({ types }) => types.some((indexable) => indexable === type));
    const position = (usedByFamily.get(family?.column ?? '') ?? 0) + 1;
    if (!family || position > family.count || columns.has(name)) continue; // upstream does not index fields beyond the count of a family
    usedByFamily.set(family.column, position);
    columns.set(name, `${family.column}_${position}`);
  }
  return columns;
}

function isIndexColumn(name: string): boolean {
  return columnFamilies.some(({ column }) => name.startsWith(`${column}_`));
}
