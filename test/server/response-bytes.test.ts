import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, left, partsOf, rest } from '../support/parts.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A response has at most MAX_RESPONSE_BYTES, whatever way it takes: they are counted while it is made.

const LIMIT = 64 * 1024;
const POSTS = 20;

/** A gateway over posts of this content, which answers each creation of a client with a name of this length. */
async function gatewayOfContent(content: string, settings: Partial<Config> = {}) {
  const posts = Array.from({ length: POSTS }, (_none, index) => ({
    id: index + 1,
    title: `Post ${index + 1}`,
    content,
  }));
  const upstream = await stubUpstream((request, response) => {
    const answer = request.method === 'GET' ? posts : { id: 7, name: content };
    saysJson(answer)(request, response);
  });
  const over = await gatewayOver(
    upstream.url,
    { CRM_URL: new URL(upstream.url), MAX_RESPONSE_BYTES: LIMIT, TRACE: 'true', ...settings },
    'token',
  );
  return { ...over, posts, upstream };
}

const aliases = (field: string, count: number) =>
  Array.from({ length: count }, (_none, index) => `${field}${index}: ${field}`).join(' ');

const QUERY = `{ posts(first: ${POSTS}) { nodes { ${aliases('content', 8)} } } }`;
const TOO_LARGE = {
  message: expect.stringContaining(`MAX_RESPONSE_BYTES: ${LIMIT} bytes`),
  extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
};

/** Beyond the limit by its characters alone, by the bytes of its characters, and by their escapes. */
const contents = [
  ['by its characters', 'x'.repeat(500)],
  ['by the bytes of its characters', '漢'.repeat(180)],
  ['by escapes', '\u0001'.repeat(100)],
] as const;

const ways = [
  ['direct', {}, ''],
  ['direct, with its cost', { 'x-trivium-cost': '1' }, ''],
  ['direct, with its trace', { 'x-trivium-trace': '1' }, ''],
  ['as GraphQL over HTTP has it', { accept: 'application/graphql-response+json' }, ''],
  ['by Yoga, as the body has another type', { 'content-type': 'application/json;charset=UTF-8' }, ''],
  ['by the standard executor', {}, 'deferred'],
] as const;

describe.each(ways)('a response beyond MAX_RESPONSE_BYTES, %s,', (_way, headers, isDeferred) => {
  const query = isDeferred ? QUERY.replace('{ posts', '{ __typename ... @defer { posts').replace(/$/, ' }') : QUERY;

  test.each(contents)('%s, ends with an error that names the setting', async (_by, content) => {
    const { execute, logs } = await gatewayOfContent(content);
    const { data, errors } = await execute(query, { headers });
    expect({ data, errors }).toEqual({ data: null, errors: [expect.objectContaining(TOO_LARGE)] });
    expect(logs.filter((line) => line.includes('"operation"'))).toEqual([
      expect.stringContaining('"errors":{"QUERY_LIMIT_EXCEEDED":1}'),
    ]);
    expect(await execute('{ posts(first: 1) { nodes { title } } }')).toMatchObject({ errors: [] });
  });
});

