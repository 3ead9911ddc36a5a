import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The compiled command line: `tsc -p tsconfig.build.json` makes it. */
const entry = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

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
export async function trivium(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { child, stdout, stderr } = launched(args, surroundings);
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([stdout, stderr]);
  await ended;
  return { code: child.exitCode, stdout: out, stderr: err };
}

export interface Running {
  /** All that it has printed up to the end of its start. */
  readonly banner: string;
  readonly pid: number;
  /** Sends the signal. */
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
}

/** Starts a command that goes on, and waits until it has printed `until`. */
export async function running(
  args: readonly string[],
  until: RegExp,
  surroundings: Surroundings = {},
): Promise<Running> {
  const { child, stdout, stderr } = launched(args, surroundings);
  const ended = Promise.all([stdout, stderr, once(child, 'close')]).then(([out, err]) => ({
    code: child.exitCode,
    stdout: out,
    stderr: err,
  }));
  const banner = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (until.test(printed)) resolve(printed);
    });
    ended.then(({ stderr: said }) => reject(new Error(`It ended: ${said}`)), reject);
  });
  return { banner, pid: child.pid ?? 0, ended, signal: (name) => void child.kill(name) };
}

/** An empty folder, removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function launched(args: readonly string[], { env = {}, cwd }: Surroundings) {
  const options = { env: { PATH: process.env['PATH'], ...env }, ...(cwd !== undefined && { cwd }) };
  const child = spawn(process.execPath, [entry, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => killed(child));
  return { child, stdout: text(child.stdout), stderr: text(child.stderr) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
