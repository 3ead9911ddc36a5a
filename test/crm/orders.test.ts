import { expect, test } from 'vitest';
import { crmOver, type List, listed, of } from './support.ts';

// Every order of the three lists, in both directions. Records without a value come last; ties keep the order of upstream.

const ordered = (list: List, orderBy: string, records: readonly object[]) =>
  listed(list, `orderBy: ${orderBy}`, records);

const names = ['b', 'A', null, 'a', 'ä', 'Z', 'b', '10', '9', {}];
const instants = [
  '2026-03-01T08:00:00Z',
  null,
  'Sun Mar 01 09:30:00 +0200 2026',
  'Sun, 01 Mar 2026 08:00:00 GMT',
  '',
  'soon',
  '2026-03-01T08:00:00.001Z',
  '2025-12-31T23:59:60Z',
  1_772_352_002,
];

const texts = { ascending: '9 8 4 2 5 1 7 6 3 10', descending: '6 1 7 5 2 4 8 9 3 10' };
const times = { ascending: '8 3 1 4 7 9 2 5 6', descending: '9 7 1 4 3 8 2 5 6' };

test.each<[List, field: string, records: readonly object[], ascending: string, descending: string]>([
  ['clients', 'ID', of('id', 10, '9', 'a10', 'a9', 1000, 1), '1 9 10 1000 a9 a10', 'a10 a9 1000 10 9 1'],
  ['clients', 'NAME', of('name', ...names), texts.ascending, texts.descending],
  ['clients', 'CREATED_AT', of('created_at', ...instants), times.ascending, times.descending],
  ['clients', 'UPDATED_AT', of('updated_at', ...instants), times.ascending, times.descending],
  ['clients', 'LAST_ACTIVITY', of('last_activity', ...instants), times.ascending, times.descending],
  ['posts', 'ID', of('id', '10', 9, 100), '9 10 100', '100 10 9'],
  ['posts', 'TITLE', of('title', ...names), texts.ascending, texts.descending],
  [
    'posts',
    'PRIORITY',
    of('priority', 10, '9', 'high', null, 2, 'low', '2', 1.5),
    '8 5 7 2 1 3 6 4',
    '6 3 1 2 5 7 8 4',
  ],
  ['posts', 'PRIORITY', of('priority', -1, 1, -2, 0, 1.25, 1.3), '3 1 4 2 5 6', '6 5 2 4 1 3'],
  ['posts', 'CREATED_AT', of('created_at', ...instants), times.ascending, times.descending],
  ['posts', 'UPDATED_AT', of('updated_at', ...instants), times.ascending, times.descending],
  ['posts', 'SCHEDULED_AT', of('scheduled_at', ...instants), times.ascending, times.descending],
  ['deals', 'ID', of('id', 3, 20, 100), '3 20 100', '100 20 3'],
  ['deals', 'NAME', of('name', ...names), texts.ascending, texts.descending],
  [
    'deals',
    'PRICE',
    of('price', '10', '9.5', null, '9007199254740993.1', '9007199254740993', -2, '-10', '1e1', 'odd', '', '9.50'),
    '7 6 2 11 1 8 5 4 3 9 10',
    '4 5 1 8 2 11 6 7 3 9 10',
  ],
])('%s by %s, in both directions, upwards unless told otherwise', async (...row) => {
  const [list, field, records, ascending, descending] = row;
  for (const orderBy of [`{ field: ${field} }`, `{ field: ${field}, direction: ASC }`]) {
    expect(await ordered(list, orderBy, records), orderBy).toMatchObject({ ids: ascending, errors: [] });
  }
  expect((await ordered(list, `{ field: ${field}, direction: DESC }`, records)).ids).toBe(descending);
});

test.each<[List, string, string]>([
  ['clients', 'NAME', 'name'],
  ['clients', 'LAST_ACTIVITY', 'last_activity'],
  ['posts', 'SCHEDULED_AT', 'scheduled_at'],
  ['deals', 'PRICE', 'price'],
])('%s cannot be ordered by %s where their list does not tell it', async (list, field, key) => {
  const { data, errors } = await ordered(list, `{ field: ${field} }`, [{}, {}]);
  expect(data).toEqual({ [list]: null });
  const message = expect.stringContaining(`\`${key}\``);
  expect(errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

test.each<[List, string, string, readonly unknown[]]>([
  ['clients', 'NAME', 'name', [{}, null, []]],
  ['posts', 'CREATED_AT', 'created_at', ['soon', '', 5]],
  ['posts', 'PRIORITY', 'priority', [{ level: 1 }]],
  ['deals', 'PRICE', 'price', ['12.50 PLN', null]],
])('%s cannot be ordered by %s where none of their values can be read', async (list, field, key, values) => {
  const { data, errors } = await ordered(list, `{ field: ${field} }`, of(key, ...values));
  expect(data).toEqual({ [list]: null });
  const message = expect.stringMatching(`^No value under \`${key}\` can be read.* Expected `);
  expect(errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

test('a list in which a key is always null is in its own order', async () => {
  const { ids, errors } = await ordered('posts', '{ field: CREATED_AT }', of('created_at', null, '', null));
  expect({ ids, errors }).toEqual({ ids: '1 2 3', errors: [] });
});

test('an order goes over what a filter leaves, before a page is made of it', async () => {
  const deals = [5, 4, 3, 2, 1].map((price, index) => ({ id: index + 1, name: index % 2 ? 'x' : 'y', price }));
  const { execute } = await crmOver({ 'GET /app/deals.json': deals });
  const { data } = await execute(
    '{ deals(first: 2, filter: { text: "y" }, orderBy: { field: PRICE }) { totalCount nodes { upstreamId } } }',
  );
  expect(data).toEqual({ deals: { totalCount: 3, nodes: [{ upstreamId: '5' }, { upstreamId: '3' }] } });
});

test('a list in an order is the list of upstream to all others', async () => {
  const { execute } = await crmOver({ 'GET /app/deals.json': of('id', 3, 1, 2) });
  const { data } = await execute(
    '{ a: deals(orderBy: { field: ID }) { nodes { upstreamId } } b: deals { nodes { upstreamId } } }',
  );
  const nodes = (...ids: string[]) => ({ nodes: ids.map((upstreamId) => ({ upstreamId })) });
  expect(data).toEqual({ a: nodes('1', '2', '3'), b: nodes('3', '1', '2') });
});
