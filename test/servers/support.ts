import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** How often a server is asked whether it is ready, in milliseconds. */
const ASK_MS = 50;

/** A server of the system that runs until the test ends. */
export interface SystemServer {
  readonly pid: number;
  /** The last 4,000 characters that it printed. */
  printed(): string;
  /** Sends the signal and waits until the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Sends the signal only. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGHUP' | 'SIGUSR2'): void;
}

/**
 * Starts a server of the system, such as `redis-server`, and waits until it is ready.
 *
 * @param command its name; Debian keeps some in /usr/sbin, which is added to PATH
 * @param isReady asked until it resolves to true
 * @throws Error with what the server printed, when it ends before
 */
export async function startServer(
  command: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<SystemServer> {
  const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
  const child = spawn(command, args, { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (!hasEnded) child.kill(signal);
    await ended;
  };
  onTestFinished(() => end('SIGKILL'));
  let printed = '';
  const keep = (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-4_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  while (!(await isReady().catch(() => false))) {
    if (hasEnded) throw new Error(`${command} ended: ${printed}`);
    await delay(ASK_MS);
  }
  return { pid: child.pid ?? 0, printed: () => printed, end, signal: (name) => void child.kill(name) };
}

/** A port of the loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * Starts Redis on a port of its own, without files.
 *
 * @param more arguments, which go before these
 * @returns its address for `REDIS_URL`, and the process
 */
export async function startRedis(
  port?: number,
  more: readonly string[] = [],
): Promise<{ url: string; port: number; server: SystemServer }> {
  const chosen = port ?? (await freePort());
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more];
  const server = await startServer('redis-server', args, async () => {
    const socket = connect(chosen, '127.0.0.1');
    socket.write('PING\r\n');
    const [answer]: unknown[] = await once(socket, 'data').finally(() => socket.destroy());
    return String(answer).startsWith('+PONG');
  });
  return { url: `redis://127.0.0.1:${chosen}`, port: chosen, server };
}
