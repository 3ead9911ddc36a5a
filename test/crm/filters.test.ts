import { describe, expect, test } from 'vitest';
import { crmOver, expectKept, type Kept, type List, listed, of } from './support.ts';

// Every condition of the three filters, over lists that hold its values in all shapes.

/** The records that a filter keeps. */
const left = (list: List, filter: string, records: readonly object[]) => listed(list, `filter: ${filter}`, records);

/** The columns of ids take the same forms everywhere. */
const idColumn = (key: string, ...more: readonly unknown[]) => of(key, 5, '5', 6, null, '', '55', ...more);

const instants = (key: string) =>
  of(
    key,
    '2026-03-01T08:00:00Z',
    '2026-03-01T10:00:00+02:00',
    '2026-03-01T09:59:59+02:00',
    '2026-03-01T08:00:00',
    '2026-03-02T08:00:00Z',
    null,
    '',
  );
const range = '{ from: "2026-03-01T08:00:00Z", to: "2026-03-02T08:00:00Z" }';
const booleans = (key: string) => of(key, true, 1, '1', 'true', false, 0, '0', null, '');

const ofClients: readonly Kept[] = [
  ['text: "ADA"', [...of('name', 'Ada', 'Fada', 'Bo', null), { email: 'ada@x' }], '1 2 5'],
  ['text: "żó"', of('shortcut', 'ŻÓŁ', 'ZOL', 'ZAL'), '1 2'],
  ['text: "48"', [...of('phone', '+48', 48, '4 8'), { mobile_phone: '48' }, { tax_no: 148 }], '1 2 4 5'],
  [
    'text: "a b"',
    [{ first_name: 'a', last_name: 'b' }, { last_name: 'a b' }, { first_name: 'a b' }, { first_name: 'ab' }],
    '1 2 3',
  ],
  ['text: "x"', [{ name: 'y', note: 'x' }, { name: null }], ''],
  ['kinds: [BUYER]', of('kind', 'buyer', 'seller', null, 'partner', ''), '1'],
  ['kinds: [BUYER, SELLER]', of('kind', 'buyer', 'seller', null, 'partner'), '1 2'],
  ['kinds: []', of('kind', 'buyer', null), '1 2'],
  ['text: "  "', of('name', 'x', null), '1 2'],
  ['text: " x"', of('name', 'x', null), '1'],
  ['company: true', booleans('company'), '1 2 3 4'],
  ['company: false', booleans('company'), '5 6 7 8 9'],
  ['statusIds: [5]', idColumn('status_id'), '1 2'],
  ['categoryIds: ["5", 6]', idColumn('category_id'), '1 2 3'],
  ['responsibleIds: ["5"]', idColumn('responsible_id'), '1 2'],
  ['contactIds: ["Contact:5", 6]', idColumn('contact_id'), '1 2 3'],
  ['contactIds: []', idColumn('contact_id'), '1 2 3 4 5 6'],
  [`createdAt: ${range}`, instants('created_at'), '1 2 4'],
  [`updatedAt: ${range}`, instants('updated_at'), '1 2 4'],
  [`lastActivity: ${range}`, instants('last_activity'), '1 2 4'],
  ['createdAt: { from: "2026-03-01T08:00:00Z" }', instants('created_at'), '1 2 4 5'],
  ['createdAt: { to: "2026-03-01T08:00:00Z" }', instants('created_at'), '3'],
  ['createdAt: { to: "2026-03-01T08:00:00" }', instants('created_at'), '3'],
  ['createdAt: {}', instants('created_at'), '1 2 3 4 5'],
];

