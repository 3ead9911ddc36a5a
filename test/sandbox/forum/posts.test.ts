import { describe, expect, test } from 'vitest';
import { clock } from '../clock.ts';
import { basic, declaration, forumSandbox, plain, refusal, requestsOf, texts, xml } from './support.ts';

const path = '/app/posts.xml';

describe('POST /app/posts.xml', () => {
  test('answers 201 with the created post, in the first category', async () => {
    const { call, category } = await forumSandbox({ now: () => new Date('2026-03-01T10:00:00.999Z') });
    const id = category('First');
    category('Second');
    const body = '<post><title>Żółw &amp; co</title><content>&lt;b&gt; 🪑</content></post>';
    const { status, type, text } = await call('POST', path, { body, headers: { 'user-agent': 'tester/1' } });
    expect({ status, type }).toEqual({ status: 201, type: xml });
    expect(text).toBe(`${declaration}<post>
  <agent>tester/1</agent>
  <category-id type="integer">${id}</category-id>
  <comments-cache type="integer">0</comments-cache>
  <content>&lt;b&gt; 🪑</content>
  <created-at type="datetime">2026-03-01T10:00:00Z</created-at>
  <id type="integer">1</id>
  <kind>suggestion</kind>
  <responsible-id type="integer" nil="true"/>
  <status>new</status>
  <title>Żółw &amp; co</title>
  <updated-at type="datetime">2026-03-01T10:00:00Z</updated-at>
  <votes-cache type="integer">0</votes-cache>
</post>
`);
  });

  test('the first suggestion of a forum without categories makes one', async () => {
    const { suggest, titles, get } = await forumSandbox();
    await suggest('One');
    await suggest('Two');
    expect(await titles('/Main')).toEqual(['Two', 'One']);
    expect((await get('/app/categories.xml')).text.match(/<category>/g)).toHaveLength(1);
  });

  test('a blank title, and a content that is no text, are refused with 422', async () => {
    const { post, tasks, get } = await forumSandbox();
    const blank = ['', '<title/>', '<title> \n</title>', '<title nil="true">T</title>', '<title><b>T</b></title>'];
    for (const title of [...blank, '<content>C</content>', '<title>T</title><title>U</title>']) {
      expect(await post(path, `<post>${title}</post>`), title).toMatchObject(refusal("Title can't be blank"));
    }
    const nested = '<post><title>T</title><content><b>C</b></content></post>';
    expect(await post(path, nested)).toMatchObject(refusal('Content must be a text'));
    expect((await post(`${path}?title=T`, '<post/>')).status, 'a title in the query').toBe(422);
    expect((await post(`${path}?title=T`, '')).status).toBe(400);
    expect(await tasks()).toEqual([]);
    expect((await get('/app/categories.xml')).text).toContain('<nil-classes');
  });
});

describe('GET /app/posts/:post_id.xml', () => {
  test('answers a hash of the comments and the post', async () => {
    const { now, set } = clock('2026-03-01T10:00:00Z');
    const { category, makePost, get } = await forumSandbox({ now });
    const category_id = category('Main');
    const { id } = await makePost({ title: 'T', content: 'C', category_id, responsible_id: 42, kind: 'question' });
    set('2026-03-02T10:00:00Z');
    const first = await makePost({ task_kind: 'comment', post_id: id, content: 'A & B' });
    await makePost({ task_kind: 'comment', post_id: id, content: 'Second', kind: 'praise' });
    await makePost({ post_id: id, title: 'A task under it is no comment' });
    const { status, type, text } = await get(`/app/posts/${id}.xml`);
    expect({ status, type }).toEqual({ status: 200, type: xml });
    expect(text).toBe(`${declaration}<hash>
  <comments type="array">
    <comment>
      <agent>crm/1</agent>
      <comment>A &amp; B</comment>
      <created-at type="datetime">2026-03-02T10:00:00Z</created-at>
      <id type="integer">${first.id}</id>
      <kind nil="true"/>
      <updated-at type="datetime">2026-03-02T10:00:00Z</updated-at>
    </comment>
    <comment>
      <agent>crm/1</agent>
      <comment>Second</comment>
      <created-at type="datetime">2026-03-02T10:00:00Z</created-at>
      <id type="integer">${first.id + 1}</id>
      <kind>praise</kind>
      <updated-at type="datetime">2026-03-02T10:00:00Z</updated-at>
    </comment>
  </comments>
  <post>
    <agent>crm/1</agent>
    <category-id type="integer">${category_id}</category-id>
    <comments-cache type="integer">2</comments-cache>
    <content>C</content>
    <created-at type="datetime">2026-03-01T10:00:00Z</created-at>
    <id type="integer">${id}</id>
    <kind>question</kind>
    <responsible-id type="integer">42</responsible-id>
    <status>new</status>
    <title>T</title>
    <updated-at type="datetime">2026-03-02T10:00:00Z</updated-at>
    <votes-cache type="integer">0</votes-cache>
  </post>
</hash>
`);
  });

  test('a post without comments has an empty array of comments', async () => {
    const { suggest, get } = await forumSandbox();
    const { text } = await get(`/app/posts/${await suggest('T')}.xml`);
    expect(text).toContain('<hash>\n  <comments type="array"/>\n  <post>\n');
  });
});

