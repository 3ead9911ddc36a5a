import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { testCertificate } from '../support/certificates.ts';
import { gatewayOver } from '../support/gateway.ts';
import { pemFiles } from '../support/pem-files.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { heldUpstream, stubUpstream } from '../support/stub-upstream.ts';
import { type Connection, openConnection, postOf } from './connection.ts';

// Callers that read slowly: an answer that nobody reads is cut, one whose reader goes on is served.

const SEND_TIMEOUT_MS = 500;

const certificate = testCertificate({ host: '127.0.0.1' });
const file = pemFiles();
const secure = () => ({ TLS_CERT: file(certificate.cert), TLS_KEY: file(certificate.key) });

/** Far more than the buffers of two sockets take. */
const MANY_BYTES = 24 * 1024 ** 2;
const LARGE = '{ clients(first: 1000) { nodes { name } } }';
const LARGE_LATER = '{ __typename ... @defer { clients(first: 1000) { nodes { name } } } }';
const AS_EVENTS = ['Accept: text/event-stream'];

async function gatewayOfLargeAnswers(sendTimeoutMs = SEND_TIMEOUT_MS, more: Partial<Config> = {}) {
  const name = 'x'.repeat(MANY_BYTES / 1000);
  const clients = Array.from({ length: 1000 }, (_none, index) => ({ id: index + 1, name }));
  const upstream = await stubUpstream(saysJson(clients));
  return gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), SEND_TIMEOUT_MS: sendTimeoutMs, ...more });
}

/** The connections that the gateway has cut so far, by its log. */
function cuts(logs: readonly string[]): unknown[] {
  return logs.filter((line) => line.includes('stalled')).map((line) => JSON.parse(line));
}

/** Reads some bytes every 25 ms until the connection ends. */
async function readSlowly({ socket }: Connection, size: number): Promise<number> {
  let read = 0;
  const timer = setInterval(() => {
    const chunk: Buffer | null = socket.read(size) ?? socket.read();
    read += chunk?.length ?? 0;
    if (read > MANY_BYTES) socket.destroy();
  }, 25);
  onTestFinished(() => clearInterval(timer));
  await new Promise((resolve) => socket.once('close', resolve));
  return read;
}

test.each<[what: string, request: string, settings?: () => Partial<Config>]>([
  ['an answer', postOf(LARGE)],
  ['an event stream', postOf(LARGE_LATER, AS_EVENTS)],
  ['the first of several answers', postOf(LARGE).repeat(3)],
  ['an answer over HTTPS', postOf(LARGE), secure],
])('%s that nobody reads is cut after SEND_TIMEOUT_MS', async (_what, request, settings) => {
  const { url, logs } = await gatewayOfLargeAnswers(SEND_TIMEOUT_MS, settings?.());
  const connection = openConnection(url);
  connection.socket.pause();
  connection.socket.write(request);
  await expect.poll(() => cuts(logs)).toMatchObject([{ unreadAnswers: 1 }]);
  connection.socket.resume();
  await connection.closed;
});

test.each<[over: string, settings: () => Partial<Config>]>([
  ['HTTP', () => ({})],
  ['HTTPS', secure],
])('a caller that sends blank lines, and reads nothing, is cut too, over %s', async (_over, settings) => {
  const { url, logs } = await gatewayOfLargeAnswers(SEND_TIMEOUT_MS, settings());
  const { socket } = openConnection(url);
  socket.pause();
  socket.write(postOf(LARGE));
  const timer = setInterval(() => socket.write('\r\n'), SEND_TIMEOUT_MS / 5);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => cuts(logs)).toMatchObject([{ unreadAnswers: 1 }]);
});

test('a caller that has read a large answer slowly is answered again at once', async () => {
  const { url } = await gatewayOfLargeAnswers(1_000);
  const connection = openConnection(url);
  const { socket } = connection;
  socket.removeAllListeners('data').pause();
  socket.write(postOf(LARGE) + postOf('{ __typename }'));
  let text = '';
  const timer = setInterval(() => {
    const chunk: Buffer | null = socket.read(512 * 1024) ?? socket.read();
    text = (text + (chunk?.toString() ?? '')).slice(-1_000);
  }, 25);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => text).toContain('{"data":{"__typename":"Query"}}');
  socket.write(postOf('{ a: __typename }'));
  await expect.poll(() => text).toContain('{"data":{"a":"Query"}}');
});

test.each<[over: string, settings: () => Partial<Config>]>([
  ['HTTP', () => ({})],
  ['HTTPS', secure],
])('a reader that goes on is served, however long it takes in all, over %s, in real time', async (_over, settings) => {
  const sendTimeoutMs = 3_000; // beyond any pause of a busy machine
  const { url, logs } = await gatewayOfLargeAnswers(sendTimeoutMs, settings());
  const connection = openConnection(url);
  connection.socket.removeAllListeners('data').pause();
  connection.socket.write(postOf(LARGE));
  const begin = performance.now();
  expect(await readSlowly(connection, 96 * 1024)).toBeGreaterThan(MANY_BYTES);
  expect(performance.now() - begin).toBeGreaterThan(2 * sendTimeoutMs);
  expect(cuts(logs)).toEqual([]);
});

test('an event stream that has nothing to send for a while is not cut', async () => {
  const upstream = await heldUpstream(saysJson([]), '/app/clients.json');
  const settings = { CRM_URL: new URL(upstream.url), SEND_TIMEOUT_MS: 100, RECEIVE_TIMEOUT_MS: 300 };
  const { url } = await gatewayOver(upstream.url, settings);
  const stream = openConnection(url);
  stream.socket.write(postOf('{ __typename ... @defer { clients { totalCount } } }', AS_EVENTS));
  await expect.poll(stream.text).toContain('"__typename":"Query"');

  await openConnection(url).closed; // RECEIVE_TIMEOUT_MS has passed

  await upstream.answer('/app/clients.json', saysJson(clientsUpTo(3)));
  await expect.poll(stream.text).toContain('event: complete');
  expect(stream.text()).toContain('"totalCount":3');
});
