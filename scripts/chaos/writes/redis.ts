import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How often Redis is asked whether it is ready, in milliseconds. */
const ASK_MS = 20;

/** A Redis with an append-only file, which can be killed, hung and started again. */
export interface TrialRedis {
  readonly url: string;
  /** Ends it at once, and resolves when it has ended. What it has told is in its file. */
  kill(): Promise<void>;
  /** Starts it again over the same file. */
  start(): Promise<void>;
  /** It keeps its connections, and answers nothing until `resume`. */
  hang(): void;
  resume(): void;
  /** Ends it, and removes its file. */
  stop(): Promise<void>;
}

/** Starts Redis. It has to be installed: Debian keeps `redis-server` in /usr/bin or /usr/sbin. */
export async function startTrialRedis(port: number): Promise<TrialRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-chaos-redis-'));
  let server: ChildProcess | undefined;
  const start = async () => {
    server = await launch(port, folder);
  };
  const kill = async () => {
    const ended = server && server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined;
    server?.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    hang: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

async function launch(port: number, folder: string): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  const server = spawn('redis-server', [...args, '--maxmemory-policy', 'noeviction'], {
    env: { PATH: '/usr/bin:/usr/sbin:/usr/local/bin' },
    stdio: 'ignore',
  });
  let hasEnded = false;
  server.once('error', () => (hasEnded = true)).once('exit', () => (hasEnded = true));
  while (!(await answersPing(port))) {
    if (hasEnded) throw new Error('redis-server did not start: the part `writes` needs it installed.');
    await delay(ASK_MS);
  }
  return server;
}

/** Whether it serves: while it loads its file it answers another text. */
async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [answer]: unknown[] = await once(socket, 'data');
    return String(answer).startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
