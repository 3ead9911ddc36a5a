import { describe, expect, test } from 'vitest';
import { fields, flexDatabase, refusal, searchable } from './support.ts';

test('the answer is a flat array: id, created_at, updated_at and the fields of data', async () => {
  const { trySearch, listed } = await searchable(null, [{ name: 'a', deep: { x: [1] }, none: null }]);
  const [record] = await listed();
  const { status, body } = await trySearch({});
  expect(status).toBe(200);
  const { id, created_at, updated_at } = record ?? {};
  expect(body).toEqual([{ id, created_at, updated_at, name: 'a', deep: { x: [1] }, none: null }]);
});

describe('table_name', () => {
  const tables = { tables: { t: { fields, indexed_fields: ['name'] }, u: { fields } } };

  test('is required among several: 400 with available_tables', async () => {
    const { trySearch } = await searchable(tables, []);
    const body = { error: expect.any(String), available_tables: ['t', 'u'] };
    for (const params of [{}, ...['', 'z', '__proto__', 'constructor'].map((table_name) => ({ table_name }))]) {
      expect(await trySearch(params)).toEqual({ status: 400, headers: expect.anything(), body });
    }
  });

  test('records of different tables never mix', async () => {
    const { makeRecord, names } = await searchable(tables, [{ name: 'x', note: 'of t' }], 't');
    await makeRecord({ name: 'x' }, 'u');
    await makeRecord({ name: 'x' });
    for (const params of [{}, { q: 'x' }, { 'filter[name]': 'x' }, { 'filter[name]': 'x*' }, { sort: 'name' }]) {
      expect(await names({ table_name: 't', ...params })).toEqual(['x']);
      expect(await names({ table_name: 'u', ...params })).toEqual(['x']);
    }
    expect(await names({ table_name: 'u', q: 'of t' })).toEqual([]);
  });

  test.each([null, { fields }])('is not looked at in a database with the schema %j', async (schema) => {
    const { names } = await searchable(schema, [{ name: 'a' }]);
    expect(await names({ table_name: 'z' })).toEqual(['a']);
  });
});

describe('q', () => {
  const people = ['Zażółć', 'STRASSE', 'Łódź 100%', 'a_b', 'Ὀδυσσεύς'].map((name) => ({ name }));

  test.each([
    ['żół', ['Zażółć']],
    ['ZAŻ', ['Zażółć']],
    ['straße', ['STRASSE']],
    ['łódź', ['Łódź 100%']],
    ['ὈΔΥΣΣΕΎΣ', ['Ὀδυσσεύς']],
    ['_', ['a_b']],
    ['zaż*', ['Zażółć']],
    ['aż*', []],
    ['*żółć', ['Zażółć']],
    ['*aż', []],
    ['%aż%', ['Zażółć']],
    ['z*ó*ć', ['Zażółć']],
    ['z*ć*ó', []],
    ['st%e', ['STRASSE']],
    ['strass*asse', []],
    ['*', ['Ὀδυσσεύς', 'a_b', 'Łódź 100%', 'STRASSE', 'Zażółć']],
    ['nothing', []],
    ['name', []],
  ])('%s finds %j', async (q, expected) => {
    for (const schema of [null, { fields, indexed_fields: ['name'] }]) {
      expect(await (await searchable(schema, people)).names({ q })).toEqual(expected);
    }
  });

  test('looks into the indexed fields by default', async () => {
    const records = [
      { name: 'oak', note: 'brown' },
      { name: 'ash', size: 42 },
    ];
    const { names } = await searchable({ fields, indexed_fields: ['name', 'size'] }, records);
    expect(await names({ q: 'brown' })).toEqual([]);
    expect(await names({ q: '42' })).toEqual(['ash']);
  });

  test('looks into all of data without a schema, however deep', async () => {
    const { names } = await searchable(null, [
      { name: 'oak', tags: [{ color: 'Brown' }] },
      { name: 'ash', ok: true },
    ]);
    expect(await names({ q: 'brown' })).toEqual(['oak']);
    expect(await names({ q: 'true' })).toEqual(['ash']);
    expect(await names({ q: 'color' })).toEqual([]);
  });

  test('many wildcards take no longer than few', async () => {
    const { names } = await searchable(null, [{ name: 'a'.repeat(100_000) }]);
    expect(await names({ q: `${'*a'.repeat(2_000)}*b` })).toEqual([]);
  });
});

