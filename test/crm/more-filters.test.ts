import { describe, expect, test } from 'vitest';
import { crmGateway, crmOver, expectKept, type Kept, type List, listed, of } from './support.ts';

// Null tests, alternatives, ids in other systems, additional fields, and texts as people type them.

/** The records that a filter keeps. */
const left = (list: List, filter: string, records: readonly object[]) => listed(list, `filter: ${filter}`, records);

const ids = of('responsible_id', 5, null, 6, '');
const external = of('external_ids', { shop: 'A-1' }, { shop: 'a-1', ledger: 'A-1' }, null, {}, { shop: 7 });

const ofClients: readonly Kept[] = [
  ['isNull: [EMAIL]', of('email', 'a@b', null, ''), '2 3'],
  ['isNotNull: [EXTERNAL_IDS]', external, '1 2 5'],
  ['anyOf: [{ text: "a" }, { kinds: [SELLER] }]', [{ name: 'A' }, { name: 'b', kind: 'seller' }, { name: 'c' }], '1 2'],
  // ids in other systems
  ['externalId: { system: "shop", value: "A-1" }', external, '1'],
  ['externalId: { system: "shop", value: "7" }', external, '5'],
  ['externalId: { value: "A-1" }', [...external, { external_id: 'A-1' }], '1 2 6'],
  ['externalId: { value: "A-1" }', of('external_id', 'A-1', 'A-2', null), '1'],
  // texts
  ['text: "600100200"', of('phone', '+48 600-100-200', '600 100 201', null, 600100200), '1 4'],
  ['text: "600 100-200"', of('mobile_phone', '+48600100200', '600-100-200'), '1 2'],
  ['text: "1234567890"', of('tax_no', 'PL 123-456-78-90', '123-456-78-91'), '1'],
  ['text: "123"', of('name', '1-2-3', 'x123'), '2'],
  ['text: "lodz"', of('name', 'Zakład Łódź', 'Lublin'), '1'],
  ['text: "ada love"', [{ first_name: 'Ada', last_name: 'Lovelace' }, { first_name: 'Ada' }], '1'],
  ['text: "lovelace ada"', [{ first_name: 'Ada', last_name: 'Lovelace' }, { last_name: 'Lovelace' }], '1'],
  ['emails: ["ADA@example.com "]', of('email', 'ada@example.com', 'nada@example.com', null), '1'],
  ['cities: ["lodz", "Paris"]', of('city', 'Łódź', ' paris', 'Parisien', null), '1 2'],
  ['countries: ["polska"]', of('country', 'Polska', 'PL'), '1'],
  ['creatorIds: [5]', of('creator_id', 5, 6, null), '1'],
  ['departmentIds: [5], projectIds: [6]', [{ department_id: 5, project_id: '6' }, { department_id: 5 }], '1'],
  ['customFields: [{ key: STRING1, in: ["walnut", "oak"] }]', of('string1', 'Walnut', 'oaken', 'OAK', null), '1 3'],
  ['customFields: [{ key: TEXT10, text: "dab" }]', of('text10', 'Stół: dąb', 'x'), '1'],
  ['customFields: [{ key: CHECKBOX1, checked: true }]', of('checkbox1', '1', true, 0, null), '1 2'],
  ['customFields: [{ key: CHECKBOX1, checked: false }]', of('checkbox1', '1', true, 0, null), '3 4'],
  ['customFields: [{ key: DECIMAL2, min: "1.5", max: 2 }]', of('decimal2', '1.50', 2, '2.01', null), '1 2'],
  ['customFields: [{ key: INTEGER1, min: 10 }]', of('integer1', 9, '10', null), '2'],
  [
    'customFields: [{ key: DATE1, from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z" }]',
    of('date1', '2026-03-01', '2026-03-02', '2026-02-28', null),
    '1',
  ],
  [
    'customFields: [{ key: DATETIME1, from: "2026-03-01T08:00:00Z" }]',
    of('datetime1', '2026-03-01T08:00:00Z', null),
    '1',
  ],
  ['customFields: [{ key: STRING1, isNull: true }]', of('string1', 'x', '', null), '2 3'],
  [
    'customFields: [{ key: STRING1, in: "a" }, { key: STRING2, isNull: false }]',
    [{ string1: 'a', string2: 'b' }, { string1: 'a' }],
    '1',
  ],
];

