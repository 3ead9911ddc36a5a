import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import type { Result } from '../support/gateway.ts';
import type { Config } from '../../src/config.ts';
import {
  answersClient,
  clientsUpTo,
  gatewayOverCrm,
  JOINED,
  LIST,
  names,
  ONE,
  POSTS,
  saysJson,
  type StubCrm,
} from '../support/stub-crm.ts';
import { DEAD_ADDRESS, says } from '../support/stub-upstream.ts';

// Failures and limits that prevent a list call, or reads by id.

const KB = 1024;

const nodes = (type: string, count: number) =>
  `{ nodes(ids: ${JSON.stringify(clientsUpTo(count).map(({ id }) => `${type}:${id}`))}) { ... on ${type} { name } } }`;

/** A gateway that tries a list of unknown size for five ids or more. */
const triesLists = (crm: StubCrm = {}, settings: Partial<Config> = {}) =>
  gatewayOverCrm(crm, { READS_AT_ONCE: 4, ...settings });

/** A list of 100 kB. */
const large = saysJson(clientsUpTo(10).map((client) => ({ ...client, note: 'x'.repeat(10 * KB) })));

const codes = ({ errors }: Result) => errors.map(({ extensions }) => extensions['code']);

describe('what is left of MAX_UPSTREAM_CALLS', () => {
  test('an API without a list refuses more ids than calls are left, and reads none', async () => {
    const crm = await triesLists({}, { MAX_UPSTREAM_CALLS: 10 });
    const refused = await crm.execute(nodes('Contact', 11));
    expect(codes(refused)).toEqual(Array.from({ length: 11 }, () => 'QUERY_LIMIT_EXCEEDED'));
    expect(refused.errors[0]).toMatchObject({
      message: 'The operation needs more than 10 upstream calls: ask for less at once, or raise MAX_UPSTREAM_CALLS.',
      extensions: { upstream: { api: 'crm', endpoint: 'GET /app/contacts/:id.json' } },
    });
    expect(crm.calls()).toEqual({});
    expect((await crm.execute(nodes('Contact', 10))).errors).toEqual([]);
    expect(crm.calls()).toEqual({ 'GET /app/contacts/:id.json': 10 });
  });

  test('a key that the list lacks is not loaded for more records than calls are left', async () => {
    const query = '{ clients(first: 20) { nodes { name phone } } }';
    // Every record has the key, so each is read; three are read first.
    const one = answersClient({ phone: '1' });
    const crm = await triesLists({ posts: 20, one }, { MAX_UPSTREAM_CALLS: 20 });
    const refused = await crm.execute(query);
    expect(refused.data).toEqual({
      clients: { nodes: clientsUpTo(20).map(({ name }, index) => ({ name, phone: index < 3 ? '1' : null })) },
    });
    expect(codes(refused)).toEqual(Array.from({ length: 17 }, () => 'QUERY_LIMIT_EXCEEDED'));
    expect(crm.calls()).toEqual({ [LIST]: 1, [ONE]: 3 });
    const enough = await triesLists({ posts: 20, one }, { MAX_UPSTREAM_CALLS: 21 });
    expect((await enough.execute(query)).errors).toEqual([]);
    expect(enough.calls()).toEqual({ [LIST]: 1, [ONE]: 20 });
  });

  test('keys that no record has are read from three records, so three calls must be left for them', async () => {
    const query = '{ clients(first: 20) { nodes { name phone fax } } }';
    const without = { clients: { nodes: clientsUpTo(20).map(({ name }) => ({ name, phone: null, fax: null })) } };
    const crm = await triesLists({ posts: 20 }, { MAX_UPSTREAM_CALLS: 4 });
    expect(await crm.execute(query)).toMatchObject({ data: without, errors: [] });
    expect(crm.calls()).toEqual({ [LIST]: 1, [ONE]: 3 });
  });

  test('a malformed id and a record that was read already take no call', async () => {
    const crm = await triesLists({ posts: 2 }, { MAX_UPSTREAM_CALLS: 2 });
    const query =
      '{ nodes(ids: ["Contact:1", "Contact:a/b", "Contact:2", "Contact:1", "Contact:.."]) { ... on Contact { name } } }';
    const result = await crm.execute(query);
    expect(result.data).toEqual({
      nodes: [{ name: 'Client 1' }, null, { name: 'Client 2' }, { name: 'Client 1' }, null],
    });
    expect(codes(result)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
  });
});

describe('a list of more than MAX_JOINED_LIST_BYTES', () => {
  test('is read in whole where it is asked for itself, and then serves both', async () => {
    const crm = await triesLists({ list: large }, { MAX_JOINED_LIST_BYTES: 50 * KB });
    await crm.execute(JOINED);
    crm.calls();
    const both = await crm.execute(`{ clients { totalCount } posts(first: 1000) { nodes { client { name } } } }`);
    expect(both).toMatchObject({ data: { clients: { totalCount: 10 }, ...names(10) }, errors: [] });
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
  });

  test('of more than MAX_LIST_BYTES, too, is refused under that name where it is asked for itself', async () => {
    const { execute } = await triesLists({ posts: 3_000 }, { MAX_LIST_BYTES: 50 * KB });
    const ids = Array.from({ length: 5 }, (_none, index) => `Post:${index + 1}`);
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } client(id: 1) { posts { totalCount } } }';
    const { errors } = await execute(query, { variables: { ids } });
    const message = expect.stringContaining('raise MAX_LIST_BYTES');
    expect(errors).toMatchObject([{ path: ['client', 'posts'], message }]);
  });

  test('is no larger than MAX_LIST_BYTES, whatever the setting says', async () => {
    const crm = await triesLists({ list: large }, { MAX_LIST_BYTES: 50 * KB });
    expect(await crm.execute(JOINED)).toMatchObject({ data: names(10), errors: [] });
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1, [ONE]: 10 });
  });
});

