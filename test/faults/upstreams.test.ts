import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver, type Result, type TestGateway } from '../support/gateway.ts';
import { DEAD_ADDRESS, rawUpstream, stubUpstream, wholeAnswer } from '../support/stub-upstream.ts';

// An upstream that fails as a whole is called no more, but for single probes, until it answers again.

const ENABLE = 'mutation { enableDashboards { __typename } }';
const FLEX = '{ flexDbs { upstreamId } }';

const NOT_CALLED = {
  message: 'The account API has failed too often in the last seconds, so it is not called for now.',
  extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1, upstream: { api: 'account' } },
};

/** The number of failures that opens a breaker. */
const MIN_FAILURES = 10;

/** The number of unanswered reads that are sent once more where there are few calls. */
const MAX_REPEATS = 5;

/** Runs a query so many times, one after the other. */
async function inTurn({ execute }: TestGateway, times: number, query = TOKENS): Promise<Result[]> {
  const results: Result[] = [];
  for (let calls = 0; calls < times; calls += 1) results.push(await execute(query));
  return results;
}

const wasCalled = ({ errors }: Result) => errors[0]?.message !== NOT_CALLED.message;

const ready = async ({ url }: TestGateway) => (await fetch(`${url}/ready`)).json();

/** The body of `/ready` with this state of the account API. The flex API answers. */
const states = (account: string) => ({
  status: 'ok',
  upstreams: { account: { state: account }, flex: { state: 'ok' } },
});

/** The log lines about changes of state. */
const changesIn = ({ logs }: TestGateway) =>
  logs
    .map((line): unknown => JSON.parse(line))
    .filter((line) => typeof line === 'object' && line !== null && 'state' in line);

/** An upstream that resets connections until it is well, and a gateway over it. */
async function resetting(settings: Partial<Config> = {}) {
  let isWell = false;
  const upstream = await rawUpstream((socket) =>
    isWell ? socket.write(wholeAnswer('[{"id":1}]')) : socket.resetAndDestroy(),
  );
  const gateway = await gatewayOver(upstream.url, settings, 'canary-token');
  return { upstream, gateway, recover: () => (isWell = true) };
}

/** An upstream that never answers until it is well, and a gateway over it. */
async function hanging(settings: Partial<Config> = {}) {
  const deadlines = heldDeadlines();
  let isWell = false;
  const upstream = await stubUpstream((request, response) => isWell && wellBehaved(request, response));
  const gateway = await gatewayOver(upstream.url, { ...HELD, SHARE_READS: 'false', ...settings }, 'token');
  /** Lets reads end by their deadlines, as many as open a breaker. */
  const fail = async () => {
    const reads = Array.from({ length: MIN_FAILURES }, () => gateway.execute(TOKENS));
    await deadlines.comeWhen(MIN_FAILURES, () => upstream.received.length, MIN_FAILURES);
    return Promise.all(reads);
  };
  return { upstream, gateway, deadlines, fail, recover: () => (isWell = true) };
}

describe('an upstream is called no more', () => {
  test.each([
    ['that refuses connections', DEAD_ADDRESS],
    ['whose name does not resolve', `http://${'x'.repeat(64)}.invalid`],
  ])('%s: 10 of 30 calls go there', async (_name, url) => {
    stoppedClock(); // so that no time for a probe comes
    const gateway = await gatewayOver(url, {}, 'token');
    const results = await inTurn(gateway, 30);
    expect(results.slice(0, MIN_FAILURES).every(wasCalled)).toBe(true);
    for (const { errors } of results.slice(MIN_FAILURES)) expect(errors).toMatchObject([NOT_CALLED]);
  });

  test('that resets connections: 10 of 30 calls reach it', async () => {
    stoppedClock();
    const { gateway, upstream } = await resetting();
    const results = await inTurn(gateway, 30);
    expect(results.filter(wasCalled)).toHaveLength(MIN_FAILURES);
    expect(upstream.received).toHaveLength(MIN_FAILURES + MAX_REPEATS);
  });

  test.each(['true', 'false'] as const)('that hangs (SHARE_READS=%s): later calls do not wait', async (SHARE_READS) => {
    stoppedClock();
    const { gateway, upstream, fail } = await hanging({ SHARE_READS });
    for (const { errors } of await fail()) expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
    const received = upstream.received.length;
    const { errors } = await gateway.execute(TOKENS);
    expect(errors).toMatchObject([NOT_CALLED]);
    expect(upstream.received).toHaveLength(received);
  });
});

