import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createAccount } from '../../../src/sandbox/account/accounts.ts';
import { filterCondition } from '../../../src/sandbox/flex/conditions.ts';
import { createDatabaseFixture, createRecordFixtures } from '../../../src/sandbox/flex/fixtures.ts';
import { candidateStatement, newestFirstOrder, pageStatement, sortOrder } from '../../../src/sandbox/flex/queries.ts';
import { tableOf } from '../../../src/sandbox/flex/schemas.ts';
import { type DatabaseFields, placeOf, saveDatabase } from '../../../src/sandbox/flex/stored-databases.ts';
import { migrations } from '../../../src/sandbox/migrations.ts';
import { Store } from '../../../src/sandbox/store.ts';
import { flexDatabase } from './support.ts';

const [text, whole] = [z.string().nullable(), z.int().nullable()];
const indexRow = z.object({
  ...{ idx_str_1: text, idx_str_2: text, idx_str_3: text },
  ...{ idx_int_1: whole, idx_int_2: whole },
  ...{ idx_time_1: text, idx_time_2: text },
});

/** A database with this schema, and what SQLite holds and plans for it. */
function stored(schema: unknown, table: string | null = null) {
  const store = new Store();
  onTestFinished(() => store.close());
  store.migrate(migrations);
  const house = { store, now: () => new Date() };
  const database = createDatabaseFixture(house, createAccount(store, { name: 'A', modules: [] }), {
    name: 'D',
    schema,
  });
  const place = placeOf(database);
  return {
    add: (data: Readonly<Record<string, unknown>>) => createRecordFixtures(house, database.id, table, [data]),
    /** The index columns that hold something, by record. */
    columns: () =>
      store
        .all(indexRow, 'SELECT * FROM flex_records ORDER BY number')
        .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
    change: (changes: Partial<DatabaseFields>) => saveDatabase(house, database, changes),
    /** How SQLite finds the records that a filter lets through, or a sorted page. */
    plan: (filter: readonly [field: string, value: string][], sort?: string) => {
      const known = tableOf(place.schema, table);
      const query = {
        database: place.database,
        table_name: table,
        conditions: filter.map(([field, value]) => filterCondition(known, field, value)),
        order: sort === undefined ? newestFirstOrder : sortOrder(known, sort),
        limit: 20,
        offset: 0,
      };
      const { sql, params } = sort === undefined ? candidateStatement(query) : pageStatement(query);
      const steps = store.all(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${sql}`, params);
      return steps.map(({ detail }) => detail).join('; ');
    },
  };
}

const fields = {
  ...{ s1: 'string', s2: 'text', s3: 'string', s4: 'string' },
  ...{ i1: 'integer', i2: 'number', i3: 'integer' },
  ...{ t1: 'date', t2: 'datetime', t3: 'time', b: 'boolean' },
};
const values = {
  ...{ s1: 'a', s2: 'b', s3: 'c', s4: 'd', i1: 1, i2: 2.5, i3: 3 },
  ...{ t1: '2026-01-01', t2: '2026-01-01', t3: '10:00', b: true },
};

describe('indexed_fields', () => {
  test('are mapped by their types: 3 strings, 2 numbers, 2 times; what does not fit is not indexed', () => {
    const { add, columns } = stored({ fields, indexed_fields: Object.keys(fields) });
    add(values);
    const strings = { idx_str_1: 'a', idx_str_2: 'b', idx_str_3: 'c' };
    const times = { idx_time_1: '2026-01-01', idx_time_2: '2026-01-01T00:00:00.000Z' };
    expect(columns()).toEqual([{ ...strings, idx_int_1: 1, idx_int_2: 2, ...times }]);
  });

  test('take the columns in the order of the list, each field once', () => {
    const { add, columns } = stored({ fields, indexed_fields: ['s4', 's2', 's4', 'b', 'i3', 't3'] });
    add(values);
    expect(columns()).toEqual([{ idx_str_1: 'd', idx_str_2: 'b', idx_int_1: 3, idx_time_1: '10:00:00' }]);
  });

  test('have the full limit in each table', () => {
    const table = { fields, indexed_fields: ['s1', 's2', 's3', 'i1', 'i2', 't1', 't2'] };
    for (const name of ['t', 'u']) {
      const { add, columns } = stored({ tables: { t: table, u: table } }, name);
      add(values);
      expect(Object.keys(columns()[0] ?? {})).toEqual(Object.keys(indexRow.shape));
    }
  });
});

test.each([
  { idx_str_3: 's1', idx_int_2: 'i1' },
  { s1: 'idx_str_3', i1: 'idx_int_2' },
])('the older indexes %j name the columns', (indexes) => {
  const { add, columns } = stored({ fields, indexes });
  add(values);
  expect(columns()).toEqual([{ idx_str_3: 'a', idx_int_2: 1 }]);
});

test('a string column holds at most 255 characters', () => {
  const { add, columns } = stored({ fields, indexed_fields: ['s1'] });
  add({ s1: '😀'.repeat(300) });
  expect([...String(columns()[0]?.['idx_str_1'])]).toHaveLength(255);
});

test('without an index, in the null table of several, and of null, nothing is indexed', () => {
  for (const schema of [null, { fields }, { tables: { t: { fields, indexed_fields: ['s1'] } } }]) {
    const { add, columns } = stored(schema);
    add({ s1: 'a' });
    expect(columns()).toEqual([{}]);
  }
  const { add, columns } = stored({ fields, indexed_fields: ['s1', 'i1'] });
  add({ s1: null });
  expect(columns()).toEqual([{}]);
});

test('records are indexed anew when the schema changes', () => {
  const { add, columns, change } = stored({ fields, indexed_fields: ['s1'] });
  add(values);
  change({ schema: JSON.stringify({ fields, indexed_fields: ['i1', 's2'] }) });
  expect(columns()).toEqual([{ idx_int_1: 1, idx_str_1: 'b' }]);
  change({ schema: JSON.stringify({ fields: { ...fields, s2: 'integer' }, indexed_fields: ['s2'] }) });
  expect(columns()).toEqual([{}]);
  change({ schema: null });
  expect(columns()).toEqual([{}]);
});

describe('the plan of a query', () => {
  const schema = { fields, indexed_fields: ['s1', 's2', 's3', 'i1', 'i2', 't1', 't2'] };

  test.each([
    ['s1', 'x', 'flex_str_1', 'idx_str_1'],
    ['s2', 'x', 'flex_str_2', 'idx_str_2'],
    ['s3', 'x'.repeat(300), 'flex_str_3', 'idx_str_3'],
    ['i1', '7', 'flex_int_1', 'idx_int_1'],
    ['i2', '7.5', 'flex_int_2', 'idx_int_2'],
    ['t1', '2026-01-01', 'flex_time_1', 'idx_time_1'],
    ['t2', '2026-01-01', 'flex_time_2', 'idx_time_2'],
  ])('a filter on %s searches its index', (field, value, index, column) => {
    const search = `INDEX ${index} (database=? AND table_name=? AND ${column}=?)`;
    expect(stored(schema).plan([[field, value]])).toContain(search);
    expect(stored({ tables: { t: schema } }, 't').plan([[field, value]])).toContain(search);
  });

  test('a filter goes before an order', () => {
    expect(stored(schema).plan([['s1', 'x']], '-i1')).toContain(
      'INDEX flex_str_1 (database=? AND table_name=? AND idx_str_1=?)',
    );
  });

  test.each([
    ['i1', 'flex_int_1'],
    ['-t1', 'flex_time_1'],
    ['s2', 'flex_str_2'],
  ])('sort %s walks through its index', (sort, index) => {
    const plan = stored(schema).plan([], sort);
    expect(plan).toContain(`INDEX ${index}`);
    expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY');
  });

  test('a filter on another field reads the records of the table', () => {
    expect(stored(schema).plan([['s4', 'x']])).toMatch(/INDEX \w+ \(database=\? AND table_name=\?\)/);
  });
});

test('values that a column holds only in part are compared, and ordered, in full', async () => {
  const { makeRecord, search } = await flexDatabase({
    schema: { fields: { s: 'string', n: 'number' }, indexed_fields: ['s', 'n'] },
  });
  const long = 'x'.repeat(255);
  for (const [s, n] of [
    [`${long}c`, 1.5],
    [`${long}a`, 1.25],
    [long, 1],
    [`${long}b`, -1.5],
  ])
    await makeRecord({ s, n });

  expect(await search({ 'filter[s]': `${long}a` })).toMatchObject([{ n: 1.25 }]);
  expect(await search({ 'filter[s]': long })).toMatchObject([{ n: 1 }]);
  expect(await search({ 'filter[n]': '1' })).toMatchObject([{ n: 1 }]);
  expect(await search({ 'filter[n]': '1.50' })).toMatchObject([{ n: 1.5 }]);
  expect((await search({ sort: 's' })).map(({ n }) => n)).toEqual([1, 1.25, -1.5, 1.5]);
  expect((await search({ sort: '-n' })).map(({ n }) => n)).toEqual([1.5, 1.25, 1, -1.5]);
});
