import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { type RailsAnswer, railsUpstream } from '../support/rails-upstream.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Answers with a validator are kept, and upstream is asked each time whether they still hold (RFC 9110, 8.8 and 13).

const CLIENT = '{ client(id: 1) { name } }';
const CLIENTS = '{ clients { nodes { name } } }';
const ONE = 'GET /app/clients/1.json';
const LIST = 'GET /app/clients.json';

/** A CRM of some clients, whose names a test changes. */
function crmOf(names: string[]) {
  return ({ url = '' }: { readonly url?: string | undefined }): RailsAnswer => {
    const [, id] = /clients\/(\d+)/.exec(url) ?? [];
    const client = (at: number) => ({ id: at + 1, name: names[at] });
    return { body: JSON.stringify(id ? client(Number(id) - 1) : names.map((_name, at) => client(at))) };
  };
}

async function gatewayOf(
  answer: Parameters<typeof railsUpstream>[0],
  settings: Partial<Config> = {},
  options?: Parameters<typeof railsUpstream>[1],
) {
  const upstream = await railsUpstream(answer, options);
  const url = new URL(upstream.url);
  const over = await gatewayOver(upstream.url, { CRM_URL: url, FLEX_URL: url, FORUM_URL: url, ...settings }, 'token');
  const callsOf = (query: string, crmToken = 'crm') =>
    upstream.during(async () => {
      const { errors } = await over.execute(query, { headers: { 'x-crm-token': crmToken } });
      expect(errors).toEqual([]);
    });
  const read = async (query: string, crmToken = 'crm') =>
    (await over.execute(query, { headers: { 'x-crm-token': crmToken } })).data;
  return { ...over, upstream, callsOf, read };
}

/** Expects that the second read of a client asks whether the first answer still holds, or reads it again. */
async function expectSecond(status: 200 | 304, { callsOf }: Pick<Awaited<ReturnType<typeof gatewayOf>>, 'callsOf'>) {
  expect(await callsOf(CLIENT)).toEqual([`200 ${ONE}`]);
  expect(await callsOf(CLIENT)).toEqual([`${status} ${ONE}`]);
}

