import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { testCertificate } from '../support/certificates.ts';
import { gatewayOver } from '../support/gateway.ts';
import { pemFiles } from '../support/pem-files.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { type Connection, openConnection, postOf } from './connection.ts';

// MAX_UNREAD_BYTES: answers that callers do not read are bounded together, and those that wait longest are cut first.

/** Far more than the buffers of two sockets take. */
const ANSWER_BYTES = 16 * 1024 ** 2;
const MAX_UNREAD_BYTES = 2 * ANSWER_BYTES;
const CALLERS = 6;
const LARGE = '{ clients(first: 1000) { nodes { name } } }';
const LARGE_LATER = '{ __typename ... @defer { clients(first: 1000) { nodes { name } } } }';

const certificate = testCertificate({ host: '127.0.0.1' });
const file = pemFiles();

async function gatewayOfLargeAnswers(settings: Partial<Config> = {}) {
  const name = () => randomBytes((ANSWER_BYTES / 4000) * 3).toString('base64'); // gzip leaves three quarters of it
  const clients = Array.from({ length: 1000 }, (_none, index) => ({ id: index + 1, name: name() }));
  const upstream = await stubUpstream(saysJson(clients));
  const { url, logs } = await gatewayOver(upstream.url, {
    CRM_URL: new URL(upstream.url),
    MAX_UNREAD_BYTES,
    ...settings,
  });
  const made = () => logs.filter((line) => line.includes('"upstreamCalls"')).length;
  return { url, logs, made };
}

/** How many connections were cut for MAX_UNREAD_BYTES so far, by the log. */
function cuts(logs: readonly string[]): number {
  const counts = Array.from(logs.join('').matchAll(/"slowestReaders":(\d+)/g), ([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A connection that sends a request, and reads nothing until it is resumed. */
function unreadBy(url: string, request: string): Connection {
  const connection = openConnection(url);
  connection.socket.pause();
  connection.socket.write(request);
  return connection;
}

/** Lets connections read, and counts those whose answers arrive as a whole. */
async function readAfterAll(connections: readonly Connection[], bytes: number): Promise<number> {
  let whole = 0;
  const ended = connections.map(async ({ socket, closed }) => {
    let read = 0;
    const all = new Promise<void>((resolve) => {
      socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > bytes) resolve();
      });
    });
    socket.resume();
    await Promise.race([all, closed]);
    if (read > bytes) whole += 1;
  });
  await Promise.all(ended);
  return whole;
}

test.each<[what: string, request: string, settings: () => Partial<Config>]>([
  ['answers', postOf(LARGE), () => ({})],
  ['answers of Yoga', postOf(LARGE).replace('/graphql', '/graphql?through=yoga'), () => ({})],
  ['events', postOf(LARGE_LATER, ['Accept: text/event-stream']), () => ({})],
  ['parts', postOf(LARGE_LATER, ['Accept: multipart/mixed']), () => ({})],
  ['answers over HTTPS', postOf(LARGE), () => ({ TLS_CERT: file(certificate.cert), TLS_KEY: file(certificate.key) })],
])(
  'of six callers who do not read their %s those beyond MAX_UNREAD_BYTES are cut',
  async (_what, request, settings) => {
    const { url, logs, made } = await gatewayOfLargeAnswers(settings());
    const callers = Array.from({ length: CALLERS }, () => unreadBy(url, request));
    await expect.poll(made).toBe(CALLERS);
    await expect.poll(() => cuts(logs)).toBeGreaterThan(1);

    const whole = await readAfterAll(callers, ANSWER_BYTES);

    // The kernel has a few MB of each answer, so up to three answers fit the bound.
    expect(whole).toBeGreaterThan(0);
    await expect.poll(() => whole + cuts(logs)).toBe(CALLERS);
  },
);

test.each([
  ['whole', LARGE, 'application/json'],
  ['in parts', LARGE_LATER, 'multipart/mixed'], // a part counts before it is compressed, too
])('compressed answers that nobody reads are bounded as they are sent: %s', async (_how, query, accept) => {
  const { url, logs, made } = await gatewayOfLargeAnswers({ MAX_UNREAD_BYTES: 1.2 * ANSWER_BYTES });
  const request = postOf(query, [`Accept: ${accept}`, 'Accept-Encoding: gzip']);
  const callers = Array.from({ length: CALLERS }, () => unreadBy(url, request));
  await expect.poll(made).toBe(CALLERS);
  await expect.poll(() => cuts(logs)).toBeGreaterThan(1);

  const whole = await readAfterAll(callers, 0.7 * ANSWER_BYTES);

  expect(whole).toBeGreaterThan(0);
  await expect.poll(() => whole + cuts(logs)).toBe(CALLERS);
});

test('a caller who does not read pipelined answers is cut, though others hold less', async () => {
  const { url, logs, made } = await gatewayOfLargeAnswers();
  const pipelining = unreadBy(url, postOf(LARGE).repeat(4));
  await expect.poll(made).toBeGreaterThan(2);
  await expect.poll(() => cuts(logs)).toBe(1);
  const small = openConnection(url);
  small.socket.write(postOf('{ __typename }'));
  await expect.poll(small.text).toContain('"__typename":"Query"');
  pipelining.socket.resume();
  await pipelining.closed;
});

test('the answers that wait longest are cut first: who comes later and reads is served', async () => {
  const { url, logs, made } = await gatewayOfLargeAnswers();
  const callers = Array.from({ length: CALLERS }, () => unreadBy(url, postOf(LARGE)));
  await expect.poll(made).toBe(CALLERS);
  await expect.poll(() => cuts(logs)).toBeGreaterThan(1);
  const reader = unreadBy(url, postOf(LARGE));
  await expect.poll(made).toBe(CALLERS + 1);
  expect(await readAfterAll([reader], ANSWER_BYTES)).toBe(1);
  const whole = await readAfterAll(callers, ANSWER_BYTES);
  await expect.poll(() => whole + cuts(logs)).toBe(CALLERS);
});

test('answers that are read at once are never cut, however low the bound', async () => {
  const { url, logs } = await gatewayOfLargeAnswers({ MAX_UNREAD_BYTES: 100_000 });
  const small = openConnection(url);
  for (const round of [1, 2, 3]) {
    small.socket.write(postOf('{ __typename }').repeat(8));
    await expect.poll(() => small.text().split('HTTP/1.1 200 OK').length - 1).toBe(8 * round);
  }
  expect(cuts(logs)).toBe(0);
});