const ofPosts: readonly Kept[] = [
  // null tests
  ['isNull: [RESPONSIBLE]', [...ids, {}], '2 4 5'],
  ['isNotNull: [RESPONSIBLE]', [...ids, {}], '1 3'],
  ['isNull: RESPONSIBLE, isNotNull: CLIENT', [{ responsible_id: null, client_id: 1 }, { client_id: null }], '1'],
  ['isNull: [TAGS]', of('tags', 'a', '', [], null), '2 3 4'],
  ['isNull: [SCHEDULED_AT, PARENT]', [{ scheduled_at: null, post_id: 1 }, { scheduled_at: '' }], '2'],
  ['isNull: []', ids, '1 2 3 4'],
  // alternatives: mine or unassigned
  ['anyOf: [{ responsibleIds: [5] }, { isNull: [RESPONSIBLE] }]', ids, '1 2 4'],
  ['anyOf: []', ids, '1 2 3 4'],
  ['responsibleIds: [6], anyOf: [{ responsibleIds: [5, 6] }]', ids, '3'],
  ['text: "jazn"', of('content', 'gęślą jaźń', 'jam'), '1'],
  ['tags: ["pilne", "debowe"]', of('tags', 'Pilne, dębowe', 'pilne'), '1'],
  [
    'emails: ["ada@example.com"]',
    [
      { email: 'ADA@example.com' },
      { email_to: 'Bo <bo@example.com>, Ada <ada@example.com>' },
      { email_cc: 'nada@example.com' },
      { email_bcc: 'x@example.com;ada@example.com' },
      { email_recipient: 'ada@example.com' },
      { email_reply_to: '<ada@example.com>' },
    ],
    '1 2 4 5 6',
  ],
  ['parentIds: ["Post:1", 2]', of('post_id', 1, '2', 3, null), '1 2'],
  ['priorities: ["high", "1"]', of('priority', 'High', 1, 'low', 10, null), '1 2'],
  ['answered: true', of('answered', true, '1', false, null), '1 2'],
  ['answered: false', of('answered', true, '1', false, null), '3 4'],
  ['spamKinds: ["ham"]', of('spam_kind', 'Ham', 'spam', null), '1'],
  ['spamScore: { min: "5" }', of('spam_score', '5.0', 4.9, null), '1'],
];

const ofDeals: readonly Kept[] = [
  ['isNull: [PRICE]', of('price', 0, '0', null), '3'],
  ['isNotNull: [CLIENT]', of('client', { id: 5 }, null, {}), '1'],
  [
    'anyOf: { clientIds: "Client:1", text: "x" }',
    [
      { client_id: 1, name: 'x' },
      { client_id: 1, name: 'y' },
    ],
    '1',
  ],
  ['externalId: { system: "ledger", value: "A-1" }', external, '2'],
];

test.each<[List, ...Kept]>([
  ...ofClients.map((row): [List, ...Kept] => ['clients', ...row]),
  ...ofPosts.map((row): [List, ...Kept] => ['posts', ...row]),
  ...ofDeals.map((row): [List, ...Kept] => ['deals', ...row]),
])('%s(filter: { %s }) keeps the matching records, in the order of the list, in one call', expectKept);

describe('a condition that cannot be', () => {
  test.each<[List, string, string]>([
    ['clients', '{ anyOf: [{}, { contactIds: [1, "Client:1"] }] }', 'filter.anyOf.1.contactIds.1'],
    ['clients', '{ contactIds: [1, "Client:1"] }', 'filter.contactIds.1'],
    ['posts', '{ clientIds: ["Post:1"] }', 'filter.clientIds.0'],
    ['posts', '{ parentIds: ["Client:1"] }', 'filter.parentIds.0'],
    ['deals', '{ clientIds: ["Client:1", "Deal:1"] }', 'filter.clientIds.1'],
    ['clients', '{ customFields: [{ key: STRING1, min: 1 }] }', 'filter.customFields.0.min'],
    ['clients', '{ customFields: [{ key: INTEGER1, in: ["1"] }] }', 'filter.customFields.0.in'],
    [
      'clients',
      '{ anyOf: { customFields: [{ key: DATE1, checked: true }] } }',
      'filter.anyOf.0.customFields.0.checked',
    ],
    ['clients', '{ customFields: [{ key: DATE1 }, { key: DATE1 }] }', 'filter.customFields.1.key'],
    ['deals', `{ anyOf: [${'{} '.repeat(21)}] }`, 'filter.anyOf'],
    ['deals', `{ text: "${'ż'.repeat(201)}" }`, 'filter.text'],
    ['posts', `{ anyOf: { text: "${'a'.repeat(201)}" } }`, 'filter.anyOf.0.text'],
    ['clients', `{ customFields: [{ key: TEXT10, text: "${'a'.repeat(201)}" }] }`, 'filter.customFields.0.text'],
  ])('%s(filter: %s) is refused at %s before any call', async (list, filter, field) => {
    const { data, errors, calls } = await left(list, filter, [{}]);
    expect(data).toEqual({ [list]: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field }] } }]);
    expect(calls).toEqual([]);
  });
});

