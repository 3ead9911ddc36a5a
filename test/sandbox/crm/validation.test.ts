import { describe, expect, test } from 'vitest';
import { crmSandbox, refusal } from './support.ts';

/** How a record of each kind is made, and whether it can be changed. */
const kinds = {
  client: { path: '/app/clients', given: { name: 'Shop' }, changes: true },
  deal: { path: '/app/deals', given: { name: 'Chairs' }, changes: true },
  contact: { path: '/app/contacts', given: { name: 'Cy' }, changes: true },
  contact_list: { path: '/app/contact_lists', given: { name: 'News' }, changes: true },
  post: { path: '/app/posts', given: { title: 'Call' }, changes: false },
};
type Kind = keyof typeof kinds;

/** A record of this kind, and requests that send fields of one. */
async function recordOf(kind: Kind) {
  const context = await crmSandbox();
  const { path, given, changes } = kinds[kind];
  const post = (fields: object) => context.post(`${path}.json`, { [kind]: fields });
  await post(given);
  return {
    ...context,
    given,
    post,
    /** The record, and the status of the next one, which does not exist. */
    read: async () => [(await context.get(`${path}/1.json`)).body, (await context.get(`${path}/2.json`)).status],
    /** The answers to these fields, on POST and, where the kind has one, on PUT. */
    answersTo: async (fields: object) => [
      await post({ ...given, ...fields }),
      ...(changes ? [await context.put(`${path}/1.json`, { [kind]: fields })] : []),
    ],
  };
}

const notText = [7, true, [], ['a'], {}, 'a\0b'];
const notWhole = ['1.5', 1.5, 'x', true, [1]];
const tooLarge = [2 ** 53, '9007199254740993', '9'.repeat(400)];
const notDecimal = ['x', '1,5', '1.', 'NaN', '0x10', true, [1], {}];
const notFlag = ['yes', 2, [true]];
const noRecord = [7, '7', 'x', [1], 2 ** 53];

test.each<[kind: Kind, fields: string, values: unknown[]]>([
  ['client', 'name note email kind string1 text10', notText],
  ['client', 'name', [null, '', '  ', '\n']],
  ['client', 'email', ['ada@', '@example.com', 'a b@example.com', 'a@example.com, b@example.com']],
  ['client', 'kind', ['Buyer']],
  ['client', 'integer1 integer10 contact_id status_id responsible_id', notWhole],
  ['client', 'integer1 contact_id bank_account_id', tooLarge],
  ['client', 'decimal1 discount paid_total', notDecimal],
  ['client', 'checkbox1 company use_delivery_address', notFlag],
  ['client', 'date1', ['2026-13-01', '01.03.2026', '2026-03-01T10:00:00Z', 20260301, ['2026-03-01']]],
  ['client', 'paid_from paid_to', ['2026-13-01', '01.03.2026', '2026-03-01T25:00:00Z', 20260301, ['2026-03-01']]],
  ['client', 'datetime1', ['2026-03-01 10:00', '2026-03-01T25:00:00Z', '10:00', 0, {}]],
  ['client', 'payment_to_kind position', [[14], {}, true]],
  ['client', 'external_ids', ['x', 7, true, [], ['a'], { shop: null }, { shop: true }, { shop: ['1'] }]],
  ['client', 'external_ids', [{ shop: {} }, { shop: 1.5 }, { shop: 'a\0' }, { 'a\0': '1' }]],
  ['deal', 'name', [null, '', ' ', 7, [], 'a\0']],
  ['deal', 'description', [7]],
  ['deal', 'price', ['cheap', [7], true]],
  ['deal', 'client_id', [7, 'x', [1]]],
  ['deal', 'external_ids', [[], { shop: [] }]],
  ['deal', 'client', [7, 'x', []]],
  ['contact', 'name', [7, 'a\0']],
  ['contact', 'description', [[]]],
  ['contact', 'email', ['ada@', {}]],
  ['contact', 'responsible_id', ['Ada', [1]]],
  ['contact_list', 'name', [null, '', ' ', 7, [], 'a\0']],
  ['post', 'title', [undefined, null, '', ' ', 7, ['a'], 'a\0']],
  ['post', 'kind', ['comment', 'Error', ['error']]],
  ['post', 'task_kind', ['suggestion', ['task']]],
  ['post', 'email', ['ada@', 7]],
  ['post', 'scheduled_at', ['tomorrow', 7]],
  ['post', 'content tags email_to', [{}, ['a', 'b']]],
  ['post', 'private use_html', ['maybe']],
  ['post', 'responsible_id forum_id', ['Ada', 1e300]],
  ['post', 'priority', [[]]],
  ['post', 'client_id post_id duplicate_from_id', noRecord],
])(
  'a %s with a wrong %s is refused with 422 by field, on POST and on PUT, and nothing changes',
  async (kind, fields, values) => {
    const { read, answersTo } = await recordOf(kind);
    const before = await read();
    expect(before).toEqual([expect.objectContaining({ id: 1 }), 404]);
    for (const field of fields.split(' ')) {
      for (const value of values) {
        const answers = await answersTo({ [field]: value });
        for (const answer of answers) expect(answer, `${field}: ${String(value)}`).toMatchObject(refusal(field));
      }
    }
    expect(await read()).toEqual(before);
  },
);

