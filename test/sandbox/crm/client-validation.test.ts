import { describe, expect, test } from 'vitest';
import { crmSandbox, holding, refusal } from './support.ts';

test('all errors of a client are reported at once, on POST and on PUT', async () => {
  const { post, makeClient, putClient } = await crmSandbox();
  const wrong = {
    name: ' ',
    email: 'ada',
    kind: 'thief',
    discount: 'much',
    integer1: 'one',
    checkbox2: 'perhaps',
    date3: '2026-02-30',
    datetime4: 'noon',
    contact_id: 7,
    external_ids: [],
  };
  expect(await post('/app/clients.json', { client: wrong })).toMatchObject(refusal(...Object.keys(wrong)));
  const { id } = await makeClient();
  expect(await putClient(id, wrong)).toMatchObject(refusal(...Object.keys(wrong)));
});

describe('name', () => {
  test('is required on POST', async () => {
    const { post } = await crmSandbox();
    expect(await post('/app/clients.json', { client: {} })).toMatchObject(refusal('name'));
  });

  test.each([null, '', '  ', '\n'])('%j is refused, on POST and on PUT', async (name) => {
    const { postClient, makeClient, putClient } = await crmSandbox();
    expect(await postClient({ name })).toMatchObject(refusal('name'));
    const { id } = await makeClient();
    expect(await putClient(id, { name })).toMatchObject(refusal('name'));
  });
});

test.each([
  ...holding(['name', 'note', 'email', 'kind', 'string1', 'text10'], 7, true, [], ['a'], {}, 'a\0b'),
  ...holding('email', 'ada@', '@example.com', 'a b@example.com', 'a@example.com, b@example.com'),
  ...holding('kind', 'Buyer'),
  ...holding(['integer1', 'integer10', 'contact_id', 'status_id', 'responsible_id'], '1.5', 1.5, 'x', true, [1]),
  ...holding(['integer1', 'contact_id', 'bank_account_id'], 2 ** 53, '9007199254740993', '9'.repeat(400)),
  ...holding(['decimal1', 'discount', 'paid_total'], 'x', '1,5', '1.', 'NaN', '0x10', true, [1], {}),
  ...holding(['checkbox1', 'company', 'use_delivery_address'], 'yes', 2, [true]),
  ...holding('date1', '2026-13-01', '01.03.2026', '2026-03-01T10:00:00Z', 20260301, ['2026-03-01']),
  ...holding('datetime1', '2026-03-01 10:00', '2026-03-01T25:00:00Z', '10:00', 0, {}),
  ...holding(['payment_to_kind', 'position'], [14], {}, true),
  ...holding('external_ids', 'x', 7, true, [], ['a']),
  ...holding('external_ids', { shop: null }, { shop: true }, { shop: ['1'] }, { shop: {} }, { shop: 1.5 }),
  ...holding('external_ids', { shop: 'a\0' }, { 'a\0': '1' }),
])('a %s of %j is refused with 422 by field, on POST and on PUT', async (field, value) => {
  const { postClient, makeClient, putClient } = await crmSandbox();
  expect(await postClient({ [field]: value })).toMatchObject(refusal(field));
  const { id } = await makeClient();
  expect(await putClient(id, { [field]: value })).toMatchObject(refusal(field));
});

test.each<[string, unknown, unknown]>([
  ['integer1', '42', 42],
  ['integer2', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['decimal1', '100.0', '100.0'],
  ['decimal2', '0.10', '0.10'],
  ['decimal3', 1.5, '1.5'],
  ['decimal4', 0, '0'],
  ['decimal5', '-12345678901234567890.123456789', '-12345678901234567890.123456789'],
  ['checkbox1', 1, true],
  ['checkbox2', '0', false],
  ['checkbox3', 'true', true],
  ['checkbox4', false, false],
  ['datetime1', '2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ['datetime2', '2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
  ['payment_to_kind', 14, 14],
  ['position', 'Owner', 'Owner'],
  ['integer3', '', null],
  ['decimal6', '', null],
  ['decimal7', 2 ** 53, '9007199254740992'],
  ['checkbox5', '', null],
  ['date1', '', null],
  ['datetime3', '', null],
  ['email', '', null],
  ['kind', '', null],
  ['note', '', ''],
  ['note', 'half \ud800 a pair', 'half \ud800 a pair'],
  ['note', '😀 ﷽ \u2028', '😀 ﷽ \u2028'],
])('a %s of %j reads back as %j', async (field, value, read) => {
  const { makeClient, client } = await crmSandbox();
  const made = await makeClient({ [field]: value });
  expect(made[field]).toEqual(read);
  expect((await client(made.id))[field]).toEqual(read);
});

describe('contact_id', () => {
  test('an id that names no contact of the account is refused', async () => {
    const { stranger, postClient, makeContact } = await crmSandbox();
    await stranger().post('/app/contacts.json', { contact: { name: 'Theirs' } });
    for (const contact_id of [1, '1', 0, -1])
      expect(await postClient({ contact_id })).toMatchObject(refusal('contact_id'));
    const { id } = await makeContact();
    expect(await postClient({ contact_id: String(id) })).toMatchObject({ status: 201, body: { contact_id: id } });
  });
});

describe('external_ids', () => {
  test('numbers are kept as texts, external_id is the first, and the others are known', async () => {
    const { makeClient, makeDeal } = await crmSandbox();
    expect(await makeClient({ external_ids: { shop: 7, b: 'x' } })).toMatchObject({ external_id: '7' });
    expect(await makeDeal({ client: { external_ids: { b: 'x' } } })).toMatchObject({ client_id: 1 });
  });

  test('any name of a system is allowed, also constructor and __proto__', async () => {
    const { sandbox, token, clients } = await crmSandbox();
    const ids = '{"__proto__":"1","constructor":"2","a.b \\"c\\"":"3","":"4","$":"5"}';
    const response = await fetch(`${sandbox.urls.crm}/app/clients.json`, {
      method: 'POST',
      body: `{"api_token":"${token}","client":{"name":"N","external_ids":${ids}}}`,
    });
    expect(response.status).toBe(201);
    expect(await response.text()).toContain('"external_id":"1"');
    expect(await clients()).toHaveLength(1);
  });
});

test.each(['name', 'email', 'kind', 'integer1', 'decimal1', 'date1', 'checkbox1', 'position', 'external_ids', 'junk'])(
  'a %s that is nested 10,000 levels deep is no failure',
  async (field) => {
    const { sandbox, token } = await crmSandbox();
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    for (const value of [deep, `{"a":${deep}}`]) {
      const { status } = await fetch(`${sandbox.urls.crm}/app/clients.json`, {
        method: 'POST',
        body: `{"api_token":"${token}","client":{"name":"N","note":"1234567890123456789","${field}":${value}}}`,
      });
      expect(status).toBe(field === 'junk' ? 201 : 422);
    }
  },
);
