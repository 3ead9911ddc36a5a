import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { forumGateway, forumOver, saysXml } from './support.ts';

const EMPTY = saysXml('<nil-classes type="array"/>');
const posts = (...ids: readonly number[]) =>
  saysXml(`<posts type="array">${ids.map((id) => `<post><id type="integer">${id}</id></post>`).join('')}</posts>`);

describe('a page of suggestions', () => {
  test('is of the first category when no category is given', async () => {
    const { execute, calls } = await forumOver(EMPTY);
    await execute('{ forumPostList { id } }');
    await execute('{ forumPostList(category: null, order: null, page: null) { id } }');
    await execute('{ forumPostList(order: "") { id } }');
    await execute('{ forumPostList(order: "new", page: 3) { id } }');
    expect(calls()).toEqual(['GET /', 'GET /', 'GET /', 'GET /?order=new&page=3']);
  });

  test.each([
    ['Ideas', 'Ideas'],
    ['Pomysły i uwagi', 'Pomys%C5%82y%20i%20uwagi'],
    ['Sklep/Dostawy', 'Sklep%2FDostawy'],
    ['a?b#c&d=e', 'a%3Fb%23c%26d%3De'],
    ['50% & more+', '50%25%20%26%20more%2B'],
    ['🪑', '%F0%9F%AA%91'],
    ['apples', 'apples'],
    ['my app', 'my%20app'],
    ['...', '...'],
    ['a.xml', 'a.xml'],
    ['x'.repeat(500), 'x'.repeat(500)],
  ])('the name of a category is one segment of the path: %s', async (category, segment) => {
    const { ask, calls } = await forumOver(EMPTY);
    const query = 'query ($category: String) { forumPostList(category: $category, order: "a&b=ł", page: 2) { id } }';
    expect(await ask(query, { variables: { category } })).toEqual({ forumPostList: [] });
    expect(calls()).toEqual([`GET /${segment}?order=a%26b%3D%C5%82&page=2`]);
  });

  test('the sandbox finds a category by its encoded name', async () => {
    const { ask, sandbox, category, suggest } = await forumGateway();
    category('Sklep / Łódź & Co?');
    await suggest('First');
    const last = await suggest('Last');
    sandbox.store.setVotes(Number(last) - 1, 3);
    const list = (order: string, page: number) =>
      `forumPostList(category: "Sklep / Łódź & Co?", order: "${order}", page: ${page}) { title votesCount }`;
    const data = await ask(`{ new: ${list('new', 1)} best: ${list('votes', 1)} beyond: ${list('new', 2)} }`);
    const [first, second] = [
      { title: 'First', votesCount: 3 },
      { title: 'Last', votesCount: 0 },
    ];
    expect(data).toEqual({ new: [second, first], best: [first, second], beyond: [] });
    expect(sandbox.calls()).toEqual(Array.from({ length: 3 }, () => 'GET /:category_name'));
  });

  test('a category that does not exist is null, with an error', async () => {
    const { execute, category, sandbox } = await forumGateway();
    category('Ideas');
    const { data, errors } = await execute('{ forumPostList(category: "Other") { id } forumMe { login } }');
    expect(data).toEqual({ forumPostList: null, forumMe: { login: 'ada' } });
    expect(errors).toMatchObject([{ path: ['forumPostList'], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(sandbox.calls()).toEqual(['GET /:category_name', 'GET /app/users/me.xml']);
  });

  test.each([0, -1, -2147483648])('page %d is refused', async (page) => {
    const { execute, calls } = await forumOver(
      saysXml('<categories type="array"><category><id>1</id><name>a</name></category></categories>'),
    );
    for (const field of [
      `forumPostList(page: ${page})`,
      `forumPostList(category: "a", page: ${page})`,
      `forumCategories { posts(page: ${page})`,
    ]) {
      const { errors } = await execute(`{ ${field} { id } ${field.startsWith('forumC') ? '}' : ''} }`);
      expect(errors).toMatchObject([{ message: '`page` takes 1 or more.', extensions: { code: 'BAD_USER_INPUT' } }]);
    }
    expect(calls()).toEqual(['GET /app/categories.xml']);
  });

  test('an unpaired surrogate is refused as an order', async () => {
    const { execute, calls } = await forumOver(EMPTY);
    const { errors } = await execute('query ($order: String) { forumPostList(order: $order) { id } }', {
      variables: { order: '\ud800' },
    });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls()).toEqual([]);
  });
});

describe('a key that only a single suggestion has', () => {
  const single = (id: string) =>
    `<hash><comments type="array"/><post><id>${id}</id><kind>suggestion</kind><status>new</status><category-id>1</category-id></post></hash>`;

  const forum: RequestListener = (request, response) => {
    const [, id] = /^\/app\/posts\/(\d+)\.xml$/.exec(request.url ?? '') ?? [];
    const list = request.url === '/app/categories.xml' ? EMPTY : posts(1, 2, 3, 4, 5, 6);
    (id === undefined ? list : saysXml(single(id)))(request, response);
  };

  /** A forum that answers single suggestions when it is told to, one after another. */
  async function heldForum(settings: Partial<Config>) {
    const held: (() => void)[] = [];
    const over = await forumOver((request, response) => {
      if (request.url?.startsWith('/app/posts/')) held.push(() => forum(request, response));
      else forum(request, response);
    }, settings);
    /** Answers so many suggestions, of which no more than `atOnce` are under way. */
    const answerEach = async (count: number, atOnce: number) => {
      for (let left = count; left > 0; left--) {
        await expect.poll(() => held.length).toBe(Math.min(left, atOnce));
        held.shift()?.();
      }
    };
    return { ...over, answerEach };
  }

  test('is not loaded unless it is selected', async () => {
    const { execute, calls } = await forumOver(forum);
    await execute(
      '{ forumPosts(first: 6) { nodes { id upstreamId title content agent commentsCount votesCount createdAt updatedAt } } }',
    );
    expect(calls()).toEqual(['GET /']);
  });

  test.each([
    ['kind', 6],
    ['status', 6],
    ['categoryId', 6],
    ['responsibleId', 3], // no single suggestion has it, and three are asked
    ['comments { id }', 6],
    ['category { name }', 6],
  ])('%s is loaded', async (field, reads) => {
    const { execute, calls } = await forumOver(forum);
    const { errors } = await execute(`{ forumPosts(first: 6) { nodes { ${field} } } }`);
    expect(errors).toEqual([]);
    expect(calls().filter((call) => call.includes('/app/posts/'))).toHaveLength(reads);
  });

  test('is loaded once for each suggestion, with READS_AT_ONCE requests at a time', async () => {
    const { execute, calls, answerEach } = await heldForum({ READS_AT_ONCE: 2 });
    const answer = execute(
      '{ forumPosts(first: 6) { nodes { kind status categoryId responsibleId comments { id } } } again: forumPosts(first: 6) { nodes { kind } } }',
    );
    await answerEach(6, 2);
    const { data, errors } = await answer;
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      forumPosts: {
        nodes: Array.from({ length: 6 }, () => ({ kind: 'suggestion', responsibleId: null, comments: [] })),
      },
    });
    const singles = [1, 2, 3, 4, 5, 6].map((id) => `GET /app/posts/${id}.xml`);
    expect(calls().toSorted()).toEqual(['GET /', ...singles].toSorted());
  });

  test('nodes are read once each, and a few at a time', async () => {
    const { execute, calls, answerEach } = await heldForum({ READS_AT_ONCE: 3 });
    const ids = [1, 2, 3, 4, 5, 6, 1].map((id) => `ForumPost:${id}`);
    const answer = execute('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ForumPost { kind comments { id } } } }', {
      variables: { ids },
    });
    await answerEach(6, 3);
    expect((await answer).errors).toEqual([]);
    expect(calls()).toHaveLength(6);
  });

  test('is an error when the suggestion no longer exists', async () => {
    const { execute } = await forumOver((request, response) =>
      (request.url?.startsWith('/app/') ? saysXml('', { status: 404 }) : posts(1))(request, response),
    );
    const { data, errors } = await execute(
      '{ forumPosts(first: 1) { nodes { upstreamId kind category { name } comments { id } } } }',
    );
    expect(data).toEqual({
      forumPosts: { nodes: [{ upstreamId: '1', kind: null, category: null, comments: null }] },
    });
    const gone = 'The record cannot be read any more: there is none with this id.';
    expect(new Map(errors.map(({ path, message }) => [path?.at(-1), message]))).toEqual(
      new Map([
        ['kind', gone],
        ['category', gone],
        ['comments', gone],
      ]),
    );
  });
});
