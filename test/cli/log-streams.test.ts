import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, describe, expect, test } from 'vitest';
import { heldUpstream, says } from '../support/stub-upstream.ts';
import { entry, temporaryFolder } from './trivium.ts';

/** What a process gets as a standard stream: a descriptor, or a pipe that the test holds. */
type Stream = number | 'pipe';

const REQUESTS = 12;

/** Opens a file until the test ends. */
function opened(path: string, flags: number): number {
  const descriptor = openSync(path, flags);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

const diskFull = () => opened('/dev/full', constants.O_WRONLY);
const discarded = () => opened('/dev/null', constants.O_WRONLY);
const notWritable = () => opened('/dev/null', constants.O_RDONLY);

/** A FIFO with a reader that does not read. @returns its path */
async function unreadFifo(): Promise<string> {
  const path = join(await temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [path]);
  opened(path, constants.O_RDONLY + constants.O_NONBLOCK);
  return path;
}

/** Fills a FIFO, so that it takes not one byte more. */
function fill(path: string): void {
  const descriptor = openSync(path, constants.O_WRONLY + constants.O_NONBLOCK);
  try {
    for (;;) writeSync(descriptor, '.'.repeat(4096));
  } catch {
    closeSync(descriptor);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server: Server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Starts a server with these standard streams, and waits until it answers. */
async function started(
  streams: readonly [Stream, Stream],
  { limit = '', env = {} }: { limit?: string; env?: Record<string, string> } = {},
) {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const settings = { PORT: `${port}`, METRICS_PORT: `${metricsPort}`, ACCOUNT_URL: 'http://127.0.0.1:1', ...env };
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', process.execPath, entry, 'serve'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', SHUTDOWN_TIMEOUT_MS: '5000', ...settings },
    stdio: ['ignore', ...streams],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = async () => {
    const answer = await fetch(`${url}/health`, { headers: { connection: 'close' } }).catch(() => undefined);
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    return answer?.ok === true;
  };
  await until(isUp);
  return {
    child,
    end: async (signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') => {
      child.kill(signal);
      const [code]: unknown[] = await ended;
      return code;
    },
    ended,
    ask: async (query = '{ __typename }') => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer token', connection: 'close' };
      return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).status;
    },
    /** The number of dropped lines by the metric. */
    dropped: async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^trivium_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    },
  };
}

/** Asks again and again: neither a full disk nor a pipe tells a test that it is. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20);
}

type Started = Awaited<ReturnType<typeof started>>;

/** Sends requests one by one. @returns their statuses, each once */
async function served({ ask }: Started, count = REQUESTS): Promise<number[]> {
  const statuses = new Set<number>();
  for (let request = 0; request < count; request += 1) statuses.add(await ask());
  return [...statuses];
}

async function untilDropped({ dropped }: Started, count: number): Promise<void> {
  await until(async () => (await dropped()) >= count);
}

/** Reads the first line of a stream, then closes it, as `head -1` does. */
async function closedAfterFirstLine(stream: ChildProcess['stderr']): Promise<void> {
  await new Promise((resolve) => stream?.once('data', resolve));
  stream?.destroy();
}

