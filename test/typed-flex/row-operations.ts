import { isObject, object } from '../../src/formats/decode.ts';
import { dataOf, fieldsOf, inputOf, type Row, type RowValues } from './random-rows.ts';
import type { MappedDatabase, MappedTable } from './mapped-databases.ts';

// Writes and reads of rows by both APIs, each with the values that it must show.

export interface WrittenRow {
  readonly database: MappedDatabase;
  /** Null for a row of no table. */
  readonly table: MappedTable | null;
  /** The API that created it. */
  readonly api: 'typed' | 'untyped';
  readonly values: RowValues;
  readonly id: string;
}

export interface Write {
  /** Names it in differences. */
  readonly place: string;
  readonly row: Omit<WrittenRow, 'id'>;
  /** A field of Mutation with its arguments but the input. */
  readonly mutation: string;
  readonly inputType: string;
  readonly input: Row;
  readonly selection: string;
  /** The selected values but the id. */
  readonly expected: Row;
}

/** A field of Query that reads rows: `rows { nodes }`, `rows` that are one row, or a list itself. */
export interface Reading {
  /** Names it in differences. */
  readonly place: string;
  readonly field: string;
  readonly rows: readonly WrittenRow[];
  readonly expected: (values: RowValues) => Row;
}

const namesOf = ({ fields }: MappedTable) => fields.flatMap(({ name }) => name ?? []).join(' ');
export const typedRow = (table: MappedTable) => `{ upstreamId ${namesOf(table)} extra }`;
const UNTYPED_ROW = '{ upstreamId data }';

export function typedCreation(database: MappedDatabase, table: MappedTable, values: RowValues): Write {
  return {
    place: placeOf({ database, table }, 'typed creation'),
    row: { database, table, api: 'typed', values },
    mutation: `create${table.type}(`,
    inputType: `Create${table.type}Input`,
    input: inputOf(values, table.fields),
    selection: `... on ${table.type} ${typedRow(table)}`,
    expected: fieldsOf(values, table.fields),
  };
}

/** @param table null for a row of no table */
export function untypedCreation(database: MappedDatabase, table: MappedTable | null, values: RowValues): Write {
  return {
    place: placeOf({ database, table }, 'untyped creation'),
    row: { database, table, api: 'untyped', values },
    mutation: `createFlexRecord(db: "FlexDb:${database.id}" `,
    inputType: 'FlexRecordInput',
    input: { table: table?.table ?? null, data: dataOf(values, 'sent') },
    selection: `... on FlexRecord ${UNTYPED_ROW}`,
    expected: dataRead(values),
  };
}

/** A typed change of a row, whichever API created it. */
export function typedUpdate({ id, ...row }: WrittenRow, table: MappedTable, change: RowValues): Write {
  const values = new Map([...row.values, ...change]);
  return {
    place: placeOf(row, `update after ${row.api} creation`),
    row: { ...row, values },
    mutation: `update${table.type}(id: "${id}" `,
    inputType: `Update${table.type}Input`,
    input: inputOf(change, table.fields),
    selection: `... on ${table.type} ${typedRow(table)}`,
    expected: fieldsOf(values, table.fields),
  };
}

/** All ways to read all rows of some databases. */
export function readingsOf(rows: readonly WrittenRow[]): Reading[] {
  const tables = new Map(rows.map((row) => [row.table ?? row.database, row]));
  return [...tables.values()].flatMap(({ database, table }) => {
    const own = rows.filter((row) => row.database === database && row.table === table);
    return table ? tableReadings(database, table, own) : untabledReadings(database, own);
  });
}

function tableReadings(database: MappedDatabase, table: MappedTable, rows: readonly WrittenRow[]): Reading[] {
  const { type, list, one } = table;
  const typed = (field: string) => `${database.query} { rows: ${field} }`;
  const name = JSON.stringify(table.table);
  const ids = rows.map(({ id }) => `"${type}:${id}"`);
  const place = (api: string) => placeOf({ database, table }, api);
  const fields = (values: RowValues) => fieldsOf(values, table.fields);
  return [
    {
      ...{ place: place('typed list'), rows },
      field: typed(`${list}(first: 9) { nodes ${typedRow(table)} }`),
      expected: (values) => ({ ...fields(values), extra: searchable(object(fields(values)['extra'])) }),
    },
    {
      ...{ place: place('typed list without extra'), rows },
      field: typed(`${list}(first: 9) { nodes { upstreamId ${namesOf(table)} } }`),
      expected: (values) => withoutExtra(fields(values)),
    },
    ...rows.map((row) => ({
      ...{ place: place('typed record'), rows: [row], expected: fields },
      field: typed(`${one}(id: "${row.id}") ${typedRow(table)}`),
    })),
    {
      ...{ place: place('nodes'), rows, expected: fields },
      field: `nodes(ids: [${ids.join(' ')}]) { ... on ${type} ${typedRow(table)} }`,
    },
    {
      ...{ place: place('untyped search'), rows },
      field: untyped(database, `search(table: ${name}, first: 9, sort: { field: "id" }, allowUndefinedFields: true)`),
      expected: (values) => ({ data: searchable(dataOf(values, 'read')) }),
    },
    {
      ...{ place: place('untyped records'), rows, expected: dataRead },
      field: untyped(database, `records(table: ${name}, first: 9)`),
    },
  ];
}

function untabledReadings(database: MappedDatabase, rows: readonly WrittenRow[]): Reading[] {
  const place = (api: string) => placeOf({ database, table: null }, api);
  return [
    {
      ...{ place: place('typed list'), rows, expected: dataRead },
      field: `${database.query} { rows: untabled(first: 9) { nodes ${UNTYPED_ROW} } }`,
    },
    {
      ...{ place: place('untyped records'), rows, expected: dataRead },
      field: untyped(database, 'records(untabled: true, first: 9)'),
    },
  ];
}

function placeOf({ database: { key }, table }: Pick<WrittenRow, 'database' | 'table'>, api: string): string {
  return `${key}, ${table ? `table ${table.table}` : 'no table'}, ${api}`;
}

const dataRead = (values: RowValues): Row => ({ data: dataOf(values, 'read') });

const untyped = ({ id }: MappedDatabase, field: string) =>
  `flexDb(id: "FlexDb:${id}") { rows: ${field} { nodes ${UNTYPED_ROW} } }`;

/** Data as a search has it: "id, created_at, updated_at are always returned" beside it, and stand in its place. */
function searchable(data: Row): Row {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !['id', 'created_at', 'updated_at'].includes(key)));
}

const withoutExtra = ({ extra: _extra, ...row }: Row): Row => row;

/** The rows in the value of a reading, by their upstream ids. */
export function rowsIn(value: unknown): ReadonlyMap<string, Row> {
  const rows = isObject(value) ? value['rows'] : value;
  const listed: unknown[] = [isObject(rows) && Object.hasOwn(rows, 'nodes') ? rows['nodes'] : rows].flat();
  return new Map(listed.filter(isObject).map(({ upstreamId, ...row }) => [String(upstreamId), row]));
}
