import { describe, expect, test } from 'vitest';
import { flexDatabase, flexSandbox, refusal } from './support.ts';

const fields = { a: 'string', b: 'integer', c: 'boolean' };
const types = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time'];

test.each([
  ['no schema', null],
  ['the empty object', {}],
  ['the short form', { fields }],
  ['the full form', { fields: { a: { type: 'string', required: true }, b: { type: 'text' } } }],
  ['both forms of a field beside each other', { fields: { a: 'date', b: { type: 'time', required: false } } }],
  ['every type', { fields: Object.fromEntries(types.map((type) => [type, type])) }],
  ['indexed_fields', { fields, indexed_fields: ['a', 'b'] }],
  ['indexed_fields of a type without index columns', { fields, indexed_fields: ['c'] }],
  ['indexes from column to field', { fields, indexes: { idx_str_1: 'a', idx_int_2: 'b' } }],
  ['indexes from field to column', { fields, indexes: { a: 'idx_str_3', b: 'idx_int_1' } }],
  ['no fields', { fields: {} }],
  ['tables', { tables: { t: { fields, indexed_fields: ['a'] }, u: { fields, indexes: { idx_str_1: 'a' } } } }],
  ['a table called __proto__', JSON.parse('{"tables":{"__proto__":{"fields":{"__proto__":"string"}}}}')],
])('a schema may be %s, and reads back as it was written', async (_, schema) => {
  const { as, postDatabase } = await flexSandbox();
  const { status } = await postDatabase({ code: 'd', schema });
  expect(status).toBe(201);
  const { body } = await as('GET', '/flex/dbs/d.json');
  expect(JSON.stringify((body as { schema: unknown }).schema)).toBe(JSON.stringify(schema));
});

test.each([
  ['tables and top-level fields', { fields, tables: { t: { fields } } }],
  ['tables and top-level indexed_fields', { indexed_fields: [], tables: { t: { fields } } }],
  ['no fields', { indexed_fields: [] }],
  ['fields that are a list', { fields: ['a'] }],
  ['fields that are null', { fields: null }],
  ['an unknown type', { fields: { a: 'money' } }],
  ['a type of another case', { fields: { a: 'String' } }],
  ['a type named like a method of objects', { fields: { a: 'toString' } }],
  ['a full form without a type', { fields: { a: { required: true } } }],
  ['a full form with an unknown type', { fields: { a: { type: 'money' } } }],
  ['a required that is no boolean', { fields: { a: { type: 'string', required: 'yes' } } }],
  ['a full form with something else', { fields: { a: { type: 'string', limit: 5 } } }],
  ['a field that is null', { fields: { a: null } }],
  ['a field without a name', { fields: { '': 'string' } }],
  ['a name with a NUL', { fields: { 'a\0': 'string' } }],
  ['a name with half a surrogate pair', { fields: { '\ud800': 'string' } }],
  ['indexes and indexed_fields', { fields, indexes: {}, indexed_fields: [] }],
  ['indexed_fields that are no list', { fields, indexed_fields: 'a' }],
  ['indexed_fields with an unknown field', { fields, indexed_fields: ['z'] }],
  ['indexed_fields with a method of objects', { fields, indexed_fields: ['constructor'] }],
  ['indexed_fields with a number', { fields, indexed_fields: [1] }],
  ['indexes with an unknown column', { fields, indexes: { idx_str_4: 'a' } }],
  ['indexes with an unknown field', { fields, indexes: { idx_str_1: 'z' } }],
  ['indexes with a column of another type', { fields, indexes: { idx_int_1: 'a' } }],
  ['indexes of a boolean', { fields, indexes: { idx_int_1: 'c' } }],
  ['a column for two fields', { fields: { a: 'string', z: 'string' }, indexes: { a: 'idx_str_1', z: 'idx_str_1' } }],
  ['indexes that are a list', { fields, indexes: ['a'] }],
  ['something else', { fields, title: 'T' }],
  ['tables that are a list', { tables: [] }],
  ['no tables', { tables: {} }],
  ['a table that is null', { tables: { t: null } }],
  ['a table without fields', { tables: { t: {} } }],
  ['tables in a table', { tables: { t: { fields, tables: {} } } }],
  ['a table without a name', { tables: { ' ': { fields } } }],
])('a schema with %s is refused with 422 by field, on POST and on PATCH', async (_, schema) => {
  const { as, postDatabase } = await flexDatabase({ schema: { fields } });
  expect((await postDatabase({ schema })).body).toEqual({ errors: { schema: expect.any(Array) } });
  expect((await as('PATCH', '/flex/dbs/d.json', { db: { schema } })).status).toBe(422);
  expect((await as('GET', '/flex/dbs/d.json')).body).toMatchObject({ schema: { fields } });
});

