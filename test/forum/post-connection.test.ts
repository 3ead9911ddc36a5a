import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forumGateway, forumOver, saysXml } from './support.ts';

const PAGE = 'nodes { upstreamId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const shownPage = z.object({
  forumPosts: z.object({
    nodes: z.array(z.object({ upstreamId: z.string() })),
    pageInfo: z.object({
      hasNextPage: z.boolean(),
      hasPreviousPage: z.boolean(),
      startCursor: z.string().nullable(),
      endCursor: z.string().nullable(),
    }),
  }),
});

type Run = Awaited<ReturnType<typeof forumGateway>>['execute'];

/** Reads a page of 10, or of `first`. */
async function readPage(execute: Run, { first = 10, after }: { first?: number; after?: string | null }) {
  const query = `query ($first: Int, $after: String) { forumPosts(order: "new", first: $first, after: $after) { ${PAGE} } }`;
  const { data, errors } = await execute(query, { variables: { first, after } });
  expect(errors).toEqual([]);
  const { nodes, pageInfo } = shownPage.parse(data).forumPosts;
  return { ids: nodes.map(({ upstreamId }) => Number(upstreamId)), ...pageInfo };
}

/** The whole numbers from the first to the last, downwards. */
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_none, index) => from - index);

/** A forum of the sandbox, whose pages have 20 suggestions, with so many of them. */
async function forumWith(count: number, settings: Parameters<typeof forumGateway>[0] = {}) {
  const over = await forumGateway(settings);
  over.category('Ideas');
  let last = '';
  for (let number = 0; number < count; number += 1) last = await over.suggest(`T${number}`);
  const newest = Number(last);
  const pagesRead = () => {
    const pages = over.sandbox.requests
      .filter(({ path }) => path === '/')
      .map(({ query }) => Number(query['page'] ?? 1));
    over.sandbox.forgetCalls();
    return pages;
  };
  return { ...over, newest, oldest: newest - count + 1, pagesRead };
}

