import { describe, expect, test } from 'vitest';
import { forumOver, saysXml } from '../forum/support.ts';
import { crmOver } from './support.ts';

// `raw`: the record as upstream sends it. The document gives no types, so a value may fit none, and may have keys of its own.

const odd = {
  discount: '10%',
  last_activity: 'call',
  email_to: ['a@b'],
  answer: { text: 'x' },
  crm_score: 7,
  plan: null,
};

describe('raw', () => {
  test.each([
    ['client', 'clients/7'],
    ['post', 'posts/7'],
    ['deal', 'deals/7'],
    ['contact', 'contacts/7'],
    ['contactList', 'contact_lists/7'],
  ])('%s has all keys and values, in one call', async (field, path) => {
    const { ask, calls } = await crmOver({ [`GET /app/${path}.json`]: { id: 7, ...odd, name: 'Ada' } });

    expect(await ask(`{ ${field}(id: 7) { raw } }`)).toEqual({ [field]: { raw: { id: '7', ...odd, name: 'Ada' } } });
    expect(calls()).toEqual([`GET /app/${path}.json`]);
  });

  const whole = (id: number) => ({
    id,
    name: `Deal ${id}`,
    description: null,
    price: '1',
    client_id: 3,
    external_ids: {},
    stage: 'won',
  });

  test('of a deal with a nested client has no key that upstream did not send', async () => {
    const deal = { id: '7', name: 'Oak', client: { id: 9 } };
    const { ask } = await crmOver({
      'GET /app/deals/7.json': { ...deal },
      'GET /app/deals.json': [{ ...deal, description: null, price: null, external_ids: {} }],
    });

    expect(await ask('{ deal(id: 7) { raw clientId } }')).toEqual({ deal: { raw: deal, clientId: '9' } });
    const { deals } = Object(await ask('{ deals { nodes { raw clientId } } }'));
    expect(deals.nodes[0].raw).not.toHaveProperty('client_id');
    expect(deals.nodes[0].clientId).toBe('9');
  });

  test('of a list with all keys costs no further call', async () => {
    const { ask, calls } = await crmOver({ 'GET /app/deals.json': [whole(1), whole(2)] });

    expect(await ask('{ deals { nodes { raw } } }')).toEqual({
      deals: { nodes: [1, 2].map((id) => ({ raw: { ...whole(id), id: String(id) } })) },
    });
    expect(calls()).toEqual(['GET /app/deals.json']);
  });

  test('of a list that lacks keys is read by id', async () => {
    const { ask, calls } = await crmOver({
      'GET /app/deals.json': [
        { id: 1, name: 'Deal 1' },
        { id: 2, name: 'Deal 2' },
      ],
      'GET /app/deals/1.json': whole(1),
      'GET /app/deals/2.json': whole(2),
    });

    expect(await ask('{ deals { nodes { raw name price } } }')).toMatchObject({
      deals: { nodes: [1, 2].map(() => ({ raw: { stage: 'won' }, price: '1' })) },
    });
    expect(calls()).toHaveLength(3);
  });

  test('is that of the list once three records have no more keys by id', async () => {
    const ids = [1, 2, 3, 4, 5, 6];
    const row = (id: number) => ({ id, name: `Deal ${id}` });
    const byId = Object.fromEntries(ids.map((id) => [`GET /app/deals/${id}.json`, row(id)]));
    const { ask, calls } = await crmOver({ 'GET /app/deals.json': ids.map(row), ...byId });

    expect(await ask('{ deals { nodes { raw } } }')).toEqual({
      deals: { nodes: ids.map((id) => ({ raw: { id: String(id), name: `Deal ${id}` } })) },
    });
    expect(calls()).toHaveLength(1 + 3);
  });

  test('of a written record is what a read returns, or an error', async () => {
    const { ask, execute } = await crmOver({
      'POST /app/deals.json': { id: 1 },
      'GET /app/deals/1.json': whole(1),
      'PUT /app/contacts/9.json': { id: 9 },
    });

    expect(await ask('mutation { createDeal(input: { name: "x" }) { ... on Deal { raw } } }')).toEqual({
      createDeal: { raw: { ...whole(1), id: '1' } },
    });
    const unread = await execute('mutation { updateContact(id: 9, input: { name: "x" }) { ... on Contact { raw } } }');
    expect(unread.data).toEqual({ updateContact: { raw: null } });
    expect(unread.errors).toMatchObject([
      { path: ['updateContact', 'raw'], extensions: { code: 'UPSTREAM_BAD_RESPONSE', outcome: 'APPLIED' } },
    ]);
  });

  test('costs more than a small field', async () => {
    const { execute } = await crmOver({ 'GET /app/clients.json': [] }, { MAX_COST: 2_000 });

    const { errors } = await execute('{ clients(first: 1000) { nodes { raw } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
  });
});

test('raw of a suggestion has the names of its elements, typed by their attributes', async () => {
  const post = `<post><id type="integer">5</id><title>007</title><votes-cache type="integer">12</votes-cache>
    <closed type="boolean">false</closed><score type="decimal">1.50</score><big type="integer">9007199254740993</big>
    <created-at type="datetime">2026-03-01T08:00:00Z</created-at><kind nil="true"/><empty></empty>
    <odd type="integer">many</odd><tags type="array"><tag>a</tag><tag type="integer">2</tag></tags>
    <user><login>ada</login><age type="integer">9</age></user></post>`;
  const { ask, calls } = await forumOver((request, response) => {
    const isPage = !request.url?.startsWith('/app/posts/');
    saysXml(
      isPage ? '<posts type="array"><post><id>5</id></post></posts>' : `<hash>${post}<comments type="array"/></hash>`,
    )(request, response);
  });

  expect(await ask('{ forumPosts { nodes { raw } } }')).toEqual({
    forumPosts: {
      nodes: [
        {
          raw: {
            ...{ id: '5', title: '007', 'votes-cache': 12, closed: false, score: '1.50', big: '9007199254740993' },
            ...{ 'created-at': '2026-03-01T08:00:00Z', kind: null, empty: '', odd: 'many', tags: ['a', 2] },
            user: { login: 'ada', age: 9 },
          },
        },
      ],
    },
  });
  expect(calls().filter((call) => call.includes('/app/posts/'))).toHaveLength(1);
});
