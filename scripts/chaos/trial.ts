import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One promise, and how it was kept. */
export interface Row {
  readonly case: string;
  readonly expected: string;
  readonly measured: string;
  readonly passed: boolean;
}

/** A share as a text, such as `98 %`. It is rounded down: 99.9 % are not all. */
export const percent = (share: number) => `${Math.floor(share * 100)} %`;

/** The compiled gateway in a process of its own. */
export interface GatewayProcess {
  readonly port: number;
  /** The memory that it has now, in MB. */
  memoryNow(): number;
  /** The most memory that it has had, in MB. */
  memoryPeak(): number;
  signal(name: 'SIGTERM'): void;
  /** Resolves with the exit code when the process has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it at once. */
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Starts the compiled gateway, as in production. The settings name its upstreams. */
export async function startGateway(settings: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [ENTRY, 'serve'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  const failed = ended.then((code) => {
    throw new Error(`The gateway ended with ${code}: run \`npm run build\` first.`);
  });
  const [banner] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  failed.catch(() => {}); // from now on it may end
  const megabytes = (pattern: RegExp) =>
    Math.round(Number(pattern.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024);
  return {
    port: Number(/:(\d+)\/graphql/.exec(String(banner))?.[1]),
    memoryNow: () => megabytes(/VmRSS:\s+(\d+)/),
    memoryPeak: () => megabytes(/VmHWM:\s+(\d+)/),
    signal: (name) => void child.kill(name),
    ended,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A port of the loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { url, stop } = await startUpstream(() => {});
  await stop();
  return Number(new URL(url).port);
}

export interface StubUpstream {
  readonly url: string;
  /** How many requests have come. */
  readonly received: () => number;
  stop(): Promise<void>;
}

/** An upstream on a free port, or on the given one. */
export async function startUpstream(answer: RequestListener, port = 0): Promise<StubUpstream> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The upstream has no port.');
  return { url: `http://127.0.0.1:${address.port}`, received: () => received, stop };
}

/** Answers each request with this text of JSON. */
export function answering(text: string): RequestListener {
  const headers = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(text))];
  return (_request, response) => void response.writeHead(200, headers).end(text);
}

/** A POST of a query, as it is written to a connection. */
export function postOf(port: number, query: string, caller = 'caller'): string {
  const body = JSON.stringify({ query });
  const credentials = [`Authorization: Bearer ${caller}`, `X-CRM-Token: ${caller}`];
  const type = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return ['POST /graphql HTTP/1.1', `Host: 127.0.0.1:${port}`, ...credentials, ...type, '', body].join('\r\n');
}

/** Asks every few milliseconds until the value is as wanted. @returns the milliseconds that took; Infinity after `maxMs` */
export async function until(isWanted: () => boolean, maxMs: number): Promise<number> {
  const start = performance.now();
  while (!isWanted()) {
    if (performance.now() - start > maxMs) return Infinity;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - start;
}
