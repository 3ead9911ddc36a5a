import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream, says, stubUpstream, wholeAnswer } from '../support/stub-upstream.ts';

// Which answers are kept, for whom and how long: `…_CACHE_TTL_MS`.

const TTL_MS = 5_000;
const KEEPING: Partial<Config> = {
  ACCOUNT_CACHE_TTL_MS: TTL_MS,
  FLEX_CACHE_TTL_MS: TTL_MS,
  CRM_CACHE_TTL_MS: TTL_MS,
  FORUM_CACHE_TTL_MS: TTL_MS,
};

const CLIENT = '{ client(id: 1) { name } }';
const CLIENTS = '{ clients { nodes { name } } }';

/** A gateway that keeps answers, over APIs at one address. */
async function keepingOver(answer: Parameters<typeof stubUpstream>[0], settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(answer);
  const url = new URL(upstream.url);
  const over = await gatewayOver(
    upstream.url,
    { ...KEEPING, CRM_URL: url, FLEX_URL: url, FORUM_URL: url, ...settings },
    'token',
  );
  /** The calls of an operation, without their queries. */
  const callsOf = async (query: string, headers: Record<string, string> = {}) => {
    const before = upstream.received.length;
    const result = await over.execute(query, { headers });
    return { ...result, calls: upstream.received.slice(before).map((call) => call.split('?', 1)[0]) };
  };
  return { ...over, upstream, callsOf };
}

