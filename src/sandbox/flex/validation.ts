import { invalid } from '../responses.ts';
import { getOwn, isMissing, type JsonObject } from '../json-object.ts';
import { convertTo } from '../field-types.ts';
import { type Schema, type Table, tableOf } from './schemas.ts';

/**
 * Validates data and converts it to the types of the table's fields.
 *
 * @throws HttpError 422 by field
 *
 * Not documented (A88): fields that the table does not know are kept as they are.
 */
export function validateData(table: Table | null, data: JsonObject): JsonObject {
  if (!table) return data;
  const errors = new Map<string, string[]>();
  const kept = Object.entries(data).map(([name, value]) => {
    const type = table.fields.get(name)?.type;
    const fitting = type ? convertTo(type, value) : value;
    if (fitting === undefined) errors.set(name, [`is not of type ${type}`]);
    return [name, fitting];
  });
  for (const [name, { required }] of table.fields) {
    if (required && isMissing(getOwn(data, name))) errors.set(name, ['is required']);
  }
  if (errors.size > 0) throw invalid(Object.fromEntries(errors));
  return Object.fromEntries(kept);
}

/** The table by whose rules a record is kept. Not documented (A83): a name that the schema lacks is 422. */
export function findTableByName(schema: Schema, name: string | null): Table | null {
  if (name !== null && !schema.tables?.has(name)) throw invalid({ table_name: ['is not a table of the database'] });
  return tableOf(schema, name);
}