test.each([
  ['note', ['b']],
  ['name', ['a']],
  ['name,note', ['b', 'a']],
  ['size,note', ['b']],
  ['unknown', []],
  ['', ['a']],
])('search_in=%s says where q is looked for', async (search_in, expected) => {
  const { names } = await searchable({ fields, indexed_fields: ['size', 'at'] }, [
    { name: 'a', size: 7, note: 'x' },
    { name: 'b', note: 'A 7' },
  ]);
  expect(await names({ q: search_in === '' ? '7' : 'a', search_in })).toEqual(expected);
});

describe('sort', () => {
  const records = [
    { name: 'b', size: 10, extra: 2 },
    { name: 'a', size: 9, extra: 'x' },
    { name: 'ą', size: null },
    { name: 'B', size: -1, extra: true, 'q"': 1 },
  ];

  test.each([
    ['name', ['B', 'a', 'b', 'ą']],
    ['-name', ['ą', 'b', 'a', 'B']],
    ['size', ['ą', 'B', 'a', 'b']],
    ['-size', ['b', 'a', 'B', 'ą']],
    ['extra', ['ą', 'B', 'b', 'a']],
    ['created_at', ['b', 'a', 'ą', 'B']],
    ['-created_at', ['B', 'ą', 'a', 'b']],
    ['q"', ['b', 'a', 'ą', 'B']],
    ['-q"', ['B', 'ą', 'a', 'b']],
    ['unknown', ['b', 'a', 'ą', 'B']],
    ['', ['B', 'ą', 'a', 'b']],
  ])('%s: %j', async (sort, expected) => {
    for (const schema of [null, { fields }, { fields, indexed_fields: ['name', 'size'] }]) {
      expect(await (await searchable(schema, records)).names({ sort })).toEqual(expected);
    }
  });

  test('id sorts by id', async () => {
    const { search } = await searchable(null, records);
    const ids = (await search({ sort: 'id' })).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect((await search({ sort: '-id' })).map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('updated_at sorts by the last change', async () => {
    let now = new Date('2026-03-01T10:00:00Z');
    const { makeRecord, patchRecord, search } = await flexDatabase({}, { now: () => now });
    const { id } = await makeRecord({ name: 'first' });
    await makeRecord({ name: 'second' });
    now = new Date('2026-03-02T10:00:00Z');
    await patchRecord(id, { data: { name: 'first' } });
    expect(await search({ sort: '-updated_at' })).toMatchObject([{ name: 'first' }, { name: 'second' }]);
  });
});

test.each([
  ['name', ['name']],
  ['size,name', ['name', 'size']],
  ['unknown', []],
  ['constructor', []],
  ['id', []],
])('fields=%s returns those, and id, created_at and updated_at always', async (wanted, expected) => {
  const { search } = await searchable(null, [{ name: 'a', size: 1, note: 'n' }]);
  const [record = {}] = await search({ fields: wanted });
  expect(Object.keys(record).toSorted()).toEqual(['created_at', 'id', ...expected, 'updated_at'].toSorted());
});

test('a field called id does not cover the id of the record', async () => {
  const { search, listed } = await searchable(null, [{ id: 'mine', created_at: 'then' }]);
  const [{ id, created_at, updated_at } = {}] = await listed();
  expect(await search({})).toEqual([{ id, created_at, updated_at }]);
});

describe('limit and offset', () => {
  const records = Array.from({ length: 120 }, (_, name) => ({ name }));

  test.each([
    [{}, 20, 119],
    [{ limit: '1' }, 1, 119],
    [{ limit: '100' }, 100, 119],
    [{ limit: '100', offset: '100' }, 20, 19],
    [{ offset: '119' }, 1, 0],
    [{ offset: '1000' }, 0, undefined],
    [{ q: '*', offset: '110' }, 10, 9],
  ])('%j: %i records from %j on', async (params, count, first) => {
    const { names } = await searchable(null, records);
    const found = await names(params);
    expect(found).toHaveLength(count);
    expect(found[0]).toBe(first);
  });
});

test.each([
  ['limit', ['0', '-1', '101', '1.5', 'x', '']],
  ['offset', ['-1', 'x']],
  ['sort', ['-']],
])('a %s of %j is 422', async (parameter, values) => {
  const { trySearch } = await searchable(null, []);
  for (const value of values) expect(await trySearch({ [parameter]: value })).toMatchObject(refusal(parameter));
});
