import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DB, DBS, flexShop } from './support.ts';

const tables = '{ flexDb(id: "shop") { tables { name fields { name type required indexColumn } } } }';

/** A field as `tables` reads it. */
const field = (name: string, type: string | null, indexColumn: string | null = null, required = false) => ({
  ...{ name, type, required, indexColumn },
});

/** Reads a database whose schema upstream sends like this. */
async function read(schema: unknown) {
  const { execute } = await gatewayOverAnswers({ 'GET /flex/dbs/shop.json': { id: 'a', schema } });
  return execute(tables);
}

/** The index column of each field of the first table. */
async function columns(schema: object) {
  const { ask } = await gatewayOverAnswers({ 'GET /flex/dbs/shop.json': { id: 'a', schema } });
  const data = await ask('{ flexDb(id: "shop") { tables { fields { name indexColumn } } } }');
  const pairs = [...JSON.stringify(data).matchAll(/"name":"(\w+)","indexColumn":("(\w+)"|null)/g)];
  return Object.fromEntries(pairs.map(([, name = '', , column = null]) => [name, column]));
}

describe('FlexDb.tables', () => {
  test('a single-table schema is one table without a name; its fields are types or objects', async () => {
    const { ask, sandbox } = await flexShop([], {
      schema: {
        fields: {
          name: 'string',
          about: 'text',
          stock: { type: 'integer', required: true },
          price: { type: 'number', required: false },
          active: { type: 'boolean' },
          sold_at: 'datetime',
          listed_on: 'date',
          opens: 'time',
        },
        indexed_fields: ['name', 'stock', 'listed_on'],
      },
    });

    const fields = [
      field('name', 'STRING', 'idx_str_1'),
      field('about', 'TEXT'),
      field('stock', 'INTEGER', 'idx_int_1', true),
      field('price', 'NUMBER'),
      field('active', 'BOOLEAN'),
      field('sold_at', 'DATETIME'),
      field('listed_on', 'DATE', 'idx_time_1'),
      field('opens', 'TIME'),
    ];
    expect(await ask(tables)).toEqual({ flexDb: { tables: [{ name: null, fields }] } });
    expect(sandbox.calls()).toEqual([DB]);
  });

  test('tables keep the order of the schema, and `required` and indexes apply within each table', async () => {
    const { ask } = await flexShop([], {
      schema: {
        tables: {
          orders: { fields: { name: { type: 'string', required: true } }, indexed_fields: ['name'] },
          clients: { fields: { age: 'integer', name: 'text' }, indexed_fields: ['name', 'age'] },
        },
      },
    });

    expect(await ask(tables)).toEqual({
      flexDb: {
        tables: [
          { name: 'orders', fields: [field('name', 'STRING', 'idx_str_1', true)] },
          { name: 'clients', fields: [field('age', 'INTEGER', 'idx_int_1'), field('name', 'TEXT', 'idx_str_1')] },
        ],
      },
    });
  });

  test('a database without a schema has no tables', async () => {
    const { ask } = await flexShop();

    const data = await ask('{ flexDb(id: "shop") { tables { name } schema } }');
    expect(data).toEqual({ flexDb: { tables: null, schema: null } });
  });

  test('FlexDb.schema returns the schema as it is stored', async () => {
    const schema = { fields: { z: 'string', a: { required: true, type: 'text' } }, indexed_fields: ['z'] };
    const { ask } = await flexShop([], { schema });

    expect(JSON.stringify(await ask('{ flexDb(id: "shop") { schema } }'))).toBe(JSON.stringify({ flexDb: { schema } }));
  });

  test('a schema that the list lacks is read by id when it is selected', async () => {
    const { execute, received } = await gatewayOverAnswers({
      [DBS]: [{ id: 'a', name: 'Shop' }],
      'GET /flex/dbs/a.json': { id: 'a', schema: { fields: {} } },
    });

    expect((await execute('{ flexDbs { name } }')).errors).toEqual([]);
    expect(received).toEqual([DBS]);
    expect((await execute('{ flexDbs { tables { name } schema code } }')).data).toEqual({
      flexDbs: [{ tables: [{ name: null }], schema: { fields: {} }, code: null }],
    });
    expect(received.slice(1)).toEqual([DBS, 'GET /flex/dbs/a.json']);
  });
});

