import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';

// Connections to an upstream have a maximum age, so that a host name whose address changes is followed while calls go on.
// The clock of the test stands still but for `pass`.

const READ = '{ apiTokens { upstreamId } }';
const ENABLE = 'mutation { enableDashboards { __typename } }';
const MINUTE = 60_000;

/** Two servers of one port. The name `api.test` resolves to the first one until `moved` is called. */
async function movingUpstream(settings: object = {}) {
  const received: string[] = [];
  const connections: string[] = [];
  let address = '127.0.0.1';
  const held: (() => void)[] = [];
  let isHolding = false;
  const listening = async (host: string, port = 0) => {
    const server = createServer((_request, response) => {
      received.push(host);
      const answer = () => void response.setHeader('content-type', 'application/json').end('[{"id":1}]');
      if (isHolding) held.push(answer);
      else answer();
    });
    server.on('connection', () => connections.push(host));
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    onTestFinished(() => void closed(server));
    const bound = server.address();
    return typeof bound === 'object' ? (bound?.port ?? 0) : 0;
  };
  const port = await listening('127.0.0.1');
  await listening('127.0.0.2', port);
  const { lookup } = dns;
  const resolve = (name: unknown, ...rest: unknown[]): void =>
    Reflect.apply(lookup, dns, [name === 'api.test' ? address : name, ...rest]);
  vi.spyOn(dns, 'lookup').mockImplementation(Object.assign(resolve, { __promisify__: lookup.__promisify__ }));
  onTestFinished(() => void vi.restoreAllMocks());
  const clock = stoppedClock();
  const { execute } = await gatewayOver(`http://api.test:${port}`, { SHARE_READS: 'false', ...settings }, 'token');
  return {
    execute,
    received,
    connections,
    pass: clock.pass,
    moved: () => void (address = '127.0.0.2'),
    hold: () => void (isHolding = true),
    release: () => {
      isHolding = false;
      for (const answer of held.splice(0)) answer();
    },
    held,
  };
}

function closed(server: Server): void {
  server.closeAllConnections();
  server.close();
}

test.each([READ, ENABLE])('a server that takes over the name gets the calls, while calls go on: %s', async (call) => {
  const { execute, received, connections, pass, moved } = await movingUpstream({
    UPSTREAM_CONNECTION_MAX_AGE_MS: 10_000,
  });
  for (let ms = 0; ms <= 10_000; ms += 250) {
    if (ms === 1_000) moved();
    expect((await execute(call)).errors).toEqual([]);
    pass(250); // idle for less time than a connection may be that takes a write
  }
  expect(received.slice(4, 6)).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(received.at(-1)).toBe('127.0.0.2');
  expect(connections).toEqual(['127.0.0.1', '127.0.0.2']);
});

test('each connection has an age of its own, between 80% and 100% of the maximum', async () => {
  const { execute, connections, pass } = await movingUpstream();
  const atOnce = async () => Promise.all(Array.from({ length: 8 }, async () => execute(READ)));
  await atOnce();
  const first = connections.length;
  pass(4 * MINUTE - 1);
  await atOnce();
  expect(connections).toHaveLength(first);
  pass(MINUTE + 1);
  await atOnce();
  expect(connections.length).toBeGreaterThanOrEqual(2 * first);
});

test('a call that is under way keeps its connection', async () => {
  const { execute, connections, received, pass, hold, release, held } = await movingUpstream();
  await execute(READ);
  hold();
  const call = execute(READ);
  await expect.poll(() => held.length).toBe(1);
  pass(5 * MINUTE);
  release();
  expect(await call).toMatchObject({ data: { apiTokens: [{ upstreamId: '1' }] } });
  expect(connections).toHaveLength(1);
  await execute(READ);
  expect(connections).toHaveLength(2);
  expect(received).toHaveLength(3);
});

test.each([
  [1_000, 1_000, 2],
  [0, 24 * 60 * MINUTE, 1],
])('the maximum is a setting, 0 is none: with %i, after %i ms there were %i connections', async (maxAge, ms, count) => {
  const { execute, connections, pass } = await movingUpstream({ UPSTREAM_CONNECTION_MAX_AGE_MS: maxAge });
  await execute(READ);
  pass(ms);
  await execute(READ);
  expect(connections).toHaveLength(count);
});