describe('suggestions over the pages of the sandbox', () => {
  test('a page reads the pages of the forum that have its rows', async () => {
    const { execute, newest, oldest, pagesRead } = await forumWith(45);

    const first = await readPage(execute, { first: 10 });
    expect(first).toMatchObject({ ids: down(newest, newest - 9), hasNextPage: true, hasPreviousPage: false });
    expect(pagesRead()).toEqual([1]);

    const second = await readPage(execute, { first: 15, after: first.endCursor });
    expect(second).toMatchObject({ ids: down(newest - 10, newest - 24), hasNextPage: true, hasPreviousPage: true });
    expect(pagesRead()).toEqual([1, 2]);

    const third = await readPage(execute, { first: 20, after: second.endCursor });
    expect(third).toMatchObject({ ids: down(newest - 25, oldest), hasNextPage: false });
    expect(pagesRead()).toEqual([2, 3]);
  });

  test('a page that ends with one of the forum is followed by the next one alone', async () => {
    const { execute, newest, oldest, pagesRead } = await forumWith(45);
    const { endCursor } = await readPage(execute, { first: 20 });
    pagesRead();

    const second = await readPage(execute, { first: 20, after: endCursor });
    expect(second).toMatchObject({ ids: down(newest - 20, newest - 39), hasNextPage: true });
    expect(pagesRead()).toEqual([2, 3]); // page 3 for hasNextPage

    const third = await readPage(execute, { first: 20, after: second.endCursor });
    expect(third).toMatchObject({ ids: down(newest - 40, oldest), hasNextPage: false });
    expect(pagesRead()).toEqual([3]); // shorter than the ones before: the last

    const beyond = await readPage(execute, { first: 20, after: third.endCursor });
    expect(beyond).toEqual({ ids: [], hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
    expect(pagesRead()).toEqual([3]);
  });

  test('only what is selected is read', async () => {
    const { execute, pagesRead } = await forumWith(21);
    for (const [selection, pages] of [
      ['forumPosts(first: 20) { nodes { id } }', [1]],
      ['forumPosts(first: 20) { edges { cursor } pageInfo { endCursor } }', [1]],
      ['forumPosts(first: 20) { pageInfo { hasNextPage } }', [1, 2]],
      ['forumPosts(first: 0) { nodes { id } }', []],
      ['forumPosts(first: 0) { pageInfo { hasNextPage } }', [1]],
      ['forumPosts { pageInfo { hasPreviousPage } }', []],
      ['a: forumPosts(first: 21) { nodes { id } } b: forumPosts(first: 5) { nodes { id } }', [1, 2]],
      ['forumPosts(first: 40) { nodes { id } pageInfo { hasNextPage } }', [1, 2]],
    ] as const) {
      expect(await execute(`{ ${selection} }`), selection).toMatchObject({ errors: [] });
      expect(pagesRead(), selection).toEqual(pages);
    }
  });

  test('suggestions that are added while a reader pages are no rows twice', async () => {
    const { execute, suggest } = await forumWith(42);
    for (const first of [10, 19, 20]) {
      const { ids, endCursor } = await readPage(execute, { first });
      for (let added = 0; added < 3; added += 1) await suggest();
      const next = await readPage(execute, { first: 5, after: endCursor });
      const last = ids.at(-1) ?? 0;
      expect(next.ids, `after ${first}`).toEqual(down(last - 1, last - 5));
    }
  });

  test('a page goes on where its last suggestion was deleted', async () => {
    const { execute, newest, pagesRead } = await forumWith(25);
    const { endCursor } = await readPage(execute, { first: 10 });
    await execute(`mutation { deleteForumPost(id: ${newest - 9}) { __typename } }`);
    pagesRead();

    const { ids } = await readPage(execute, { first: 3, after: endCursor });
    expect(ids).toEqual(down(newest - 10, newest - 12));
    expect(pagesRead()).toEqual([1, 2]); // page 2 in case that newer suggestions have moved it there
  });

  test.each([
    ['after: "offset:3"', 'after'],
    ['after: ""', 'after'],
    ['after: "page:0:0:20:7"', 'after'],
    ['after: "page:1:0:20:"', 'after'],
    ['after: "page:12345678901:0:20:7"', 'after'],
    ['first: -1', 'first'],
    ['first: 100000', 'first'],
  ])('%s is refused without a call', async (argument, field) => {
    const { execute, pagesRead } = await forumWith(0);
    const { data, errors } = await execute(`{ forumPosts(${argument}) { nodes { id } } }`);
    expect(data).toEqual({ forumPosts: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field }] } }]);
    expect(pagesRead()).toEqual([]);
  });

  test('a category that does not exist is null, with an error that says where the names are', async () => {
    const { execute, category } = await forumGateway();
    category('Ideas');
    expect(await execute(`{ forumPosts(category: "Other") { ${PAGE} } forumMe { login } }`)).toMatchObject({
      data: { forumPosts: null, forumMe: { login: 'ada' } },
      errors: [{ path: ['forumPosts'], message: expect.stringContaining('`forumCategories`') }],
    });
  });
});

