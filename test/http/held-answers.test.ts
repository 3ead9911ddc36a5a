import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { memoryOfJson } from '../../src/formats/json.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// MAX_ANSWER_MEMORY_BYTES limits the memory of upstream responses of all operations. A read beyond it fails, and the process keeps running.

const MB = 1024 ** 2;
const LIST = '{ clients { totalCount } }';

const rows = (bytes: number) =>
  JSON.stringify(
    Array.from({ length: Math.ceil(bytes / 250) }, (_none, at) => ({
      ...{ id: at + 1, name: `Client ${at}`, email: `client${at}@example.com`, phone: null, kind: 'buyer' },
      ...{ created_at: '2026-03-01T08:00:00Z', updated_at: '2026-03-01T08:00:00Z', note: 'x'.repeat(80) },
    })),
  );

/** A gateway over a CRM whose list of deals is answered when the test says so. All other lists are answered at once. */
async function overLists(list: string, memory: number) {
  const held: ServerResponse[] = [];
  const events = new EventEmitter();
  const upstream = await stubUpstream((request, response) => {
    if (!request.url?.startsWith('/app/deals.json')) return says(list)(request, response);
    held.push(response);
    events.emit('held');
  });
  const settings = {
    CRM_URL: new URL(upstream.url),
    CRM_SHARES_TOKEN: 'true',
    MAX_ANSWER_MEMORY_BYTES: memory,
  } as const;
  const { execute } = await gatewayOver(upstream.url, settings);
  const messages = async (query: string, token: string) => {
    const { errors } = await execute(query, { token });
    return errors.map(({ message, extensions }) => `${extensions['code']} ${message}`);
  };
  return {
    upstream,
    messages,
    release: () => held.splice(0).map((response) => response.end('[]')),
    isHeld: async () => held.length > 0 || once(events, 'held'),
  };
}

const NO_ROOM = [
  'OVERLOADED The memory of the gateway for upstream responses is full: ask for less, or again in a moment, or raise MAX_ANSWER_MEMORY_BYTES.',
];

test.each([
  ['a short list', 20_000],
  ['a long list', MB],
])('beyond MAX_ANSWER_MEMORY_BYTES the newest read fails, until an operation ends: %s', async (_name, bytes) => {
  const list = rows(bytes);
  const size = list.length + memoryOfJson(Buffer.from(list));
  const { messages, release, isHeld } = await overLists(list, Math.round(size * 1.5));
  const first = messages('{ clients(last: 1) { nodes { deals { totalCount } } } }', 'one');
  await isHeld();
  expect(await messages(LIST, 'two')).toEqual(NO_ROOM);
  expect(await messages(LIST, 'three')).toEqual(NO_ROOM);
  release();
  expect(await first).toEqual([]);
  expect(await messages(LIST, 'four')).toEqual([]);
});

test('memory is given back after each operation, whichever way it ends', async () => {
  const list = rows(MB);
  const size = list.length + memoryOfJson(Buffer.from(list));
  let status = 200;
  const upstream = await stubUpstream((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? list : '{"error":"no"}');
  });
  const settings = { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true', MAX_RESPONSE_BYTES: 1_024 } as const;
  const { execute, url } = await gatewayOver(upstream.url, {
    ...settings,
    MAX_ANSWER_MEMORY_BYTES: Math.round(size * 1.5),
  });
  const outcomes = async (query: string, accept = 'application/json') => {
    const { data, errors } = await execute(query, { token: `t${Math.random()}`, headers: { accept } });
    return errors.length > 0 ? errors[0]?.extensions['code'] : data;
  };
  for (let round = 0; round < 3; round++) {
    expect(await outcomes(LIST)).toMatchObject({ clients: {} }); // as it should
    expect(await outcomes('{ clients(first: 1000) { nodes { name } } }')).toBe('QUERY_LIMIT_EXCEEDED'); // too large
    expect(await outcomes('{ clients(filter: { anyOf: [] }) { totalCount } }')).toBeDefined(); // refused by a resolver
    status = 422;
    expect(await outcomes(LIST)).toBe('BAD_USER_INPUT');
    status = 200;
    const leaving = new AbortController();
    const headers = { 'content-type': 'application/json', authorization: `Bearer leaving${round}` };
    const left = fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: LIST }),
      signal: leaving.signal,
    });
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    const parts = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, accept: 'multipart/mixed', authorization: `Bearer parts${round}` },
      body: JSON.stringify({ query: `{ __typename ... @defer ${LIST} }` }),
    });
    expect(await parts.text()).toContain('totalCount');
  }
});

test.each([
  ['as it is', (text: string) => Buffer.from(text), undefined],
  ['packed', (text: string) => gzipSync(text), 'gzip'],
])('a body counts while it arrives, %s', async (_name, pack, encoding) => {
  const list = rows(2 * MB);
  let calls = 0;
  const upstream = await stubUpstream((_request, response) => {
    calls += 1;
    if (calls > 3) return void response.end('[{"id":1}]');
    response.writeHead(200, { 'content-type': 'application/json', ...(encoding && { 'content-encoding': encoding }) });
    response.write(pack(list).subarray(0, -100)); // and no more
  });
  const settings = { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' } as const;
  const { execute } = await gatewayOver(upstream.url, { ...settings, MAX_ANSWER_MEMORY_BYTES: 1.5 * MB });
  const ask = async () => execute(LIST, { token: 'token' });
  for (let round = 0; round < 3; round++)
    expect((await ask()).errors).toMatchObject([
      { message: expect.stringMatching(/upstream responses is full/), extensions: { code: 'OVERLOADED' } },
    ]);
  expect(await ask()).toMatchObject({ data: { clients: { totalCount: 1 } }, errors: [] });
});

test('ten ordinary lists of 4 MB are read at once by default', async () => {
  const list = rows(4 * MB);
  const upstream = await stubUpstream(says(list));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' });
  const counts = Array.from({ length: 10 }, async (_none, at) => execute(LIST, { token: `token${at}` }));
  for (const { data, errors } of await Promise.all(counts))
    expect({ data, errors }).toEqual({ data: { clients: { totalCount: JSON.parse(list).length } }, errors: [] });
});

test('of a write nothing is lost: its body is read, whatever is held', async () => {
  const list = rows(MB);
  const upstream = await stubUpstream((request, response) => {
    const created = JSON.stringify({ id: 8, name: 'ci', token: 'raw-token', note: 'x'.repeat(500_000) });
    says(request.method === 'POST' ? created : list)(request, response);
  });
  const { execute } = await gatewayOver(upstream.url, { MAX_ANSWER_MEMORY_BYTES: 100_000 }, 'token');
  const create = 'mutation { createApiToken(input: { name: "ci" }) { ... on CreatedApiToken { token } } }';
  expect(await execute(create)).toMatchObject({ data: { createApiToken: { token: 'raw-token' } }, errors: [] });
  expect((await execute('{ apiTokens { name } }')).errors).toMatchObject([
    { extensions: { code: 'OVERLOADED', upstream: { endpoint: 'GET /account/api_tokens.json' } } },
  ]);
});
