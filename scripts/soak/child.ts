import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { z } from 'zod';

/** The memory and the files of a process at one time. Sizes are in bytes, measured after a garbage collection. */
export interface Held {
  readonly heapUsed: number;
  readonly rss: number;
  /** Memory of buffers, outside of the heap. */
  readonly external: number;
  /** Open sockets, timers and other resources that Node knows of. */
  readonly resources: number;
  /** Open file descriptors; 0 where the system does not tell. */
  readonly descriptors: number;
}

const measured = z.object({ heapUsed: z.number(), rss: z.number(), external: z.number(), resources: z.number() });

/** The compiled program as a process of its own. */
export class Child {
  readonly #process: ChildProcess;
  /** The text that it printed when it was ready. */
  readonly banner: string;

  private constructor(process: ChildProcess, banner: string) {
    this.#process = process;
    this.banner = banner;
  }

  /** Starts `dist/main.js` with these arguments and settings, and waits for its first line. */
  static async start(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Child> {
    const probe = new URL('probe.mjs', import.meta.url).href;
    const child = spawn(process.execPath, ['--expose-gc', '--import', probe, 'dist/main.js', ...args], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    const { stdout } = child;
    if (!stdout) throw new Error('The process has no standard output.');
    const [line]: unknown[] = await Promise.race([once(stdout, 'data'), once(child, 'exit').then(() => [''])]);
    if (child.exitCode !== null) throw new Error(`dist/main.js ended with ${child.exitCode}: npm run build?`);
    stdout.resume();
    return new Child(child, String(line));
  }

  /** Whether it still runs. */
  get runs(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async measure(): Promise<Held> {
    const answer = once(this.#process, 'message', { signal: AbortSignal.timeout(30_000) });
    this.#process.send({});
    const [message]: unknown[] = await answer;
    const descriptors = `/proc/${this.#process.pid}/fd`;
    return { ...measured.parse(message), descriptors: existsSync(descriptors) ? readdirSync(descriptors).length : 0 };
  }

  /** Ends it, and returns its exit code. */
  async end(): Promise<number | null> {
    const exit = once(this.#process, 'exit');
    if (this.runs) {
      this.#process.kill('SIGTERM');
      await exit;
    }
    return this.#process.exitCode;
  }
}