describe('a list that cannot be read says nothing of single records, which are read by id', () => {
  const WITH_PHONE = '{ posts(first: 1000) { nodes { client { name phone } } } }';
  const whole = { posts: { nodes: clientsUpTo(10).map(({ name }) => ({ client: { name, phone: null } })) } };
  const closes: RequestListener = (request) => request.socket.destroy(); // a read that is not answered is sent twice

  test.each([
    ['405', saysJson({}, 405), 1],
    ['422', saysJson({ errors: { client: ['is required'] } }, 422), 1],
    ['400', saysJson({ error: 'too many' }, 400), 1],
    ['a redirect', says('', { status: 302, headers: { location: '/login' } }), 1],
    ['a refusal under 200', saysJson({ status: 'error', message: 'no' }), 1],
    ['HTML', says('<html>', { headers: { 'content-type': 'text/html' } }), 1],
    ['broken JSON', says('[{"id":1'), 1],
    ['nothing', says(''), 1],
    ['more than MAX_JOINED_LIST_BYTES', large, 1],
    ['500', says('', { status: 500 }), 1],
    ['503', says('', { status: 503 }), 1],
    ['closing the connection', closes, 2],
  ] satisfies [string, RequestListener, number][])(
    '%s: its credential does not try it the next time, another one does',
    async (_name, list, sent) => {
      stoppedClock();
      const crm = await triesLists({ list }, { MAX_JOINED_LIST_BYTES: 50 * KB });
      expect(await crm.execute(WITH_PHONE)).toMatchObject({ data: whole, errors: [] });
      expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: sent, [ONE]: 10 });
      expect(await crm.execute(WITH_PHONE)).toMatchObject({ data: whole, errors: [] });
      expect(crm.calls()).toEqual({ [POSTS]: 1, [ONE]: 10 });
      expect(await crm.execute(WITH_PHONE, { token: 'another' })).toMatchObject({ data: whole, errors: [] });
      expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: sent, [ONE]: 10 });
    },
  );

  test.each([
    ['a record without an id', [{ id: 1 }, { name: 'x' }]],
    ['a record that is none', [{ id: 1 }, null]],
    ['no record in its key', { clients: [] }],
  ])('nor does a list with %s', async (_name, list) => {
    const crm = await triesLists({ list: saysJson(list) });
    expect(await crm.execute(WITH_PHONE)).toMatchObject({ data: whole, errors: [] });
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1, [ONE]: 10 });
  });
});

test.each(['hanging', 'refusing connections'])(
  'an upstream that is %s ends the reads by id that wait for their turn',
  async (how) => {
    const away =
      how === 'hanging'
        ? { UPSTREAM_TIMEOUT_MS: 200 }
        : { CRM_URL: new URL(DEAD_ADDRESS), CRM_SHARES_TOKEN: 'true' as const };
    const crm = await triesLists({ one: () => {} }, { READS_AT_ONCE: 2, ...away });
    const result = await crm.execute(nodes('Contact', 8));
    expect(new Set(codes(result))).toEqual(new Set([how === 'hanging' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE']));
    expect(codes(result)).toHaveLength(8);
    expect(crm.logs.join('')).toContain('"upstreamCalls":2,'); // so it takes one deadline, not four
  },
);

test.each([
  ['429', says('', { status: 429, headers: { 'retry-after': '7' } }), 'UPSTREAM_RATE_LIMITED'],
  ['401', says('', { status: 401 }), 'UNAUTHENTICATED'],
] satisfies [string, RequestListener, string][])(
  'a list that says that single records cannot be had either is asked for once, and every place has the error: %s',
  async (_name, list, code) => {
    const crm = await triesLists({ posts: 6, list });
    const result = await crm.execute(JOINED);
    expect(result.data).toEqual({ posts: { nodes: Array.from({ length: 6 }, () => ({ client: null })) } });
    expect(result.errors.map(({ path }) => path)).toEqual(
      Array.from({ length: 6 }, (_none, at) => ['posts', 'nodes', at, 'client']),
    );
    expect(new Set(codes(result))).toEqual(new Set([code]));
    expect(crm.calls()).toEqual({ [POSTS]: 1, [LIST]: 1 });
  },
);

test('one record that fails costs its own place only', async () => {
  const one: RequestListener = (request, response) => {
    const [, id = ''] = /\/(\d)\.json/.exec(request.url ?? '') ?? [];
    saysJson({ id, name: `Client ${id}` }, id === '2' ? 500 : 200)(request, response);
  };
  const crm = await triesLists({ one });
  const result = await crm.execute(nodes('Client', 3));
  expect(result.data).toEqual({ nodes: [{ name: 'Client 1' }, null, { name: 'Client 3' }] });
  expect(codes(result)).toEqual(['UPSTREAM_UNAVAILABLE']);
});
