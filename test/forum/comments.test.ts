import { expect, test } from 'vitest';
import { forumOver, saysXml } from './support.ts';

// The comments of suggestions, over a forum that may not send them.

const PAGE = `<posts type="array">${Array.from({ length: 20 }, (_none, at) => `<post><id>${at + 1}</id></post>`).join('')}</posts>`;
const hash = (id: string, comments: string) => `<hash>${comments}<post><id>${id}</id></post></hash>`;
const COMMENTS = '<comments type="array"><comment><id>5</id><comment>Yes</comment></comment></comments>';

const forumWith = async (comments: string) =>
  forumOver((request, response) => {
    const [, id] = /\/app\/posts\/(\d+)\.xml$/.exec(request.url ?? '') ?? [];
    saysXml(id === undefined ? PAGE : hash(id, comments))(request, response);
  });

test('three suggestions are read where the forum sends no comments', async () => {
  const { ask, calls } = await forumWith('');
  const data = await ask('{ forumPosts { nodes { comments { id } } } }');
  expect(data).toEqual({ forumPosts: { nodes: Array.from({ length: 20 }, () => ({ comments: null })) } });
  expect(calls()).toHaveLength(1 + 3);
});

test('each suggestion is read where the forum sends comments', async () => {
  const { ask, calls } = await forumWith(COMMENTS);
  const data = await ask('{ forumPosts { nodes { comments { upstreamId text } } } }');
  const comments = [{ upstreamId: '5', text: 'Yes' }];
  expect(data).toEqual({ forumPosts: { nodes: Array.from({ length: 20 }, () => ({ comments })) } });
  expect(calls()).toHaveLength(1 + 20);
});

test('comments that were not sent are told by X-Trivium-Not-Sent', async () => {
  const { url } = await forumWith('');
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-trivium-not-sent': '1',
      'x-forum-authorization': `Basic ${Buffer.from('ada:lovelace').toString('base64')}`,
    },
    body: JSON.stringify({ query: '{ forumPost(id: 7) { comments { id } } }' }),
  });
  expect(await response.json()).toEqual({
    data: { forumPost: { comments: null } },
    extensions: { notSent: [['forumPost', 'comments']] },
  });
});

test('comments that cannot be read after a change name the change', async () => {
  const { execute } = await forumOver((request, response) => {
    saysXml('', { status: request.method === 'POST' ? 204 : 503 })(request, response);
  });
  const { data, errors } = await execute(
    'mutation { createForumPost(input: { title: "x", content: "y" }) { ... on ForumPost { title comments { id } } } }',
  );
  expect(data).toEqual({ createForumPost: { title: 'x', comments: null } });
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/^The change was made, but /),
      path: ['createForumPost', 'comments'],
      extensions: { outcome: 'APPLIED' },
    },
  ]);
});