test('a GET request beyond it ends with the same error', async () => {
  const { url } = await gatewayOfContent('x'.repeat(500));
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent(QUERY)}`, {
    headers: { accept: 'application/json', authorization: 'Bearer token', 'x-requested-with': 'test' },
  });
  expect(await response.json()).toMatchObject({ data: null, errors: [TOO_LARGE] });
});

describe('a response in parts', () => {
  const deferred = `{ first: posts(first: 2) { nodes { title } } ... @defer { posts(first: ${POSTS}) { nodes { ${aliases('content', 8)} } } } }`;

  test('ends with the part beyond it', async () => {
    const { url } = await gatewayOfContent('x'.repeat(500));
    expect(await left(partsOf(await ask(url, deferred)))).toMatchObject([
      { data: { first: { nodes: [{ title: 'Post 1' }, { title: 'Post 2' }] } }, hasNext: true },
      { incremental: [{ path: [], data: null, errors: [TOO_LARGE] }], hasNext: false },
    ]);
  });

  test('ends with its first part beyond it', async () => {
    const { url } = await gatewayOfContent('x'.repeat(500));
    const parts = partsOf(await ask(url, `${QUERY.slice(0, -1)} ... @defer { later: posts { nodes { title } } } }`));
    expect(await left(parts)).toMatchObject([{ data: null, errors: [TOO_LARGE], hasNext: false }]);
  });

  test('ends when all its parts together are beyond it', async () => {
    const { url } = await gatewayOfContent('x'.repeat(500));
    const part = (name: string) => `... @defer { ${name}: posts(first: 10) { nodes { ${aliases('content', 5)} } } }`;
    const parts = partsOf(await ask(url, `{ __typename ${['a', 'b', 'c', 'd'].map(part).join(' ')} }`));
    const increments = await rest(parts);
    expect(increments.filter(({ errors }) => errors)).not.toEqual([]);
    expect(JSON.stringify(increments).length).toBeLessThan(LIMIT + 2_000);
  });

  test('ends as an event stream, too', async () => {
    const { url } = await gatewayOfContent('x'.repeat(500));
    const response = await ask(url, deferred, { headers: { accept: 'text/event-stream' } });
    const text = await response.text();
    expect(text).toContain('MAX_RESPONSE_BYTES');
    expect(text).toMatch(/event: complete\s+data:\s*$/);
  });
});

describe('below it', () => {
  test.each([
    ['ASCII', 'x'.repeat(250)],
    ['characters of three bytes', '漢"\n'.repeat(40)],
    ['escapes and halves of characters', '\u0001\ud800é'.repeat(20)],
  ])('a large response of %s is complete', async (_of, content) => {
    const { execute, posts } = await gatewayOfContent(content, { MAX_RESPONSE_BYTES: 90_000 });
    const { data, errors, headers } = await execute(QUERY, { headers: { 'accept-encoding': 'identity' } });
    const nodes = posts.map((post) =>
      Object.fromEntries(Array.from({ length: 8 }, (_none, i) => [`content${i}`, post.content])),
    );
    expect({ data, errors }).toEqual({ data: { posts: { nodes } }, errors: [] });
    expect(Number(headers.get('content-length'))).toBeGreaterThan(40_000);
  });

  test('a large response keeps the errors beside its data', async () => {
    const { execute } = await gatewayOfContent('x'.repeat(250), { MAX_RESPONSE_BYTES: 90_000 });
    const { data, errors } = await execute(
      `{ posts(first: ${POSTS}) { nodes { ${aliases('content', 8)} } } node(id: "x:y:z") { id } }`,
    );
    expect(data).toMatchObject({ posts: { nodes: { length: POSTS } }, node: null });
    expect(errors).toHaveLength(1);
  });
});

describe('a mutation whose response is beyond it', () => {
  const create = (alias: string, fields: string) =>
    `${alias}: createClient(input: { name: "Ada" }) { ... on Client { ${fields} } }`;

  test('tells the outcome of each of its fields', async () => {
    const { execute, upstream } = await gatewayOfContent('x'.repeat(30_000));
    const { data, errors } = await execute(
      `mutation { ${create('a', 'name')} ${create('b', aliases('name', 3))} ${create('c', 'name')} }`,
    );
    expect(data).toEqual({ a: null, b: null, c: null });
    expect(errors).toMatchObject([
      { path: ['a'], extensions: { code: 'QUERY_LIMIT_EXCEEDED', outcome: 'APPLIED' } },
      { path: ['b'], extensions: { outcome: 'APPLIED' } },
      { path: ['c'], extensions: { outcome: 'REFUSED' } },
    ]);
    expect(upstream.received).toHaveLength(2);
  });

  test('tells it, too, where only its escapes exceed it', async () => {
    const { execute } = await gatewayOfContent('\u0001'.repeat(12_000));
    const { data, errors } = await execute(`mutation { ${create('a', 'name')} }`);
    expect({ data, errors }).toMatchObject({
      data: { a: null },
      errors: [{ path: ['a'], extensions: { code: 'QUERY_LIMIT_EXCEEDED', outcome: 'APPLIED' } }],
    });
  });
});
