import { describe, expect, test } from 'vitest';
import { saysXml } from '../forum/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, eventsOf, next, partsOf } from '../support/parts.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { ada, DEFERRED, FIRST, ME, slowForum } from './support.ts';

const postPath = (id: number) => `/app/posts/${id}.xml`;
const post = (id: number) => saysXml(`<hash><post><id>${id}</id><kind>k${id}</kind></post></hash>`);
const posts = [1, 2, 3].map(postPath);

describe('an answer in parts: multipart/mixed', () => {
  test('of a deferred fragment, the first part comes before the forum has answered', async () => {
    const { ask, forum } = await slowForum();
    const response = await ask(DEFERRED);
    const parts = partsOf(response);
    expect(response.status).toBe(200);
    expect(await next(parts)).toEqual(FIRST);

    await forum.answer(ME, ada);
    const incremental = [{ data: { forumMe: { login: 'ada' } }, path: [], label: 'forum' }];
    expect(await next(parts)).toEqual({ incremental, hasNext: false });
    expect(await parts.next()).toEqual({ done: true, value: undefined });
    expect(forum.received).toEqual([`GET ${ME}`]);
  });

  test('of a streamed list, each row comes when the forum has answered for it', async () => {
    const { ask, forum } = await slowForum({}, ...posts);
    const parts = partsOf(await ask('{ forumPosts(first: 3) { nodes @stream(label: "rows") { title kind } } }'));
    expect(await next(parts)).toEqual({ data: { forumPosts: { nodes: [] } }, hasNext: true });

    for (const id of [1, 2, 3]) {
      await forum.answer(postPath(id), post(id));
      const items = [{ title: `T${id}`, kind: `k${id}` }];
      const incremental = [{ items, path: ['forumPosts', 'nodes', id - 1], label: 'rows' }];
      expect(await next(parts)).toEqual({ incremental, hasNext: id < 3 });
    }
    expect(await parts.next()).toMatchObject({ done: true });
  });

  test('of a streamed list with deferred fragments, the rows come first', async () => {
    const { ask, forum } = await slowForum({}, ...posts);
    const parts = partsOf(
      await ask('{ forumPosts(first: 3) { nodes @stream(initialCount: 1) { title ... @defer { kind } } } }'),
    );
    expect(await next(parts)).toEqual({ data: { forumPosts: { nodes: [{ title: 'T1' }] } }, hasNext: true });
    expect(await next(parts)).toEqual({
      incremental: [
        { items: [{ title: 'T2' }], path: ['forumPosts', 'nodes', 1] },
        { items: [{ title: 'T3' }], path: ['forumPosts', 'nodes', 2] },
      ],
      hasNext: true,
    });

    for (const id of [3, 1, 2]) {
      await forum.answer(postPath(id), post(id));
      expect(await next(parts)).toMatchObject({
        incremental: [{ data: { kind: `k${id}` }, path: ['forumPosts', 'nodes', id - 1] }],
      });
    }
    expect(await parts.next()).toMatchObject({ done: true });
  });

  test.each([
    ['{ ... @defer { forumMe { login } ...Tokens } ...Tokens }', ''],
    ['{ ...Slow @defer ...Tokens }', 'fragment Slow on Query { forumMe { login } ...Tokens }'],
    ['{ ...Both }', 'fragment Both on Query { ... @defer { forumMe { login } ...Tokens } ...Tokens }'],
    [
      '{ ...Slow @defer ...Outer }',
      'fragment Slow on Query { forumMe { login } ...Outer } fragment Outer on Query { ...Tokens }',
    ],
  ])('a named fragment that is spread at once as well comes at once: %s %s', async (operation, fragments) => {
    const { ask, forum } = await slowForum();
    const tokens = 'fragment Tokens on Query { apiTokens { ...Name } } fragment Name on ApiToken { name }';
    const parts = partsOf(await ask(`${operation} ${fragments} ${tokens}`));
    expect(await next(parts)).toEqual(FIRST);
    await forum.answer(ME, ada);
    expect(await next(parts)).toMatchObject({ incremental: [{ data: { forumMe: { login: 'ada' } } }], hasNext: false });
  });

  test('a named fragment is no slower than the fragment that it is deferred in', async () => {
    const { ask, forum } = await slowForum();
    const query = `{
      ... @defer(label: "slow") { forumMe { login } ...Tokens }
      ... @defer(label: "fast") { ...Tokens }
    } fragment Tokens on Query { apiTokens { name } }`;
    const parts = partsOf(await ask(query));
    expect(await next(parts)).toEqual({ data: {}, hasNext: true });
    expect(await next(parts)).toEqual({ incremental: [{ data: FIRST.data, path: [], label: 'fast' }], hasNext: true });
    await forum.answer(ME, ada);
    const data = { ...FIRST.data, forumMe: { login: 'ada' } };
    expect(await next(parts)).toEqual({ incremental: [{ data, path: [], label: 'slow' }], hasNext: false });
  });

  test('rows that are there together are one part, however many', async () => {
    const tokens = await stubUpstream(
      says(JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ id: index })))),
    );
    const { url } = await gatewayOver(tokens.url);
    const parts = partsOf(await ask(url, '{ apiTokens @stream { upstreamId } }'));
    expect(await next(parts)).toEqual({ data: { apiTokens: [] }, hasNext: true });
    expect((await next(parts)).incremental).toHaveLength(1_000);
    expect(await parts.next()).toMatchObject({ done: true });
  });

  test('a query by GET is answered in parts', async () => {
    const { url, forum } = await slowForum();
    const headers = { accept: 'multipart/mixed', authorization: 'Bearer token' };
    const response = await fetch(`${url}/graphql?${new URLSearchParams({ query: DEFERRED })}`, { headers });
    const parts = partsOf(response);
    expect(await next(parts)).toEqual(FIRST);
    expect((await next(parts)).incremental).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]);
    expect(forum.received).toEqual([]);
  });

  test.each([
    ['$when: Boolean!', '... @defer(if: $when) { forumPosts(first: 3) { nodes { title } } }', { when: false }],
    ['$when: Boolean!', 'forumPosts(first: 3) { nodes @stream(if: $when) { title } }', { when: false }],
    ['$many: Int', 'forumPosts(first: 3) { nodes @stream(initialCount: $many) { title } }', { many: 3 }],
  ])('is whole where variables switch the directives off: %s %s', async (declared, selection, variables) => {
    const { ask } = await slowForum();
    const response = await ask(`query (${declared}) { ${selection} }`, { variables });
    expect(await response.json()).toEqual({
      data: { forumPosts: { nodes: [{ title: 'T1' }, { title: 'T2' }, { title: 'T3' }] } },
    });
  });

  test('is a single part where nothing is deferred, or nothing is valid', async () => {
    const { ask } = await slowForum();
    for (const [query, status, part] of [
      ['{ apiTokens { name } }', 200, { data: FIRST.data }],
      ['{ nothing @defer }', 400, { errors: expect.anything() }],
      ['{', 400, { errors: expect.anything() }],
    ] as const) {
      const response = await ask(query, { headers: { accept: 'multipart/mixed' } });
      expect(response.status).toBe(status);
      const parts = partsOf(response);
      expect(await next(parts)).toEqual(part);
      expect(await parts.next()).toMatchObject({ done: true });
    }
  });
});

