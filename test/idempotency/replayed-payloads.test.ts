import { expect, test } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { keyed } from './support.ts';

// What a mutation shows when it is sent again under its key: the record by its id, over the sandbox.

const FORUM = { 'x-forum-authorization': `Basic ${Buffer.from('ada:password').toString('base64')}` };

async function sandboxed() {
  const { sandbox, account, admin, url } = await gateway();
  sandbox.store.createUser({ account, login: 'ada', password: 'password' });
  const ask = keyed(url, admin.token);
  const setUp = await ask(
    'setup',
    FORUM,
  )(`mutation {
    createClient(input: { name: "Ada" }) { ... on Client { id } }
    createDeal(input: { name: "Desk" }) { ... on Deal { id } }
    createContact(input: { name: "Bob" }) { ... on Contact { id } }
    createContactList(name: "News") { ... on ContactList { id } }
    createPost(input: { title: "Broken" }) { ... on Post { id } }
    createDashboard(input: { name: "Mine" }) { ... on Dashboard { id } }
    createApiToken(input: { name: "t" }) { ... on CreatedApiToken { apiToken { id } } }
    createFlexDb(input: { name: "Shop", code: "shop" }) { ... on FlexDb { id } }
    createForumPost(input: { title: "Idea", content: "More" }) { ... on ForumPost { id } }
  }`);
  expect(setUp.errors).toEqual([]);
  const ids = new Map(
    [...JSON.stringify(setUp.data).matchAll(/"id":"(\w+):([^"]+)"/g)].map(([, type = '', id = '']) => [type, id]),
  );
  return { ask, ids, sandbox };
}

test.each([
  [
    'Client',
    'createClient(input: { name: "Eve", email: "e@b.example" }) { ... on Client { id name email createdAt } }',
  ],
  ['Client', 'updateClient(id: ID, input: { name: "Eve" }) { ... on Client { id name email } }'],
  ['Deal', 'createDeal(input: { name: "Lamp", price: "12.50" }) { ... on Deal { id name price } }'],
  ['Deal', 'updateDeal(id: ID, input: { name: "Lamp" }) { ... on Deal { id name } }'],
  ['Contact', 'createContact(input: { name: "Eve" }) { ... on Contact { id name } }'],
  ['Contact', 'updateContact(id: ID, input: { name: "Eve" }) { ... on Contact { id name } }'],
  ['ContactList', 'createContactList(name: "More") { ... on ContactList { id name } }'],
  ['ContactList', 'updateContactList(id: ID, name: "More") { ... on ContactList { id name } }'],
  ['Post', 'createPost(input: { title: "Help", content: "me" }) { ... on Post { id title content } }'],
  ['Post', 'addPostComment(postId: ID, input: { content: "yes" }) { ... on Post { id content } }'],
  ['Dashboard', 'createDashboard(input: { name: "Ours" }) { ... on Dashboard { id name layout { key } } }'],
  ['Dashboard', 'updateDashboard(id: ID, input: { name: "Ours" }) { ... on Dashboard { id name layout { key } } }'],
  ['ApiToken', 'updateApiToken(id: ID, input: { name: "u" }) { ... on ApiToken { id name } }'],
  ['FlexDb', 'updateFlexDb(id: ID, input: { name: "Market" }) { ... on FlexDb { id name code } }'],
  ['FlexDb', 'createFlexRecord(db: ID, input: { data: { a: 1 } }) { ... on FlexRecord { id data } }'],
  ['ForumPost', 'createForumPost(input: { title: "Idea", content: "Less" }) { ... on ForumPost { id title content } }'],
  ['ForumPost', 'deleteForumPost(id: ID) { ... on DeletedNode { deletedId } }'],
  ['Deal', 'deleteDeal(id: ID) { ... on DeletedNode { deletedId } }'],
  ['Dashboard', 'deleteDashboard(id: ID) { ... on DashboardDeletion { deletedId } }'],
])('the record of a %s is given again: %s', async (type, mutation) => {
  const { ask, ids } = await sandboxed();
  const query = `mutation { ${mutation.replace('ID', JSON.stringify(ids.get(type)))} }`;
  const [field = ''] = mutation.split('(');
  const first = await ask('k', FORUM)(query);
  const again = await ask('k', FORUM)(query);
  expect(first).toMatchObject({ errors: [], extensions: { idempotency: { [field]: 'FIRST' } } });
  expect(JSON.stringify(first.data)).toMatch(/:"\w+:/);
  expect(again).toEqual({ ...first, extensions: { idempotency: { [field]: 'REPLAYED' } } });
});
