import { describe, expect, test } from 'vitest';
import { FORUM, FORUM_POST, forumPage, gatewayOverFinds, linkedGateway, POST, POSTS } from './support.ts';

// `ForumPost.post` and `Post.forumPost`: one suggestion, through either interface.

describe('the post of a suggestion', () => {
  test('is the same record in the CRM, read with the credential of the CRM', async () => {
    const { ask, sandbox, admin, makeSuggestion } = await linkedGateway();
    const id = await makeSuggestion({ title: 'More oak', priority: 'high' });

    expect(await ask(`{ forumPost(id: ${id}) { id title post { id title priority } } }`)).toEqual({
      forumPost: {
        id: `ForumPost:${id}`,
        title: 'More oak',
        post: { id: `Post:${id}`, title: 'More oak', priority: 'high' },
      },
    });
    expect(sandbox.calls()).toEqual([FORUM_POST, POST]);
    expect(sandbox.requests.map(({ headers, query }) => [headers['authorization'], query])).toEqual([
      ['Basic …', {}],
      [undefined, { api_token: '…' }],
    ]);
    expect(admin.token).not.toBe('…');
  });

  test('is null when the CRM has no such post', async () => {
    const { execute, calls } = await gatewayOverFinds();
    expect((await execute('{ forumPosts(first: 1) { nodes { upstreamId post { title } } } }')).data).toEqual({
      forumPosts: { nodes: [{ upstreamId: '5', post: null }] },
    });
    expect(calls()).toEqual([FORUM, 'GET /app/posts/5.json']);
  });

  test('of several suggestions is one list', async () => {
    const { execute, sandbox, makeSuggestion } = await linkedGateway({ BATCH_READS: 'list' });
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f']) await makeSuggestion({ title });

    const { data } = await execute('{ forumPosts(first: 6) { nodes { title post { title } } } }');

    const titles = expect.arrayContaining(['a', 'b', 'c', 'd', 'e', 'f'].map((title) => ({ title, post: { title } })));
    expect(data).toEqual({ forumPosts: { nodes: titles } });
    expect(sandbox.calls()).toEqual([FORUM, POSTS]);
  });

  test('is null without a credential of the CRM, with one error that names the header', async () => {
    const { execute, sandbox, makeSuggestion } = await linkedGateway({ CRM_SHARES_TOKEN: 'false' });
    const id = await makeSuggestion({ title: 'More oak' });

    const { data, errors } = await execute(`{ forumPost(id: ${id}) { title post { title } } flexDbs { id } }`);

    expect(data).toEqual({ forumPost: { title: 'More oak', post: null }, flexDbs: [] });
    expect(errors).toMatchObject([
      {
        path: ['forumPost', 'post'],
        message: expect.stringContaining('X-CRM-Token'),
        extensions: { code: 'UNAUTHENTICATED' },
      },
    ]);
    expect(sandbox.calls()).not.toContain(POST);
  });
});

describe('the suggestion of a post', () => {
  test('is the same record in the forum, read with the credential of the forum', async () => {
    const { ask, sandbox, makeSuggestion } = await linkedGateway();
    const id = await makeSuggestion({ title: 'More oak' });

    expect(await ask(`{ post(id: ${id}) { title forumPost { id title comments { id } } } }`)).toEqual({
      post: { title: 'More oak', forumPost: { id: `ForumPost:${id}`, title: 'More oak', comments: [] } },
    });
    expect(sandbox.calls()).toEqual([POST, FORUM_POST]);
    expect(sandbox.requests[1]?.headers['authorization']).toBe('Basic …');
    expect(sandbox.requests[1]?.query).toEqual({});
  });

  test('is null for a post that is no suggestion', async () => {
    const { ask, sandbox, makePost } = await linkedGateway();
    const id = await makePost({ title: 'Call' });

    const data = await ask(`{ post(id: ${id}) { title forumPost { title } } }`);

    expect(data).toEqual({ post: { title: 'Call', forumPost: null } });
    expect(sandbox.calls()).toEqual([POST, FORUM_POST]);
  });

  test('of several posts is one call each, whichever fields are selected and how often', async () => {
    const { ask, sandbox, makeSuggestion } = await linkedGateway();
    for (const title of ['a', 'b', 'c']) await makeSuggestion({ title });

    const data = await ask(`{ posts { nodes { title forumPost { title status post { title } } } }
      again: posts { nodes { forumPost { kind comments { text } } } } }`);

    expect(data).toMatchObject({
      posts: { nodes: ['a', 'b', 'c'].map((title) => ({ title, forumPost: { title, post: { title } } })) },
    });
    const calls = sandbox.calls();
    expect(calls.filter((call) => call === FORUM_POST)).toHaveLength(3);
    expect(calls.filter((call) => call === POSTS)).toHaveLength(1);
    expect(calls).toHaveLength(4);
  });

  test('is null without a credential of the forum, with one error that names the header', async () => {
    const { withoutForum, sandbox, makeSuggestion } = await linkedGateway();
    const id = await makeSuggestion({ title: 'More oak' });

    const { data, errors } = await withoutForum(`{ post(id: ${id}) { title forumPost { title } } }`);

    expect(data).toEqual({ post: { title: 'More oak', forumPost: null } });
    expect(errors).toMatchObject([
      {
        path: ['post', 'forumPost'],
        message: expect.stringContaining('X-Forum-Authorization'),
        extensions: { code: 'UNAUTHENTICATED' },
      },
    ]);
    expect(sandbox.calls()).toEqual([POST]);
  });
});

