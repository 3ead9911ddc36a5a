import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { onConnection, sweepInterval, tcpSocket, type WatchedResponse } from './http-server.ts';
import { bytesTaken, type Reader, UnreadAnswers } from './unread-answers.ts';

/** An open connection, as it was when it was last looked at. */
interface Connection extends Reader {
  /** The latest request that was let in, until it and its response are complete. */
  request: IncomingMessage | undefined;
  /** The responses that are not sent yet. */
  readonly responses: ServerResponse[];
  /** Whether it sent too many requests, and gets no further one in. */
  isFull: boolean;
  /** Takes note of bytes of a response that are handed over. */
  readonly onBytes: () => void;
  /** Takes note that its first response was sent. */
  readonly onSent: () => void;
  readonly received: Progress;
  readonly sent: Progress;
}

/** A count of bytes, and since when it has been the same. */
interface Progress {
  bytes: number;
  since: number;
}

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'; // as Node answers slow headers

/** How long the last answers have to leave a connection that is closed with unread requests in it, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Cuts the connections of a server that stall: a request's body of which no byte arrives for RECEIVE_TIMEOUT_MS, and an
 * answer of which the caller takes no byte for SEND_TIMEOUT_MS. Beyond MAX_UNREAD_BYTES of answers that wait to be read it
 * cuts the slowest. Refuses connections beyond MAX_CONNECTIONS, and requests of one connection beyond MAX_PIPELINED under way.
 * How many were cut and refused is logged.
 *
 * One timer looks at all connections: a timer for each request would cost more than many a request.
 *
 * @see docs/operations.md
 */
export class Connections {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #open = new Map<Socket, Connection>();
  readonly #unread: UnreadAnswers;
  /** The number of TCP connections, those included whose TLS handshake is not done. */
  #count = 0;
  #refusedConnections = 0;
  #failedHandshakes = 0;
  /** Why the last TLS handshake failed: a code of OpenSSL or Node. */
  #lastFailure = '';

  constructor(server: Server, config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#unread = new UnreadAnswers(config.MAX_UNREAD_BYTES);
    server.on('connection', (socket: Socket) => {
      // Node's own `maxConnections` makes the workers pass a connection on to each other without end when all are full.
      if (this.#count >= config.MAX_CONNECTIONS) {
        this.#refusedConnections += 1;
        socket.destroy();
        return;
      }
      this.#count += 1;
      socket.once('close', () => (this.#count -= 1));
    });
    onConnection(server, (socket) => {
      if (socket.destroyed) return;
      const connection = this.#newConnection(socket);
      this.#open.set(socket, connection);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#unread.count(connection);
      });
    });
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      const reason = String(socket.authorizationError ?? error.code);
      if (reason === 'ECONNRESET') return; // the check of a load balancer, or a caller that left
      this.#failedHandshakes += 1;
      this.#lastFailure = reason;
    });
    const timer = setInterval(() => this.#sweep(performance.now()), sweepInterval(config)).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * To be asked for each request before it runs.
   *
   * @returns whether it may run; a request that may not is left without an answer
   */
  letsIn(request: IncomingMessage, response: WatchedResponse): boolean {
    const connection = this.#open.get(request.socket);
    if (!connection) return false; // it is closed already
    if (connection.isFull) return false;
    if (connection.responses.length >= this.#config.MAX_PIPELINED) {
      this.#closeAfterLast(request.socket, connection);
      return false;
    }
    connection.request = request;
    connection.responses.push(response);
    response.onBytes = connection.onBytes;
    response.on('close', connection.onSent);
    return true;
  }

  /**
   * Reads no further, and closes the connection once the requests that were let in are answered. HTTP lets a caller send
   * those again that were not (RFC 9112, 9.3.2).
   */
  #closeAfterLast(socket: Socket, connection: Connection): void {
    connection.isFull = true;
    socket.pause();
    socket.on('resume', () => socket.pause()); // Node resumes it for the body of a request
    connection.responses.at(-1)?.once('close', () => {
      // With unread requests left, closing it at once would reset it, and the caller might lose the last answers.
      socket.end();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
  }

  #newConnection(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      request: undefined,
      responses: [],
      isFull: false,
      onBytes: () => this.#unread.count(connection),
      onSent: () => {
        connection.responses.shift();
        this.#unread.count(connection);
        if (connection.responses.length === 0 && connection.request?.complete) connection.request = undefined;
      },
      received: { bytes: 0, since: 0 },
      sent: { bytes: 0, since: performance.now() },
      unread: 0,
      since: 0,
      takenBefore: 0,
      taken: 0,
      tookAt: 0,
    };
    return connection;
  }

  #sweep(now: number): void {
    let stalledBodies = 0;
    let unreadAnswers = 0;
    for (const [socket, connection] of this.#open) {
      if (this.#isUnreadAnswer(socket, connection, now)) {
        unreadAnswers += 1;
        tcpSocket(socket).resetAndDestroy(); // the kernel would go on offering the bytes that it has
      } else if (this.#isStalledBody(socket, connection, now)) {
        stalledBodies += 1;
        refuse(socket);
      }
    }
    const slowestReaders = this.#unread.sweep();
    if (slowestReaders > 0) this.#log.warn({ slowestReaders }, 'slowest readers cut: see MAX_UNREAD_BYTES');
    if (stalledBodies + unreadAnswers > 0) this.#log.info({ stalledBodies, unreadAnswers }, 'stalled connections cut');
    const refusedConnections = this.#refusedConnections;
    if (refusedConnections > 0) this.#log.warn({ refusedConnections }, 'connections refused: see MAX_CONNECTIONS');
    this.#refusedConnections = 0;
    const failedHandshakes = this.#failedHandshakes;
    if (failedHandshakes > 0) this.#log.info({ failedHandshakes, reason: this.#lastFailure }, 'TLS handshakes failed');
    this.#failedHandshakes = 0;
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

/** How long a count of bytes has been the same, in milliseconds. */
function lasts(progress: Progress, bytes: number, now: number): number {
  if (progress.bytes !== bytes) Object.assign(progress, { bytes, since: now });
  return now - progress.since;
}
