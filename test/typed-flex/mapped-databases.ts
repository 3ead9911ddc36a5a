import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { isObject, type JsonObject, object } from '../../src/formats/decode.ts';
import type { FieldName, Snapshot } from '../../src/typed-flex/snapshot/snapshot.ts';

// Databases under the names of a mapping, read from definitions and mapping alone: tests compare a gateway with them.

type Names = Snapshot['names'];

export interface MappedDatabase {
  readonly id: string;
  /** Its key in the snapshot. */
  readonly key: string;
  /** Field of `Query`. */
  readonly query: string;
  readonly tables: readonly MappedTable[];
  /** Type of the rows of no table. Undefined in a database of one table without a name. */
  readonly untabled: string | undefined;
}

export interface MappedTable {
  /** Null for the only table of a database without tables. */
  readonly table: string | null;
  /** Type of a row. */
  readonly type: string;
  /** Fields of the database's type. */
  readonly list: string;
  readonly one: string;
  readonly fields: readonly MappedField[];
}

export interface MappedField {
  /** Key of the data. */
  readonly key: string;
  /** Name in GraphQL. Null for a field that is left to `extra`. */
  readonly name: string | null;
  readonly type: unknown;
  readonly required: boolean;
}

/** @param databases as reads send them. Those without names are left out */
export function mappedDatabases(databases: readonly FlexDbRecord[], names: Names): MappedDatabase[] {
  return databases.flatMap(({ id, code, schema }) => {
    const key = typeof code === 'string' ? code : id;
    const own = names[key];
    if (!own) return [];
    const { query, untabled, table, tables = {} } = own;
    const definitions = object(object(schema)['tables'] ?? {});
    const mapped = table
      ? [mappedTable(null, table, object(schema))]
      : Object.entries(tables).map(([name, of]) => mappedTable(name, of, object(definitions[name])));
    return [{ id, key, query, untabled, tables: mapped }];
  });
}

function mappedTable(
  table: string | null,
  { type, list, one, fields }: NonNullable<Names[string]['table']>,
  definition: JsonObject,
): MappedTable {
  const mapped = Object.entries(object(definition['fields'])).map(([key, field]) => {
    const entry = Object.hasOwn(fields, key) ? fields[key] : null;
    const options: JsonObject = isObject(field) ? field : { type: field };
    return { key, name: nameIn(entry), type: options['type'], required: options['required'] === true };
  });
  return { table, type, list, one, fields: mapped };
}

function nameIn(entry: FieldName | undefined): string | null {
  return isObject(entry) ? entry.name : (entry ?? null);
}
