import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export interface SandboxOptions {
  /** The first records: a file of JSON, or its content. Default: the demo data. Its form is in docs/sandbox.md. */
  readonly seed?: string | Records | undefined;
  /** Port of the account, flex and CRM APIs; the forum has the next one. Default: free ports. */
  readonly port?: number | undefined;
  /** Settings of the gateway over the sandbox, by their names in docs/settings.md. Default: it keeps no answers and lists. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** The compiled gateway, `dist/main.js` of a checkout. Default: that of the package `trivium` among the app's packages. */
  readonly main?: string | undefined;
}

/** The content of a seed file: lists of records by their names, such as `clients`. */
export type Records = Readonly<Record<string, readonly unknown[]>>;

/** How the requests to an endpoint fail: see docs/sandbox.md. */
export interface Fault {
  /** Such as `GET /app/clients.json`. */
  readonly endpoint: string;
  readonly status?: number;
  readonly delayMs?: number;
  readonly cut?: boolean;
  readonly applyThenCut?: 'before-status' | 'mid-body';
  /** How many requests fail. Default: all, until `recover` or `reset`. */
  readonly times?: number;
}

/** A request that the sandbox got. */
export interface Call {
  /** Null when the path is none of the APIs. */
  readonly endpoint: string | null;
  readonly method: string;
  readonly path: string;
  /** Null when a fault cut the connection before the request was carried out. */
  readonly status: number | null;
  readonly fault: boolean;
}

/** The controls of a sandbox. */
export interface Controls {
  /** Back to the first records, without faults and calls. */
  reset(): Promise<void>;
  /** Begins with other records, without faults and calls; `reset` goes back to these from then on. */
  seed(records: Records): Promise<void>;
  fault(fault: Fault): Promise<void>;
  /** Ends all faults. The gateway calls an API that was down again within about a second. */
  recover(): Promise<void>;
  /** The last requests, oldest first. */
  calls(): Promise<readonly Call[]>;
}

interface Addresses {
  /** Of the account, flex and CRM APIs. */
  readonly url: string;
  readonly forumUrl: string;
  /** Of the gateway, for GraphQL. */
  readonly endpoint: string;
}

/** A sandbox of the APIs, and a gateway over it. */
export interface Sandbox extends Addresses, Controls {
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** How long a start may take on a busy machine, in milliseconds. */
const startMs = 30_000;

/** Loaded before the gateway: its standard input ends when the process that has started it ends, however that happens. */
const endWithParent = `data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGTERM')).resume().unref()`;

const banner = /GraphQL +(\S+)[^]*Sandbox +(\S+)[^]*?(http\S+) +for the forum/;

/**
 * Starts a sandbox and a gateway over it, in a process that ends with this one at the latest.
 *
 * @throws Error with the exit code, and with all that was printed, when they have not started within 30 seconds
 */
export async function startSandbox({ seed, port = 0, settings, main }: SandboxOptions = {}): Promise<Sandbox> {
  const file = main ?? join(dirname(createRequire(resolve('app.js')).resolve('trivium/package.json')), 'dist/main.js');
  // These are all environment variables of the process: with the address of an API it would start no sandbox.
  const fresh = { ANSWER_CACHE_BYTES: '0', PAGE_LIST_MS: '0', SHUTDOWN_TIMEOUT_MS: '1000', LOG_LEVEL: 'error' };
  const env = { ...fresh, PORT: '0', ...settings, SANDBOX_PORT: String(port) };
  const args = ['--import', endWithParent, file, 'serve', ...(typeof seed === 'string' ? ['--seed', seed] : [])];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const addresses = await addressesOf(child);
  child.unref(); // a test that forgets to stop it ends all the same
  for (const stream of [child.stdin, child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();

  const sandbox: Sandbox = { ...addresses, ...sandboxAt(addresses.url), stop: () => stop(child) };
  try {
    if (typeof seed === 'object') await sandbox.seed(seed);
    return sandbox;
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

/** Controls the sandbox whose account, flex and CRM APIs are at this address, which another process has started. */
export function sandboxAt(url: string): Controls {
  const request = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  };
  return {
    reset: async () => void (await request('POST', '/sandbox/reset')),
    seed: async (records) => void (await request('POST', '/sandbox/reset', records)),
    fault: async (fault) => void (await request('POST', '/sandbox/faults', fault)),
    recover: async () => void (await request('DELETE', '/sandbox/faults')),
    calls: async () => {
      const { calls }: { readonly calls: readonly Call[] } = await (await request('GET', '/sandbox/calls')).json();
      return calls;
    },
  };
}

/** Reads the addresses that the process prints once it has started. Later on, errors alone go to standard error. */
function addressesOf(child: Child): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`The sandbox did not start, ${reason}: ${printed.trim()}`));
    };
    const timer = setTimeout(() => fail(`${startMs / 1000} seconds have passed`), startMs);
    const read = (text: string) => {
      printed += text;
      const [, endpoint, url, forumUrl] = banner.exec(printed) ?? [];
      if (!endpoint || !url || !forumUrl) return;
      clearTimeout(timer);
      child.stdout.off('data', read).resume();
      child.stderr.off('data', read).pipe(process.stderr, { end: false });
      child.removeAllListeners();
      resolve({ endpoint, url, forumUrl });
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', ({ message }) => fail(message)).once('close', (code) => fail(`exit code ${code}`));
  });
}

async function stop(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
