// Starts and ends the processes of a run: the upstream, the gateway and the peers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The root of the project: arguments name files from there. */
export const PROJECT = join(import.meta.dirname, '../..');

const READY_MS = 60_000;
const STOP_MS = 5000;
const LOG_BYTES = 4000;

/** The CPU of the process under test, and the one of the upstream and the load generator. */
export const CPUS = { target: '0', rest: '1' };

/** For a target of several processes. */
export const ALL_CPUS = Object.values(CPUS).join(',');

export interface Running {
  readonly pid: number;
  readonly process: ChildProcess;
  /** The beginning of what the process printed. */
  readonly log: () => string;
  /** Sends SIGTERM, then SIGKILL, and waits for the end of the process. */
  readonly stop: () => Promise<void>;
}

/** Whether processes can be pinned to CPUs: `taskset` is there and there are two CPUs. */
export const pinned = spawnSync('taskset', ['-c', `${CPUS.target},${CPUS.rest}`, 'true']).status === 0;

export interface StartOptions {
  readonly cpu: string;
  readonly env: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();

/** For the beginning of a run: its processes end with this one, which shares a CPU with the upstream. */
export function prepareThisProcess(): void {
  if (pinned) spawnSync('taskset', ['-cp', CPUS.rest, String(process.pid)]);
  process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
}

/** Starts Node with these arguments, on one CPU where processes can be pinned. */
export function startNode(args: readonly string[], { cpu, env }: StartOptions): Running {
  const [command = '', ...rest] = pinned
    ? ['taskset', '-c', cpu, process.execPath, ...args]
    : [process.execPath, ...args];
  const child = spawn(command, rest, {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  let log = '';
  const keep = (chunk: Buffer) => {
    if (log.length < LOG_BYTES) log += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  // `taskset` replaces itself by Node: the process keeps its id.
  return { pid: child.pid ?? 0, process: child, log: () => log, stop: () => stop(child) };
}

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (ended(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exit;
  clearTimeout(timer);
}

/** Waits until `ask` resolves. @throws Error when the process ends before, or after a minute */
export async function untilReady({ process: child, log }: Running, ask: () => Promise<unknown>, pauseMs = 50) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && !ended(child)) {
    const answered = await ask().then(
      () => true,
      () => false,
    );
    // Another process may have answered, if this one did not get its port.
    if (answered && !ended(child)) return;
    await sleep(pauseMs);
  }
  await stop(child);
  throw new Error(`A process did not begin to answer:\n${log()}`);
}

// Below the ports that a system hands out itself: no other process is given one between the look and its use.
const PORTS = { from: 12_000, to: 32_000 };

/** A port of the loopback interface at which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer();
    const listening = await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => undefined);
    if (listening === undefined) continue;
    await once(server.close(), 'close');
    return port;
  }
}
