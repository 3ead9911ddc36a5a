import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { heldUpstream, stubUpstream } from '../support/stub-upstream.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { drip, openConnection, postOf } from './connection.ts';

// Callers that send slowly: a stalled one is cut, one that goes on sending is served.

const RECEIVE_TIMEOUT_MS = 200;

async function slowGateway(timeoutMs = RECEIVE_TIMEOUT_MS) {
  const upstream = await stubUpstream(saysJson(clientsUpTo(3)));
  return gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), RECEIVE_TIMEOUT_MS: timeoutMs });
}

const QUERY = '{ clients { totalCount } }';
const ANSWER = '{"data":{"clients":{"totalCount":3}}}';
const CHUNKED = [
  'POST /graphql HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
  '',
  '4',
  '{"qu',
  '',
].join('\r\n');

test.each([
  ['nothing', ''],
  ['half of its headers', 'POST /graphql HTTP/1.1\r\nHost: 127.0'],
  ['half of its body', postOf(QUERY).slice(0, -10)],
  ['half of its body in chunks', CHUNKED],
  ['a second request in part', postOf(QUERY) + postOf(QUERY).slice(0, -10)],
  ['a body that nobody reads in part', 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123'],
])(
  'a connection that sends %s and then stalls is cut, not before RECEIVE_TIMEOUT_MS, in real time',
  async (_what, sent) => {
    const { url } = await slowGateway();
    const begin = performance.now();
    const connection = openConnection(url);
    connection.socket.write(sent);
    await connection.closed;
    expect(performance.now() - begin).toBeGreaterThanOrEqual(RECEIVE_TIMEOUT_MS - 1); // Node's clock of headers has whole ms
  },
);

test.each([
  ['headers', 'POST /graphql HTTP/1.1\r\nHost: 127.0'],
  ['a body', postOf(QUERY).slice(0, -10)],
  ['a body in chunks', CHUNKED],
])('a caller that stalls in %s is told 408', async (_what, sent) => {
  const { url } = await slowGateway();
  const connection = openConnection(url);
  connection.socket.write(sent);
  await connection.closed;
  expect(connection.text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n[^]*"outcome":"REFUSED"/);
});

test('headers have RECEIVE_TIMEOUT_MS in all: who sends them byte by byte is cut', async () => {
  const { url } = await slowGateway();
  const connection = openConnection(url);
  drip(connection, `POST /graphql HTTP/1.1\r\nX-Slow: ${'x'.repeat(1000)}`, 10);
  await connection.closed;
  expect(connection.text()).toContain(' 408 ');
});

test('a body that goes on is served, however long it takes in all, in real time', async () => {
  const { url } = await slowGateway();
  const connection = openConnection(url);
  const request = postOf(QUERY);
  const begin = performance.now();
  connection.socket.write(request.slice(0, -40));
  drip(connection, request.slice(-40), 20);
  await expect.poll(connection.text).toContain(ANSWER);
  expect(performance.now() - begin).toBeGreaterThan(3 * RECEIVE_TIMEOUT_MS);
});

test('a body whose rest comes while the process stands still is served, in real time', async () => {
  const { url } = await slowGateway(1_000);
  const connection = openConnection(url);
  const request = postOf(QUERY);
  connection.socket.write(request + request.slice(0, -10));
  await expect.poll(connection.text).toContain(ANSWER);
  await delay(100); // the gateway has looked at its connections
  const end = performance.now() + 1_500;
  while (performance.now() < end);
  connection.socket.write(request.slice(-10));
  await expect.poll(() => connection.text().split(ANSWER)).toHaveLength(3);
});

test('a caller that waits for a slow upstream is not cut', async () => {
  const upstream = await heldUpstream(saysJson([]), '/app/clients.json');
  const { url } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), RECEIVE_TIMEOUT_MS });
  const waiting = openConnection(url);
  waiting.socket.write(postOf(QUERY));
  await expect.poll(() => upstream.received).toHaveLength(1);

  for (const _time of [1, 2]) {
    const stalled = openConnection(url);
    stalled.socket.write(postOf(QUERY).slice(0, -10));
    await stalled.closed; // RECEIVE_TIMEOUT_MS has passed
  }

  await upstream.answer('/app/clients.json', saysJson(clientsUpTo(3)));
  await expect.poll(waiting.text).toContain(ANSWER);
});

test('a kept connection serves further requests after one that was slow', async () => {
  const { url } = await slowGateway();
  const connection = openConnection(url);
  const request = postOf(QUERY);
  connection.socket.write(request.slice(0, -20));
  drip(connection, request.slice(-20), 20);
  await expect.poll(connection.text).toContain(ANSWER);
  connection.socket.write(request);
  await expect.poll(() => connection.text().split(ANSWER)).toHaveLength(3);
});
