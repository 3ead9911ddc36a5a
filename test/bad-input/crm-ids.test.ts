import { describe, expect, test } from 'vitest';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { says } from '../support/stub-upstream.ts';

// A malformed id leads to no other endpoint of the CRM. The upstream here answers any request.

const NO_IDS: readonly [name: string, id: string][] = [
  ['the folder above', '..'],
  ['this folder', '.'],
  ['nothing', ''],
  ['a space', ' '],
  ['a slash', 'a/b'],
  ['an encoded slash', '%2f'],
  ['a way to another endpoint', '../deals/1'],
  ['an encoded way to another endpoint', '..%2fdeals%2f1'],
  ['one that is encoded twice', '..%252fdeals%252f1'],
  ['a backslash', '..\\deals\\1'],
  ['an ending', '1.json'],
  ['a query', '1?x=y'],
  ['a parameter', '1&api_token=x'],
  ['a fragment', '1#y'],
  ['a path parameter', '1;x=y'],
  ['half of a surrogate pair', '\ud800'],
  ['NUL', '1\0'],
  ['a line end', '1\n'],
  ['a line end and a header', '1\r\nx: y'],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['10,000 digits', '1'.repeat(10_000)],
  ['digits of another script', '١٢'],
  ['a global id of a global id', 'Client:Client:1'],
  ['a type that there is not', 'Nothing:1'],
];

const DONE = '{ __typename }';
const FIELDS: Readonly<Record<string, readonly [query: string, type: string, call: string]>> = {
  client: ['query ($id: ID!) { field: client(id: $id) { name } }', 'Client', 'GET /app/clients/'],
  post: ['query ($id: ID!) { field: post(id: $id) { title } }', 'Post', 'GET /app/posts/'],
  deal: ['query ($id: ID!) { field: deal(id: $id) { name } }', 'Deal', 'GET /app/deals/'],
  contact: ['query ($id: ID!) { field: contact(id: $id) { name } }', 'Contact', 'GET /app/contacts/'],
  contactList: ['query ($id: ID!) { field: contactList(id: $id) { name } }', 'ContactList', 'GET /app/contact_lists/'],
  updateClient: [
    `mutation ($id: ID!) { field: updateClient(id: $id, input: {}) ${DONE} }`,
    'Client',
    'PUT /app/clients/',
  ],
  deleteClient: [`mutation ($id: ID!) { field: deleteClient(id: $id) ${DONE} }`, 'Client', 'DELETE /app/clients/'],
  updateDeal: [`mutation ($id: ID!) { field: updateDeal(id: $id, input: {}) ${DONE} }`, 'Deal', 'PUT /app/deals/'],
  deleteDeal: [`mutation ($id: ID!) { field: deleteDeal(id: $id) ${DONE} }`, 'Deal', 'DELETE /app/deals/'],
  updateContact: [
    `mutation ($id: ID!) { field: updateContact(id: $id, input: {}) ${DONE} }`,
    'Contact',
    'PUT /app/contacts/',
  ],
  updateContactList: [
    `mutation ($id: ID!) { field: updateContactList(id: $id, name: "x") ${DONE} }`,
    'ContactList',
    'PUT /app/contact_lists/',
  ],
};