const ofPosts: readonly Kept[] = [
  [
    'text: "oak"',
    [{ title: 'Oak' }, { content: 'soaked' }, { abstract: 'OAK' }, { nick: 'oak' }, { title: 'x', answer: 'oak' }],
    '1 2 3 4',
  ],
  ['kinds: [ERROR, PRIVATE]', of('kind', 'error', 'private', 'praise', null), '1 2'],
  ['taskKinds: [ERROR]', of('task_kind', 'error', 'task', null, 'newer'), '1'],
  ['clientIds: ["Client:5", "6"]', idColumn('client_id'), '1 2 3'],
  ['statusIds: [5]', idColumn('status_id'), '1 2'],
  ['categoryIds: [5]', idColumn('category_id'), '1 2'],
  ['projectIds: [5]', idColumn('project_id'), '1 2'],
  ['responsibleIds: [5]', idColumn('responsible_id'), '1 2'],
  ['userIds: [5]', idColumn('user_id'), '1 2'],
  ['tags: ["OAK"]', of('tags', 'oak, urgent', ['Oak'], ['oaks'], null, '', [{ name: 'oak' }]), '1 2 6'],
  ['tags: ["urgent", "oak"]', of('tags', 'oak, urgent', ['oak'], ['URGENT', 'Oak', 'x']), '1 3'],
  ['tags: []', of('tags', 'oak', null), '1 2'],
  ['closed: true', booleans('closed'), '1 2 3 4'],
  ['closed: false', booleans('closed'), '5 6 7 8 9'],
  ['private: true', booleans('private'), '1 2 3 4'],
  ['unread: true', booleans('unread'), '1 2 3 4'],
  [`createdAt: ${range}`, instants('created_at'), '1 2 4'],
  [`updatedAt: ${range}`, instants('updated_at'), '1 2 4'],
  [`scheduledAt: ${range}`, instants('scheduled_at'), '1 2 4'],
];

const ofDeals: readonly Kept[] = [
  ['text: "x"', [{ name: 'X' }, { description: 'ox' }, { name: 'y', external_ids: { x: 'x' } }], '1 2'],
  ['clientIds: ["Client:5"]', idColumn('client_id'), '1 2'],
  ['price: { min: "10", max: "20.00" }', of('price', '9.99', '10.0', 20, '20.01', '1e1', null, '100'), '2 3 5'],
  ['price: { min: "9007199254740993" }', of('price', '9007199254740992.9', '9007199254740993', '1e300'), '2 3'],
  ['price: { max: 0 }', of('price', '-1.5', '-0.0', '0.01', null), '1 2'],
  ['price: { min: 20, max: 10 }', of('price', '15'), ''],
  ['price: {}', of('price', '15', null), '1'],
];

test.each<[List, ...Kept]>([
  ...ofClients.map((row): [List, ...Kept] => ['clients', ...row]),
  ...ofPosts.map((row): [List, ...Kept] => ['posts', ...row]),
  ...ofDeals.map((row): [List, ...Kept] => ['deals', ...row]),
])('%s(filter: { %s }) keeps the matching records, in the order of the list, in one call', expectKept);

describe('a row whose value cannot be read', () => {
  test.each<[List, filter: string, records: readonly object[], expected: readonly number[]]>([
    ['clients', '{ text: "a" }', of('name', 'a', {}, 'b'), [1]],
    ['clients', '{ company: true }', of('company', true, 'odd', false), [1]],
    ['clients', '{ company: false }', of('company', true, 'odd', false), [3]],
    ['clients', '{ statusIds: [5] }', of('status_id', 5, {}), [1]],
    ['clients', `{ createdAt: ${range} }`, of('created_at', '2026-03-01T08:00:00Z', 'soon', 5), [1]],
    ['posts', '{ isComment: false }', of('post_id', null, 1, {}), [1]],
    ['posts', '{ tags: ["oak"] }', of('tags', 'oak', 5), [1]],
    ['deals', '{ price: { min: 1 } }', of('price', '5', 'odd'), [1]],
    ['deals', '{ externalId: { system: "a", value: "1" } }', of('external_ids', { a: 1 }, 'odd'), [1]],
  ])('%s(filter: %s) is left out', async (list, filter, records, expected) => {
    expect((await left(list, filter, records)).ids).toBe(expected.join(' '));
  });
});

