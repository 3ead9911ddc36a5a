import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { heldUpstream, says, stubUpstream } from '../support/stub-upstream.ts';
import { KeptConnection, requestBytes, type Tally } from './load.ts';
import { serving, status } from './trivium.ts';

const QUERY = '{ apiTokens { upstreamId } }';
const TOKENS = '/account/api_tokens.json';
const CONNECTIONS = 100;

/** The latency of the upstream under load, in milliseconds: with less, the load would leave no CPU time to its own clients. */
const LATENCY_MS = 200;

/** A grace period of two and a half minutes. */
const LONG = { SHUTDOWN_TIMEOUT_MS: '600000', KEEP_ALIVE_TIMEOUT_MS: '600000' };

const newTally = (): Tally => ({ sent: 0, answered: 0, told: 0, others: [] });

async function opened(count: number, endpoint: string, tally: Tally): Promise<KeptConnection[]> {
  return Promise.all(Array.from({ length: count }, () => KeptConnection.open(endpoint, QUERY, tally)));
}

/** Asks until the gateway says that it is not ready, and fails when it refuses connections before. */
async function untilNotReady(url: string): Promise<void> {
  let last = 200;
  while (last === 200) last = await status(url);
  expect(last).toBe(503);
}

describe('SIGTERM', () => {
  test('under load of 100 kept connections loses no request', async () => {
    const answer = says('[{"id":1}]');
    const upstream = await stubUpstream((request, response) => {
      setTimeout(() => answer(request, response), LATENCY_MS);
    });
    const { endpoint, at, signal, ended } = await serving({
      ...LONG, // the grace period ends when all connections were told, however long that takes
      MAX_WAIT_MS: '0', // on a busy machine it would be an overload
      ACCOUNT_URL: upstream.url,
    });
    const tally = newTally();
    const busy = await opened(CONNECTIONS / 2, endpoint, tally);
    const idle = await opened(CONNECTIONS / 2, endpoint, tally);
    await Promise.all([...busy, ...idle].map((connection) => connection.ask()));

    const load = busy.map((connection) => connection.askUntilRefused());
    signal('SIGTERM');
    await untilNotReady(at('/ready'));
    expect(await status(at('/health'))).toBe(200);
    const late = await Promise.all(idle.map((connection) => connection.ask()));
    await Promise.all(load);

    expect(late).not.toContain(true);
    expect(tally).toEqual({ sent: tally.sent, answered: tally.sent, told: tally.told, others: [] });
    expect(tally.told).toBeGreaterThanOrEqual(CONNECTIONS);
    expect(await ended).toMatchObject({ code: 0 });
  });

  test('ends within SHUTDOWN_TIMEOUT_MS, and a request in flight is then answered with 503', async () => {
    const upstream = await heldUpstream(says('[]'), TOKENS);
    const timeouts = { SHUTDOWN_TIMEOUT_MS: '300', UPSTREAM_TIMEOUT_MS: '60000' };
    const { endpoint, signal, ended } = await serving({ ...timeouts, ACCOUNT_URL: upstream.url });
    const body = JSON.stringify({ query: QUERY });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
    const inFlight = fetch(endpoint, { method: 'POST', headers, body });
    await upstream.answer(TOKENS, () => signal('SIGTERM'));

    const response = await inFlight;
    expect(response.status).toBe(503);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({
      errors: [
        {
          message: expect.stringContaining('may have been applied'),
          extensions: { code: 'SHUTTING_DOWN', outcome: 'REFUSED' },
        },
      ],
    });
    expect(await ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('unexpected') });
  });

  test('and a second signal ends the process at once, with 128 and its number', async () => {
    const upstream = await heldUpstream(says('[]'), TOKENS);
    const { endpoint, at, signal, ended } = await serving({
      ...LONG,
      UPSTREAM_TIMEOUT_MS: '60000',
      ACCOUNT_URL: upstream.url,
    });
    const connection = await KeptConnection.open(endpoint, QUERY, newTally());
    const inFlight = connection.ask();
    await upstream.answer(TOKENS, () => signal('SIGTERM'));
    await untilNotReady(at('/ready')); // the signal is heard from then on
    for (let answer = 503; answer === 503; answer = await status(at('/ready'))) signal('SIGINT'); // right behind the first one it is the same
    expect(await ended).toMatchObject({ code: 130 });
    expect(await inFlight).toBe(false);
  });

  test('ends before its grace period when no connection is open', async () => {
    const { at, signal, ended } = await serving({ ...LONG, ACCOUNT_URL: 'http://127.0.0.1:1' });
    expect(await status(at('/health'))).toBe(200);
    signal('SIGINT'); // as SIGTERM
    expect(await ended).toMatchObject({ code: 0 });
  });
});

test('requests that were written behind one another before SIGTERM are all answered', async () => {
  const DASHBOARDS = '/toolkit/dashboards.json'; // they share a call, as tokens do not
  const upstream = await heldUpstream(says('[{"id":1}]'), DASHBOARDS);
  const { endpoint, at, signal, ended } = await serving({ ACCOUNT_URL: upstream.url });
  const { hostname, port } = new URL(endpoint);
  const socket = connect(Number(port), hostname);
  socket.write(requestBytes(endpoint, '{ dashboards { upstreamId } }').repeat(3));
  const held = await new Promise<ServerResponse>((resolve) => {
    void upstream.answer(DASHBOARDS, (_request, response) => resolve(response));
  });
  signal('SIGTERM');
  await untilNotReady(at('/ready'));
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  held.end('[{"id":1}]');
  await once(socket, 'close');

  expect(text.split('{"data":{"dashboards":[{"upstreamId":"1"}]}}')).toHaveLength(4);
  expect(await ended).toMatchObject({ code: 0 });
});
