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

test('Post.forumPost and ForumPost.post lead to each other', async () => {
  const { ask, sandbox, suggest } = await forumGateway();
  const id = await suggest();
  const data = await ask(`{
    forumPost(id: ${id}) { title post { id title taskKind forumPost { id status } } }
    post(id: ${id}) { forumPost { title } }
  }`);
  expect(data).toEqual({
    forumPost: {
      title: 'Longer legs',
      post: {
        id: `Post:${id}`,
        title: 'Longer legs',
        taskKind: 'IDEA',
        forumPost: { id: `ForumPost:${id}`, status: 'new' },
      },
    },
    post: { forumPost: { title: 'Longer legs' } },
  });
  expect(sandbox.calls().toSorted()).toEqual(['GET /app/posts/:id.json', 'GET /app/posts/:post_id.xml']);
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

test('FORUM_SHARES_IDS=false makes both links null, without a call', async () => {
  const { execute, sandbox, suggest } = await forumGateway({ FORUM_SHARES_IDS: 'false' });
  const id = await suggest();
  const { data } = await execute(`{ forumPost(id: ${id}) { post { id } } post(id: ${id}) { forumPost { id } } }`);
  expect(data).toEqual({ forumPost: { post: null }, post: { forumPost: null } });
  expect(sandbox.calls().toSorted()).toEqual(['GET /app/posts/:id.json', 'GET /app/posts/:post_id.xml']);
});

test('Post.forumPost is null for a task that is no suggestion', async () => {
  const { execute, crm } = await forumGateway();
  await crm('POST', '/app/posts.json', { post: { title: 'Call', task_kind: 'phone' } });
  expect((await execute('{ posts { nodes { title forumPost { id } } } }')).data).toEqual({
    posts: { nodes: [{ title: 'Call', forumPost: null }] },
  });
});
