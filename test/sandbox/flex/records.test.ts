import { describe, expect, test } from 'vitest';
import { flexDatabase, flexSandbox, refusal, uuid } from './support.ts';

const tables = { schema: { tables: { t: { fields: { n: 'integer' } }, u: { fields: { n: 'string' } } } } };

test('POST answers 201 with id, table_name, data, created_at and updated_at', async () => {
  const now = new Date('2026-03-01T10:00:00Z');
  const { postRecord, listed } = await flexDatabase({}, { now: () => now });
  const { status, body } = await postRecord({ data: { a: 1 } });
  expect(status).toBe(201);
  const stamps = { created_at: '2026-03-01T10:00:00.000Z', updated_at: '2026-03-01T10:00:00.000Z' };
  expect(body).toEqual({ id: expect.stringMatching(uuid), table_name: null, data: { a: 1 }, ...stamps });
  expect(await listed()).toEqual([body]);
});

test('the list has all records, of all tables, newest first', async () => {
  const { sandbox, makeDatabase, makeRecord, listed } = await flexSandbox();
  const { id } = await makeDatabase(tables);
  const rows = Array.from({ length: 150 }, (_, n) => ({ n }));
  sandbox.store.createFlexRecords(id, rows, 't');
  await makeRecord({ n: 'last' }, 'u');
  const records = await listed();
  expect(records).toHaveLength(151);
  expect(records.slice(0, 2)).toMatchObject([{ table_name: 'u', data: { n: 'last' } }, { data: { n: 149 } }]);
});

describe('table_name', () => {
  test('is the table by which a record is checked', async () => {
    const { postRecord } = await flexDatabase(tables);
    expect(await postRecord({ table_name: 't', data: { n: '5' } })).toMatchObject({ body: { data: { n: 5 } } });
    expect(await postRecord({ table_name: 'u', data: { n: 5 } })).toMatchObject({ body: { data: { n: '5' } } });
    expect(await postRecord({ table_name: 't', data: { n: 'x' } })).toMatchObject(refusal('n'));
  });

  test('an empty one is the null table, which has no rules among several', async () => {
    const { postRecord } = await flexDatabase(tables);
    for (const table_name of [undefined, null, '']) {
      const answer = await postRecord({ table_name, data: { n: [] } });
      expect(answer).toMatchObject({ status: 201, body: { table_name: null } });
    }
  });

  test('one that is no table of the database is refused', async () => {
    const { postRecord, makeDatabase } = await flexDatabase(tables);
    for (const table_name of ['z', '__proto__', 'constructor', 7, 't\0']) {
      expect(await postRecord({ table_name, data: {} })).toMatchObject(refusal('table_name'));
    }
    await makeDatabase({ code: 'single', schema: { fields: {} } });
    expect(await postRecord({ table_name: 't', data: {} }, 'single')).toMatchObject(refusal('table_name'));
  });

  test('__proto__ is a table like any other where the schema has it', async () => {
    const { makeRecord, postRecord, search } = await flexDatabase({
      schema: { tables: { ['__proto__']: { fields: { n: 'integer' }, indexed_fields: ['n'] } } },
    });
    await makeRecord({ n: 7 }, '__proto__');
    expect(await postRecord({ table_name: '__proto__', data: { n: 'x' } })).toMatchObject(refusal('n'));
    expect(await search({ table_name: '__proto__', 'filter[n]': '7' })).toMatchObject([{ n: 7 }]);
  });
});

