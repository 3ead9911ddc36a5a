import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:https';
import { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testCertificate } from '../support/certificates.ts';
import { expectFailure, expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS, portOf, rawUpstream, stubUpstream, wholeAnswer } from '../support/stub-upstream.ts';

// Upstreams that are not reached, and answers that do not arrive whole.

const endpoint = 'GET /account/api_tokens.json';
const ENABLE = 'mutation { enableDashboards { __typename } }';
const UNKNOWN_OUTCOME = /change was made is not known/;

describe('an upstream that cannot be reached', () => {
  const unreachable = async (url: string, message: RegExp) => {
    const { execute, url: gateway } = await gatewayOver(url, {}, 'token');
    expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message, endpoint });
    const written = await execute(ENABLE);
    expectFailure(written, { code: 'UPSTREAM_UNAVAILABLE', message, endpoint: 'POST /account/set_field.json' });
    expect(written.errors[0]?.message).not.toMatch(UNKNOWN_OUTCOME); // it was never sent
    expect(written.errors[0]?.extensions['outcome']).toBe('REFUSED');
    expect((await fetch(`${gateway}/health`)).status).toBe(200);
    expect((await execute('{ __typename }')).data).toEqual({ __typename: 'Query' });
  };

  test.each<[string, () => Promise<string>, RegExp]>([
    ['nobody listens', async () => DEAD_ADDRESS, /refuses connections.*ACCOUNT_URL/],
    // No name server is asked for such a name.
    ['its name does not resolve', async () => `http://${'x'.repeat(64)}.invalid`, /does not resolve.*ACCOUNT_URL/],
    [
      'it does not speak TLS',
      async () => (await stubUpstream(wellBehaved)).url.replace('http:', 'https:'),
      /TLS.*ACCOUNT_URL/,
    ],
  ])('because %s', async (_why, address, message) => {
    await unreachable(await address(), message);
  });

  test('because its certificate is not trusted', async () => {
    const received: string[] = [];
    const server = createServer(testCertificate(), (request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.end('[]');
    });
    await unreachable(
      `https://localhost:${await portOf(server)}`,
      /certificate.*not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
    expect(received).toEqual([]);
  });

  test('because it has no address', async () => {
    const { execute } = await gatewayOver('http://127.0.0.1', { ACCOUNT_URL: undefined }, 'token');
    expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message: /set ACCOUNT_URL/, endpoint });
  });

  test('an upstream is called as soon as it can be reached', async () => {
    let up = false;
    const upstream = await rawUpstream((socket) => (up ? socket.write(wholeAnswer('[{"id":1}]')) : socket.destroy()));
    const { execute } = await gatewayOver(upstream.url, {}, 'token');
    expect((await execute(TOKENS)).errors).toHaveLength(1);
    up = true;
    await expectHealthy(execute);
  });
});

test('an http address of a TLS server is told apart from a server that is down', async () => {
  const server = createServer(testCertificate());
  const { execute } = await gatewayOver(`http://127.0.0.1:${await portOf(server)}`, {}, 'token');
  const message = /answered with (what is no|broken) HTTP|closed the connection/;
  expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message, endpoint });
});

