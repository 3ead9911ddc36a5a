import { describe, expect, test } from 'vitest';
import { clock } from '../clock.ts';
import { all, crmSandbox, refusal } from './support.ts';

/** The fields in the document's table. */
const documented = [
  ...['id', 'post_id', 'title', 'content', 'abstract', 'kind', 'task_kind', 'user_id', 'nick', 'responsible_id'],
  ...['points', 'votes_cache', 'comments_cache', 'view_count', 'facebook_likes', 'min_votes_to_start'],
  ...['forum_id', 'category_id', 'status_id', 'project_id', 'client_id', 'created_at', 'updated_at', 'scheduled_at'],
  ...['ip', 'agent', 'referrer', 'www', 'response', 'response_user_id', 'answer', 'answered', 'last_action_status'],
  ...['email', 'email_to', 'email_cc', 'email_bcc', 'email_recipient', 'email_reply_to', 'uid'],
  ...['spam_kind', 'spam_score', 'spam_report', 'user_spam_report', 'duplicate_from_id', 'tags', 'use_html'],
  ...['closed', 'private', 'unread', 'priority', 'title_note', 'help_link', 'help_content'],
];

test('POST answers 201 with every documented field, bare; what was not sent is null', async () => {
  const { call, token, user, readPost } = await crmSandbox({ now: () => new Date('2026-03-01T10:00:00Z') });
  const { status, body } = await call('POST', '/app/posts.json', {
    body: { api_token: token, post: { title: 'Call' } },
    headers: { 'User-Agent': 'tester/1', Referer: 'https://shop.example/' },
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    ...all(documented, null),
    ...all(['points', 'votes_cache', 'comments_cache', 'view_count', 'facebook_likes', 'min_votes_to_start'], 0),
    ...all(['created_at', 'updated_at'], '2026-03-01T10:00:00.000Z'),
    ...all(['closed', 'private', 'use_html'], false),
    unread: true,
    id: expect.any(Number),
    title: 'Call',
    task_kind: 'task',
    user_id: user,
    nick: 'Ada',
    uid: expect.stringMatching(/^\w{32,}$/),
    ip: '127.0.0.1',
    agent: 'tester/1',
    referrer: 'https://shop.example/',
  });
  expect(await readPost(1)).toEqual(body);
});

test('every writable field of a post reads back', async () => {
  const { makeClient, makePost, readPost, postPost } = await crmSandbox();
  const [client, original] = [await makeClient(), await makePost()];
  const sent = {
    ...all(['title', 'content', 'abstract', 'nick', 'tags', 'www', 'title_note', 'help_link', 'help_content'], 'a, b'),
    ...all(['email', 'email_to', 'email_cc', 'email_bcc', 'email_recipient', 'email_reply_to'], 'ada@example.com'),
    ...all(['responsible_id', 'status_id', 'category_id', 'project_id', 'forum_id', 'priority'], 42),
    ...all(['use_html', 'private'], true),
    kind: 'question',
    task_kind: 'email',
    client_id: client.id,
    post_id: original.id,
    duplicate_from_id: original.id,
    scheduled_at: '2026-03-01T08:30:00.000Z',
  };
  const { status, body } = await postPost(sent);
  expect({ status, body }).toMatchObject({ status: 201, body: sent });
  expect(await readPost(2)).toEqual(body);
});

test('read-only and unknown fields of a post are ignored', async () => {
  const { makePost, user } = await crmSandbox();
  const sent = { id: 99, user_id: 99, uid: 'mine', ip: '9.9.9.9', points: 9, comments_cache: 9, x: 1 };
  const post = await makePost({ ...sent, agent: 'x', created_at: '2000-01-01T00:00:00Z' });
  expect(post).toMatchObject({ id: 1, user_id: user, ip: '127.0.0.1', points: 0, comments_cache: 0 });
  expect(post['uid']).not.toBe('mine');
  expect(post['agent']).not.toBe('x');
  expect(post['created_at']).not.toMatch(/^2000/);
});