test.each<Kind>(['client', 'deal', 'contact_list', 'contact'])('a %s requires a name on POST', async (kind) => {
  const { post } = await recordOf(kind);
  expect(await post({})).toMatchObject(refusal('name'));
});

test('all errors of a client are reported at once, on POST and on PUT, and nothing is changed beside them', async () => {
  const { read, answersTo } = await recordOf('client');
  const wrong = {
    ...{ name: ' ', email: 'ada', kind: 'thief', discount: 'much', integer1: 'one', checkbox2: 'perhaps' },
    ...{ date3: '2026-02-30', datetime4: 'noon', contact_id: 7, external_ids: [] },
  };
  const before = await read();
  const answers = await answersTo({ ...wrong, city: 'Brno' });
  for (const answer of answers) expect(answer).toMatchObject(refusal(...Object.keys(wrong)));
  expect(await read()).toEqual(before);
});

test.each<[type: string, sent: unknown[], read: unknown[]]>([
  ['integer', ['42', Number.MAX_SAFE_INTEGER, ''], [42, Number.MAX_SAFE_INTEGER, null]],
  ['decimal', ['100.0', '0.10', 1.5, 0, 2 ** 53, ''], ['100.0', '0.10', '1.5', '0', '9007199254740992', null]],
  ['decimal', ['-12345678901234567890.123456789'], ['-12345678901234567890.123456789']],
  ['checkbox', [1, '0', 'true', false, ''], [true, false, true, false, null]],
  ['date', [''], [null]],
  ['datetime', ['2026-03-01T10:00:00+02:00', ''], ['2026-03-01T08:00:00.000Z', null]],
  ['datetime', ['2026-03-01T10:00:00'], ['2026-03-01T10:00:00.000Z']],
])('values of %s fields read back: %j as %j', async (type, sent, read) => {
  const { makeClient, client } = await crmSandbox();
  const fields = (values: unknown[]) =>
    Object.fromEntries(values.map((value, index) => [`${type}${index + 1}`, value]));
  const made = await makeClient(fields(sent));
  expect(made).toMatchObject(fields(read));
  expect(await client(made.id)).toMatchObject(fields(read));
});

test('an empty email or kind is null, other texts are kept as they are', async () => {
  const { makeClient, client } = await crmSandbox();
  const kept = {
    note: 'half \ud800 a pair',
    description: '😀 ﷽ \u2028',
    shortcut: '',
    payment_to_kind: 14,
    position: 'Owner',
  };
  const { id } = await makeClient({ email: '', kind: '', ...kept });
  expect(await client(id)).toMatchObject({ email: null, kind: null, ...kept });
});

test('a contact_id that names no contact of the account is refused', async () => {
  const { stranger, postClient, makeContact } = await crmSandbox();
  await stranger().post('/app/contacts.json', { contact: { name: 'Theirs' } });
  for (const contact_id of [1, '1', 0, -1])
    expect(await postClient({ contact_id })).toMatchObject(refusal('contact_id'));
  const { id } = await makeContact();
  expect(await postClient({ contact_id: String(id) })).toMatchObject({ status: 201, body: { contact_id: id } });
});

test('external_ids: numbers are kept as texts, external_id is the first, and the others are known', async () => {
  const { makeClient, makeDeal } = await crmSandbox();
  expect(await makeClient({ external_ids: { shop: 7, b: 'x' } })).toMatchObject({ external_id: '7' });
  expect(await makeDeal({ client: { external_ids: { b: 'x' } } })).toMatchObject({ client_id: 1 });
});

describe('a body that is sent as it is', () => {
  const sending = async () => {
    const { sandbox, token } = await crmSandbox();
    return (fields: string) =>
      fetch(`${sandbox.urls.crm}/app/clients.json`, {
        method: 'POST',
        body: `{"api_token":"${token}","client":{"name":"N",${fields}}}`,
      });
  };

  test('may have any name of a system in external_ids, also constructor and __proto__', async () => {
    const send = await sending();
    const response = await send('"external_ids":{"__proto__":"1","constructor":"2","a.b \\"c\\"":"3","":"4","$":"5"}');
    expect(response.status).toBe(201);
    expect(await response.text()).toContain('"external_id":"1"');
  });

  test('may be nested 10,000 levels deep in any field: that is no failure', async () => {
    const send = await sending();
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const fields = ['name', 'email', 'kind', 'integer1', 'decimal1', 'date1', 'checkbox1', 'position', 'external_ids'];
    for (const field of [...fields, 'junk']) {
      for (const value of [deep, `{"a":${deep}}`]) {
        const { status } = await send(`"note":"1234567890123456789","${field}":${value}`);
        expect(status, field).toBe(field === 'junk' ? 201 : 422);
      }
    }
  });
});
