import { type ChildProcessByStdio, spawn, type SpawnOptions } from 'node:child_process';
import { on, once } from 'node:events';
import type { Readable } from 'node:stream';

/** The longest that a start may take, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A gateway as a process of its own. */
export class Program {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  /** Its address, without a path. */
  readonly url: string;

  private constructor(child: ChildProcessByStdio<null, Readable, null>, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts a command, and waits until it prints the address of its endpoint. */
  static async start([file = '', ...args]: readonly string[], options: SpawnOptions): Promise<Program> {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for await (const [text] of on(child.stdout, 'data', { close: ['end'], signal })) {
      printed += String(text);
      const url = /(http:\/\/[^\s/]+)\/graphql[\s"]/.exec(printed)?.[1];
      if (url === undefined) continue;
      child.stdout.resume(); // a full pipe would hold it up
      return new Program(child, url.replace('//0.0.0.0', '//127.0.0.1'));
    }
    throw new Error(`${file} ended without an address: ${printed}`);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends a query as demo-admin. @returns the answer's text */
  async query(query: string): Promise<string> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-admin' },
      body: JSON.stringify({ query }),
    });
    return response.text();
  }

  /** The status of a path. */
  async status(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const response = await fetch(`${this.url}${path}`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** Sends SIGTERM. @returns the exit code, null when the signal ended it */
  async end(): Promise<number | null> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    return this.#child.exitCode;
  }
}
