import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { textFile } from './snapshot-files.ts';
import { mappedSnapshot } from './support.ts';
import { LongNumber } from '../../src/formats/long-numbers.ts';

const LIST = 'GET /flex/dbs/7/records.json';
const CREATED = 'POST /flex/dbs/7/records.json';

const fields = {
  title: 'string',
  count: 'integer',
  price: 'number',
  done: 'boolean',
  due_at: 'datetime',
  day: 'date',
  at: 'time',
  place: 'geo',
};
const shop = { id: '7', code: 'shop', schema: { fields } };
const tables = { id: '7', code: 'shop', schema: { tables: { tasks: { fields: { title: 'string' } } } } };

/** A gateway over an upstream with these responses, and the types of a database. */
async function typedAnswers(database: object, answers: Readonly<Record<string, unknown>>, mapping = {}) {
  const FLEX_SCHEMA = await textFile(mappedSnapshot([{ id: '7', ...database }], mapping));
  return gatewayOverAnswers(answers, { FLEX_SCHEMA });
}

const search = (query: string) => `GET /flex/dbs/7/search.json?sort=id&${query}&limit=20&offset=0`;

test.each([
  ['Sat May 01 08:00:00 +0200 2010', '2010-05-01T08:00:00+02:00', '2010-05-01'],
  ['Sat, 01 May 2010 08:00:00 +0000', '2010-05-01T08:00:00+00:00', '2010-05-01'],
  ['2010-05-01 08:00:00 +02', '2010-05-01T08:00:00+02:00', '2010-05-01'],
  [1_272_700_800, '2010-05-01T08:00:00Z', null],
])('the datetime %j is %s, as in the other APIs, and the date %s', async (written, dueAt, day) => {
  const row = { id: 1, created_at: written, due_at: written, day: written };
  const { execute } = await typedAnswers(shop, { [search('fields=due_at%2Cday')]: [row] });

  expect((await execute('{ shop { rows { nodes { createdAt dueAt day } } } }')).data).toEqual({
    shop: { rows: { nodes: [{ createdAt: dueAt, dueAt, day }] } },
  });
});

describe('a value that does not fit the type of its field', () => {
  test('costs its own field alone', async () => {
    const row = {
      id: 1,
      created_at: 'yesterday',
      title: { a: 1 },
      count: 'a dozen',
      price: 'cheap',
      done: 'maybe',
      due_at: 'tomorrow',
      day: '2026-02-30',
      at: [8],
      place: { lat: 1 },
    };
    const selected = 'title,count,price,done,due_at,day,at,place';
    const { execute } = await typedAnswers(shop, { [search(`fields=${encodeURIComponent(selected)}`)]: [row] });

    const { data, errors } = await execute(
      '{ shop { rows { nodes { upstreamId createdAt title count price done dueAt day at place } } } }',
    );

    const names = ['createdAt', 'title', 'count', 'price', 'done', 'dueAt', 'day', 'at'];
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    expect(data).toEqual({ shop: { rows: { nodes: [{ ...nulls, upstreamId: '1', place: { lat: 1 } }] } } });
    expect(new Set(errors.map(({ path }) => path?.join('.')))).toEqual(
      new Set(names.map((name) => `shop.rows.nodes.0.${name}`)),
    );
    expect(new Set(errors.map(({ extensions }) => extensions['code']))).toEqual(new Set(['UPSTREAM_BAD_RESPONSE']));
  });

  test('is read in the other forms that fit', async () => {
    const row = { id: 1, title: 7, count: '12', price: 1.5, done: 'true', due_at: '2026-03-01', place: 3 };
    const selected = 'title,count,price,done,due_at,place';
    const { ask } = await typedAnswers(shop, { [search(`fields=${encodeURIComponent(selected)}`)]: [row] });

    expect(await ask('{ shop { rows { nodes { title count price done dueAt place } } } }')).toEqual({
      shop: {
        rows: {
          nodes: [{ title: '7', count: 12, price: '1.5', done: true, dueAt: '2026-03-01T00:00:00Z', place: 3 }],
        },
      },
    });
  });
});

test('fields of the data that a search cannot return are read from the list of records, once', async () => {
  const shadowed = { ...shop, schema: { fields: { id: 'string', created_at: 'datetime', title: 'string' } } };
  const rows = [1, 2].map((id) => ({
    id,
    data: { id: `own ${id}`, created_at: '2026-01-01T00:00:00Z', title: 'a' },
    created_at: '2026-05-05T00:00:00Z',
  }));
  const { execute, ask, received } = await typedAnswers(
    shadowed,
    {
      [search('fields=title')]: rows.map(({ id }) => ({ id, title: 'a', created_at: '2026-05-05T00:00:00Z' })),
      [LIST]: rows,
    },
    { id: 'ownId', created_at: 'ownTime' },
  );

  const data = await ask('{ shop { rows { nodes { upstreamId title ownId ownTime createdAt } } } }');
  const inputs = await execute(
    '{ filter: __type(name: "ShopRowFilter") { inputFields { name } } sort: __type(name: "ShopRowSort") { enumValues { name } } }',
  );
  expect(data).toEqual({
    shop: {
      rows: {
        nodes: ['1', '2'].map((upstreamId) => ({
          upstreamId,
          title: 'a',
          ownId: `own ${upstreamId}`,
          ownTime: '2026-01-01T00:00:00Z',
          createdAt: '2026-05-05T00:00:00Z',
        })),
      },
    },
  });
  expect(received).toEqual([search('fields=title'), LIST]);
  expect(inputs.data).toEqual({
    filter: { inputFields: [{ name: 'title' }] },
    sort: { enumValues: ['ID', 'CREATED_AT', 'UPDATED_AT', 'TITLE'].map((name) => ({ name })) },
  });
});

