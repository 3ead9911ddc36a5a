import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server as SocketServer, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Pool, reusableUrls } from './pool.ts';

export interface Stub {
  readonly url: string;
  /** The received requests, as `GET /path?query`. */
  readonly received: readonly string[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers as its test says. */
class StubServer {
  answer: Answer = hangUp;
  readonly #server = createServer((request, response) => this.answer(request, response));

  static async start(): Promise<StubServer> {
    const stub = new StubServer();
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve));
    return stub;
  }

  get url(): string {
    return urlOf(this.#server);
  }

  /** Drops requests of the last test, so that they do not reach the next one. */
  async reset(): Promise<void> {
    this.answer = hangUp;
    this.#server.closeAllConnections();
    await nextTick(); // it accepts what was connecting
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const hangUp: Answer = (_request, response) => void response.destroy();
const stubs = new Pool<StubServer>();

/** An upstream that answers as the test says, over HTTP, until the test ends. */
export async function stubUpstream(answer: Answer): Promise<Stub> {
  const { item } = await stubs.take({}, () => StubServer.start());
  const received: string[] = [];
  item.answer = (request, response) => {
    received.push(`${request.method} ${request.url}`);
    answer(request, response);
  };
  reusableUrls.add(item.url);
  return { url: item.url, received };
}

/** Starts a server of the test's own on the loopback, until the test ends. @returns its port */
export async function portOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return new URL(urlOf(server)).port;
}

/** An answer of this text. */
export function says(
  text: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
}

/** An upstream that answers the first call of some paths when it is told to, and all others at once. */
export async function heldUpstream(others: RequestListener, ...paths: readonly string[]) {
  const arrivals = new EventEmitter();
  const calls = new Map(paths.map((path) => [path, once(arrivals, path)]));
  const { url, received } = await stubUpstream((request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    if (calls.has(path)) arrivals.emit(path, request, response);
    else others(request, response);
  });
  /** Waits for the call, and says how it is answered. */
  const answer = async (path: string, listener: RequestListener) => {
    const call = calls.get(path);
    if (!call) throw new Error(`${path} is not held.`);
    const [request, response] = await call;
    listener(request, response);
  };
  return { url, received, answer };
}

/**
 * An upstream of bare sockets, until the test ends: whatever HTTP forbids can be answered here. Knows a request by
 * its first line, so that a body that arrives by itself is none.
 */
export async function rawUpstream(answer: (socket: Socket, request: string) => void): Promise<Stub> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // the gateway may hang up at any time
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      const [, line] = /^([A-Z]+ \S+) HTTP\/1\.1\r\n/.exec(text) ?? [];
      if (line === undefined) return;
      received.push(line);
      answer(socket, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: urlOf(server), received };
}

/** A whole HTTP answer as bytes, for sockets. */
export function wholeAnswer(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** An address of the loopback on which nobody listens: a free port of now may be that of another test a moment later. */
export const DEAD_ADDRESS = 'http://127.0.0.1:1';

function urlOf(server: SocketServer): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stub has no port.');
  return `http://127.0.0.1:${address.port}`;
}
