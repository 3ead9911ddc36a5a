import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// The time of an operation: OPERATION_TIMEOUT_MS, or less where the caller asks for it by X-Trivium-Timeout-Ms.

const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer token' };
const TOKENS = '{ apiTokens { upstreamId } }';
const DASHBOARDS = '{ dashboards { upstreamId } }'; // tokens are never shared

/**
 * An upstream that never answers, and the moment when a call is given up. The time of an operation passes with a call, and not
 * before: on a busy machine it could be over before its first call. It is long enough to connect, which takes real time.
 */
async function silent() {
  const { pass } = stoppedClock();
  const calls = new EventEmitter();
  const givenUp = once(calls, 'close');
  const upstream = await stubUpstream((_request, response) => {
    pass(500);
    response.once('close', () => calls.emit('close'));
  });
  return { ...upstream, givenUp };
}

async function ask(url: string, query: string, timeoutMs?: string) {
  const headers = { ...HEADERS, ...(timeoutMs !== undefined && { 'x-trivium-timeout-ms': timeoutMs }) };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return { status: response.status, body: await response.json() };
}

test.each<[string, Partial<Config>, string | undefined]>([
  ['a call ends with the time of its operation', { OPERATION_TIMEOUT_MS: 500 }, undefined],
  ['a caller may ask for less', {}, '500'],
  ['a caller may not ask for more', { OPERATION_TIMEOUT_MS: 500 }, '600000'],
  ['the deadline of a call stays when it is shorter', { UPSTREAM_TIMEOUT_MS: 500 }, '600000'],
])('%s', async (_name, settings, timeoutMs) => {
  const upstream = await silent();
  const { url } = await gatewayOver(upstream.url, settings);
  const { body } = await ask(url, TOKENS, timeoutMs);
  expect(body).toMatchObject({
    data: { apiTokens: null },
    errors: [
      { message: expect.stringMatching(/did not answer within 0\.5 s/), extensions: { code: 'UPSTREAM_TIMEOUT' } },
    ],
  });
  await upstream.givenUp;
});

test('once the time is over no call starts: a write that was not sent is refused, the one before it is unknown', async () => {
  const upstream = await silent();
  const { url } = await gatewayOver(upstream.url);
  const { body } = await ask(
    url,
    'mutation { enableDashboards { __typename } selectDashboard(context: MAIN, selection: { layout: BUILTIN }) { __typename } }',
    '500',
  );
  expect(body.errors).toMatchObject([
    { path: ['enableDashboards'], extensions: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' } },
    { path: ['selectDashboard'], extensions: { code: 'QUERY_LIMIT_EXCEEDED', outcome: 'REFUSED' } },
  ]);
  expect(body.errors[1].message).toMatch(/takes longer than 0\.5 s: .*OPERATION_TIMEOUT_MS.*X-Trivium-Timeout-Ms/);
  expect(upstream.received).toHaveLength(1);
});

test('of two callers that share a call each keeps its own time', async () => {
  stoppedClock(); // the hasty one has its time until it waits for the call
  const answers: ServerResponse[] = [];
  const upstream = await stubUpstream((_request, response) => answers.push(response));
  const { url } = await gatewayOver(upstream.url);
  const patient = ask(url, DASHBOARDS);
  await expect.poll(() => answers).toHaveLength(1);
  const hasty = await ask(url, DASHBOARDS, '50');
  expect(hasty.body).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_TIMEOUT' } }] });
  expect(upstream.received).toHaveLength(1);
  answers[0]?.end('[{"id":1}]');
  expect((await patient).body).toEqual({ data: { dashboards: [{ upstreamId: '1' }] } });
});

describe('a time that is no whole number above 0 is refused before any call', () => {
  test.each(['abc', '-1', '0', '000', '1.5', '1e3', '', ' ', '0x10', '1, 2', '9'.repeat(400)])('%j', async (value) => {
    const upstream = await stubUpstream(says('[{"id":1}]'));
    const { url } = await gatewayOver(upstream.url);
    const { status, body } = await ask(url, TOKENS, value);
    expect(status).toBe(400);
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringContaining('X-Trivium-Timeout-Ms'),
          extensions: { code: 'BAD_USER_INPUT', outcome: 'REFUSED' },
        },
      ],
    });
    expect(upstream.received).toEqual([]);
  });
});

test('a GET takes it, too', async () => {
  const upstream = await silent();
  const { url } = await gatewayOver(upstream.url);
  const headers = { authorization: 'Bearer token', 'x-trivium-timeout-ms': '500' };
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent(TOKENS)}`, { headers });
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_TIMEOUT' } }] });
});