describe('the log of a process', () => {
  test.each([
    ['standard error on a full disk', () => [discarded(), diskFull()] as const, REQUESTS],
    ['both streams on a full disk', () => [diskFull(), diskFull()] as const, REQUESTS + 1],
    ['both streams not writable', () => [notWritable(), notWritable()] as const, REQUESTS + 1],
    ['standard output on a full disk', () => [diskFull(), discarded()] as const, 1],
  ])('%s costs lines, and not the service', async (_what, streams, lines) => {
    const gateway = await started(streams());
    expect(await served(gateway)).toEqual([200]);
    await untilDropped(gateway, lines);
    expect(await gateway.end()).toBe(0);
  });

  test('a reader that leaves after the first line costs lines', async () => {
    const gateway = await started([discarded(), 'pipe']);
    await Promise.all([closedAfterFirstLine(gateway.child.stderr), served(gateway)]);
    expect(await served(gateway)).toEqual([200]);
    await untilDropped(gateway, 1);
    expect(await gateway.end()).toBe(0);
  });

  test('a reader that has left ends no process with its last line', async () => {
    const gateway = await started([discarded(), 'pipe']);
    gateway.child.stderr?.destroy();
    expect(await served(gateway, 1)).toEqual([200]);
    expect(await gateway.end()).toBe(0);
  });

  test.each(['before the start', 'under load'])('a reader that stalls %s holds up nothing', async (when) => {
    const path = await unreadFifo();
    const streams = [opened(path, constants.O_WRONLY), opened(path, constants.O_WRONLY)] as const;
    if (when === 'before the start') fill(path);
    const gateway = await started(streams);
    expect(await served(gateway)).toEqual([200]);
    fill(path);
    expect(await served(gateway)).toEqual([200]);
    expect(await gateway.end()).toBe(0);
  });

  test('with both streams stalled a second signal ends it at once', async () => {
    const path = await unreadFifo();
    const streams = [opened(path, constants.O_WRONLY), opened(path, constants.O_WRONLY)] as const;
    fill(path);
    const upstream = await heldUpstream(says('[]'), '/account/api_tokens.json');
    const env = { ACCOUNT_URL: upstream.url, SHUTDOWN_TIMEOUT_MS: '600000', UPSTREAM_TIMEOUT_MS: '60000' };
    const gateway = await started(streams, { env });
    const inFlight = gateway.ask('{ apiTokens { upstreamId } }').catch(() => 'cut');
    await upstream.answer('/account/api_tokens.json', () => void gateway.child.kill('SIGTERM'));
    const signals = setInterval(() => void gateway.child.kill('SIGTERM'), 100); // within 50 ms it is the same signal
    onTestFinished(() => clearInterval(signals));
    const [code]: unknown[] = await gateway.ended;
    expect(code).toBe(143);
    expect(await inFlight).toBe('cut');
  });

  test('a file that has reached its limit costs lines, and every line in it is whole but the last', async () => {
    const path = join(await temporaryFolder(), 'log');
    const file = opened(path, constants.O_WRONLY + constants.O_CREAT + constants.O_APPEND);
    const gateway = await started([discarded(), file], { limit: 'ulimit -f 3;' });
    expect(await served(gateway)).toEqual([200]);
    await untilDropped(gateway, 1);
    expect(await gateway.end()).toBe(0);
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level');
  });
});

test('once another process reads the log, the number of dropped lines is logged', async () => {
  const path = join(await temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY + constants.O_NONBLOCK);
  const gateway = await started([discarded(), opened(path, constants.O_WRONLY)]);
  closeSync(reader);
  expect(await served(gateway)).toEqual([200]);
  await untilDropped(gateway, REQUESTS);

  const next = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void next.kill());
  let log = '';
  next.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  while (!log.includes('lines of the log were dropped')) expect(await gateway.ask()).toBe(200);
  const report = log.split('\n').find((line) => line.includes('were dropped')) ?? '';
  expect(JSON.parse(report)).toMatchObject({ level: 40, dropped: await gateway.dropped() });
  expect(await gateway.end()).toBe(0);
});

test('the sandbox goes on when its output cannot be written', async () => {
  const port = 20_000 + 2 * (process.pid % 5_000); // it takes the next one, too
  const child = spawn(process.execPath, [entry, 'sandbox', '--port', `${port}`], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', diskFull(), diskFull()],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const asked = async () =>
    (await fetch(`http://127.0.0.1:${port}/account/api_tokens.json`).catch(() => undefined))?.status;
  await until(async () => (await asked()) !== undefined);
  expect(await asked()).toBe(401);
  child.kill('SIGTERM');
  const [code]: unknown[] = await ended;
  expect(code).toBe(0);
});

test.each([
  ['schema', '/dev/full', '', 2],
  ['--help', '/dev/full', '', 2],
  ['health --help', '/dev/full', '', 2],
  ['schema', '/dev/full', '2>/dev/full', 2],
  ['schema', '"$0"/file', 'ulimit -f 1;', 2],
  ['nonsense', '/dev/null', '2>/dev/full', 2],
  ['serve --nonsense', '/dev/full', '2>/dev/full', 2],
])('trivium %s > %s %s ends with %s', async (command, output, limits, code) => {
  const [limit, redirection] = limits.startsWith('2') ? ['', limits] : [limits, ''];
  const folder = await temporaryFolder();
  const script = `${limit} exec "${process.execPath}" "${entry}" ${command} >${output} ${redirection}`;
  const child = spawn('/bin/sh', ['-c', script, folder], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode]: unknown[] = await once(child, 'close');
  expect(exitCode).toBe(code);
  if (redirection === '') expect(stderr).toMatch(/^Standard output cannot be written: E(NOSPC|FBIG)\.\n$/);
});

test('trivium schema | head -1 ends with 0', async () => {
  const child = spawn(process.execPath, [entry, 'schema'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  await closedAfterFirstLine(child.stdout);
  expect(await ended).toEqual([0, null]);
});