test('rows that cannot be read are errors of the list, beside the others', async () => {
  const { execute } = await typedAnswers(shop, { [search('fields=title')]: [{ id: 1, title: 'a' }, 'broken'] });

  const { data, errors } = await execute('{ shop { rows { nodes { title } } } }');

  expect(data).toEqual({ shop: { rows: { nodes: [{ title: 'a' }] } } });
  expect(errors).toMatchObject([{ path: ['shop', 'rows'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

describe('records of no table', () => {
  const rows = [
    { id: 1, table_name: 'tasks', data: { title: 'a' } },
    { id: 2, table_name: null, data: { any: ['thing'] } },
  ];
  const untabled = { id: 'ShopUntabled:2', upstreamId: '2', data: { any: ['thing'] } };

  test('have a type of their own, and come from the list of the database', async () => {
    const { ask, received } = await typedAnswers(tables, { [LIST]: rows });

    const data = await ask(`{
      shop { untabled { nodes { id upstreamId data } } task(id: "2") { id } }
      node(id: "ShopUntabled:2") { ... on ShopUntabled { id upstreamId data } }
      other: node(id: "ShopUntabled:1") { id }
    }`);
    expect(data).toEqual({ shop: { untabled: { nodes: [untabled] }, task: null }, node: untabled, other: null });
    expect(received).toEqual([LIST]);
  });

  test('cannot be told where upstream does not send the tables of records', async () => {
    const { execute } = await typedAnswers(tables, {
      [LIST]: [{ id: 1, data: {} }],
      'GET /flex/dbs/7.json': tables,
    });

    const { data, errors } = await execute('{ shop { untabled { nodes { id } } task(id: "1") { id } } }');

    expect(data).toEqual({ shop: { untabled: null, task: null } });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']])).toEqual(
      expect.arrayContaining([
        ['shop.untabled', 'UPSTREAM_BAD_RESPONSE'],
        ['shop.task', 'UPSTREAM_BAD_RESPONSE'],
      ]),
    );
  });
});

describe('a creation whose response', () => {
  const creation =
    'mutation { createShopRow(input: { title: "a", count: "9007199254740993" }) { ... on ShopRow { id title count done } } }';

  test('holds the id alone is read from the list', async () => {
    const { ask, received } = await typedAnswers(shop, {
      [CREATED]: { id: 9 },
      [LIST]: [{ id: 9, data: { title: 'a', count: 9, done: true } }],
    });

    expect(await ask(creation)).toEqual({ createShopRow: { id: 'ShopRow:9', title: 'a', count: 9, done: true } });
    expect(received).toEqual([CREATED, LIST]);
  });

  test('holds the id alone, and cannot be read, shows what was sent, with all digits', async () => {
    const { ask, sent } = await typedAnswers(shop, { [CREATED]: { id: 9 } });

    expect(await ask(creation)).toEqual({
      createShopRow: { id: 'ShopRow:9', title: 'a', count: '9007199254740993', done: null },
    });
    expect(sent[0]).toBe('{"record":{"data":{"title":"a","count":9007199254740993}}}');
  });

  test('holds no id is an error of the id, and says that the record was created', async () => {
    const { execute } = await typedAnswers(shop, { [CREATED]: {} });

    const { errors } = await execute('mutation { createShopRow(input: { title: "a" }) { ... on ShopRow { id } } }');

    expect(errors).toMatchObject([{ path: ['createShopRow', 'id'], extensions: { outcome: 'APPLIED' } }]);
  });
});

test('a number keeps its digits in a read, and in an update of another field', async () => {
  const price = new LongNumber('12345678.90123456789');
  const { ask, sent } = await typedAnswers(shop, {
    [LIST]: [{ id: 9, table_name: null, data: { title: 'a', price, size: price } }],
    'PATCH /flex/dbs/7/records/9.json': { id: 9, data: { title: 'b', price, size: price } },
  });

  const data = await ask(
    'mutation { updateShopRow(id: 9, input: { title: "b" }) { ... on ShopRow { title price extra } } }',
  );
  expect(data).toEqual({
    updateShopRow: { title: 'b', price: '12345678.90123456789', extra: { size: '12345678.90123456789' } },
  });
  expect(sent.at(-1)).toBe(
    '{"record":{"data":{"title":"b","price":12345678.90123456789,"size":12345678.90123456789}}}',
  );
});

test('a public creation sends an integer with all of its digits', async () => {
  const { ask, sent } = await typedAnswers(
    { ...shop, public_methods: { create: true, get: true } },
    { 'POST /flex/db/shop/create': { id: 9, data: { title: 'a' } } },
  );

  await ask(
    'mutation { createPublicShopRow(input: { title: "a", count: "9007199254740993", price: "1.5", done: null }) { __typename } }',
  );
  expect(sent).toEqual(['{"data":{"title":"a","count":9007199254740993,"price":1.5}}']); // null is as if left out
});
