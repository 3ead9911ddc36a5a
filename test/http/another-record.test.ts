import { describe, expect, test } from 'vitest';
import { isAskedFor } from '../../src/formats/decode.ts';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A read by id asks for one record. An answer with another one would overwrite a stranger's record in the caches of clients.

const UUID = '5f0c1111-2222-4333-8444-555566667777';

async function over(answer: Parameters<typeof stubUpstream>[0]) {
  const upstream = await stubUpstream(answer);
  const url = new URL(upstream.url);
  const settings = { FLEX_URL: url, CRM_URL: url, FORUM_URL: url, CRM_SHARES_TOKEN: 'true' } as const;
  const { execute } = await gatewayOver(upstream.url, settings, 'token');
  const headers = { 'x-forum-authorization': 'Basic eDp4' };
  return { received: upstream.received, run: async (query: string) => execute(query, { headers }) };
}

const codesOf = ({ errors }: Result) => errors.map(({ extensions }) => extensions['code']);

const reads: readonly (readonly [field: string, key: string])[] = [
  ['client(id: 1) { id name }', 'client'],
  ['post(id: 1) { id title }', 'post'],
  ['deal(id: 1) { id name }', 'deal'],
  ['contact(id: 1) { id name }', 'contact'],
  ['contactList(id: 1) { id name }', 'contact_list'],
  ['apiToken(id: 1) { id name }', 'api_token'],
  ['dashboard(id: 1) { id name }', 'dashboard'],
  ['flexDb(id: 1) { id name }', 'db'],
  ['node(id: "Client:1") { id ... on Client { name } }', 'client'],
  ['node(id: "PublicFlexRecord:shop:1") { id ... on PublicFlexRecord { data } }', 'record'],
];

describe('a read by id refuses another record', () => {
  test.each(reads)('%s', async (field, key) => {
    for (const body of [{ id: 99, name: 'Stranger' }, { [key]: { id: 99, name: 'Stranger' } }]) {
      const { run } = await over(says(JSON.stringify(body)));
      const result = await run(`{ found: ${field} }`);
      expect(result.data).toEqual({ found: null });
      expect(codesOf(result)).toEqual(['UPSTREAM_BAD_RESPONSE']);
    }
  });

  test('a suggestion of the forum', async () => {
    const headers = { 'content-type': 'application/xml' };
    const { run } = await over(says('<hash><post><id>99</id><title>x</title></post></hash>', { headers }));
    const result = await run('{ forumPost(id: 1) { id title } }');
    expect(result.data).toEqual({ forumPost: null });
    expect(codesOf(result)).toEqual(['UPSTREAM_BAD_RESPONSE']);
  });

  test('a database by its code', async () => {
    const { run } = await over(says('{"id":99,"code":"other","name":"Stranger"}'));
    const result = await run('{ flexDb(id: "shop") { id name } }');
    expect(result.data).toEqual({ flexDb: null });
    expect(codesOf(result)).toEqual(['UPSTREAM_BAD_RESPONSE']);
  });
});

test('the record itself is taken, its id as a number or a text', async () => {
  for (const body of ['{"id":1,"name":"Own"}', '{"id":"1","name":"Own"}', '{"client":{"id":" 1 ","name":"Own"}}']) {
    const { run } = await over(says(body));
    expect(await run('{ client(id: 1) { id name } }')).toMatchObject({
      data: { client: { id: 'Client:1', name: 'Own' } },
      errors: [],
    });
  }
});

test('deleteApiToken sends nothing where the read answers another token', async () => {
  const { run, received } = await over(says('{"id":99,"for_account":false}'));
  const result = await run('mutation { deleteApiToken(id: 1) { ... on ApiTokenDeletion { deletedId } } }');
  expect(result.errors).toMatchObject([{ extensions: { outcome: 'REFUSED', code: 'UPSTREAM_BAD_RESPONSE' } }]);
  expect(received).toEqual(['GET /account/api_tokens/1.json']);
});

test('a lost change is not applied by another record that shows it', async () => {
  const { run } = await over((request, response) => {
    if (request.method === 'PUT') response.destroy();
    else says('{"id":99,"name":"Anew"}')(request, response);
  });
  const result = await run('mutation { updateClient(id: 1, input: { name: "Anew" }) { ... on Client { id } } }');
  expect(result.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN' } }]);
});

test.each([
  [{ id: '1' }, { id: '1' }, true],
  [{ id: '2' }, { id: '1' }, false],
  [{ id: UUID }, { id: UUID.toUpperCase() }, true],
  [{ id: '9', code: 'shop' }, { code: 'shop' }, true],
  [{ id: '9', code: 'shop' }, { code: 'Shop' }, true],
  [{ id: '9', code: 'other' }, { code: 'shop' }, false],
  [{ id: '9', code: null }, { code: 'shop' }, true],
  [{ id: '9' }, { code: 'shop' }, true],
  [{ id: 'shop', code: 'other' }, { code: 'shop' }, true],
  [{ id: '9', code: '2024' }, { id: '2024', code: '2024' }, true],
  [{ id: '9', code: null }, { id: '2024', code: '2024' }, false],
  [{ id: '9' }, {}, true],
])('whether %j is what %j asks for: %s', (found, asked, isAsked) => {
  expect(isAskedFor(found, asked)).toBe(isAsked);
});
