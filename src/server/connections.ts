import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** An open connection, as it was when it was last looked at. */
interface Connection {
  /** The latest request. */
  request: IncomingMessage | undefined;
  readonly received: Progress;
  readonly sent: Progress;
}

/** A count of bytes, and since when it has been the same. */
interface Progress {
  bytes: number;
  since: number;
}

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'; // as Node answers slow headers

/** The limits of connections that Node itself keeps. `Connections` has those that Node lacks. */
export function connectionLimits(config: Config): ServerOptions {
  const { RECEIVE_TIMEOUT_MS, MAX_REQUEST_BYTES, KEEP_ALIVE_TIMEOUT_MS } = config;
  return {
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    headersTimeout: RECEIVE_TIMEOUT_MS,
    // A caller that sends a byte per ms is served. One byte per RECEIVE_TIMEOUT_MS would keep a connection for months.
    requestTimeout: Math.max(300_000, RECEIVE_TIMEOUT_MS, MAX_REQUEST_BYTES),
    connectionsCheckingInterval: sweepInterval(config),
  };
}

/**
 * Cuts the connections of a server that stall: a request's body of which no byte arrives for RECEIVE_TIMEOUT_MS, and an
 * answer of which the caller takes no byte for SEND_TIMEOUT_MS. How many were cut is logged.
 *
 * One timer looks at all connections: a timer for each request would cost more than many a request.
 *
 * @see docs/operations.md
 */
export class Connections {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #open = new Map<Socket, Connection>();

  constructor(server: Server, config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    server.on('connection', (socket) => {
      this.#open.set(socket, {
        request: undefined,
        received: { bytes: 0, since: 0 },
        sent: { bytes: 0, since: performance.now() },
      });
      socket.once('close', () => this.#open.delete(socket));
    });
    const timer = setInterval(() => this.#sweep(performance.now()), sweepInterval(config)).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** To be told of each request as it begins. */
  begin(request: IncomingMessage): void {
    const connection = this.#open.get(request.socket);
    if (connection) connection.request = request;
  }

  #sweep(now: number): void {
    let stalledBodies = 0;
    let unreadAnswers = 0;
    for (const [socket, connection] of this.#open) {
      if (this.#isUnreadAnswer(socket, connection, now)) {
        unreadAnswers += 1;
        socket.resetAndDestroy(); // the kernel would go on offering the bytes that it has
      } else if (this.#isStalledBody(socket, connection, now)) {
        stalledBodies += 1;
        refuse(socket);
      }
    }
    if (stalledBodies + unreadAnswers > 0) this.#log.info({ stalledBodies, unreadAnswers }, 'stalled connections cut');
  }

  #isUnreadAnswer(socket: Socket, { sent }: Connection, now: number): boolean {
    if (socket.writableLength === 0) return false;
    return lasts(sent, bytesTaken(socket), now) >= this.#config.SEND_TIMEOUT_MS;
  }

  #isStalledBody(socket: Socket, { request, received }: Connection, now: number): boolean {
    // With an unread answer before it Node reads no further, and the caller is not to blame.
    if (!request || request.complete || socket.writableLength > 0) return false;
    return lasts(received, socket.bytesRead, now) >= this.#config.RECEIVE_TIMEOUT_MS;
  }
}

/** Closes a connection. A first request is answered 408; a kept connection is closed without a word. */
function refuse(socket: Socket): void {
  if (socket.bytesWritten === 0 && socket.writable) socket.write(TIMED_OUT);
  socket.destroy();
}

/** How often connections are looked at: often enough that a limit of seconds is kept to a second. */
function sweepInterval({ RECEIVE_TIMEOUT_MS, SEND_TIMEOUT_MS }: Config): number {
  return Math.min(1_000, Math.max(10, Math.min(RECEIVE_TIMEOUT_MS, SEND_TIMEOUT_MS) / 10));
}

/**
 * The bytes that the kernel has taken to send. Node's public numbers stay the same from the begin of a write to its end,
 * however large it is. Without the private ones a slow reader of a large answer would look stalled.
 */
function bytesTaken(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle === 'object' && handle && 'bytesWritten' in handle && 'writeQueueSize' in handle) {
    return Number(handle.bytesWritten) - Number(handle.writeQueueSize);
  }
  return socket.bytesWritten - socket.writableLength;
}

/** How long a count of bytes has been the same, in milliseconds. */
function lasts(progress: Progress, bytes: number, now: number): number {
  if (progress.bytes !== bytes) Object.assign(progress, { bytes, since: now });
  return now - progress.since;
}
