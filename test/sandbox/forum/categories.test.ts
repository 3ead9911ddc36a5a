import { describe, expect, test } from 'vitest';
import { clock } from '../clock.ts';
import { declaration, forumSandbox, plain, xml } from './support.ts';

const nothing = `${declaration}<nil-classes type="array"/>\n`;

describe('GET /app/categories.xml', () => {
  test('answers an array of the categories of the account', async () => {
    const { category, get, sandbox, stranger } = await forumSandbox();
    const [first, second] = [category('Main & <more>'), category('Żółw')];
    sandbox.store.createForumCategory(stranger().account, 'Theirs');
    expect(await get('/app/categories.xml')).toMatchObject({
      status: 200,
      type: xml,
      text: `${declaration}<categories type="array">
  <category>
    <id type="integer">${first}</id>
    <name>Main &amp; &lt;more&gt;</name>
  </category>
  <category>
    <id type="integer">${second}</id>
    <name>Żółw</name>
  </category>
</categories>
`,
    });
  });

  test('without a category it is an empty array, and so is GET /', async () => {
    const { get } = await forumSandbox();
    for (const path of ['/app/categories.xml', '/'])
      expect(await get(path)).toMatchObject({ status: 200, text: nothing });
  });
});

test('GET / answers an array of the suggestions of the first category', async () => {
  const { now, set } = clock('2026-03-01T10:00:00.500Z');
  const { sandbox, category, makePost, get } = await forumSandbox({ now });
  const [first, second] = [category('Main'), category('Other')];
  const { id } = await makePost({ title: 'Żółw <&>', content: 'C', category_id: first });
  await makePost({ title: 'Elsewhere', category_id: second });
  await makePost({ title: 'A task' });
  sandbox.store.setVotes(id, 3);
  set('2026-03-02T10:00:00Z');
  await makePost({ task_kind: 'comment', post_id: id, content: 'Yes', category_id: first });
  const { status, type, text } = await get('/');
  expect({ status, type }).toEqual({ status: 200, type: xml });
  expect(text).toBe(`${declaration}<posts type="array">
  <post>
    <agent>crm/1</agent>
    <comments-cache type="integer">1</comments-cache>
    <content>C</content>
    <created-at type="datetime">2026-03-01T10:00:00Z</created-at>
    <id type="integer">${id}</id>
    <title>Żółw &lt;&amp;&gt;</title>
    <updated-at type="datetime">2026-03-02T10:00:00Z</updated-at>
    <votes-cache type="integer">3</votes-cache>
  </post>
</posts>
`);
});

describe('GET /<category_name>', () => {
  test('answers the suggestions of the named category alone, and none of an empty one', async () => {
    const { category, makePost, titles, get } = await forumSandbox();
    await makePost({ title: 'Elsewhere', category_id: category('Main') });
    for (const name of ['Pomysły i uwagi', 'Sklep/Dostawy', 'a+b%20&?#', 'app', 'Main.xml', '.hidden', '7']) {
      const category_id = category(name);
      expect(await get(`/${encodeURIComponent(name)}`), name).toMatchObject({ status: 200, text: nothing });
      await makePost({ title: name, category_id });
      expect((await get(`/${encodeURIComponent(name)}`)).text.match(/<title>/g), name).toHaveLength(1);
    }
    expect(await titles('/7')).toEqual(['7']);
  });

  test('a name that no category of the account has is 404 in plain text', async () => {
    const { sandbox, category, get, stranger } = await forumSandbox();
    category('Main');
    category('Sklep%2FDostawy');
    sandbox.store.createForumCategory(stranger().account, 'Theirs');
    const encoded = ['Mai', 'main', 'Main ', 'favicon.ico', "'", 'Theirs'].map(encodeURIComponent);
    for (const path of [...encoded, 'Sklep/Dostawy', '%00']) expect((await get(`/${path}`)).status, path).toBe(404);
    expect(await get('/Theirs')).toMatchObject({ status: 404, type: plain, text: 'Not Found' });
  });
});

describe.each(['/', '/Main'])('the order and the pages of %s', (path) => {
  /** Suggestions C (2 votes), B (5), A (2), a day apart. */
  async function three() {
    const { now, set } = clock('2026-03-01T10:00:00Z');
    const forum = await forumSandbox({ now });
    const category_id = forum.category('Main');
    for (const [index, title] of ['C', 'B', 'A'].entries()) {
      set(`2026-03-0${index + 1}T10:00:00Z`);
      forum.sandbox.store.setVotes((await forum.makePost({ title, category_id })).id, title === 'B' ? 5 : 2);
    }
    return forum;
  }

  /** Suggestions 1 to 45. */
  async function many() {
    const forum = await forumSandbox();
    forum.category('Main');
    for (let number = 1; number <= 45; number++) await forum.suggest(String(number));
    return forum;
  }
  const countdown = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => String(from - index));

  test('order=new is newest first, any other by votes, then newest first', async () => {
    const { titles, suggest } = await three();
    expect(await titles(`${path}?order=new`)).toEqual(['A', 'B', 'C']);
    for (const order of ['', '?order=', '?order=old', '?order=New']) {
      expect(await titles(path + order)).toEqual(['B', 'A', 'C']);
    }
    await suggest('D'); // at the same time as A
    expect(await titles(`${path}?order=new`)).toEqual(['D', 'A', 'B', 'C']);
  });

  test('page counts from 1, 20 to a page, and beyond the last there is nothing', async () => {
    const { titles, get } = await many();
    expect(await titles(`${path}?order=new`)).toEqual(countdown(45, 26));
    expect(await titles(`${path}?order=new&page=1`)).toEqual(countdown(45, 26));
    expect(await titles(`${path}?order=new&page=2`)).toEqual(countdown(25, 6));
    expect(await titles(`${path}?page=3`)).toEqual(countdown(5, 1));
    for (const page of ['4', '99999999999999999999999']) {
      expect(await get(`${path}?page=${page}`)).toMatchObject({ status: 200, text: nothing });
    }
    for (const page of ['0', '-1', 'x', '', '1.5', '2e0', '%00']) {
      expect(await titles(`${path}?page=${page}`)).toEqual(countdown(45, 26));
    }
  });

  test('order and page may be in an XML body, and the query takes precedence', async () => {
    const { call, titles } = await three();
    expect(await titles(path, { body: '<request><order>new</order></request>' })).toEqual(['A', 'B', 'C']);
    expect(await titles(path, { body: '<request><page type="integer">2</page></request>' })).toEqual([]);
    expect(await titles(path, { body: '<request><page nil="true"/><order/></request>' })).toEqual(['B', 'A', 'C']);
    const body = '<request><order>new</order><page>2</page></request>';
    expect(await titles(`${path}?order=x&page=1`, { body })).toEqual(['B', 'A', 'C']);
    expect((await call('GET', path, { body: '<request>' })).status).toBe(400); // it is not XML
  });
});

test('GET / shows the first category of the own account', async () => {
  const { sandbox, category, suggest, titles, stranger } = await forumSandbox();
  category('Main');
  await suggest('Ours');
  const other = stranger();
  sandbox.store.createForumCategory(other.account, 'Main');
  await other.suggest('Theirs');
  expect([await titles('/'), await titles('/Main')]).toEqual([['Ours'], ['Ours']]);
  expect([await other.titles('/'), await other.titles('/Main')]).toEqual([['Theirs'], ['Theirs']]);
});