describe('`page` starts at that page of the forum', () => {
  /** The numbers of the rows, counted from the newest, and what else the page says. */
  async function pageOf(args: string) {
    const { execute, newest, sandbox } = await forumWith(45);
    const { data, errors } = await execute(`{ forumPosts(${args}) { ${PAGE} } }`);
    const pages = sandbox.requests.map(({ path, query }) => `${path}?page=${query['page']}`);
    if (errors.length > 0) return { errors, pages };
    const { nodes, pageInfo } = shownPage.parse(data).forumPosts;
    return { rows: nodes.map(({ upstreamId }) => newest - Number(upstreamId) + 1), pageInfo, pages };
  }

  test.each([
    ['page: 2, first: 3', [21, 22, 23], ['/?page=2'], { hasNextPage: true, hasPreviousPage: true }],
    ['page: 3, first: 20', [41, 42, 43, 44, 45], ['/?page=3', '/?page=4'], { hasNextPage: false }],
    ['page: 2, category: "Ideas", first: 2', [21, 22], ['/Ideas?page=2'], { hasPreviousPage: true }],
    ['page: 1, first: 1', [1], ['/?page=undefined'], { hasPreviousPage: false }],
    ['page: null, first: 1', [1], ['/?page=undefined'], { hasPreviousPage: false }],
  ])('(%s)', async (args, rows, pages, pageInfo) => {
    expect(await pageOf(args)).toMatchObject({ rows, pages, pageInfo });
  });

  test('and the cursors of its rows go on from there', async () => {
    const { execute, newest, oldest, pagesRead } = await forumWith(45);
    const { data } = await execute(`{ forumPosts(order: "new", page: 2, first: 20) { ${PAGE} } }`);
    pagesRead();
    const after = shownPage.parse(data).forumPosts.pageInfo.endCursor;
    expect(await readPage(execute, { first: 20, after })).toMatchObject({ ids: down(newest - 40, oldest) });
    expect(pagesRead()).toEqual([3]);
  });

  test.each([
    ['page: 0', 'takes 1 or more'],
    ['page: -1, category: "Ideas"', 'takes 1 or more'],
    ['page: 2, after: "page:1:0:20:7"', 'cannot be combined with `after`'],
  ])('(%s) is refused without a call', async (args, message) => {
    const { errors, pages } = await pageOf(args);
    const fields = [{ field: 'page', messages: [message] }];
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields } }]);
    expect(pages).toEqual([]);
  });

  test('a page behind the last is empty, and of a category that does not exist an error: 404 means either', async () => {
    const notFound = saysXml('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } });
    const { execute, calls } = await forumOver((request, response) =>
      (request.url === '/Ideas' ? saysXml('<posts type="array"/>') : notFound)(request, response),
    );
    const read = async (category: string) =>
      execute(`{ forumPosts(category: "${category}", page: 9) { nodes { id } pageInfo { hasNextPage } } }`);

    const none = { data: { forumPosts: { nodes: [], pageInfo: { hasNextPage: false } } }, errors: [] };
    expect(await read('Ideas')).toMatchObject(none);
    expect(await read('Other')).toMatchObject({
      data: { forumPosts: null },
      errors: [{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'category' }] } }],
    });
    expect(calls()).toEqual(['GET /Ideas?page=9', 'GET /Ideas', 'GET /Other?page=9', 'GET /Other']);
  });
});