describe('an answer with an entity tag', () => {
  test('is asked about, and used again where it still holds', async () => {
    const names = ['Ada', 'Bea'];
    const { callsOf, read, upstream } = await gatewayOf(crmOf(names));
    expect(await callsOf(CLIENTS)).toEqual([`200 ${LIST}`]);
    expect(await callsOf(CLIENTS)).toEqual([`304 ${LIST}`]);
    expect(await read(CLIENTS)).toEqual({ clients: { nodes: [{ name: 'Ada' }, { name: 'Bea' }] } });
    expect(upstream.log.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([false, true, true]);

    names[1] = 'Cleo'; // past the gateway
    expect(await callsOf(CLIENTS)).toEqual([`200 ${LIST}`]);
    expect(await read(CLIENTS)).toEqual({ clients: { nodes: [{ name: 'Ada' }, { name: 'Cleo' }] } });
  });

  test.each(['"strong"', 'W/"weak"', '""'])('may have %s', async (etag) => {
    await expectSecond(304, await gatewayOf(crmOf(['Ada']), {}, { validators: () => ({ etag }) }));
  });

  test.each(['tag', '"a"b"', `"${'a'.repeat(600)}"`, 'w/"a"'])('is not kept for what is none: %s', async (etag) => {
    await expectSecond(200, await gatewayOf(crmOf(['Ada']), {}, { validators: () => ({ etag }) }));
  });

  test('serves the credential and the path that it was read with, though all have one tag', async () => {
    const upstream: Parameters<typeof railsUpstream>[0] = ({ url = '' }) => {
      const token = new URL(url, 'http://stub').searchParams.get('api_token');
      const [, id] = /clients\/(\d+)/.exec(url) ?? [];
      return { body: JSON.stringify({ id: Number(id), name: `${id} of ${token}` }) };
    };
    const { read } = await gatewayOf(upstream, {}, { validators: () => ({ etag: '"same"' }) });
    const client = (id: number) => `{ client(id: ${id}) { name } }`;
    for (const [id, token] of [
      [1, 'a'],
      [1, 'b'],
      [2, 'a'],
      [1, 'a'],
      [2, 'b'],
      [2, 'a'],
    ] as const) {
      expect(await read(client(id), token)).toEqual({ client: { name: `${id} of ${token}` } });
    }
  });

  test('counts as a call each time, in the log and in the metrics', async () => {
    const { callsOf, logs, metrics } = await gatewayOf(crmOf(['Ada']), { METRICS_PORT: 0 });
    await callsOf(CLIENT);
    await callsOf(CLIENT);
    const counts = logs
      .filter((line) => line.includes('"msg":"operation"'))
      .map((line) => JSON.parse(line).upstreamCalls);
    expect(counts).toEqual([1, 1]);
    expect(await metrics()).toMatch(/trivium_answer_cache_reads_total\{api="crm",outcome="revalidated"\} 1/);
  });

  test('of a list is asked about instead of many records', async () => {
    const names = Array.from({ length: 40 }, (_none, at) => `Client ${at + 1}`);
    const { callsOf } = await gatewayOf(crmOf(names));
    await callsOf(CLIENTS);
    const nodes = Array.from({ length: 20 }, (_none, at) => `"Client:${at + 1}"`).join();
    expect(await callsOf(`{ nodes(ids: [${nodes}]) { ... on Client { name } } }`)).toEqual([`304 ${LIST}`]);
  });
});

describe('an answer with a time of its last change', () => {
  const changed = 'Tue, 24 Nov 2026 10:00:00 GMT';
  const dated = (date: string) => ({ validators: () => ({ 'last-modified': changed, date }) });

  test('is asked about where its date is two seconds later at least', async () => {
    const over = await gatewayOf(crmOf(['Ada']), {}, dated('Tue, 24 Nov 2026 10:00:02 GMT'));
    await expectSecond(304, over);
    expect(over.upstream.log.at(-1)?.headers['if-modified-since']).toBe(changed);
  });

  test.each(['Tue, 24 Nov 2026 10:00:01 GMT', 'Tue, 24 Nov 2026 09:00:00 GMT', 'no date'])(
    'is not kept where its date is %s',
    async (date) => {
      await expectSecond(200, await gatewayOf(crmOf(['Ada']), {}, dated(date)));
    },
  );
});

describe('nothing is kept', () => {
  test.each([
    ['of API tokens', '{ apiTokens { name } }', '[{"id":1,"name":"a"}]'],
    ['of an API token', '{ apiToken(id: 1) { name } }', '{"id":1,"name":"a"}'],
    ['of public methods', '{ publicFlexDb(code: "shop") { get(id: "1") { id } } }', '{"id":"1","data":{}}'],
  ])('%s', async (_name, query, body) => {
    const { execute, upstream } = await gatewayOf(() => ({ body }));
    for (let at = 0; at < 2; at += 1) await execute(query);
    expect(upstream.log.length).toBeGreaterThan(1);
    expect(upstream.log.filter(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([]);
  });

  test.each([{}, { CRM_CACHE_TTL_MS: 60_000 }])('of an answer that upstream forbids to store: %j', async (settings) => {
    const headers = { 'cache-control': 'private, No-Store' };
    await expectSecond(200, await gatewayOf(() => ({ body: '{"id":1}', headers }), settings));
  });

  test('any more once upstream forbids to store the answer that takes its place', async () => {
    let answer: RailsAnswer = { body: '{"id":1,"name":"Ada"}' };
    const { callsOf, upstream } = await gatewayOf(() => answer);
    await callsOf(CLIENT);
    answer = { body: '{"id":1,"name":"Bea"}', headers: { 'cache-control': 'no-store' } };
    for (let at = 0; at < 2; at += 1) await callsOf(CLIENT);
    expect(upstream.log.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([false, true, false]);
  });

  test('with ANSWER_CACHE_BYTES=0', async () => {
    await expectSecond(200, await gatewayOf(crmOf(['Ada']), { ANSWER_CACHE_BYTES: 0 }));
  });

  test('beyond ANSWER_CACHE_IDLE_MS without a read', async () => {
    const clock = stoppedClock();
    const { callsOf } = await gatewayOf(crmOf(['Ada']), { ANSWER_CACHE_IDLE_MS: 1_000 });
    await callsOf(CLIENT);
    clock.pass(999);
    expect(await callsOf(CLIENT)).toEqual([`304 ${ONE}`]);
    clock.pass(1_000);
    expect(await callsOf(CLIENT)).toEqual([`200 ${ONE}`]);
  });
});

test.each([401, 403])('a %s drops all that is kept for the credential, and nothing of others', async (status) => {
  let refused = '';
  const names = ['Ada', 'Bea'];
  const crm = crmOf(names);
  const { callsOf, execute, upstream } = await gatewayOf((request) => {
    const isRefused =
      refused !== '' && request.url?.includes(`api_token=${refused}`) && request.url.includes('clients/1');
    return isRefused ? { status, body: '{"error":"no"}' } : crm(request);
  });
  const second = '{ client(id: 2) { name } }';
  for (const token of ['a', 'b']) for (const query of [CLIENT, second, CLIENTS]) await callsOf(query, token);
  refused = 'a';
  await execute(CLIENT, { headers: { 'x-crm-token': 'a' } });
  refused = '';
  expect(await callsOf(CLIENTS, 'a')).toEqual([`200 ${LIST}`]);
  expect(await callsOf(second, 'a')).toEqual(['200 GET /app/clients/2.json']);
  expect(await callsOf(CLIENTS, 'b')).toEqual([`304 ${LIST}`]);
  expect(upstream.log.length).toBeGreaterThan(0);
});

describe('a 304', () => {
  test('that nobody asked for is an error of its field alone', async () => {
    const upstream = await stubUpstream((request, response) =>
      request.url?.includes('clients/1')
        ? response.writeHead(304, { etag: '"a"' }).end()
        : response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":2,"name":"Bea"}'),
    );
    const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) });
    const query = '{ one: client(id: 1) { name } other: client(id: 2) { name } }';
    const { data, errors } = await execute(query, { headers: { 'x-crm-token': 'crm' } });
    expect(data).toEqual({ one: null, other: { name: 'Bea' } });
    expect(errors).toMatchObject([{ path: ['one'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    expect(errors[0]?.message).toMatch(/304 that nobody asked for/);
  });

  test('for ever is the lie of upstream, but a write through the gateway drops what is kept', async () => {
    const names = ['Ada'];
    const crm = crmOf(names);
    const { callsOf, read } = await gatewayOf(crm, {}, { validators: () => ({ etag: '"for-ever"' }) });
    await callsOf(CLIENT);
    names[0] = 'Bea';
    expect(await read(CLIENT)).toEqual({ client: { name: 'Ada' } });
    await callsOf('mutation { updateClient(id: 1, input: { name: "Bea" }) { __typename } }');
    expect(await callsOf(CLIENT)).toEqual([`200 ${ONE}`]);
    expect(await read(CLIENT)).toEqual({ client: { name: 'Bea' } });
  });
});

test('what is kept stays within ANSWER_CACHE_BYTES: 200 callers with a list of their own', async () => {
  const rows = (token: string | null) =>
    Array.from({ length: 50 }, (_none, at) => ({ id: at + 1, name: `${token} ${at}`, note: 'x'.repeat(200) }));
  const { callsOf, metrics } = await gatewayOf(
    ({ url = '' }) => ({ body: JSON.stringify(rows(new URL(url, 'http://stub').searchParams.get('api_token'))) }),
    { METRICS_PORT: 0, ANSWER_CACHE_BYTES: 1_000_000 },
  );
  const tokens = Array.from({ length: 200 }, (_none, at) => `caller-${at}`);
  for (const token of tokens) await callsOf(CLIENTS, token);
  const [, bytes] = /trivium_answer_cache_bytes\{api="crm"\} (\d+)/.exec(await metrics()) ?? [];
  expect(Number(bytes)).toBeGreaterThan(500_000);
  expect(Number(bytes)).toBeLessThanOrEqual(1_000_000);
  expect(await callsOf(CLIENTS, 'caller-199')).toEqual([`304 ${LIST}`]);
  expect(await callsOf(CLIENTS, 'caller-0')).toEqual([`200 ${LIST}`]);
});

test('a list is larger than another limit allows, whoever read it', async () => {
  const names = Array.from({ length: 30 }, (_none, at) => `Client ${at + 1}`);
  const { callsOf } = await gatewayOf(crmOf(names), { MAX_JOINED_LIST_BYTES: 100 });
  await callsOf(CLIENTS);
  const nodes = Array.from({ length: 4 }, (_none, at) => `"Client:${at + 1}"`).join();
  const calls = await callsOf(`{ nodes(ids: [${nodes}]) { ... on Client { name } } }`);
  expect(calls.filter((call) => call.startsWith('200 GET /app/clients/'))).toHaveLength(4);
  expect(calls).not.toContain(`304 ${LIST}`);
});