describe('PATCH', () => {
  test('replaces data, and leaves the time of creation', async () => {
    let now = new Date('2026-03-01T10:00:00Z');
    const { makeRecord, patchRecord, listed } = await flexDatabase({}, { now: () => now });
    const { id } = await makeRecord({ a: 1, b: 2 });
    now = new Date('2026-03-02T10:00:00Z');
    const { status, body } = await patchRecord(id, { data: { a: 3 } });
    expect(status).toBe(200);
    const stamps = { created_at: '2026-03-01T10:00:00.000Z', updated_at: '2026-03-02T10:00:00.000Z' };
    expect(body).toEqual({ id, table_name: null, data: { a: 3 }, ...stamps });
    expect(await listed()).toEqual([body]);
  });

  test('without table_name sends the record back to the null table, where nothing is checked', async () => {
    const { makeRecord, patchRecord, search } = await flexDatabase(tables);
    const { id } = await makeRecord({ n: 1 }, 't');
    const changed = await patchRecord(id, { table_name: 't', data: { n: '2' } });
    expect(changed.body).toMatchObject({ table_name: 't', data: { n: 2 } });
    expect((await patchRecord(id, { data: { n: 'x' } })).body).toMatchObject({ table_name: null, data: { n: 'x' } });
    expect(await search({ table_name: 't' })).toEqual([]);
  });

  test('without data keeps the data', async () => {
    const { makeRecord, patchRecord } = await flexDatabase(tables);
    const { id } = await makeRecord({ n: 1 }, 't');
    expect((await patchRecord(id, { table_name: 'u' })).body).toMatchObject({ table_name: 'u', data: { n: '1' } });
  });

  test('a refused PATCH changes nothing', async () => {
    const { makeRecord, patchRecord, listed } = await flexDatabase(tables);
    const record = await makeRecord({ n: 1 }, 't');
    expect(await patchRecord(record.id, { table_name: 't', data: { n: 'x' } })).toMatchObject(refusal('n'));
    expect(await listed()).toEqual([record]);
  });
});

test('DELETE removes the record: 204, then 404', async () => {
  const { as, makeRecord, listed } = await flexDatabase();
  const { id } = await makeRecord({});
  expect(await as('DELETE', `/flex/dbs/d/records/${id}.json`)).toMatchObject({ status: 204, body: null });
  expect((await as('DELETE', `/flex/dbs/d/records/${id}.json`)).status).toBe(404);
  expect(await listed()).toEqual([]);
});

test('a record of another database is 404, and neither listed nor found', async () => {
  const { as, makeDatabase, makeRecord, patchRecord, listed, search } = await flexDatabase();
  await makeDatabase({ code: 'other' });
  const { id } = await makeRecord({ a: 1 });
  expect((await patchRecord(id, { data: {} }, 'other')).status).toBe(404);
  expect((await as('DELETE', `/flex/dbs/other/records/${id}.json`)).status).toBe(404);
  expect(await listed('other')).toEqual([]);
  expect(await search({ q: '1' }, 'other')).toEqual([]);
  expect(await listed()).toHaveLength(1);
});

describe('data passes through unchanged', () => {
  test.each([
    '{"__proto__":{"x":1},"constructor":"c","toString":null}',
    '{"b":1,"a":2,"":3}',
    '{"null":null,"list":[null,[]],"empty":{}}',
    '{"nul":"a\\u0000b","half":"\\ud800","line":"\u2028"}',
    '{"big":9007199254740991,"small":-0.1,"tiny":1e-7}',
    '{"a,b":1,"c]":2,"d\\"e":3,"-f":4}',
  ])('%s', async (json) => {
    for (const schema of [null, { fields: { z: 'string', nul: 'string' }, indexed_fields: ['z', 'nul'] }]) {
      const { makeRecord, patchRecord, listed } = await flexDatabase({ schema });
      const { id } = await makeRecord(JSON.parse(json));
      expect(JSON.stringify((await listed())[0]?.data)).toBe(json);
      await patchRecord(id, { data: JSON.parse(json) });
      expect(JSON.stringify((await listed())[0]?.data)).toBe(json);
    }
  });

  test('with fields that the schema does not know', async () => {
    const { makeRecord } = await flexDatabase({ schema: { fields: { a: 'integer' } } });
    expect((await makeRecord({ z: [1], a: '1' })).data).toEqual({ z: [1], a: 1 });
  });

  test('up to 10 MB', async () => {
    const { makeRecord, search } = await flexDatabase({
      schema: { fields: { long: 'text' }, indexed_fields: ['long'] },
    });
    const long = 'ż'.repeat(5_000_000);
    await makeRecord({ long });
    expect(await search({ q: 'ŻŻ' })).toMatchObject([{ long }]);
  });
});

test('data that is no object, or deeper than 100 levels, is refused with 422 by field', async () => {
  const { postRecord, makeRecord, asText } = await flexDatabase();
  for (const json of [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, '[]', '"x"', 'null']) {
    expect((await asText('POST', '/flex/dbs/d/records.json', `{"record":{"data":${json}}}`)).status).toBe(422);
  }
  expect(await postRecord({})).toMatchObject(refusal('data'));
  const deepest = { a: JSON.parse('['.repeat(99) + ']'.repeat(99)) };
  expect((await makeRecord(deepest)).data).toEqual(deepest);
});
