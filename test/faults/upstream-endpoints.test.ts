import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import { TOKENS } from '../support/failures.ts';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// An endpoint that answers a caller with statuses of 500 or more is called no more for that caller, but for single probes.

const ENDPOINT = 'GET /account/api_tokens.json';
const DASHBOARDS = '{ dashboards { name } }';
const CREATE = 'mutation { createApiToken(input: { name: "x" }) { __typename } }';
const broken = says('{}', { status: 500 });
const well = says('[{"id":1,"name":"x"}]');

const NOT_CALLED = {
  message: 'The account API has failed too often at this endpoint, so it is not called there for now.',
  extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1, upstream: { api: 'account', endpoint: ENDPOINT } },
};

/** An upstream that answers everything as it is told, but that always has a page of dashboards, and a gateway over it. */
async function answering(first: RequestListener) {
  let answer = first;
  const upstream = await stubUpstream((request, response) => {
    const others = request.url?.startsWith('/account/api_tokens') !== true;
    (others ? well : answer)(request, response);
  });
  const gateway = await gatewayOver(upstream.url, {}, 'bad');
  const inTurn = async (times: number, query = TOKENS, token = 'bad') => {
    const results: Result[] = [];
    for (let calls = 0; calls < times; calls += 1) results.push(await gateway.execute(query, { token }));
    return results;
  };
  const changes = () =>
    gateway.logs
      .map((line): unknown => JSON.parse(line))
      .filter((line) => typeof line === 'object' && line !== null && 'state' in line);
  return { ...gateway, upstream, inTurn, changes, become: (next: RequestListener) => (answer = next) };
}

test('10 of 100 calls reach it, and the log tells it once', async () => {
  stoppedClock(); // so that no time for a probe comes
  const { inTurn, upstream, changes, url } = await answering(broken);
  const results = await inTurn(100);
  expect(upstream.received).toHaveLength(10);
  for (const { errors } of results.slice(0, 10))
    expect(errors).toMatchObject([{ extensions: { upstream: { status: 500 } } }]);
  for (const { errors } of results.slice(10)) expect(errors).toMatchObject([NOT_CALLED]);
  expect(changes()).toMatchObject([
    {
      level: 40,
      api: 'account',
      endpoint: ENDPOINT,
      state: 'open',
      reason: 'The account API answered with status 500.',
    },
  ]);
  expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ upstreams: { account: { state: 'failing' } } });
});

test('another credential, and another endpoint, cost nothing', async () => {
  const { inTurn, upstream, become } = await answering(broken);
  become((request, response) => (request.headers.authorization === 'Bearer bad' ? broken : well)(request, response));
  await inTurn(100);
  for (const { errors } of await inTurn(20, TOKENS, 'good')) expect(errors).toEqual([]);
  const before = upstream.received.length;
  for (const { errors } of await inTurn(20, DASHBOARDS)) expect(errors).toEqual([]);
  expect(upstream.received).toHaveLength(before + 20);
});

test('a write is not sent, and known not to be made', async () => {
  stoppedClock();
  const { inTurn, upstream } = await answering(broken);
  await inTurn(10, CREATE);
  const [result] = await inTurn(1, CREATE);
  expect(result?.errors).toMatchObject([
    { message: NOT_CALLED.message, extensions: { outcome: 'REFUSED', retryAfter: 1 } },
  ]);
  expect(upstream.received).toHaveLength(10);
});

test.each([
  ['a read', TOKENS, 1_000],
  ['a write', CREATE, 1_500],
])('%s is let through later, and its answer ends it', async (_name, query, ms) => {
  const { pass } = stoppedClock();
  const { inTurn, upstream, become, changes } = await answering(broken);
  await inTurn(10, query);
  pass(ms);
  await inTurn(10, query);
  expect(upstream.received).toHaveLength(11);
  become(query === TOKENS ? well : says('{"id":1}', { status: 201 }));
  pass(ms);
  for (const { errors } of await inTurn(5, query)) expect(errors).toEqual([]);
  expect(upstream.received).toHaveLength(16);
  expect(changes()).toMatchObject([{ state: 'open' }, { state: 'closed' }]);
});

