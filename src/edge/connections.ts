import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isSecure, sweepInterval, tcpSocket, type WatchedResponse } from './http-server.ts';
import { type Next, refusalBody } from './steps.ts';

/** An open connection, as it was when it was last looked at. */
export interface Connection extends Reader {
  readonly openedAt: number;
  /** Whether its TLS handshake is not done: no request can have come. */
  readonly isHandshake: boolean;
  /** The latest request that was let in, until it and its response are complete. */
  request: IncomingMessage | undefined;
  /**
   * The responses that are not sent yet, in the order of their requests. A single `Set` of all would keep responses alive long
   * after they have left it: V8 chains the old tables of a set whose members come and go.
   */
  readonly responses: WatchedResponse[];
  /** How many bytes had been read when its last response was sent. More bytes are a request on its way. */
  bytesOfAnswered: number;
  /** The last response, when it says that the connection closes. */
  lastResponse: ServerResponse | undefined;
  /** Whether it sent too many requests, and gets no further one in. */
  isFull: boolean;
  /** Whether nothing is read from it until its caller has taken what waits for it. */
  isPaused: boolean;
  /** Takes note of bytes of a response that are handed over. */
  readonly onBytes: () => void;
  /** Takes note that its first response was sent. */
  readonly onSent: () => void;
  /** Takes note that no byte was sent or received for SEND_TIMEOUT_MS. */
  readonly onTimeout: () => void;
  /** How many bytes had been received when that was looked at last, and since when the number is the same. */
  readonly received: { bytes: number; since: number };
  /** How many bytes TCP had been given for TLS when that was looked at last. */
  sentBytes: number;
}

/** The answers to requests that Node's parser gives up, by its code. */
const UNREADABLE: ReadonlyMap<string | undefined, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers of the request are too large: 16 KiB are the limit.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The chunk extensions of the request are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

/** How long the last answers have to leave a connection that is closed with unread requests in it, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Cuts the connections of a server that stall: a request's body of which no byte arrives for RECEIVE_TIMEOUT_MS, and an
 * answer of which the caller takes no byte for SEND_TIMEOUT_MS. Beyond MAX_UNREAD_BYTES of answers that wait to be read it
 * cuts those that wait longest. Refuses connections beyond MAX_CONNECTIONS, and requests of one connection beyond MAX_PIPELINED under way.
 * How many were cut and refused is logged.
 *
 * One timer looks at all bodies. Node itself keeps the time of an answer: of a large write it alone knows how much is taken.
 *
 * @see docs/operations.md
 */
export class Connections {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #open = new Map<Socket, Connection>();
  readonly #unread: UnreadAnswers;
  #changedAt = -Infinity;
  #unreadAnswers = 0;
  #refusedConnections = 0;
  #failedHandshakes = 0;
  /** Why the last TLS handshake failed: a code of OpenSSL or Node. */
  #lastFailure = '';