const records = [
  { post_id: null, task_kind: 'task' },
  { post_id: 1, task_kind: 'comment' },
  { post_id: '1', task_kind: 'task' },
  { post_id: 1, task_kind: null },
  { post_id: 1 },
  { post_id: null, task_kind: 'comment' },
  { post_id: '', task_kind: 'comment' },
];

test('a comment is a post with a parent whose task kind is comment or missing', async () => {
  expect((await left('posts', '{ isComment: true }', records)).ids).toBe('2 4 5');
  expect((await left('posts', '{ isComment: false }', records)).ids).toBe('1 3 6 7');
  expect((await left('posts', '{ isComment: null }', records)).ids).toBe('1 2 3 4 5 6 7');
});

test('conditions together must all hold; a null condition is ignored', async () => {
  const records = [
    { name: 'Ada', kind: 'buyer', status_id: 1 },
    { name: 'Ada', kind: 'seller', status_id: 1 },
    { name: 'Ada', kind: 'buyer', status_id: 2 },
    { name: 'Bo', kind: 'buyer', status_id: 1 },
  ];
  expect((await left('clients', '{ text: "ada", kinds: [BUYER], statusIds: [1] }', records)).ids).toBe('1');
  const nothing = '{ text: null, kinds: null, company: null, statusIds: null, createdAt: null }';
  expect((await left('clients', nothing, records)).ids).toBe('1 2 3 4');
  expect((await left('clients', 'null', records)).ids).toBe('1 2 3 4');
});