describe('the index column of a field', () => {
  const fields = {
    s1: 'string',
    s2: 'text',
    s3: 'string',
    s4: 'string',
    i1: 'integer',
    i2: 'number',
    i3: 'integer',
    t1: 'date',
    t2: 'time',
    t3: 'datetime',
    b: 'boolean',
  };
  const none = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

  test('is computed from the type, in the order of `indexed_fields`, up to the number of columns', async () => {
    const indexed_fields = ['s4', 't3', 'b', 'i2', 's1', 'i3', 's3', 's2', 't1', 'i1', 't2'];
    const texts = { s4: 'idx_str_1', s1: 'idx_str_2', s3: 'idx_str_3' };
    const expected = { ...none, ...texts, i2: 'idx_int_1', i3: 'idx_int_2', t3: 'idx_time_1', t1: 'idx_time_2' };

    expect(await columns({ fields, indexed_fields })).toEqual(expected);
    const full = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type, required: true }]));
    expect(await columns({ tables: { all: { fields: full, indexed_fields } } })).toEqual(expected);
  });

  test('is null without indexes', async () => {
    expect(await columns({ fields })).toEqual(none);
    expect(await columns({ fields, indexed_fields: [] })).toEqual(none);
    expect(await columns({ fields, indexed_fields: null, indexes: null })).toEqual(none);
  });

  test.each([
    ['a column to a field', { idx_str_3: 's1', idx_int_1: 'i3' }],
    ['a field to a column, as the document describes them', { s1: 'idx_str_3', i3: 'idx_int_1' }],
  ])('is taken from `indexes` that map %s', async (_form, indexes) => {
    expect(await columns({ fields, indexes })).toEqual({ ...none, s1: 'idx_str_3', i3: 'idx_int_1' });
  });

  test('ignores a repeated entry and an unknown field of `indexed_fields`', async () => {
    expect(
      await columns({ fields, indexed_fields: ['s1', 's1', 'gone', 'constructor', '__proto__', 7, 's2'] }),
    ).toEqual({ ...none, s1: 'idx_str_1', s2: 'idx_str_2' });
  });

  test('is the column that the sandbox fills: a search by each indexed field finds its record', async () => {
    const { ask } = await flexShop([{ s1: 'one', s4: 'four', i2: 1.5, t3: '2026-03-01T08:00:00Z' }], {
      schema: { fields, indexed_fields: Object.keys(fields).filter((f) => f !== 'b') },
    });

    for (const [field, value] of [
      ['s1', 'one'],
      ['s4', 'four'],
      ['i2', 1.5],
      ['t3', '2026-03-01T10:00:00+02:00'],
    ]) {
      const data = await ask(
        `query ($field: String!, $value: JSON!) {
          flexDb(id: "shop") { search(filter: [{ field: $field, is: { equals: $value } }]) { nodes { data(fields: ["s1"]) } } }
        }`,
        { variables: { field, value } },
      );
      expect(data).toEqual({ flexDb: { search: { nodes: [{ data: { s1: 'one' } }] } } });
    }
  });
});

describe('a schema that is not as documented', () => {
  test('an invalid field definition fails its own GraphQL fields only', async () => {
    const { data, errors } = await read({ fields: { odd: 'blob', fine: { type: 'text', required: '1' }, none: null } });

    const fields = [field('odd', null), field('fine', 'TEXT', null, true), field('none', null)];
    expect(data).toEqual({ flexDb: { tables: [{ name: null, fields }] } });
    expect(errors).toMatchObject([
      { path: ['flexDb', 'tables', 0, 'fields', 0, 'type'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);
  });

  test.each([['text'], [[1]], [{ fields: [] }], [{ tables: [] }]])(
    'the schema %j fails `tables` only',
    async (schema) => {
      const { execute } = await gatewayOverAnswers({ 'GET /flex/dbs/shop.json': { id: 'a', name: 'Shop', schema } });

      const { data, errors } = await execute('{ flexDb(id: "shop") { name tables { name } } }');

      expect(data).toEqual({ flexDb: { name: 'Shop', tables: null } });
      expect(errors).toMatchObject([{ path: ['flexDb', 'tables'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    },
  );

  test('a field may be called __proto__ or constructor', async () => {
    const { data } = await read(
      JSON.parse('{"fields":{"__proto__":"text","constructor":"string"},"indexed_fields":["__proto__"]}'),
    );

    const fields = [field('__proto__', 'TEXT', 'idx_str_1'), field('constructor', 'STRING')];
    expect(data).toEqual({ flexDb: { tables: [{ name: null, fields }] } });
  });
});