describe('both links between post and suggestion', () => {
  test('FORUM_SHARES_IDS=false makes it null, without a call', async () => {
    const { ask, sandbox, makeSuggestion } = await linkedGateway({ FORUM_SHARES_IDS: 'false' });
    const id = await makeSuggestion({ title: 'More oak' });

    const data = await ask(
      `{ post(id: ${id}) { title forumPost { title } } forumPost(id: ${id}) { title post { title } } }`,
    );

    expect(data).toEqual({
      post: { title: 'More oak', forumPost: null },
      forumPost: { title: 'More oak', post: null },
    });
    expect(sandbox.calls().toSorted()).toEqual([POST, FORUM_POST]);
  });

  test('a failed read is an error of its own field; the other suggestions are answered', async () => {
    const { execute } = await gatewayOverFinds({
      '/': forumPage({ id: 5, title: 'Good' }, { id: 6, title: 'Bad' }),
      '/app/posts/5.json': (_request, response) => response.end('{"id":5,"title":"Good"}'),
      '/app/posts/6.json': (_request, response) => response.writeHead(503).end(),
    });

    const { data, errors } = await execute('{ forumPosts(first: 2) { nodes { title post { title } } } }');

    expect(data).toEqual({
      forumPosts: {
        nodes: [
          { title: 'Good', post: { title: 'Good' } },
          { title: 'Bad', post: null },
        ],
      },
    });
    expect(errors).toMatchObject([
      { path: ['forumPosts', 'nodes', 1, 'post'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
  });

  test('a suggestion is read again in the forum after a write to the CRM', async () => {
    const { ask, sandbox, makeSuggestion } = await linkedGateway();
    const id = await makeSuggestion({ title: 'More oak' });
    const comment = (text: string) => `addPostComment(postId: ${id}, input: { content: "${text}" }) {
      ... on Post { parent { forumPost { comments { text } } } }
    }`;

    const data = await ask(`mutation { first: ${comment('One')} second: ${comment('Two')} }`);

    const says = (...texts: string[]) => ({
      parent: { forumPost: { comments: expect.arrayContaining(texts.map((text) => ({ text }))) } },
    });
    expect(data).toEqual({ first: says('One'), second: says('One', 'Two') });
    expect(sandbox.calls().filter((call) => call === FORUM_POST)).toHaveLength(2);
  });
});

test.each([
  ['true', ['ForumPost', 'Post']],
  ['false', ['ForumPost']],
] as const)('a deleted suggestion with FORUM_SHARES_IDS=%s takes along: %j', async (shared, types) => {
  const { execute, makeSuggestion } = await linkedGateway({ FORUM_SHARES_IDS: shared });
  const id = await makeSuggestion({ title: 'More oak' });

  const { data } = await execute(
    `mutation { deleteForumPost(id: ${id}) { ... on DeletedNode { deletedId deletedIds } } }`,
  );

  const deletedIds = types.map((type) => `${type}:${id}`);
  expect(data).toEqual({ deleteForumPost: { deletedId: `ForumPost:${id}`, deletedIds } });
});