describe('an answer', () => {
  test('is kept for its time: a second operation makes no call, and counts none', async () => {
    const clock = stoppedClock();
    const { callsOf, logs } = await keepingOver(says('{"id":1,"name":"Ada"}'));

    expect(await callsOf(CLIENT)).toMatchObject({ calls: ['GET /app/clients/1.json'] });
    clock.pass(TTL_MS - 1);
    expect(await callsOf(CLIENT)).toMatchObject({ calls: [], data: { client: { name: 'Ada' } }, errors: [] });
    clock.pass(1);
    expect(await callsOf(CLIENT)).toMatchObject({ calls: ['GET /app/clients/1.json'] });

    const counts = logs.filter((line) => line.includes('"msg":"operation"')).map((line) => JSON.parse(line));
    expect(counts).toMatchObject([{ upstreamCalls: 1 }, { upstreamCalls: 0 }, { upstreamCalls: 1 }]);
  });

  test('serves the credential that read it, and no other', async () => {
    const { callsOf } = await keepingOver((request, response) => {
      const token = new URL(request.url ?? '', 'http://stub').searchParams.get('api_token');
      says(JSON.stringify({ id: 1, name: `of ${token}` }))(request, response);
    });
    const as = (token: string) => callsOf(CLIENT, { 'x-crm-token': token });
    for (const token of ['a', 'b', 'a/b', 'b', 'a']) {
      expect((await as(token)).data).toEqual({ client: { name: `of ${token}` } });
    }
    expect((await as('a')).calls).toEqual([]);
    expect((await as('A')).calls).toHaveLength(1);
  });

  test('of another URL is another one', async () => {
    const { callsOf } = await keepingOver((request, response) => says(`[{"id":"${request.url}"}]`)(request, response));
    const search = (limit: number) => `{ flexDb(id: "a1") { search(first: ${limit}) { nodes { upstreamId } } } }`;
    await callsOf(search(1));
    expect((await callsOf(search(2))).calls).not.toEqual([]);
  });

  test.each<[what: string, query: string, text: string, options?: { status?: number }, settings?: Partial<Config>]>([
    ['a token', '{ apiToken(id: 1) { id } }', '{"id":1}'],
    ['tokens', '{ apiTokens { id } }', '[{"id":1}]'],
    ['the tokens of the account', '{ apiTokens(scope: ACCOUNT) { id } }', '[{"id":1}]'],
    ['public records', '{ publicFlexDb(code: "shop") { list { nodes { id } } } }', '[]'],
    ['a public record', '{ publicFlexDb(code: "shop") { get(id: "1") { id } } }', '{"id":"1","data":{}}'],
    ['a public search', '{ publicFlexDb(code: "shop") { search { nodes { id } } } }', '[]'],
    ['404', CLIENT, '{}', { status: 404 }],
    ['500', CLIENT, '{}', { status: 500 }],
    ['another status of success', CLIENT, '{"id":1}', { status: 203 }],
    ['a refusal under 200', CLIENT, '{"status":"error","message":"no"}'],
    ['no record', CLIENT, '{"name":"Ada"}'],
    ['no list', CLIENTS, '{"id":1}'],
    ['no JSON', CLIENT, '{"id":1'],
    ['a record of an API without the setting', CLIENT, '{"id":1}', {}, { CRM_CACHE_TTL_MS: 0 }],
  ])('with %s is never kept', async (_what, query, text, options = {}, settings = {}) => {
    const { callsOf } = await keepingOver(says(text, options), settings);
    expect((await callsOf(query)).calls).toHaveLength(1);
    expect((await callsOf(query)).calls).toHaveLength(1);
  });

  test('is `private, no-store` for the caller all the same', async () => {
    const { callsOf } = await keepingOver(says('{"id":1}'));
    await callsOf(CLIENT);
    expect((await callsOf(CLIENT)).headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('the memory', () => {
  const padded = (id: number) => `{"id":${id},"name":"${'x'.repeat(2_000)}"}`;
  const idOf = (url = '') => Number(/clients\/(\d+)/.exec(url)?.[1]);
  const client = (id: number) => `{ client(id: ${id}) { name } }`;

  test('is bounded: the answers that were used longest ago go first', async () => {
    const answer: Parameters<typeof stubUpstream>[0] = (request, response) =>
      says(padded(idOf(request.url)))(request, response);
    const settings = {
      ACCOUNT_CACHE_TTL_MS: 0,
      FLEX_CACHE_TTL_MS: 0,
      FORUM_CACHE_TTL_MS: 0,
      ANSWER_CACHE_BYTES: 30_000,
    };
    const { callsOf } = await keepingOver(answer, settings);
    for (const id of [1, 2, 3]) await callsOf(client(id));
    expect((await callsOf(client(1))).calls).toEqual([]);
    await callsOf(client(4));
    expect((await callsOf(client(1))).calls).toEqual([]);
    expect((await callsOf(client(2))).calls).toHaveLength(1);
  });

  test('holds no answer that is larger than it', async () => {
    const { callsOf } = await keepingOver(says(padded(1)), { ANSWER_CACHE_BYTES: 2_000 });
    await callsOf(CLIENT);
    expect((await callsOf(CLIENT)).calls).toHaveLength(1);
  });
});

describe('reads of several records', () => {
  const list = JSON.stringify(Array.from({ length: 9 }, (_none, id) => ({ id: id + 1, name: `Client ${id + 1}` })));
  const crm: Parameters<typeof stubUpstream>[0] = (request, response) => {
    const [, id] = /clients\/(\d+)/.exec(request.url ?? '') ?? [];
    says(id ? `{"id":${id},"name":"Client ${id}"}` : list)(request, response);
  };
  const nodes = (...ids: readonly number[]) =>
    `{ nodes(ids: [${ids.map((id) => `"Client:${id}"`).join()}]) { ... on Client { name } } }`;

  test('take the list that is kept, and call for what it lacks', async () => {
    const { callsOf } = await keepingOver(crm);
    await callsOf(CLIENTS);
    expect(await callsOf(nodes(1, 2))).toMatchObject({
      calls: [],
      data: { nodes: [{ name: 'Client 1' }, { name: 'Client 2' }] },
    });
    expect((await callsOf(CLIENT)).calls).toEqual([]);
    expect((await callsOf(nodes(1, 50))).calls).toEqual(['GET /app/clients/50.json']);
  });

  test('take the records that are kept, with BATCH_READS=by-id too', async () => {
    const { callsOf } = await keepingOver(crm, { BATCH_READS: 'by-id' });
    await callsOf(nodes(1, 2));
    await callsOf(CLIENTS);
    expect((await callsOf(nodes(1, 2, 3))).calls).toEqual(['GET /app/clients/3.json']);
  });

  test('do not count against MAX_UPSTREAM_CALLS when they are kept', async () => {
    const { callsOf } = await keepingOver(crm, { BATCH_READS: 'by-id', MAX_UPSTREAM_CALLS: 2 });
    await callsOf(nodes(1, 2));
    await callsOf(nodes(3, 4));
    expect(await callsOf(nodes(1, 2, 3, 4, 5))).toMatchObject({ calls: ['GET /app/clients/5.json'], errors: [] });
  });

  test('do not take a list that is longer than lists may be that stand for records', async () => {
    const { callsOf } = await keepingOver(crm, { MAX_JOINED_LIST_BYTES: 10, BATCH_READS: 'by-id' });
    await callsOf(CLIENTS);
    expect((await callsOf(nodes(1, 2))).calls).toHaveLength(2);
  });
});

test('an answer is used while its API is down', async () => {
  let isDown = false;
  const upstream = await rawUpstream((socket) =>
    isDown ? socket.destroy() : socket.write(wholeAnswer('{"id":1,"name":"Ada"}')),
  );
  const { execute } = await gatewayOver(upstream.url, { ...KEEPING, CRM_URL: new URL(upstream.url) });
  const crm = { headers: { 'x-crm-token': 'token' } };
  await execute(CLIENT, crm);
  isDown = true;
  expect(await execute(CLIENT, crm)).toMatchObject({ data: { client: { name: 'Ada' } }, errors: [] });
});

test('a trace shows an answer that was kept, with no call under way', async () => {
  const { callsOf } = await keepingOver(says('{"id":1,"name":"Ada"}'), { TRACE: 'true' });
  const ask = async () => (await callsOf(CLIENT, { 'x-crm-token': 'token', 'x-trivium-trace': '1' })).extensions;
  expect(JSON.stringify(await ask())).not.toContain('cached');
  const call = {
    ...{ api: 'crm', endpoint: 'GET /app/clients/:id.json', status: 200, bytes: 21, shared: false, cached: true },
    ...{ startMs: expect.any(Number), durationMs: 0, paths: ['client'] },
  };
  expect(await ask()).toMatchObject({ trace: { calls: [call] } });
});
