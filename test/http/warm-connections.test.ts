import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { testCertificate } from '../support/certificates.ts';
import { stoppedClock } from '../support/clock.ts';
import { heldTimers } from '../support/deadlines.ts';
import { expectHealthy, TOKENS } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { pemFiles } from '../support/pem-files.ts';
import { portOf } from '../support/stub-upstream.ts';

// Idle connections to an upstream: how long they are kept, and what is sent on them. The clock of the test stands still but
// for `pass`, by which upstream and the timers of idle connections go, too.

const ENABLE = 'mutation { enableDashboards { __typename } }';
const SECOND = 1_000;
const file = pemFiles();

interface KeepingUpstream {
  /** Idle connections are closed after this time: at the moment in which the next request comes, unanswered. */
  readonly idleMs: number;
  /** Whether it says so in `Keep-Alive`. */
  readonly says?: boolean;
  readonly isTls?: boolean;
}

/** A gateway over an upstream that keeps connections as the test says. */
async function gatewayOverKeeping(upstream: KeepingUpstream) {
  const { idleMs, says = false, isTls = false } = upstream;
  const usedAt = new WeakMap<Socket, number>();
  const open = new Set<Socket>();
  let held: (() => void)[] = [];
  let together = 1;
  let hellos = 0;
  const keepAlive = says ? { 'keep-alive': `timeout=${idleMs / SECOND}` } : {};
  const listener: RequestListener = ({ socket }, response) => {
    if (performance.now() - (usedAt.get(socket) ?? Infinity) >= idleMs) return void socket.destroy();
    held.push(() => {
      usedAt.set(socket, performance.now());
      response.writeHead(200, { 'content-type': 'application/json', ...keepAlive }).end('[{"id":1}]');
    });
    if (held.length < together) return undefined;
    const answers = held;
    held = [];
    for (const answer of answers) answer();
    return undefined;
  };
  const authority = testCertificate({ host: 'authority' });
  const server = isTls
    ? createTlsServer(testCertificate({ host: '127.0.0.1', issuer: authority }), listener)
    : createServer(listener);
  server.keepAliveTimeout = 0; // Node sends no `Keep-Alive` of its own, and closes nothing
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    hellos += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${await portOf(server)}`;
  const own = { SHARE_READS: 'false' as const, ...(isTls && { ACCOUNT_CA: file(authority.cert) }) };
  const { execute } = await gatewayOver(url, own, 'token');
  return {
    execute,
    hellos: () => hellos,
    open: () => open.size,
    /** Makes so many calls at once: none is answered before all have come. */
    atOnce: async (count: number, query: string) => {
      together = count;
      const results = await Promise.all(Array.from({ length: count }, async () => execute(query)));
      together = 1;
      expect(results.flatMap(({ errors }) => errors)).toEqual([]);
    },
    /** Closes the idle connections, which the gateway has noticed when it resolves. */
    closeIdle: async () => {
      const closed = [...open].map(async (socket) => once(socket, 'close'));
      for (const socket of open) socket.end();
      await Promise.all(closed);
    },
  };
}

/** The stopped clock, with the timers by which undici closes idle connections: they come when enough time has passed. */
function idleClock() {
  const clock = stoppedClock();
  const timers = heldTimers(({ name }) => name === 'onParserTimeout');
  return {
    pass: (silence: number) => {
      clock.pass(silence);
      timers.come(silence);
    },
  };
}

describe.each([
  [1, true],
  [5, false],
  [60, true],
])('an upstream that closes idle connections after %i s, and says so: %s', (seconds, says) => {
  const idleMs = seconds * SECOND;

  test('a read takes a connection that it keeps open, after any silence', async () => {
    const { pass } = idleClock();
    const { execute, hellos } = await gatewayOverKeeping({ idleMs, says });
    for (let again = 0; again < 5; again += 1) {
      await expectHealthy(execute);
      pass(idleMs - 201);
    }
    expect(hellos()).toBe(1);
  });

  test('a read on a connection that it closes at that moment is answered', async () => {
    const { pass } = idleClock();
    const { execute, hellos } = await gatewayOverKeeping({ idleMs, says });
    await expectHealthy(execute);
    pass(idleMs);
    await expectHealthy(execute);
    expect(hellos()).toBe(2);
  });

  test('40 writes, each when it closes its idle connections, are all applied', async () => {
    const { pass } = idleClock();
    const { execute, hellos } = await gatewayOverKeeping({ idleMs, says });
    await expectHealthy(execute);
    for (let written = 0; written < 40; written += 1) {
      pass(idleMs);
      expect((await execute(ENABLE)).errors).toEqual([]);
    }
    expect(hellos()).toBe(41);
  });

  test('40 writes after silences of any length are all applied', async () => {
    const { pass } = idleClock();
    const { execute } = await gatewayOverKeeping({ idleMs, says });
    for (let written = 0; written < 40; written += 1) {
      pass((written * 2 * idleMs) / 40);
      expect((await execute(ENABLE)).errors).toEqual([]);
    }
  });
});

describe('a write', () => {
  const MINUTE = { idleMs: 60 * SECOND };

  test.each([
    ['takes the connection that was used a moment ago', 299, false, 1],
    ['takes a new one later where upstream does not say how long it keeps connections', 300, false, 2],
    ['takes the one that was used within a Keep-Alive of 60 s, two seconds less', 57_999, true, 1],
    ['takes a new one after that', 58_000, true, 2],
  ])('%s', async (_name, ms, says, connections) => {
    const { pass } = idleClock();
    const { execute, hellos } = await gatewayOverKeeping({ ...MINUTE, says });
    await expectHealthy(execute);
    pass(ms);
    expect((await execute(ENABLE)).errors).toEqual([]);
    expect(hellos()).toBe(connections);
  });

  test('on a new connection closes the oldest idle one: there are no more than were in use at once', async () => {
    const { pass } = idleClock();
    const over = await gatewayOverKeeping(MINUTE);
    await over.atOnce(2, TOKENS);
    for (let written = 0; written < 3; written += 1) {
      pass(SECOND);
      await over.atOnce(2, ENABLE);
    }
    expect(over.hellos()).toBe(8);
    await expect.poll(over.open).toBe(2);
  });
});

test('an idle connection is closed after three minutes: networks may have forgotten it', async () => {
  const { pass } = idleClock();
  const { execute, hellos } = await gatewayOverKeeping({ idleMs: Infinity });
  for (const silence of [0, 179_999, 180_000]) {
    pass(silence);
    await expectHealthy(execute);
  }
  expect(hellos()).toBe(2);
});

test('where all idle connections are gone, a read is repeated on a new one, and the next reads do not try the others', async () => {
  const { pass } = idleClock();
  const over = await gatewayOverKeeping({ idleMs: SECOND });
  await over.atOnce(8, TOKENS);
  expect(over.hellos()).toBe(8);
  pass(SECOND);
  await expectHealthy(over.execute);
  await expectHealthy(over.execute);
  expect(over.hellos()).toBe(9);
});

test('connections that upstream has closed are not tried', async () => {
  const over = await gatewayOverKeeping({ idleMs: Infinity });
  await expectHealthy(over.execute);
  await over.closeIdle();
  expect((await over.execute(ENABLE)).errors).toEqual([]);
  await over.closeIdle();
  await expectHealthy(over.execute);
  expect(over.hellos()).toBe(3);
});

test('over TLS reads take a connection that is kept, and writes that upstream closes in that moment are applied', async () => {
  const { pass } = idleClock();
  const over = await gatewayOverKeeping({ idleMs: 60 * SECOND, isTls: true });
  await expectHealthy(over.execute);
  pass(59 * SECOND);
  await expectHealthy(over.execute);
  expect(over.hellos()).toBe(1);
  for (let written = 0; written < 20; written += 1) {
    pass(60 * SECOND);
    expect((await over.execute(ENABLE)).errors).toEqual([]);
  }
  expect(over.hellos()).toBe(21);
});