async function recording(body = '{"id":1,"name":"other","title":"other"}') {
  const upstream = await recordingUpstream(says(body));
  return { ...(await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token')), upstream };
}

/** Refused as a member of the result, or as an error of the field. */
function expectRefused({ data, errors }: Result): void {
  if (errors.length === 0) return expect(data).toEqual({ field: { __typename: 'ValidationError' } });
  expect(errors).toMatchObject([{ path: ['field'], extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(errors[0]?.extensions).not.toHaveProperty('upstream');
  expect(errors[0]?.message.length).toBeLessThan(250);
  expect(data).toEqual({ field: null });
}

describe.each(Object.entries(FIELDS))('%s', (_field, [query, type, call]) => {
  test('refuses what is no id, by itself and behind its type', async () => {
    const { execute, upstream } = await recording();
    for (const [name, id] of NO_IDS) {
      for (const given of [id, `${type}:${id}`]) {
        expectRefused(await execute(query, { variables: { id: given } }));
        expect(upstream.received, name).toEqual([]);
      }
    }
  });

  test('refuses an id of another type', async () => {
    const { execute, upstream } = await recording();
    expectRefused(await execute(query, { variables: { id: type === 'Deal' ? 'Client:1' : 'Deal:1' } }));
    expect(upstream.received).toEqual([]);
  });

  test('calls its own endpoint for whatever else may be one', async () => {
    for (const id of ['42', '__proto__', 'constructor', 'widgets', 'a-b_C', 'x'.repeat(64)]) {
      const { execute, upstream } = await recording();
      await execute(query, { variables: { id } });
      await execute(query, { variables: { id: `${type}:${id}` } });
      const calls = upstream.received.map((received) => received.replace(/\?.*/, ''));
      expect(new Set(calls)).toEqual(new Set([`${call}${id}.json`]));
    }
  });
});

describe('an id within an input goes into the body, and nowhere else', () => {
  test.each([
    ['createDeal(input: { clientId: $id })', 'POST /app/deals.json'],
    [
      'createPost(input: { clientId: $id, parentId: $id, duplicateOfId: $id, responsibleId: $id })',
      'POST /app/posts.json',
    ],
    ['createClient(input: { contactId: $id, statusId: $id })', 'POST /app/clients.json'],
    ['createContact(input: { responsibleId: $id })', 'POST /app/contacts.json'],
  ])('%s', async (field, call) => {
    const { execute, upstream } = await recording();
    for (const [, id] of NO_IDS.filter(([, id]) => id.length < 1_000)) {
      await execute(`mutation ($id: ID!) { field: ${field} { __typename } }`, { variables: { id } });
      expect(new Set([...upstream.received, call])).toEqual(new Set([call]));
    }
  });

  test('as a filter it calls the list', async () => {
    const { execute, upstream } = await recording('[{"id":1,"client_id":1,"status_id":1}]');
    const query =
      'query ($ids: [ID!]) { deals(filter: { clientIds: $ids }) { totalCount } clients(filter: { statusIds: $ids }) { totalCount } }';
    await execute(query, { variables: { ids: NO_IDS.map(([, id]) => id).filter((id) => !id.includes(':')) } });
    expect(upstream.received.map((call) => call.replace(/\?.*/, '')).sort()).toEqual([
      'GET /app/clients.json',
      'GET /app/deals.json',
    ]);
  });
});

test('an id that upstream gives as that of another record is held to the same', async () => {
  for (const id of ['../deals/1', '..', 'a/b', '1?x=y', '__proto__', -1, 1.5, 2 ** 60, {}, ['1'], true]) {
    const { execute, upstream } = await recording(JSON.stringify({ id: 1, client_id: id, name: 'x' }));
    await execute('{ deal(id: 1) { client { name } } }');
    const calls = upstream.received.map((call) => call.replace(/\?.*/, ''));
    expect(calls[0]).toBe('GET /app/deals/1.json');
    for (const call of calls.slice(1)) expect(call).toMatch(/^GET \/app\/clients\/[\w-]+\.json$/);
  }
});

describe('5,000 ids at once are refused before any call', () => {
  const ids = Array.from({ length: 5_000 }, (_none, index) => `Client:${index + 1}`);
  const refused = { extensions: { code: 'QUERY_LIMIT_EXCEEDED' } };

  test('in `nodes`', async () => {
    const { execute, upstream } = await recording();
    const { errors } = await execute('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids } });
    expect(errors).toMatchObject([{ ...refused, message: expect.stringMatching(/MAX_NODES/) }]);
    expect(upstream.received).toEqual([]);
  });

  test('under aliases', async () => {
    const { execute, upstream } = await recording();
    const fields = ids.map((id, index) => `c${index}: client(id: "${id}") { name }`);
    expect((await execute(`{ ${fields.join(' ')} }`)).errors).toMatchObject([
      { ...refused, message: expect.stringMatching(/MAX_TOKENS/) },
    ]);
    expect((await execute(`{ ${fields.slice(0, 51).join(' ')} }`)).errors).toMatchObject([
      { ...refused, message: expect.stringMatching(/MAX_ALIASES/) },
    ]);
    expect(upstream.received).toEqual([]);
  });

  test('in several `nodes`, where each would be small enough', async () => {
    const upstream = await recordingUpstream(says('{"id":1}'));
    const settings = { CRM_URL: new URL(upstream.url), BATCH_READS: 'by-id' } as const;
    const { execute } = await gatewayOver(upstream.url, settings, 'token');
    const fields = Array.from({ length: 50 }, (_none, part) => {
      const some = ids.slice(part * 100, (part + 1) * 100);
      return `n${part}: nodes(ids: $n${part}) { id }|${JSON.stringify(some)}`;
    }).map((field) => field.split('|'));
    const declared = fields.map((_field, part) => `$n${part}: [ID!]!`).join(' ');
    const variables = Object.fromEntries(fields.map(([, some = '[]'], part) => [`n${part}`, JSON.parse(some)]));
    const { errors } = await execute(`query (${declared}) { ${fields.map(([field]) => field).join(' ')} }`, {
      variables,
    });
    expect(errors).toHaveLength(101); // 5,000, of which a hundred are listed
    expect(errors[0]).toMatchObject(refused);
    expect(upstream.received).toEqual([]);
  });
});