describe('an answer that does not arrive whole', () => {
  const CUT = /closed the connection|HTTP/;
  const broken = [
    ['nothing at all', '', CUT],
    ['half of a status line', 'HTTP/1.', CUT],
    ['headers without an end', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n', CUT],
    ['headers without a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', CUT],
    ['less than its content-length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"id":1}]', CUT],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\n[{"id":1}]\r\n', CUT],
    ['half of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n[{"id":1}]', CUT],
    ['headers too large', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n[]`, /more than 16 KiB of headers/],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n[]', /./],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]', /./],
    ['a status that is none', 'HTTP/1.1 9999 OK\r\ncontent-length: 2\r\n\r\n[]', /./],
  ] as const;

  test.each(broken)('%s: a read fails in words, a write is not repeated, and the next call works', async (...row) => {
    const [, bytes, message] = row;
    let well = false;
    const upstream = await rawUpstream((socket) => {
      if (well) socket.write(wholeAnswer('[{"id":1}]'));
      else socket.end(bytes);
    });
    const { execute } = await gatewayOver(upstream.url, {}, 'token');
    expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message, endpoint });
    const reads = upstream.received.length;
    expect(reads).toBeLessThanOrEqual(2);
    expect((await execute(ENABLE)).errors).toMatchObject([
      { message: expect.stringMatching(UNKNOWN_OUTCOME), extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
    expect(upstream.received.slice(reads)).toEqual([expect.stringMatching(/^POST .account.set_field\.json/)]);
    well = true;
    await expectHealthy(execute);
  });
});

describe('a kept connection that the server closes instead of answering', () => {
  /** Answers the first request of each connection, and closes `closing` of them at the next one. */
  const closingUpstream = (closing: number) => {
    let closed = 0;
    const used = new WeakSet<object>();
    return rawUpstream((socket) => {
      if (used.has(socket) && closed < closing) {
        closed += 1;
        socket.destroy();
        return;
      }
      used.add(socket);
      socket.write(wholeAnswer('[{"id":1}]'));
    });
  };

  test('costs a read nothing: it is sent once more', async () => {
    const upstream = await closingUpstream(1);
    const { execute } = await gatewayOver(upstream.url, { UPSTREAM_CONNECTIONS: 1 }, 'token');
    await expectHealthy(execute);
    await expectHealthy(execute);
    expect(upstream.received).toEqual([endpoint, endpoint, endpoint]);
  });

  test('a read is repeated once only', async () => {
    const upstream = await rawUpstream((socket) => socket.destroy());
    const { execute } = await gatewayOver(upstream.url, {}, 'token');
    expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message: /closed the connection/, endpoint });
    expect(upstream.received).toEqual([endpoint, endpoint]);
  });

  test.each([
    ['POST /account/api_tokens.json', 'createApiToken(input: { name: "x" }) { __typename }', []],
    [
      'PATCH /account/api_tokens/1.json',
      'updateApiToken(id: 1, input: { name: "x" }) { __typename }',
      ['GET /account/api_tokens/1.json'],
    ],
    ['DELETE /toolkit/dashboards/1.json', 'deleteDashboard(id: 1) { __typename }', ['GET /toolkit/dashboards/1.json']],
    [
      'PATCH /toolkit/dashboards/select.json',
      'selectDashboard(context: MAIN, selection: { layout: BUILTIN }) { __typename }',
      [],
    ],
  ])('fails a write: %s is sent once, and its record is read once where it has one', async (sent, field, looks) => {
    const upstream = await closingUpstream(1);
    const { execute } = await gatewayOver(upstream.url, { UPSTREAM_CONNECTIONS: 1 }, 'token');
    await expectHealthy(execute);
    const { errors } = await execute(`mutation { ${field} }`);
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(UNKNOWN_OUTCOME),
        extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' },
      },
    ]);
    expect(upstream.received).toEqual([endpoint, sent, ...looks]);
  });
});

describe('a write that was sent is unknown, whatever code its connection ends with', () => {
  const CREATE = 'mutation { createDashboard(input: { name: "x" }) { __typename } }';

  test.each([
    ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EPROTO', 'ECONNREFUSED', 'ETIMEDOUT'],
    ...['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'CERT_HAS_EXPIRED'],
  ])('%s: it is sent once under a key', async (code) => {
    const sockets: Socket[] = [];
    const onConnected = (event: unknown) => {
      const socket: unknown = Reflect.get(Object(event), 'socket');
      if (socket instanceof Socket) sockets.push(socket);
    };
    subscribe('undici:client:connected', onConnected);
    onTestFinished(() => void unsubscribe('undici:client:connected', onConnected));
    const upstream = await stubUpstream(() => {
      const { port } = new URL(upstream.url);
      const own = sockets.filter(({ remotePort }) => remotePort === Number(port)); // the test's client has connections, too
      for (const socket of own) socket.destroy(Object.assign(new Error('It ended.'), { code }));
    });
    const { execute } = await gatewayOver(upstream.url, { UPSTREAM_CONNECTIONS: 1 }, 'token');
    const keyed = async () => execute(CREATE, { headers: { 'idempotency-key': 'k' } });
    const extensions = { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' };
    expect((await keyed()).errors).toMatchObject([{ message: expect.stringMatching(UNKNOWN_OUTCOME), extensions }]);
    expect((await keyed()).errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN' } }]);
    expect(upstream.received.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });
});