  constructor(server: Server, config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#unread = new UnreadAnswers(config.MAX_UNREAD_BYTES);
    const hasHandshakes = isSecure(server);
    server.on('connection', (socket: Socket) => {
      this.#changedAt = performance.now();
      if (this.#open.size >= config.MAX_CONNECTIONS) {
        this.#refusedConnections += 1;
        socket.destroy();
        return;
      }
      this.#add(socket, hasHandshakes);
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      this.#open.delete(tcpSocket(socket)); // its handshake is done
      if (!socket.destroyed) this.#add(socket, false);
    });
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      const reason = String(socket.authorizationError ?? error.code);
      if (reason === 'ECONNRESET') return; // the check of a load balancer, or a caller that left
      this.#failedHandshakes += 1;
      this.#lastFailure = reason;
    });
    server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
      const [status, message] = UNREADABLE.get(code) ?? [400, 'The request is not HTTP.'];
      refuse(socket, this.#open.get(socket), status, message);
    });
    // Bytes that came while the process stood still are read after its timers, and before what waits for the end of the turn.
    const sweep = () => this.#sweep(performance.now());
    const timer = setInterval(() => setImmediate(sweep), sweepInterval(config)).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** All open connections, those included whose TLS handshake is not done: these by their TCP connection. */
  get open(): ReadonlyMap<Socket, Connection> {
    return this.#open;
  }

  /** When a connection was opened or closed last; -Infinity when none ever was. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** How many connections are open and may bring requests. */
  get size(): number {
    return [...this.#open.values()].filter(({ isHandshake }) => !isHandshake).length;
  }

  /** Passes a request on. One that is too many on its connection is left without an answer. */
  letIn(request: IncomingMessage, response: WatchedResponse, next: Next): void {
    const connection = this.#open.get(request.socket);
    if (!connection || connection.isFull) return; // it is closed already, or reads no further
    if (connection.responses.length >= this.#config.MAX_PIPELINED) {
      this.#closeAfterLast(request.socket, connection);
      return;
    }
    connection.request = request;
    connection.responses.push(response);
    response.onBytes = connection.onBytes;
    response.on('close', connection.onSent);
    response.setTimeout(this.#config.SEND_TIMEOUT_MS, connection.onTimeout);
    next(request, response);
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

  #add(socket: Socket, isHandshake: boolean): void {
    const openedAt = performance.now();
    const connection: Connection = {
      socket,
      openedAt,
      isHandshake,
      request: undefined,
      responses: [],
      bytesOfAnswered: 0,
      lastResponse: undefined,
      isFull: false,
      isPaused: false,
      onBytes: () => this.#unread.count(connection),
      onSent: () => {
        connection.responses.shift();
        connection.bytesOfAnswered = socket.bytesRead;
        this.#unread.countNext(connection);
        pauseReading(socket, connection);
        if (connection.responses.length === 0 && connection.request?.complete) connection.request = undefined;
      },
      onTimeout: () => {
        if (socket.writableLength === 0) return; // the operation takes long
        const tcp = tcpSocket(socket);
        if (tcp !== socket && tcp.bytesWritten !== connection.sentBytes) {
          connection.sentBytes = tcp.bytesWritten; // Node does not see over TLS that a part of a write is taken
          socket.setTimeout(this.#config.SEND_TIMEOUT_MS);
          return;
        }
        this.#unreadAnswers += 1;
        tcp.resetAndDestroy(); // the kernel would go on offering the bytes that it has
      },
      received: { bytes: 0, since: 0 },
      sentBytes: 0,
      unread: 0,
      since: 0,
    };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#changedAt = performance.now();
      this.#open.delete(socket);
      this.#unread.count(connection);
    });
  }

  #sweep(now: number): void {
    let stalledBodies = 0;
    for (const [socket, connection] of this.#open) {
      pauseReading(socket, connection);
      if (!this.#isStalledBody(socket, connection, now)) continue;
      stalledBodies += 1;
      refuse(socket, connection, 408, 'The body of the request did not arrive in time.');
    }
    const unreadAnswers = this.#unreadAnswers;
    this.#unreadAnswers = 0;
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

  #isStalledBody(socket: Socket, { request, received }: Connection, now: number): boolean {
    // With an unread answer before it Node reads no further, and the caller is not to blame.
    if (!request || request.complete || socket.writableLength > 0) return false;
    const bytes = socket.bytesRead;
    if (received.bytes !== bytes) Object.assign(received, { bytes, since: now });
    return now - received.since >= this.#config.RECEIVE_TIMEOUT_MS;
  }
}

/** Reads nothing while an answer waits for its caller: whatever is sent meanwhile, such as blank lines, would put SEND_TIMEOUT_MS off. */
function pauseReading(socket: Socket, connection: Connection): void {
  const mustWait = socket.writableLength > 0 && !connection.isHandshake;
  if (mustWait === connection.isPaused) return;
  connection.isPaused = mustWait;
  if (mustWait) return void socket.pause();
  connection.received.since = performance.now(); // nothing could arrive meanwhile
  socket.resume();
}

