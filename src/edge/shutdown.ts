import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as endOfTurn, setTimeout as delay } from 'node:timers/promises';
import type { Connection, Connections } from './connections.ts';
import type { WriteOutcome } from '../errors.ts';
import type { WatchedResponse } from './http-server.ts';
import type { Next, ResponseHeaders } from './steps.ts';

/** A client that opens a connection sends its first request within this time, in milliseconds. */
const FIRST_REQUEST_MS = 1_000;

/** How often the connections are looked at while the server shuts down, in milliseconds. */
const CHECK_MS = 20;

/** A client whose connection was closed has opened the next one after this time, in milliseconds. */
const RECONNECT_MS = 50;

/**
 * Requests are held until this number of looks in a row have seen no connection open or close. They are counted, not timed:
 * after a pause of the process its timers are run first, and then the connections accepted that were opened meanwhile.
 */
const QUIET_LOOKS = 10;

/** The most looks for which requests are held before the server stops listening: a second, where no process stands still. */
const MAX_LOOKS = 50;

/** How long the last answers may take to be written, in milliseconds. */
const LAST_ANSWERS_MS = 250;

/** Creates the body of the 503 for an unfinished request. @param outcome of its writes; REFUSED before its document is read */
type LastAnswer = (outcome: WriteOutcome) => object;

/**
 * Shuts down an HTTP server without the loss of a request, in two steps: a grace period, in which it still accepts requests
 * and asks for no more of them by `Connection: close`, then the wait for the requests in flight.
 */
export class Shutdown {
  readonly #server: Server;
  readonly #timeoutMs: number;
  readonly #connections: Connections;
  /** Starts the requests that are held until the server has stopped listening. */
  #held: (() => void)[] | undefined;
  #deadline: number | undefined;
  /** Whether the shutdown has begun: callers are asked to close their connections. */
  hasBegun = false;
  #draining = false;

  /** @param timeoutMs the longest that both steps may take together */
  constructor(server: Server, connections: Connections, timeoutMs: number) {
    this.#server = server;
    this.#connections = connections;
    this.#timeoutMs = timeoutMs;
  }