test('a refused schema is answered with the path of each problem', async () => {
  const { postDatabase } = await flexSandbox();
  const { body } = await postDatabase({ schema: { tables: { t: { fields: { a: 'money', b: 1 } } } } });
  const messages = [/^tables\.t\.fields\.a /, /^tables\.t\.fields\.b /].map((start) => expect.stringMatching(start));
  expect(body).toEqual({ errors: { schema: messages } });
});

describe('types', () => {
  test.each<[type: string, sent: unknown[], kept: unknown[]]>([
    ['string', ['x', '', 7], ['x', '', '7']],
    ['text', [true], ['true']],
    ['integer', [7, '-7', 7.0, ''], [7, -7, 7, null]],
    ['number', [1.5, '100.0', '-.5e1'], [1.5, 100, -5]],
    ['boolean', [true, '0', 1, 'false'], [true, false, true, false]],
    ['datetime', ['2026-03-01T12:00:00+02:00', '2026-03-01'], ['2026-03-01T10:00:00.000Z', '2026-03-01T00:00:00.000Z']],
    ['datetime', ['2026-03-01T12:00:00'], ['2026-03-01T12:00:00.000Z']],
    ['date', ['2026-02-28', null], ['2026-02-28', null]],
    ['time', ['09:30', '23:59:59'], ['09:30:00', '23:59:59']],
  ])('a %s keeps %j as %j', async (type, sent, kept) => {
    const { makeRecord } = await flexDatabase({ schema: { fields: { f: type } } });
    for (const [index, f] of sent.entries()) expect((await makeRecord({ f })).data).toEqual({ f: kept[index] });
  });

  test.each<[type: string, wrong: unknown[]]>([
    ['string', [{}]],
    ['text', [['x']]],
    ['integer', [1.5, '1.5', 'x', '9223372036854775808', true]],
    ['number', ['x', '1e999', '0x10', []]],
    ['boolean', ['yes', 2]],
    ['datetime', ['tomorrow', 1767225600, '2026-02-30T10:00:00Z']],
    ['date', ['2026-02-30', '2026-02-28T10:00:00Z']],
    ['time', ['24:00', ['10:00']]],
  ])('a %s refuses %j with 422 by field', async (type, wrong) => {
    const { postRecord } = await flexDatabase({ schema: { fields: { f: type, g: type } } });
    for (const f of wrong) expect(await postRecord({ data: { f, g: null } }), String(f)).toMatchObject(refusal('f'));
  });
});

describe('required', () => {
  const schema = {
    fields: { a: { type: 'string', required: true }, b: { type: 'integer', required: true }, c: 'string' },
  };

  test('a field that is absent, null or empty is missing, and one that is false or 0 is not', async () => {
    const { postRecord } = await flexDatabase({ schema });
    for (const data of [{}, { a: null, b: null }, { a: '', b: '' }]) {
      expect(await postRecord({ data })).toMatchObject(refusal('a', 'b'));
    }
    expect((await postRecord({ data: { a: '0', b: 0 } })).status).toBe(201);
  });

  test('applies only within its own table', async () => {
    const tables = { strict: schema, free: { fields: { a: 'string' } } };
    const { postRecord } = await flexDatabase({ schema: { tables } });
    expect(await postRecord({ table_name: 'strict', data: { c: 'x' } })).toMatchObject(refusal('a', 'b'));
    expect((await postRecord({ table_name: 'free', data: { c: 'x' } })).status).toBe(201);
  });
});