describe('while it is not called', () => {
  test('an answer costs no connection and no deadline', async () => {
    stoppedClock();
    const deadlines = heldDeadlines();
    const { gateway, upstream } = await resetting(HELD);
    await inTurn(gateway, MIN_FAILURES);
    const before = [upstream.received.length, deadlines.begun()];
    await inTurn(gateway, 20);
    expect([upstream.received.length, deadlines.begun()]).toEqual(before);
  });

  test('a write is not sent, and known not to be made', async () => {
    stoppedClock();
    const { gateway, upstream } = await resetting();
    await inTurn(gateway, MIN_FAILURES);
    const { errors } = await gateway.execute(ENABLE);
    expect(errors).toMatchObject([{ ...NOT_CALLED, extensions: { ...NOT_CALLED.extensions, outcome: 'REFUSED' } }]);
    expect(upstream.received.join()).not.toContain('POST');
  });

  test('calls that wait for a connection fail at once', async () => {
    const held: Socket[] = [];
    let isDown = false;
    const upstream = await rawUpstream((socket) => (isDown ? socket.destroy() : held.push(socket)));
    const gateway = await gatewayOver(upstream.url, { UPSTREAM_CONNECTIONS: MIN_FAILURES }, 'token');
    const writes = Array.from({ length: 50 }, () => gateway.execute(ENABLE));
    await expect.poll(() => held.length).toBe(MIN_FAILURES);
    isDown = true;
    for (const socket of held) socket.destroy();
    const waited = (await Promise.all(writes)).filter((result) => !wasCalled(result));
    expect(waited.length).toBeGreaterThanOrEqual(30);
    for (const { errors } of waited) expect(errors).toMatchObject([{ extensions: { outcome: 'REFUSED' } }]);
    expect(upstream.received.length).toBeLessThanOrEqual(20);
  });

  test('one read a second reaches it, and a write where no read comes', async () => {
    const { pass } = stoppedClock();
    const { gateway, upstream } = await resetting();
    await inTurn(gateway, MIN_FAILURES);
    const before = upstream.received.length;
    pass(1_000);
    expect((await inTurn(gateway, 20)).filter(wasCalled)).toHaveLength(1);
    const read = upstream.received.slice(before);
    expect(read).toEqual(['GET /account/api_tokens.json']); // which is not repeated
    pass(1_500);
    expect((await inTurn(gateway, 20, ENABLE)).filter(wasCalled)).toHaveLength(1);
    expect(upstream.received.slice(before + read.length)).toEqual([expect.stringMatching(/^POST /)]);
  });

  test('/ready tells it, and the log tells each change once, without an address or a credential', async () => {
    const { pass } = stoppedClock();
    const { gateway, recover } = await resetting();
    expect(await ready(gateway)).toMatchObject(states('ok'));
    await inTurn(gateway, 30);
    expect(await ready(gateway)).toMatchObject(states('open'));
    recover();
    pass(1_000);
    await inTurn(gateway, 3);
    expect(await ready(gateway)).toMatchObject(states('ok'));

    const reason = 'The account API closed the connection before it had answered in full.';
    expect(changesIn(gateway)).toMatchObject([
      { level: 40, api: 'account', state: 'open', reason, msg: 'upstream fails: it is not called for now' },
      { level: 30, api: 'account', state: 'closed', msg: 'upstream answers: it is called again' },
    ]);
    expect(JSON.stringify(changesIn(gateway))).not.toMatch(/127\.0\.0\.1|http:|canary/);
  });

  test('another API is called as before, at the same address, too', async () => {
    stoppedClock();
    const upstream = await stubUpstream((request, response) => {
      if (request.url?.startsWith('/account') !== true) wellBehaved(request, response);
    });
    const deadlines = heldDeadlines();
    const gateway = await gatewayOver(upstream.url, { ...HELD, SHARE_READS: 'false' }, 'token');
    const hanging = Array.from({ length: MIN_FAILURES }, () => gateway.execute(TOKENS));
    await deadlines.comeWhen(MIN_FAILURES, () => upstream.received.length, MIN_FAILURES);
    await Promise.all(hanging);
    expect(await ready(gateway)).toMatchObject(states('open'));
    expect((await gateway.execute(FLEX)).data).toEqual({ flexDbs: [{ upstreamId: '1' }] });
  });
});