test('with 503 and Retry-After it is not called until then', async () => {
  const { pass } = stoppedClock();
  const { inTurn, upstream, become } = await answering(says('{}', { status: 503, headers: { 'retry-after': '30' } }));
  const [first, second] = await inTurn(2);
  expect(first?.errors).toMatchObject([{ extensions: { retryAfter: 30, upstream: { status: 503 } } }]);
  expect(second?.errors).toMatchObject([{ message: NOT_CALLED.message, extensions: { retryAfter: 30 } }]);
  become(well);
  pass(29_000);
  await inTurn(1);
  expect(upstream.received).toHaveLength(1);
  pass(1_000);
  for (const { errors } of await inTurn(2)) expect(errors).toEqual([]);
});

test('Retry-After of a 503 is cut to 60 seconds', async () => {
  const { pass } = stoppedClock();
  const { inTurn, become } = await answering(says('{}', { status: 503, headers: { 'retry-after': '86400' } }));
  await inTurn(1);
  become(well);
  pass(60_000);
  for (const { errors } of await inTurn(2)) expect(errors).toEqual([]);
});

describe('reads of one operation at an endpoint that was not called', () => {
  const READS = Array.from({ length: 20 }, (_none, at) => `c${at}: client(id: ${at + 1}) { name }`).join(' ');

  /** A CRM whose clients answer as they are told, and a gateway that has stopped to call it. */
  async function stopped(fail: RequestListener) {
    const { pass } = stoppedClock();
    let answer = fail;
    const upstream = await stubUpstream((request, response) => answer(request, response));
    const settings = { CRM_URL: new URL(upstream.url), BATCH_READS: 'by-id' as const };
    const gateway = await gatewayOver(upstream.url, settings, 'token');
    const ask = async (query: string) => gateway.execute(query, { headers: { 'x-crm-token': 'crm' } });
    for (let calls = 0; calls < 10; calls += 1) await ask('{ client(id: 1) { name } }');
    const before = upstream.received.length;
    const names = { data: Object.fromEntries(Array.from({ length: 20 }, (_none, at) => [`c${at}`, { name: 'Ada' }])) };
    return {
      ask: async () => ask(`{ ${READS} }`),
      pass,
      names,
      become: (next: RequestListener) => (answer = next),
      calls: () => upstream.received.length - before,
    };
  }

  const unavailable = says('{}', { status: 503 });
  const hangUp: RequestListener = (request) => void request.socket.resetAndDestroy();
  const named: RequestListener = (request, response) => {
    const [, id] = /(\d+)\.json/.exec(request.url ?? '') ?? [];
    says(JSON.stringify({ id, name: 'Ada' }))(request, response);
  };

  test.each([
    ['answered with 503', unavailable],
    ['cut its connections', hangUp],
  ])('that %s go on once one of them was answered', async (_name, fail) => {
    const { ask, pass, names, become, calls } = await stopped(fail);
    become(named);
    pass(1_000);
    expect(await ask()).toMatchObject({ ...names, errors: [] });
    expect(calls()).toBe(20);
  });

  test.each([
    ['answers with 503', unavailable, 1],
    ['cuts its connections', hangUp, 1],
  ])('that still %s fail together, after one call', async (_name, fail, count) => {
    const { ask, pass, calls } = await stopped(fail);
    pass(1_000);
    const { errors } = await ask();
    expect(errors).toHaveLength(20);
    for (const { extensions } of errors) expect(extensions['code']).toBe('UPSTREAM_UNAVAILABLE');
    expect(calls()).toBe(count);
  });

  test('fail at once while nothing tries it', async () => {
    const { ask, calls } = await stopped(unavailable);
    const { errors } = await ask();
    expect(errors.map(({ message }) => message)).toEqual(
      Array.from({ length: 20 }, () => expect.stringContaining('failed too often')),
    );
    expect(calls()).toBe(0);
  });
});
