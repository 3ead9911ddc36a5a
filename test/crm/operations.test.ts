import { describe, expect, test } from 'vitest';
import { CLIENT, crmGateway, DEALS, POSTS } from './support.ts';

/** A gateway over one record of each type, with the id 1. */
async function oneOfEach() {
  const house = await crmGateway();
  await house.makeClient();
  await house.makePost({ client_id: 1 });
  await house.makeDeal({ client_id: 1 });
  await house.makeContact();
  await house.makeList();
  return house;
}

describe('fields after a write see the write in the same operation', () => {
  test('a new deal is among the deals of its client, a new comment among those of its post', async () => {
    const { ask, sandbox, makeClient, makePost } = await crmGateway();
    await makeClient();
    await makePost();

    const data = await ask(`mutation {
      a: createDeal(input: { name: "A", clientId: 1 }) { ... on Deal { client { deals { nodes { name } } } } }
      b: createDeal(input: { name: "B", clientId: 1 }) { ... on Deal { client { deals { nodes { name } } } } }
      c: addPostComment(postId: 1, input: { content: "C" }) {
        ... on Post { parent { commentsCount comments { nodes { content } } } }
      }
      d: addPostComment(postId: 1, input: { content: "D" }) {
        ... on Post { parent { commentsCount comments { nodes { content } } } }
      }
    }`);

    expect(data).toEqual({
      a: { client: { deals: { nodes: [{ name: 'A' }] } } },
      b: { client: { deals: { nodes: [{ name: 'A' }, { name: 'B' }] } } },
      c: { parent: { commentsCount: 1, comments: { nodes: [{ content: 'C' }] } } },
      d: { parent: { commentsCount: 2, comments: { nodes: [{ content: 'C' }, { content: 'D' }] } } },
    });
    expect(sandbox.calls().filter((call) => call === DEALS || call === POSTS)).toHaveLength(4);
  });

  test('a changed client has its new name, a deleted client is null', async () => {
    const { execute, sandbox, makeClient, makeDeal } = await crmGateway();
    await makeClient({ name: 'Old' });
    await makeDeal({ client_id: 1 });

    const { data } = await execute(`mutation {
      a: updateDeal(id: 1, input: { price: "1" }) { ... on Deal { client { name } } }
      b: updateClient(id: 1, input: { name: "New" }) { ... on Client { deals { nodes { price client { name } } } } }
      c: deleteClient(id: 1) { ... on DeletedNode { deletedId } }
      d: updateDeal(id: 1, input: { price: "2" }) { ... on Deal { price clientId client { name } } }
    }`);

    expect(data).toMatchObject({
      a: { client: { name: 'Old' } },
      b: { deals: { nodes: [{ price: '1', client: { name: 'New' } }] } },
      c: { deletedId: 'Client:1' },
      d: { price: '2', client: null },
    });
    expect(sandbox.calls().filter((call) => call === CLIENT).length).toBeLessThanOrEqual(3);
  });
});

describe('two accounts', () => {
  test('cannot see records of each other, neither in lists nor by id', async () => {
    const { execute, stranger } = await oneOfEach();
    const token = stranger();
    const ids = ['Client:1', 'Post:1', 'Deal:1', 'Contact:1', 'ContactList:1'];
    const query = `query ($ids: [ID!]!) {
      nodes(ids: $ids) { id } node(id: "Client:1") { id }
      clients { totalCount } posts { totalCount } deals { totalCount }
      client(id: 1) { id } post(id: 1) { id } deal(id: 1) { id } contact(id: 1) { id } contactList(id: 1) { id }
    }`;

    const own = await execute(query, { variables: { ids } });
    const others = await execute(query, { variables: { ids }, token });

    expect([own.errors, others.errors]).toEqual([[], []]);
    const one = { totalCount: 1 };
    expect(own.data).toMatchObject({ nodes: ids.map((id) => ({ id })), clients: one, posts: one, deals: one });
    const none = { totalCount: 0 };
    expect(others.data).toEqual({
      ...{ nodes: [null, null, null, null, null], node: null, clients: none, posts: none, deals: none },
      ...{ client: null, post: null, deal: null, contact: null, contactList: null },
    });
  });

  test('cannot change records of each other', async () => {
    const { execute, stranger } = await oneOfEach();

    const { data } = await execute(
      `mutation {
        a: updateClient(id: 1, input: { name: "x" }) { __typename } b: deleteClient(id: 1) { __typename }
        c: updateDeal(id: 1, input: { name: "x" }) { __typename } d: deleteDeal(id: 1) { __typename }
        e: updateContact(id: 1, input: { name: "x" }) { __typename }
        f: updateContactList(id: 1, name: "x") { __typename }
        g: createDeal(input: { name: "x", clientId: 1 }) { __typename }
        h: addPostComment(postId: 1, input: { content: "x" }) { __typename }
      }`,
      { token: stranger() },
    );

    const missing = { __typename: 'NotFoundError' };
    const [a, b, c, d, e, f] = Array.from({ length: 6 }, () => missing);
    const invalid = { __typename: 'ValidationError' };
    expect(data).toEqual({ a, b, c, d, e, f, g: invalid, h: invalid });
    expect((await execute('{ client(id: 1) { name } deal(id: 1) { name } }')).data).toEqual({
      client: { name: 'Shop' },
      deal: { name: 'Chairs' },
    });
  });
});

test('global ids of all types of the CRM are nodes, in the order asked for', async () => {
  const { ask } = await oneOfEach();

  const data = await ask(`{
    nodes(ids: ["ContactList:1", "Deal:1", "Client:1", "Contact:1", "Post:1", "Deal:99"]) {
      __typename id
      ... on Client { name } ... on Post { title } ... on Deal { name } ... on Contact { name }
      ... on ContactList { name }
    }
    node(id: "Post:1") { ... on Post { title } }
  }`);

  expect(data).toEqual({
    nodes: [
      { __typename: 'ContactList', id: 'ContactList:1', name: 'News' },
      { __typename: 'Deal', id: 'Deal:1', name: 'Chairs' },
      { __typename: 'Client', id: 'Client:1', name: 'Shop' },
      { __typename: 'Contact', id: 'Contact:1', name: 'Cy' },
      { __typename: 'Post', id: 'Post:1', title: 'Call' },
      null,
    ],
    node: { title: 'Call' },
  });
});