test('GET /app.json lists all tasks of the account, comments included, by ascending id', async () => {
  const { makePost, comment, readPost, tasks, get } = await crmSandbox();
  const one = await makePost({ title: 'B' });
  await comment(one.id);
  await makePost({ title: 'A', task_kind: 'idea' });
  expect((await get('/app.json')).status).toBe(200);
  expect(await tasks()).toEqual([await readPost(1), await readPost(2), await readPost(3)]);
  expect((await tasks()).map(({ task_kind }) => task_kind)).toEqual(['task', 'comment', 'idea']);
});

test.each([
  ['task_kind', ['feedback', 'email', 'task', 'help', 'chat', 'phone', 'lead', 'error', 'idea']],
  ['kind', ['suggestion', 'error', 'question', 'praise', 'private']],
])('a %s is one of %j', async (field, values) => {
  const { postPost } = await crmSandbox();
  for (const value of values) {
    expect(await postPost({ [field]: value })).toMatchObject({ status: 201, body: { [field]: value } });
  }
});

test('an empty kind is null, and an empty task_kind is task', async () => {
  const { makePost } = await crmSandbox();
  for (const none of [null, '']) {
    expect(await makePost({ kind: none, task_kind: none })).toMatchObject({ kind: null, task_kind: 'task' });
  }
});

describe('a comment', () => {
  test('is added with task_kind comment and post_id, needs no title, and is read like a task', async () => {
    const { makePost, comment, readPost } = await crmSandbox();
    const { id } = await makePost();
    const { status, body } = await comment(id, { content: 'Agreed' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ post_id: id, task_kind: 'comment', content: 'Agreed', title: null });
    expect(await readPost(2)).toEqual(body);
  });

  test('is counted in comments_cache of its post alone, and moves its updated_at', async () => {
    const { now, set } = clock('2026-03-01T10:00:00Z');
    const { makePost, comment, readPost, tasks } = await crmSandbox({ now });
    const [one, other] = [await makePost(), await makePost()];
    set('2026-03-02T10:00:00Z');
    await comment(one.id);
    await comment(one.id);
    await makePost({ post_id: one.id }); // a task under a task is no comment
    expect(await readPost(one.id)).toMatchObject({
      comments_cache: 2,
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
    });
    const unchanged = { comments_cache: 0, updated_at: '2026-03-01T10:00:00.000Z' };
    expect(await readPost(other.id)).toMatchObject(unchanged);
    await makePost({ post_id: other.id });
    expect(await readPost(other.id)).toMatchObject(unchanged);
    expect((await tasks()).map(({ comments_cache }) => comments_cache)).toEqual([2, 0, 0, 0, 0, 0]);
  });

  test('needs a content, and a post_id that names a post', async () => {
    const { makePost, comment, tasks } = await crmSandbox();
    for (const post_id of [null, '', undefined, 7, '7', 'x', [1], true]) {
      expect(await comment(post_id), String(post_id)).toMatchObject(refusal('post_id'));
    }
    const { id } = await makePost();
    for (const content of [null, '', ' ', undefined]) {
      expect(await comment(id, { content }), String(content)).toMatchObject(refusal('content'));
    }
    const wrong = { content: '', post_id: null, email: 'x', client_id: 7 };
    expect(await comment(null, wrong), 'all at once').toMatchObject(refusal(...Object.keys(wrong)));
    expect(await tasks()).toHaveLength(1);
  });
});

test('a post cannot link to records of another account', async () => {
  const { stranger, postPost } = await crmSandbox();
  const { post } = stranger();
  await post('/app/clients.json', { client: { name: 'Theirs' } });
  await post('/app/posts.json', { post: { title: 'Theirs' } });
  for (const field of ['client_id', 'post_id', 'duplicate_from_id']) {
    expect(await postPost({ [field]: 1 })).toMatchObject(refusal(field));
  }
});

test('posts have no PUT and no DELETE', async () => {
  const { makePost, put, del } = await crmSandbox();
  const { id } = await makePost();
  expect((await put(`/app/posts/${id}.json`, { post: { title: 'New' } })).status).toBe(405);
  expect((await del(`/app/posts/${id}.json`)).status).toBe(405);
});