/**
 * Closes a connection, and answers the request that could not be read. While an earlier request is under way it answers none: its
 * caller would take the answer for that of the earlier one, which may have been applied.
 */
function refuse(socket: Socket, connection: Connection | undefined, status: number, message: string): void {
  const [first, second] = connection?.responses ?? [];
  const isUnread = !first || (!second && !first.req.complete && !first.headersSent);
  if (isUnread && socket.writable) {
    const body = JSON.stringify(refusalBody(message));
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nCache-Control: private, no-store`;
    socket.write(
      `${head}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}

/** An answer is not cut so soon after it was handed over, in milliseconds: nobody can have read much of it. */
const GRACE_MS = 50;

/** A connection, with the answers of it that are not sent yet. */
interface Reader {
  readonly socket: Socket;
  /** In the order of their requests; only the first one has the socket. */
  readonly responses: readonly WatchedResponse[];
  /** The bytes that wait in the process, as they were counted last. */
  unread: number;
  /** Since when bytes wait, or when the last answer before them was sent. */
  since: number;
}

/**
 * Bounds the bytes of all answers together that wait in the process because their callers do not read them. Beyond the bound the
 * connections are cut whose answers wait longest. What the kernel has taken is none of the memory of the process.
 *
 * The sum is kept as answers are handed over and sent. All connections are looked at only when it is beyond the bound.
 *
 * @see docs/operations.md
 */
class UnreadAnswers {
  readonly #limit: number;
  /** Those with bytes that wait, the longest first. */
  readonly #readers = new Set<Reader>();
  #bytes = 0;
  /** The sum from which all are looked at: they may have read some of it. */
  #lookAbove: number;
  #cut = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
    this.#lookAbove = limit;
  }

  /** Counts the bytes that wait for a caller: before and after more of them are handed over, and once its connection is closed. */
  count(reader: Reader): void {
    this.#update(reader, unreadBytes(reader));
    if (this.#bytes > this.#lookAbove) this.#keepBound();
  }

  /** Counts the bytes that wait for a caller who has taken an answer: the next one has waited since then. */
  countNext(reader: Reader): void {
    this.#update(reader, 0);
    this.count(reader);
  }

  /** Cuts what is beyond the bound by now. @returns how many connections were cut since the last call */
  sweep(): number {
    if (this.#bytes > 0) this.#keepBound();
    const cut = this.#cut;
    this.#cut = 0;
    return cut;
  }

  #update(reader: Reader, unread: number): void {
    if (unread === reader.unread) return;
    if (reader.unread === 0) {
      reader.since = performance.now();
      this.#readers.add(reader);
    }
    this.#bytes += unread - reader.unread;
    reader.unread = unread;
    if (unread === 0) this.#readers.delete(reader);
  }

  #keepBound(): void {
    const now = performance.now();
    for (const reader of this.#readers) this.#update(reader, unreadBytes(reader));
    for (const reader of this.#readers) {
      if (this.#bytes <= this.#limit || now - reader.since < GRACE_MS) break; // the others are looked at later
      this.#cut += 1;
      this.#update(reader, 0);
      tcpSocket(reader.socket).resetAndDestroy(); // the kernel would go on offering the bytes that it has
    }
    // Where the sum is just below the bound, not every answer is worth a look at all.
    this.#lookAbove = Math.max(this.#limit, this.#bytes + this.#limit / 64);
  }
}

/** The bytes of answers that wait in the process. Short texts count one per character. */
function unreadBytes({ socket, responses }: Reader): number {
  if (socket.destroyed) return 0;
  let bytes = 0;
  for (const response of responses) bytes += response.writableLength + (response.compressor?.writableLength ?? 0);
  return bytes;
}
