import { expect, test } from 'vitest';
import { forumGateway } from './support.ts';

// A suggestion is one record in the forum and in the CRM: after a write to one API, the other API is read again.

test('suggestions are read again after a mutation changed them', async () => {
  const { ask, sandbox, category, suggest } = await forumGateway();
  category('Ideas');
  const id = await suggest();
  const data = await ask(`mutation {
    createForumPost(input: { title: "New", content: "" }) { ... on ForumPost { category { name posts(order: "new") { title } } } }
    deleteForumPost(id: ${id}) { __typename }
    again: deleteForumPost(id: ${id}) { __typename }
    last: createForumPost(input: { title: "Last", content: "" }) { ... on ForumPost { category { posts(order: "new") { title } } } }
  }`);
  expect(data).toEqual({
    createForumPost: { category: { name: 'Ideas', posts: [{ title: 'New' }, { title: 'Longer legs' }] } },
    deleteForumPost: { __typename: 'DeletedNode' },
    again: { __typename: 'NotFoundError' },
    last: { category: { posts: [{ title: 'Last' }, { title: 'New' }] } },
  });
  const reads = ['GET /app/categories.xml', 'GET /:category_name'];
  const deletion = 'DELETE /app/posts/:post_id.xml';
  expect(sandbox.calls()).toEqual([
    'POST /app/posts.xml',
    ...reads,
    deletion,
    deletion,
    'POST /app/posts.xml',
    ...reads,
  ]);
});

test('the CRM is read again after a write to the forum, and the forum after a write to the CRM', async () => {
  const { execute, sandbox, suggest } = await forumGateway();
  const id = await suggest();
  const { data, errors } = await execute(`mutation {
    one: createForumPost(input: { title: "One", content: "" }) { ... on ForumPost { post { title } } }
    comment: createPost(input: { title: "x", content: "Agreed", taskKind: COMMENT, parentId: ${id} }) { __typename }
    two: createForumPost(input: { title: "Two", content: "" }) { ... on ForumPost { comments { text } post { commentsCount } } }
    deleteForumPost(id: ${id}) { __typename }
  }`);
  if (errors.length > 0) expect(errors).toEqual([]);
  expect(data).toMatchObject({
    one: { post: { title: 'One' } },
    two: { comments: [] },
    deleteForumPost: { __typename: 'DeletedNode' },
  });
  expect(sandbox.calls().filter((call) => call.startsWith('GET'))).toEqual([
    'GET /app/posts/:id.json',
    'GET /app/posts/:id.json',
  ]);
});

test('a list of the CRM is read again once the forum has written', async () => {
  const { execute, sandbox, category, suggest } = await forumGateway({ BATCH_READS: 'list' });
  category('Ideas');
  await suggest('One');
  const made = '... on ForumPost { category { posts { post { title } } } }';
  const { errors } = await execute(`mutation {
    two: createForumPost(input: { title: "Two", content: "" }) { ${made} }
    three: createForumPost(input: { title: "Three", content: "" }) { ${made} }
  }`);
  expect(errors).toEqual([]);
  expect(sandbox.calls().filter((call) => call.includes('/app.json'))).toHaveLength(2);
  expect(sandbox.calls()).not.toContain('GET /app/posts/:id.json');
});