describe('the end of a forum', () => {
  const posts = (ids: readonly number[]) =>
    saysXml(`<posts type="array">${ids.map((id) => `<post><id type="integer">${id}</id></post>`).join('')}</posts>`);

  /** A forum with these pages; `beyond` answers for the ones behind them. */
  const forumOf = async (pages: readonly (readonly number[])[], beyond: ReturnType<typeof posts>) =>
    forumOver((request, response) => {
      const number = Number(/page=(\d+)/.exec(request.url ?? '')?.[1] ?? 1);
      const page = pages[number - 1];
      (page ? posts(page) : beyond)(request, response);
    });

  test.each([
    ['is an empty page', posts([])],
    ['is an empty page with a root of its own', saysXml('<nil-classes type="array"/>')],
    ['is the last page once more', posts([3, 4])],
    ['is 404', saysXml('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } })],
  ])('%s', async (_name, beyond) => {
    const { execute, calls } = await forumOf(
      [
        [1, 2],
        [3, 4],
      ],
      beyond,
    );
    const whole = await readPage(execute, { first: 9 });
    expect(whole).toMatchObject({ ids: [1, 2, 3, 4], hasNextPage: false });
    expect(calls()).toHaveLength(3);

    const nothing = await readPage(execute, { first: 9, after: whole.endCursor });
    expect(nothing).toMatchObject({ ids: [], hasNextPage: false });
  });

  test('is the first page of a forum that has no pages', async () => {
    const { execute, calls } = await forumOver(posts([1, 2]));
    const page = await readPage(execute, { first: 9 });
    expect(page).toMatchObject({ ids: [1, 2], hasNextPage: false });
    expect(calls()).toHaveLength(2);
    expect(await readPage(execute, { first: 9, after: page.endCursor })).toMatchObject({ ids: [], hasNextPage: false });
  });

  test('a failure behind the first page is one error of the connection', async () => {
    const { execute } = await forumOf([[1, 2]], saysXml('', { status: 503 }));
    const { data, errors } = await execute(`{ forumPosts { ${PAGE} } }`);
    expect(data).toEqual({ forumPosts: null });
    expect(errors).toMatchObject([{ path: ['forumPosts'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  });

  test('rows that cannot be read are counted in an error, and have a place', async () => {
    const odd = saysXml('<posts type="array"><post><id>1</id></post><post/><post><id>3</id></post></posts>');
    const { execute, calls } = await forumOver((request, response) =>
      (request.url?.includes('page=') ? posts([]) : odd)(request, response),
    );
    const { data, errors } = await execute(
      '{ forumPosts(first: 2) { edges { node { upstreamId } } pageInfo { endCursor } } }',
    );
    const edges = [{ node: { upstreamId: '1' } }, { node: { upstreamId: '3' } }];
    expect(data).toMatchObject({ forumPosts: { edges } });
    expect(errors).toMatchObject([
      { path: ['forumPosts'], message: expect.stringContaining('1 of 3 rows was left out') },
    ]);

    const { pageInfo } = z
      .object({ forumPosts: z.object({ pageInfo: z.object({ endCursor: z.string() }) }) })
      .parse(data).forumPosts;
    await readPage(execute, { after: pageInfo.endCursor });
    expect(calls()).toEqual(['GET /', 'GET /?order=new&page=2']);
  });
});

describe('a page that needs more calls than an operation may make', () => {
  test('has the rows that were read, and the next operation goes on', async () => {
    const { execute, newest, oldest, pagesRead } = await forumWith(65, { MAX_UPSTREAM_CALLS: 2 });
    const first = await readPage(execute, { first: 100 });
    expect(first).toMatchObject({ ids: down(newest, newest - 39), hasNextPage: true });
    expect(pagesRead()).toEqual([1, 2]);
    const second = await readPage(execute, { first: 100, after: first.endCursor });
    expect(second).toMatchObject({ ids: down(newest - 40, oldest), hasNextPage: false });
    expect(pagesRead()).toEqual([3, 4]);
  });

  test('has a next page where only the look for one is too much', async () => {
    const { execute, newest } = await forumWith(45, { MAX_UPSTREAM_CALLS: 1 });
    expect(await readPage(execute, { first: 20 })).toMatchObject({ ids: down(newest, newest - 19), hasNextPage: true });
  });

  test('has rows under each alias', async () => {
    const { execute } = await forumWith(45, { MAX_UPSTREAM_CALLS: 3 });
    const page = (name: string) =>
      `${name}: forumPosts(category: "Ideas", order: "${name}", first: 45) { nodes { id } pageInfo { hasNextPage } }`;
    const { data, errors } = await execute(`{ ${['a', 'b', 'c'].map(page).join(' ')} }`);
    expect(errors).toEqual([]);
    const twenty = {
      nodes: Array.from({ length: 20 }, () => expect.anything() as unknown),
      pageInfo: { hasNextPage: true },
    };
    expect(data).toEqual({ a: twenty, b: twenty, c: twenty });
  });

  test('is an error where no row was read', async () => {
    const { execute } = await forumWith(45, { MAX_UPSTREAM_CALLS: 1 });
    const page = 'forumPosts(category: "Ideas", first: 30) { nodes { id } }';
    const { data, errors } = await execute(`{ one: ${page.replace('30', '30, order: "new"')} two: ${page} }`);
    expect(data).toEqual({ one: null, two: null });
    for (const { extensions } of errors) expect(extensions['code']).toBe('QUERY_LIMIT_EXCEEDED');
    expect(errors).toHaveLength(2);
  });
});
