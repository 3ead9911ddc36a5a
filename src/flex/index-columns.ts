import { isObject } from '../http/formats/decode.ts';
import type { TableSchema } from './wire.ts';

/** "string/text to idx_str_*, integer/number to idx_int_*, date/time/datetime to idx_time_*", for each table. */
const families = [
  { column: 'idx_str', types: ['string', 'text'], count: 3 },
  { column: 'idx_int', types: ['integer', 'number'], count: 2 },
  { column: 'idx_time', types: ['date', 'time', 'datetime'], count: 2 },
];

/** The index column of each indexed field: as `indexes` says, or computed from the types of `indexed_fields`. */
export function indexColumns({ fields, indexes, indexedFields }: TableSchema): Map<string, string> {
  if (isObject(indexes)) {
    // Written as {idx_str_1: <field>}; the document's words have it the other way round, so that is read too.
    return new Map(
      Object.entries(indexes).map(([key, value]) => (isColumn(key) ? [String(value), key] : [key, String(value)])),
    );
  }
  const columns = new Map<string, string>();
  const used = new Map<string, number>();
  for (const name of Array.isArray(indexedFields) ? indexedFields : []) {
    const definition: unknown = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined;
    const type = isObject(definition) ? definition['type'] : definition;
    const family = families.find(({ types }) => types.some((known) => known === type));
    const next = (used.get(family?.column ?? '') ?? 0) + 1;
    if (!family || next > family.count || columns.has(name)) continue; // what does not fit is not indexed
    used.set(family.column, next);
    columns.set(name, `${family.column}_${next}`);
  }
  return columns;
}

function isColumn(text: string): boolean {
  return families.some(({ column }) => text.startsWith(`${column}_`));
}