describe('an answer in parts: text/event-stream', () => {
  test('the first event comes before the forum has answered', async () => {
    const { ask, forum } = await slowForum();
    const response = await ask(DEFERRED, { headers: { accept: 'text/event-stream' } });
    const events = eventsOf(response);
    expect((await events.next()).value).toEqual(FIRST);
    await forum.answer(ME, ada);
    expect((await events.next()).value).toMatchObject({ incremental: [{ data: { forumMe: { login: 'ada' } } }] });
    expect(await events.next()).toMatchObject({ done: true });
  });
});

describe('a caller that does not accept parts', () => {
  test.each([
    ['application/json', 'application/json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['', 'application/json'],
    ['application/json, multipart/mixed;charset=utf-16', 'application/json'],
    ['application/json, multipart/mixed;q=0, text/event-stream; q=0.0', 'application/json'],
    [
      'multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9',
      'application/graphql-response+json',
    ],
    ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json', 'application/json'],
  ])('gets the whole answer: %s', async (accept, type) => {
    const { ask, forum } = await slowForum();
    const query = 'query { apiTokens @stream { name } ... @defer { forumMe { login } } }';
    const answered = ask(query, { headers: { accept } });
    await forum.answer(ME, ada);

    const response = await answered;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(await response.json()).toEqual({ data: { ...FIRST.data, forumMe: { login: 'ada' } } });
  });

  test.each([
    'multipart/mixed;deferSpec=20220824,application/json',
    'Application/JSON, Multipart/Mixed',
    'multipart/mixed',
    'application/json, multipart/mixed;q=0.5',
  ])('but parts come to who does: %s', async (accept) => {
    const { ask, forum } = await slowForum();
    const parts = partsOf(await ask(DEFERRED, { headers: { accept } }));
    expect(await next(parts)).toEqual(FIRST);
    await forum.answer(ME, ada);
    expect(await next(parts)).toMatchObject({ hasNext: false });
  });
});