describe('one post in two APIs', () => {
  test('a suggestion of the forum is a task of the CRM', async () => {
    const { call, readPost, tasks, user } = await forumSandbox();
    const body = '<post><title>T</title><content>C</content></post>';
    const headers = { 'user-agent': 'tester/1', referer: 'https://shop.example/' };
    const { text } = await call('POST', path, { body, headers });
    const post = await readPost(Number(texts(text, 'id')[0]));
    expect(post).toMatchObject({ title: 'T', content: 'C', kind: 'suggestion', task_kind: 'idea', user_id: user });
    expect(post).toMatchObject({ nick: 'Ada', agent: 'tester/1', referrer: 'https://shop.example/', ip: '127.0.0.1' });
    expect(post).toMatchObject({ category_id: Number(texts(text, 'category-id')[0]), votes_cache: 0 });
    expect(await tasks()).toEqual([post]);
  });

  test('a task of the CRM with a category of the forum is a suggestion', async () => {
    const { category, makePost, titles, get } = await forumSandbox();
    const { id } = await makePost({ title: 'From the CRM', category_id: category('Main') });
    expect(await titles('/Main')).toEqual(['From the CRM']);
    const { text } = await get(`/app/posts/${id}.xml`);
    expect(text).toContain('<kind nil="true"/>');
  });
});

describe('DELETE /app/posts/:post_id.xml', () => {
  test('answers 200 with a single space, and the post and its comments are gone', async () => {
    const { suggest, makePost, del, get, tasks, titles } = await forumSandbox();
    const [id, other] = [await suggest('T'), await suggest('Other')];
    await makePost({ task_kind: 'comment', post_id: id, content: 'C' });
    await makePost({ task_kind: 'comment', post_id: other, title: null, content: 'D' });
    const task = await makePost({ title: 'Under it', post_id: id });
    expect(await del(`/app/posts/${id}.xml`)).toMatchObject({ status: 200, text: ' ' });
    expect((await get(`/app/posts/${id}.xml`)).status).toBe(404);
    expect((await del(`/app/posts/${id}.xml`)).status).toBe(404);
    expect(await titles('/')).toEqual(['Other']);
    expect((await tasks()).map(({ title, content, post_id }) => [title ?? content, post_id])).toEqual([
      ['Other', null],
      ['D', other],
      ['Under it', null],
    ]);
    expect(task['post_id']).toBe(id);
  });

  test('any user of the account may delete a suggestion', async () => {
    const { sandbox, base, account, suggest } = await forumSandbox();
    const id = await suggest('T');
    sandbox.store.createUser({ account, login: 'bo', password: 'p' });
    expect((await requestsOf(base, basic('bo', 'p')).del(`/app/posts/${id}.xml`)).status).toBe(200);
  });
});

describe.each(['GET', 'DELETE'])('%s /app/posts/:post_id.xml', (method) => {
  test('an id of no suggestion of the account is 404: of nothing, a comment, a task, or of another account', async () => {
    const { sandbox, call, category, suggest, makePost, stranger, tasks } = await forumSandbox();
    const [mine, other] = [category('Main'), stranger()];
    const theirs = sandbox.store.createForumCategory(other.account, 'Main').id;
    const id = await suggest('T');
    const missing = { status: 404, type: plain, text: 'Not Found' };
    for (const none of ['0', '-1', '1.5', 'x', '01', '99', '99999999999999999999', '%00', '']) {
      expect(await call(method, `/app/posts/${none}.xml`), none).toMatchObject(missing);
    }
    const comment = { task_kind: 'comment', post_id: id, content: 'C', category_id: mine };
    for (const post of [comment, {}, { category_id: 999 }, { category_id: theirs }]) {
      expect((await call(method, `/app/posts/${(await makePost(post)).id}.xml`)).status).toBe(404);
    }
    expect((await other.call(method, `/app/posts/${id}.xml`)).status).toBe(404);
    expect(await tasks()).toHaveLength(5);
  });
});

test('a method without a route for a known path of the forum is 405', async () => {
  const { call } = await forumSandbox();
  for (const [method, path] of [
    ['PUT', '/app/posts/1.xml'],
    ['POST', '/'],
    ['DELETE', '/Main'],
    ['GET', '/app/posts.xml'],
  ] as const) {
    expect((await call(method, path)).status).toBe(405);
  }
});
