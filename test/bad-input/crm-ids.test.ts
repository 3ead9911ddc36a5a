import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { says } from '../support/stub-upstream.ts';

// A malformed id within an input, or of upstream, leads to no other endpoint. The upstream here answers any request.

const NO_IDS = [
  '..',
  '.',
  '',
  ' ',
  'a/b',
  '%2f',
  '../deals/1',
  '..%2fdeals%2f1',
  '..%252fdeals%252f1',
  '..\\deals\\1',
].concat(
  ['1.json', '1?x=y', '1&api_token=x', '1#y', '1;x=y', '\ud800', '1\0', '1\n', '1\r\nx: y', '١٢'],
  ['Client:Client:1', 'Nothing:1'],
);

async function recording(body = '{"id":1,"name":"other","title":"other"}') {
  const upstream = await recordingUpstream(says(body));
  return { ...(await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token')), upstream };
}

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
    for (const id of NO_IDS) {
      await execute(`mutation ($id: ID!) { field: ${field} { __typename } }`, { variables: { id } });
      expect(new Set([...upstream.received, call])).toEqual(new Set([call]));
    }
  });

  test('as a filter it calls the list', async () => {
    const { execute, upstream } = await recording('[{"id":1,"client_id":1,"status_id":1}]');
    const query =
      'query ($ids: [ID!]) { deals(filter: { clientIds: $ids }) { totalCount } clients(filter: { statusIds: $ids }) { totalCount } }';
    await execute(query, { variables: { ids: NO_IDS.filter((id) => !id.includes(':')) } });
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
