import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The compiled command line: `npm run build` makes it. */
export const entry = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

interface Surroundings {
  /** The settings; nothing of the test's own environment but PATH is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end. */
export async function trivium(args: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return ended(process.execPath, [entry, ...args], surroundings);
}

/** Runs a program to its end. */
export async function ended(file: string, args: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return launched(file, args, surroundings).ended;
}

export interface Running {
  /** All that it has printed up to the end of its start. */
  readonly banner: string;
  readonly pid: number;
  /** The lines of standard error so far. */
  readonly lines: readonly string[];
  /** Sends the signal. */
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'): void;
  /** Resolves with the lines of standard error that match, once there are so many. */
  logged(pattern: RegExp, count?: number): Promise<string[]>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
}

/** Starts a command that goes on, and waits until it has printed `until`. */
export async function running(args: readonly string[], until: RegExp, surroundings?: Surroundings): Promise<Running> {
  const { child, ended } = launched(process.execPath, [entry, ...args], surroundings);
  const log: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    log.push(line);
    child.emit('logged');
  });
  const banner = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (until.test(printed)) resolve(printed);
    });
    ended.then(({ stderr: said }) => reject(new Error(`It ended: ${said}`)), reject);
  });
  const logged = async (pattern: RegExp, count = 1) => {
    for (;;) {
      const lines = log.filter((line) => pattern.test(line));
      if (lines.length >= count) return lines;
      await Promise.race([
        once(child, 'logged'),
        ended.then(({ stderr }) => {
          throw new Error(`It ended: ${stderr}`);
        }),
      ]);
    }
  };
  return { banner, pid: child.pid ?? 0, ended, lines: log, logged, signal: (name) => void child.kill(name) };
}

export interface Serving extends Running {
  /** Its address, for operations. */
  readonly endpoint: string;
  /** The address of another path. */
  at(path: string): string;
  /** Sends an operation over a connection of its own: one that is kept would hold up the end. */
  ask(query: string, headers?: Readonly<Record<string, string>>): Promise<unknown>;
  /** Sends SIGTERM. */
  end(): Promise<Ended>;
}

const CALLER = { authorization: 'Bearer token' };

/** Starts a gateway on a free port. */
export async function serving(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['serve'],
): Promise<Serving> {
  const started = await running(args, /http\S+\/graphql[^]*\n$/, { env: { PORT: '0', SANDBOX_PORT: '0', ...env } });
  const endpoint = /http[^\s"]+\/graphql/.exec(started.banner)?.[0] ?? '';
  const own = { 'content-type': 'application/json', connection: 'close' };
  return {
    ...started,
    endpoint,
    at: (path) => endpoint.replace('/graphql', path),
    ask: async (query, headers = CALLER) => {
      const body = JSON.stringify({ query });
      return (await fetch(endpoint, { method: 'POST', headers: { ...own, ...headers }, body })).json();
    },
    end: async () => {
      started.signal('SIGTERM');
      return started.ended;
    },
  };
}

/** An empty folder, removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function launched(file: string, args: readonly string[], { env = {}, cwd }: Surroundings = {}) {
  const options = { env: { PATH: process.env['PATH'], ...env }, ...(cwd !== undefined && { cwd }) };
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => killed(child));
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { child, ended: output.then(([stdout, stderr]): Ended => ({ code: child.exitCode, stdout, stderr })) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** The status of one request over a connection of its own; 0 when it is refused. */
export async function status(url: string): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
}