describe.each([
  ['clientByExternalId', 'GET /app/clients.json', 'Client'],
  ['dealByExternalId', 'GET /app/deals.json', 'Deal'],
])('%s', (field, endpoint, type) => {
  const find = async (records: readonly object[], value = 'A-1') => {
    const { execute, calls } = await crmOver({ [endpoint]: records.map((record, at) => ({ id: at + 1, ...record })) });
    const query = `query ($value: String!) { found: ${field}(system: "shop", value: $value) { id } }`;
    return { ...(await execute(query, { variables: { value } })), calls: calls() };
  };

  test('finds the first record with the id, in one call', async () => {
    const { data, errors, calls } = await find(of('external_ids', { ledger: 'A-1' }, { shop: 'A-1' }, { shop: 'A-1' }));
    expect({ data, errors, calls }).toEqual({ data: { found: { id: `${type}:2` } }, errors: [], calls: [endpoint] });
  });

  test('is null where no record has the id', async () => {
    for (const records of [[], external]) {
      const { data, errors } = await find(records, 'none');
      expect({ data, errors }).toEqual({ data: { found: null }, errors: [] });
    }
  });

  test('is an error where the list does not tell the ids: null would invite a duplicate', async () => {
    const { data, errors } = await find([{ external_id: 'A-1' }]);
    expect(data).toEqual({ found: null });
    expect(errors).toMatchObject([{ path: ['found'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    expect(errors[0]?.message).toContain('`external_ids`');
  });

  test('is an error where the ids of a record cannot be read, unless another record has it', async () => {
    const odd = of('external_ids', 'odd', { shop: 'A-1' });
    expect((await find(odd)).data).toEqual({ found: { id: `${type}:2` } });
    const { data, errors } = await find(odd, 'A-2');
    expect(data).toEqual({ found: null });
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^1 row .* `external_ids` cannot be read/) }]);
  });
});

test('a list is ordered by several fields', async () => {
  const { execute } = await crmOver({
    'GET /app/deals.json': [
      { id: 1, name: 'b', price: 1 },
      { id: 2, name: 'a', price: 1 },
      { id: 3, name: 'a', price: 2 },
    ],
  });
  const { data, errors } = await execute(
    `query ($by: [DealOrder!]) {
    two: deals(orderBy: [{ field: NAME }, { field: PRICE, direction: DESC }]) { nodes { upstreamId } }
    one: deals(orderBy: { field: PRICE, direction: DESC }) { nodes { upstreamId } }
    by: deals(orderBy: $by) { nodes { upstreamId } }
    none: deals(orderBy: []) { nodes { upstreamId } }
    twice: deals(orderBy: [{ field: NAME }, { field: NAME, direction: DESC }]) { totalCount }
  }`,
    { variables: { by: { field: 'NAME' } } },
  );
  const nodes = (...upstreamIds: string[]) => ({ nodes: upstreamIds.map((upstreamId) => ({ upstreamId })) });
  expect(data).toEqual({
    two: nodes('3', '2', '1'),
    one: nodes('3', '1', '2'),
    by: nodes('2', '3', '1'),
    none: nodes('1', '2', '3'),
    twice: null,
  });
  expect(errors).toMatchObject([{ path: ['twice'], extensions: { fields: [{ field: 'orderBy.1.field' }] } }]);
});

test('a global id is refused where the CRM record has no type in the graph', async () => {
  const { execute, sandbox } = await crmGateway();
  const { errors } = await execute('{ clients(filter: { statusIds: [1, "Client:2"] }) { totalCount } }');
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'filter.statusIds.1' }] } }]);
  const { data } = await execute(
    'mutation { createClient(input: { name: "x", responsibleId: "User:5" }) { ... on ValidationError { fields { field } } } }',
  );
  expect(data).toEqual({ createClient: { fields: [{ field: 'responsibleId' }] } });
  expect(sandbox.calls()).toEqual([]);
});