  /** Milliseconds that are left of the timeout for what follows the answers; LAST_ANSWERS_MS at least. */
  get msLeft(): number {
    return Math.max(LAST_ANSWERS_MS, (this.#deadline ?? -Infinity) - performance.now());
  }

  /** Passes each request on: at once, or when the server has stopped listening. */
  hold(request: IncomingMessage, response: WatchedResponse, next: Next): void {
    if (this.hasBegun) this.#announce(response);
    if (!this.#held) return next(request, response);
    this.#held.push(() => {
      if (!response.destroyed) next(request, response); // else its caller has left
    });
  }

  /**
   * The grace period: a quarter of the timeout at most, and not longer than an idle connection is kept. Ends early when
   * each open connection has been told to close.
   */
  async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const start = performance.now();
    this.#deadline = start + this.#timeoutMs;
    for (const response of this.#responses()) this.#announce(response);
    const graceEnd = start + Math.min(this.#timeoutMs / 4, this.#server.keepAliveTimeout || Infinity);
    while (!this.#losesNothing() && performance.now() < graceEnd) await delay(CHECK_MS);
    await this.#acceptWhileHolding();
  }

  /**
   * Stops listening and waits for the requests in flight. At the end of the timeout the remaining ones are answered with 503.
   *
   * @param lastAnswer returns the body of those answers, by what became of the writes of their operations
   * @param headersFor returns their headers
   */
  async drain(lastAnswer: LastAnswer, headersFor: ResponseHeaders): Promise<void> {
    const hadGrace = this.hasBegun;
    this.hasBegun = true;
    this.#deadline ??= performance.now() + this.#timeoutMs;
    this.#draining = true;
    for (const response of this.#responses()) this.#announce(response);
    // The method of the HTTP server would cut responses that have ended and are still being written.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const answer of held) answer();
    this.#closeIdle(hadGrace ? FIRST_REQUEST_MS : 0);
    const check = setInterval(() => this.#closeIdle(FIRST_REQUEST_MS), CHECK_MS);
    const leftMs = Math.max(0, this.#deadline - performance.now()); // Node 24 warns of a negative time
    const end = setTimeout(() => void this.#answerAll(lastAnswer, headersFor), leftMs);
    await closed;
    clearInterval(check);
    clearTimeout(end);
    this.#server.close(); // ends the timer by which Node checks its connections: it would keep the server in memory
  }

  /** All responses that are not finished. */
  #responses(): WatchedResponse[] {
    return [...this.#connections.open.values()].flatMap(({ responses }) => responses);
  }

  /** Tells the client that its connection closes after this response: the last one of the connection so far. */
  #announce(response: ServerResponse): void {
    const connection = this.#connections.open.get(response.req.socket);
    if (!connection) return; // it is closed already
    if (this.#draining) response.once('close', () => closeIfIdle(connection)); // it would delay the end
    const earlier = connection.lastResponse;
    // A request that was written behind another one would be lost if the connection closed between their answers.
    if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
    if (response.headersSent && response.shouldKeepAlive) {
      connection.lastResponse = undefined; // only the next response can tell the client
      return;
    }
    response.shouldKeepAlive = false;
    connection.lastResponse = response;
  }

  /**
   * Whether the server can stop listening now. A client may use an open connection at any time until it reads
   * `Connection: close`, so an idle connection is waited for. One that has been open for a while without any request is a
   * reserve of its client, who sends its request anew when the reserve turns out to be closed.
   */
  #losesNothing(): boolean {
    if (performance.now() - this.#connections.changedAt < RECONNECT_MS) return false;
    for (const connection of this.#connections.open.values()) {
      const isReserve = isUnused(connection) && performance.now() - connection.openedAt >= FIRST_REQUEST_MS;
      if (!isReserve && !connection.lastResponse) return false;
    }
    return true;
  }

  /**
   * Accepts connections until no client opens another one. The system completes connections before the server accepts them,
   * and resets those that still wait when it stops listening. A client opens the next connection after an answer that closed
   * the last one, so answers are held meanwhile.
   */
  async #acceptWhileHolding(): Promise<void> {
    // Clients that were all told to reconnect at once have no connection for a moment.
    if (this.#connections.changedAt === -Infinity) return;
    this.#held = [];
    for (let looks = 0, quiet = 0; quiet < QUIET_LOOKS && looks < MAX_LOOKS; looks += 1) {
      const before = this.#connections.changedAt;
      await delay(CHECK_MS);
      await endOfTurn();
      quiet = this.#connections.changedAt === before ? quiet + 1 : 0;
    }
  }

  /** @param unusedMs connections that have been open for this time without a request are closed, too */
  #closeIdle(unusedMs: number): void {
    const now = performance.now();
    for (const connection of this.#connections.open.values()) {
      if (isUnused(connection) && now - connection.openedAt >= unusedMs) connection.socket.destroy();
      else closeIfIdle(connection);
    }
  }

  /** Answers all requests in flight, and closes all connections. A response that has begun is cut off. */
  async #answerAll(lastAnswer: LastAnswer, headersFor: ResponseHeaders): Promise<void> {
    const written = this.#responses()
      .filter((response) => !response.headersSent)
      .map((response) => {
        const body = JSON.stringify(lastAnswer(response.endOperation()));
        for (const name of response.getHeaderNames()) response.removeHeader(name);
        response.writeHead(503, [
          ...['content-type', 'application/json; charset=utf-8'],
          ...['content-length', String(Buffer.byteLength(body))],
          ...headersFor(response.req.headers),
        ]);
        return new Promise<void>((resolve) => response.end(body, resolve));
      });
    await Promise.race([Promise.all(written), delay(LAST_ANSWERS_MS)]);
    this.#server.closeAllConnections();
    for (const socket of this.#connections.open.keys()) socket.destroy(); // those of handshakes: the server does not know them
  }
}

/** Whether no part of a request has arrived. */
function isUnused({ socket, isHandshake }: Connection): boolean {
  return isHandshake || socket.bytesRead === 0;
}

/** Closes a connection whose requests are all answered, and which no part of another one has arrived on. */
function closeIfIdle({ socket, responses, bytesOfAnswered }: Connection): void {
  if (responses.length === 0 && bytesOfAnswered > 0 && socket.bytesRead === bytesOfAnswered) socket.destroySoon();
}