describe('an upstream is called again', () => {
  test('a second later for a read, and everybody after the first answer', async () => {
    const { pass } = stoppedClock();
    const { gateway, recover } = await resetting();
    await inTurn(gateway, MIN_FAILURES);
    recover();
    pass(1_000);
    for (let reads = 0; reads < 5; reads += 1) await expectHealthy(gateway.execute);
  });

  test('1.5 seconds later where only writes come', async () => {
    const { pass } = stoppedClock();
    const { gateway, recover } = await resetting();
    await inTurn(gateway, MIN_FAILURES, ENABLE);
    recover();
    pass(1_500);
    for (const { errors } of await inTurn(gateway, 5, ENABLE)) expect(errors).toEqual([]);
  });

  test('by a probe of its own, though a call of the same read still hangs', async () => {
    const { pass } = stoppedClock();
    const { gateway, upstream, deadlines, recover, fail } = await hanging({ SHARE_READS: 'true' });
    await fail();
    const received = upstream.received.length;
    pass(1_000);
    const probe = gateway.execute(TOKENS);
    await expect.poll(() => upstream.received.length).toBe(received + 1);
    recover();
    pass(1_000);
    await expectHealthy(gateway.execute);
    await deadlines.comeWhen(1);
    expect((await probe).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
  });
});

describe('it is not the failure of an upstream', () => {
  test('that a caller waits for less than UPSTREAM_TIMEOUT_MS', async () => {
    stoppedClock(); // the caller's time is that of the calls, however late the operation is
    const { gateway, upstream, deadlines, recover } = await hanging({
      UPSTREAM_TIMEOUT_MS: 2 * HELD.UPSTREAM_TIMEOUT_MS,
    });
    const headers = { 'x-trivium-timeout-ms': String(HELD.UPSTREAM_TIMEOUT_MS) };
    const results = Array.from({ length: 40 }, () => gateway.execute(TOKENS, { headers }));
    await deadlines.comeWhen(40, () => upstream.received.length, 40);
    for (const { errors } of await Promise.all(results))
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
    recover();
    await expectHealthy(gateway.execute);
    expect(changesIn(gateway)).toEqual([]);
  });

  test('that one caller has a list that takes longer, while others are answered: only its endpoint is left alone', async () => {
    const deadlines = heldDeadlines();
    const upstream = await stubUpstream((request, response) => {
      if (request.headers.authorization !== 'Bearer slow') wellBehaved(request, response);
    });
    const gateway = await gatewayOver(upstream.url, { ...HELD, SHARE_READS: 'false' }, 'token');
    const slow = Array.from({ length: MIN_FAILURES }, () => gateway.execute(TOKENS, { token: 'slow' }));
    await expect.poll(() => upstream.received.length).toBe(MIN_FAILURES);
    await expectHealthy(gateway.execute);
    await deadlines.comeWhen(MIN_FAILURES);
    for (const { errors } of await Promise.all(slow))
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);

    expect(await ready(gateway)).toMatchObject(states('failing'));
    await expectHealthy(gateway.execute);
    const { errors } = await gateway.execute(TOKENS, { token: 'slow' });
    expect(errors).toMatchObject([
      { message: expect.stringContaining('at this endpoint'), extensions: { retryAfter: 1 } },
    ]);
  });

  test('that callers leave', async () => {
    const { gateway, upstream, recover } = await hanging();
    const left = new AbortController();
    const leaving = Array.from({ length: 40 }, () =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
        body: JSON.stringify({ query: TOKENS }),
        signal: left.signal,
      }).catch(() => 'left'),
    );
    await expect.poll(() => upstream.received.length).toBe(40);
    left.abort();
    await Promise.all(leaving);
    recover();
    await expectHealthy(gateway.execute);
    expect(changesIn(gateway)).toEqual([]);
  });

  test.each([
    ['404', 404, '{"message":"not found"}'],
    ['429', 429, '{"message":"slow down"}'],
    ['401', 401, '{"message":"who?"}'],
    ['a web page', 200, '<html>'],
    ['broken JSON', 200, '[{'],
  ])('that it answers with %s', async (_name, status, body) => {
    const upstream = await stubUpstream((_request, response) => response.writeHead(status).end(body));
    const gateway = await gatewayOver(upstream.url, {}, 'token');
    await inTurn(gateway, 30);
    expect(upstream.received).toHaveLength(30);
    expect(changesIn(gateway)).toEqual([]);
  });
});

test('of many reads whose connections are cut, a tenth is sent once more', async () => {
  stoppedClock(); // all calls are in one window
  let cuts = 0;
  const upstream = await rawUpstream((socket, request) => {
    const isCut = Number(/api_tokens\/(\d+)/.exec(request)?.[1]) % 3 === 0;
    if (isCut) cuts += 1;
    if (isCut) socket.destroy();
    else socket.write(wholeAnswer('{"id":1}'));
  });
  const gateway = await gatewayOver(upstream.url, {}, 'token');
  for (let id = 1; id <= 120; id += 1) await gateway.execute(`{ apiToken(id: ${id}) { upstreamId } }`);
  const repeats = cuts - 40;
  expect(repeats).toBeGreaterThan(MAX_REPEATS);
  expect(repeats).toBeLessThanOrEqual(12);
});

test('calls of one API are answered while hundreds of calls of another one hang', async () => {
  const { url } = await stubUpstream(wellBehaved);
  const held: ServerResponse[] = [];
  let isWell = false;
  const hung = await stubUpstream((request, response) => {
    if (isWell) wellBehaved(request, response);
    else held.push(response);
  });
  const settings = { UPSTREAM_CONNECTIONS: 10, UPSTREAM_TIMEOUT_MS: 60_000, SHARE_READS: 'false' } as const;
  const gateway = await gatewayOver(hung.url, { FLEX_URL: new URL(url), ...settings }, 'token');
  let ended = 0;
  const hangingCalls = Array.from({ length: 200 }, () => gateway.execute(TOKENS).then(() => (ended += 1)));
  await expect.poll(() => hung.received.length).toBe(10);
  for (const { errors } of await inTurn(gateway, 20, FLEX)) expect(errors).toEqual([]);
  expect([ended, hung.received.length]).toEqual([0, 10]);
  isWell = true;
  for (const response of held) wellBehaved(response.req, response);
  await Promise.all(hangingCalls);
});
