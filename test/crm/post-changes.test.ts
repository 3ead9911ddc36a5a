import { describe, expect, test } from 'vitest';
import { placed, postFields, readRecord, selectionOf } from './field-tables.ts';
import { crmGateway, crmOver, expectSent, fieldsOf, POST, REFUSAL, refused } from './support.ts';

const CREATE = 'POST /app/posts.json';

const writable = postFields.filter((field) => field.writable);
const selection = `id ${selectionOf(writable)} clientId parentId duplicateOfId`;
const create = `mutation ($input: CreatePostInput!) { createPost(input: $input) { ${REFUSAL} ... on Post { ${selection} } } }`;
const comment = `mutation ($postId: ID!, $input: PostCommentInput!) {
  addPostComment(postId: $postId, input: $input) {
    ${REFUSAL} ... on Post { id title content kind taskKind nick abstract useHtml private parentId parent { id } }
  }
}`;

describe('createPost', () => {
  test('every field of the input reaches upstream, and comes back', async () => {
    const { ask, sandbox, bodies, makeClient, makePost } = await crmGateway();
    const [client, parent, original] = [await makeClient(), await makePost(), await makePost()];

    const data = await ask(create, {
      variables: {
        input: {
          ...placed(writable.map(({ at, read }) => [at, read])),
          ...{ clientId: `Client:${client}`, parentId: `Post:${parent}`, duplicateOfId: `Post:${original}` },
        },
      },
    });

    expect(data).toEqual({
      createPost: {
        __typename: 'Post',
        id: 'Post:3',
        ...readRecord(writable),
        ...{ userId: expect.any(String), createdAt: expect.any(String) }, // the sandbox sets them
        ...{ clientId: client, parentId: parent, duplicateOfId: original },
      },
    });
    expect(sandbox.calls()).toEqual([CREATE]);
    const post = {
      ...Object.fromEntries(writable.map(({ wire, sent }) => [wire, sent])),
      ...{ client_id: Number(client), post_id: Number(parent), duplicate_from_id: Number(original) },
    };
    expect(bodies()).toEqual([{ api_token: '…', post }]);
  });

  test('a field that is left out or null is not sent', async () => {
    const nothing = { content: null, tags: null };
    await expectSent(create, 'post', [
      [{ title: 'x' }, { title: 'x' }],
      [{ title: 'x', mail: {} }, { title: 'x' }],
      [{ title: 'x', ...nothing, clientId: null, mail: { replyTo: null }, useHtml: null }, { title: 'x' }],
    ]);
  });

  test('every field that a refusal may name is mapped to its path in the input', async () => {
    const others = { post_id: 'parentId', client_id: 'clientId', duplicate_from_id: 'duplicateOfId' };
    const expected = { ...Object.fromEntries(writable.map(({ wire, at }) => [wire, at])), ...others };
    const errors = Object.fromEntries(Object.keys(expected).map((field) => [field, ['is odd']]));
    const { execute } = await crmOver({ 'POST /app/posts.json': refused(422, { errors }) });

    const { data } = await execute(create, { variables: { input: {} } });

    expect(fieldsOf(data)).toEqual(Object.values(expected));
  });
});

describe('addPostComment', () => {
  const input = {
    ...{ content: 'Done.', title: 'Re: it', kind: 'PRAISE', nick: 'Ada', abstract: 'Short', useHtml: true },
    private: true,
  };

  test.each(['upstream', 'global'])('adds a comment to the post with this %s id', async (form) => {
    const { ask, sandbox, bodies, makePost } = await crmGateway();
    const post = await makePost();

    const data = await ask(comment, {
      variables: { postId: form === 'global' ? `Post:${post}` : post, input },
    });

    const parent = { parentId: post, parent: { id: `Post:${post}` } };
    expect(data).toEqual({
      addPostComment: { __typename: 'Post', id: 'Post:2', ...input, taskKind: 'COMMENT', ...parent },
    });
    expect(sandbox.calls()).toEqual([CREATE, POST]);
    const { useHtml: use_html, ...same } = input;
    const sent = { ...same, kind: 'praise', use_html, task_kind: 'comment', post_id: Number(post) };
    expect(bodies()[0]).toEqual({ api_token: '…', post: sent });
  });

  test('a field that is left out or null is not sent', async () => {
    const { execute, bodies, makePost } = await crmGateway();
    const postId = await makePost();

    await execute(comment, { variables: { postId, input: { content: 'x' } } });
    await execute(comment, { variables: { postId, input: { content: 'x', title: null, nick: null } } });

    const post = { task_kind: 'comment', post_id: Number(postId), content: 'x' };
    expect(bodies().filter((body) => body !== null)).toEqual([
      { api_token: '…', post },
      { api_token: '…', post },
    ]);
  });

  test('a refusal by upstream is reported at the paths of the input', async () => {
    const { execute } = await crmGateway();
    const { data } = await execute(comment, { variables: { postId: 99, input: { content: ' ' } } });
    expect(new Set(fieldsOf(data))).toEqual(new Set(['postId', 'content']));
  });
});
