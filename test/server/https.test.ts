import { Agent, request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { health } from '../../src/cli/health.ts';
import type { Config } from '../../src/config.ts';
import { testCertificate } from '../support/certificates.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { pemFiles } from '../support/pem-files.ts';
import { DEAD_ADDRESS, heldUpstream, says, stubUpstream } from '../support/stub-upstream.ts';
import { type Connection, openConnection, postOf } from './connection.ts';

// The gateway over HTTPS: what is promised of connections over HTTP holds there, too.

const authority = testCertificate({ host: 'authority' });
const own = testCertificate({ host: '127.0.0.1', issuer: authority });
const client = testCertificate({ host: 'client', issuer: authority });
const file = pemFiles();

const https = (): Partial<Config> => ({ TLS_CERT: file(own.cert), TLS_KEY: file(own.key) });

/** Sends a request over a connection of its own. */
async function ask(url: string, options: RequestOptions = {}, body = '') {
  const agent = new Agent({ keepAlive: false });
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const call = request(url, { ca: authority.cert, agent, ...options }, (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    call.on('error', reject).end(body);
  });
}

async function openedSecurely(url: string): Promise<Connection> {
  const connection = openConnection(url);
  await new Promise((resolve) => connection.socket.once('secureConnect', resolve));
  return connection;
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer token' } };

describe('over HTTPS', () => {
  test('operations, health, pages and preflights are answered, and the address says https', async () => {
    const upstream = await stubUpstream(says('[{"id":1}]'));
    const CORS_ORIGINS = ['https://app.example'];
    const { url } = await gatewayOver(upstream.url, { ...https(), CORS_ORIGINS, GRAPHIQL: 'true' });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const operation = JSON.stringify({ query: '{ apiTokens { upstreamId } }' });
    const answer = { status: 200, body: '{"data":{"apiTokens":[{"upstreamId":"1"}]}}' };
    expect(await ask(`${url}/graphql`, POST, operation)).toEqual(answer);
    const asEvents = { ...POST, headers: { ...POST.headers, accept: 'text/event-stream' } };
    expect(await ask(`${url}/graphql`, asEvents, operation)).toMatchObject({ status: 200 }); // through Yoga
    for (const path of ['/health', '/ready']) expect(await ask(url + path)).toMatchObject({ status: 200 });
    const page = { headers: { accept: 'text/html' } };
    expect((await ask(`${url}/graphql`, page)).body).toContain('<!doctype html>');
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    expect(await ask(`${url}/graphql`, { method: 'OPTIONS', headers })).toMatchObject({ status: 204 });
  });

  test('a caller who speaks HTTP or an old TLS is not served, and the log counts the reasons', async () => {
    const { url, logs } = await gatewayOver(DEAD_ADDRESS, https());
    const port = Number(new URL(url).port);
    const plain = connect(port, '127.0.0.1');
    plain.on('error', () => {}).write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
    expect(await text(plain).catch(() => '')).toBe('');
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(ask(url, old)).rejects.toThrow(/alert/);
    await expect
      .poll(() => logs.join(''))
      .toMatch(/"failedHandshakes":\d,"reason":"ERR_SSL_[\w/]+","msg":"TLS handshakes failed"/);
  });

  test('with TLS_CA callers need a certificate of that authority', async () => {
    const { url } = await gatewayOver(DEAD_ADDRESS, { ...https(), TLS_CA: file(authority.cert) });
    const { cert, key } = client;
    expect(await ask(`${url}/health`, { cert, key })).toMatchObject({ status: 200 });
    await expect(ask(`${url}/health`)).rejects.toThrow(/alert|hang up|reset/i);
    const strange = testCertificate({ host: 'client' });
    await expect(ask(`${url}/health`, { cert: strange.cert, key: strange.key })).rejects.toThrow(
      /alert|hang up|reset/i,
    );
  });

  test('a handshake that stalls counts among MAX_CONNECTIONS', async () => {
    const settings = { ...https(), MAX_CONNECTIONS: 1, RECEIVE_TIMEOUT_MS: 600_000 };
    const { url, logs } = await gatewayOver(DEAD_ADDRESS, settings);
    const stalled = openConnection(url.replace('https', 'http'));
    await new Promise((resolve) => stalled.socket.once('connect', resolve));
    await expect(ask(`${url}/health`)).rejects.toThrow(/./);
    await expect.poll(() => logs.join('')).toContain('"refusedConnections":1');
    stalled.socket.destroy();
    await expect.poll(() => ask(`${url}/health`).catch(() => undefined)).toMatchObject({ status: 200 });
  });

  test('a handshake that stalls is cut after RECEIVE_TIMEOUT_MS', async () => {
    const { url } = await gatewayOver(DEAD_ADDRESS, { ...https(), RECEIVE_TIMEOUT_MS: 50 });
    await openConnection(url.replace('https', 'http')).closed;
  });

  test('a body that stalls is answered 408', async () => {
    const RECEIVE_TIMEOUT_MS = 1_000; // a handshake on a busy machine takes a tenth of that
    const { url } = await gatewayOver(DEAD_ADDRESS, { ...https(), RECEIVE_TIMEOUT_MS });
    const connection = openConnection(url);
    connection.socket.write(postOf('{ __typename }').slice(0, -5));
    await connection.closed;
    expect(connection.text()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('an answer that nobody reads is cut, one with a slow reader is not', async () => {
    const name = 'x'.repeat(24_000);
    const upstream = await stubUpstream(
      says(JSON.stringify(Array.from({ length: 1_000 }, (_none, id) => ({ id, name })))),
    );
    const { url, logs } = await gatewayOver(upstream.url, { ...https(), SEND_TIMEOUT_MS: 5_000 });
    const [unread, slow] = [await openedSecurely(url), await openedSecurely(url)];
    unread.socket.pause();
    let read = 0;
    slow.socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 1); // the kernel tells of progress after more than a megabyte
    });
    for (const { socket } of [unread, slow]) socket.write(postOf('{ apiTokens { name } }'));
    await expect.poll(() => logs.join('')).toContain('"unreadAnswers":1');
    await expect.poll(() => read).toBeGreaterThan(24_000_000);
    expect(logs.join('').match(/"unreadAnswers":\d/g)).toEqual(['"unreadAnswers":1']);
    unread.socket.resume();
    await unread.closed;
  });

  test('beyond MAX_PIPELINED requests of one connection those before are answered', async () => {
    const upstream = await heldUpstream(says('[]'), '/account/api_tokens.json');
    const { url } = await gatewayOver(upstream.url, { ...https(), MAX_PIPELINED: 4 });
    const connection = openConnection(url);
    connection.socket.write(postOf('{ apiTokens { name } }') + postOf('{ __typename }').repeat(8));
    await upstream.answer('/account/api_tokens.json', says('[]'));
    await connection.closed;
    expect(connection.text().split('HTTP/1.1 200 OK')).toHaveLength(5);
  });

  test('the end waits for requests in flight, tells kept connections, and for no stalled handshake', async () => {
    const upstream = await heldUpstream(says('[]'), '/account/api_tokens.json');
    const { url, close } = await gatewayOver(upstream.url, { ...https(), SHUTDOWN_TIMEOUT_MS: 2_000 });
    const stalled = openConnection(url.replace('https', 'http'));
    const [kept, idle] = [openConnection(url), openConnection(url)];
    idle.socket.write(postOf('{ __typename }'));
    await expect.poll(idle.text).toContain('__typename');
    kept.socket.write(postOf('{ apiTokens { name } }'));
    let closing: Promise<void> | undefined;
    await upstream.answer('/account/api_tokens.json', (request, response) => {
      closing = close();
      says('[]')(request, response);
    });
    await closing;
    await Promise.all([kept.closed, idle.closed, stalled.closed]);
    expect(kept.text()).toMatch(/Connection: close[^]*\{"data":\{"apiTokens":\[\]\}\}/i);
  });
});

/** The exit code of `trivium health` for a gateway with these settings, and what it prints. */
async function healthOf(settings: Partial<Config>) {
  const { url } = await gatewayOver(DEAD_ADDRESS, settings);
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((line) => printed.push(String(line)) > 0);
  }
  const code = await health(testConfig({ ...settings, PORT: Number(new URL(url).port) })).finally(vi.restoreAllMocks);
  return { code, printed: printed.join('') };
}

describe('trivium health', () => {
  test('asks over HTTPS, whatever name the certificate is for', async () => {
    const { cert, key } = testCertificate({ host: 'gateway.example' });
    const answer = await healthOf({ TLS_CERT: file(cert), TLS_KEY: file(key) });
    expect(answer).toEqual({ code: 0, printed: expect.stringMatching(/^\{"status":"ok".*\}\n$/) });
  });

  test('shows the certificate of the gateway where client certificates are demanded', async () => {
    const TLS_CA = file(authority.cert);
    expect(await healthOf({ ...https(), TLS_CA })).toMatchObject({ code: 0 });
    const { cert, key } = testCertificate({ host: '127.0.0.1' });
    const refused = await healthOf({ TLS_CERT: file(cert), TLS_KEY: file(key), TLS_CA });
    expect(refused).toEqual({ code: 1, printed: expect.stringMatching(/^The gateway does not take TLS_CERT.*\n$/) });
  });
});