describe('a list whose records lack the key', () => {
  test.each<[List, string, string]>([
    ['clients', '{ company: true }', 'company'],
    ['clients', '{ kinds: [BUYER] }', 'kind'],
    ['clients', '{ statusIds: [1] }', 'status_id'],
    ['clients', '{ text: "x" }', 'tax_no'],
    ['clients', '{ createdAt: {} }', 'created_at'],
    ['posts', '{ tags: ["x"] }', 'tags'],
    ['posts', '{ isComment: false }', 'post_id'],
    ['deals', '{ price: { min: 1 } }', 'price'],
    ['posts', '{ isNull: [RESPONSIBLE] }', 'responsible_id'],
    ['clients', '{ externalId: { system: "shop", value: "1" } }', 'external_ids'],
    ['clients', '{ anyOf: [{}, { cities: ["y"] }] }', 'city'],
  ])('%s filtered by %s: the error names the missing key, and no empty list is returned', async (list, filter, key) => {
    const { data, errors } = await left(list, filter, [{}, {}]);
    expect(data).toEqual({ [list]: null });
    const message = expect.stringContaining(`\`${key}\``);
    expect(errors).toMatchObject([{ path: [list], message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test('can be filtered when one of its records has the key', async () => {
    expect((await left('clients', '{ company: true }', [{}, { company: 1 }, {}])).ids).toBe('2');
    expect((await left('clients', '{ text: "x" }', [{}, { tax_no: 'X' }])).ids).toBe('2');
  });

  test.each([
    [
      '{ client(id: 1) { deals(filter: { price: { min: 1 } }) { totalCount } } }',
      { client: { deals: { totalCount: 0 } } },
    ],
    ['{ client(id: 1) { deals(orderBy: { field: PRICE }) { totalCount } } }', { client: { deals: { totalCount: 1 } } }],
    ['{ deals(filter: { clientIds: [1] }, orderBy: { field: PRICE }) { totalCount } }', { deals: { totalCount: 1 } }],
  ])('the whole list counts, even when only a part of it is selected: %s', async (query, expected) => {
    const { ask } = await crmOver({
      'GET /app/clients/1.json': { id: 1 },
      'GET /app/deals.json': [
        { id: 1, client_id: 1 },
        { id: 2, client_id: 2, price: 5 },
      ],
    });
    expect(await ask(query)).toEqual(expected);
  });
});

test('instants and decimals in other forms are filtered as well', async () => {
  const from2010 = '{ createdAt: { from: "2010-05-01T06:00:00Z", to: "2010-05-02T00:00:00Z" } }';
  const written = [
    '2010/05/01 08:00:00 +0200',
    '2010-05-01 05:59:59 UTC',
    '2010-05-01 06:00:00',
    '2010-05-01',
    '2010/05/02',
    ...['Sat, 01 May 2010 06:00:00 GMT', 'Sat May 01 07:59:59 +0200 2010', '2010-05-01T09:00:00+03'],
    ...[1_272_693_600, '1272693599'],
  ];
  const found = await left('posts', from2010, of('created_at', ...written));
  expect(found).toMatchObject({ ids: '1 3 6 8 9', errors: [] });
  const prices = ['1 000,50', '1,000.49', '12,5', '1.000.501'];
  expect(await left('deals', '{ price: { min: "1000.5" } }', of('price', ...prices))).toMatchObject({
    ids: '1 4',
    errors: [],
  });
});

describe('a list without one value that can be read', () => {
  test.each<[List, filter: string, key: string, values: readonly unknown[], wanted: string]>([
    ['clients', '{ text: "x" }', 'name', [{}, ['x']], 'text'],
    ['clients', '{ kinds: [BUYER] }', 'kind', ['Buyer', 1], 'one of buyer, seller'],
    ['clients', '{ company: false }', 'company', ['yes', null], 'true or false'],
    ['clients', '{ contactIds: [5] }', 'contact_id', [5.5, null], 'an id'],
    ['clients', '{ lastActivity: {} }', 'last_activity', ['soon', ''], 'an instant'],
    ['posts', '{ isComment: true }', 'post_id', [{}, null], 'an id'],
    ['posts', '{ isComment: false }', 'post_id', [[1]], 'an id'],
    ['posts', '{ tags: ["x"] }', 'tags', [5, [['x']]], 'a tag'],
    ['posts', `{ createdAt: ${range} }`, 'created_at', ['soon', 5], 'an instant'],
    ['deals', '{ clientIds: [5] }', 'client_id', [{}, {}], 'an id'],
    ['deals', '{ price: { min: 1 } }', 'price', ['12.50 PLN', 'odd'], 'a decimal'],
  ])('%s filtered by %s: the error names the key and the expected type', async (list, filter, key, values, wanted) => {
    const { data, errors } = await left(list, filter, of(key, ...values));
    expect(data).toEqual({ [list]: null });
    expect(errors).toMatchObject([{ path: [list], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    expect(errors[0]?.message).toContain(`No value under \`${key}\` can be read`);
    expect(errors[0]?.message).toContain(`Expected ${wanted}`);
    expect(errors[0]?.message).not.toMatch(/soon|12\.50|odd|Buyer|yes/);
  });

  test('a list whose values are all null can be filtered: a range matches no record', async () => {
    expect(await left('posts', `{ createdAt: ${range} }`, of('created_at', null, ''))).toMatchObject({
      ids: '',
      errors: [],
    });
    expect((await left('clients', '{ company: false }', of('company', null))).ids).toBe('1');
  });

  test('readable values anywhere in the list suffice, even outside the part of one client', async () => {
    const { execute } = await crmOver({
      'GET /app/clients/1.json': { id: 1 },
      'GET /app/deals.json': [
        { id: 1, client_id: 1, price: 'odd' },
        { id: 2, client_id: 2, price: 5 },
      ],
    });
    const { data, errors } = await execute(
      '{ client(id: 1) { deals(filter: { price: { min: 1 } }) { totalCount } all: deals(orderBy: { field: PRICE }) { totalCount } } }',
    );
    expect(errors).toMatchObject([
      {
        message: '1 row was left out by the filter, because its `price` cannot be read.',
        path: ['client', 'deals'],
        extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
      },
    ]);
    expect(data).toEqual({ client: { deals: { totalCount: 0 }, all: { totalCount: 1 } } });
  });
});
