import { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher, errors } from 'undici';
import { UpstreamTimeoutError } from '../../errors.ts';
import { InterimResponses } from './interim-responses.ts';
import { type ResponseHead, responseHead } from './messages.ts';
import { isConnectionClosed } from './network-failure.ts';

/** The events of a request on its connection, as undici has them. Each dispatch ends with `onComplete` or `onError`, once. */
export interface RequestHandler {
  /** Called when a connection is made for the request. After an `abort` of that `onError` follows. */
  readonly onConnecting: (abort: (error: Error) => void) => void;
  readonly onConnect: (abort: (error?: Error) => void) => void;
  /** Called once, with the head of the response itself: an informational status is passed over. */
  readonly onHead: (status: number, head: ResponseHead) => void;
  readonly onData: (chunk: Buffer) => boolean;
  readonly onComplete: () => void;
  readonly onError: (error: Error) => void;
}

/**
 * An idle connection is closed after this time, in milliseconds, if upstream has not closed it before. Load balancers and
 * address translation of clouds forget a silent connection without a word after 240 seconds and more.
 */
const MAX_IDLE_MS = 180_000;

/** So much before the end of `Keep-Alive: timeout` an idle connection is closed here, in milliseconds. */
const CLOSED_BEFORE_END_MS = 200;

/**
 * For so long an idle connection takes a request that must not be repeated, in milliseconds, where upstream does not say how
 * long it keeps one open. Not documented (A243): it keeps one for a second at least; the rest is for the way there.
 */
const SAFE_IDLE_MS = 300;

/** With `Keep-Alive: timeout` it takes such a request until so much before the end, in milliseconds. */
const SAFE_BEFORE_END_MS = 2_000;

export interface ConnectionPoolOptions {
  readonly origin: string;
  readonly connect: buildConnector.connector;
  /** An older connection takes no further request, in milliseconds. */
  readonly maxAgeMs: number;
}

/** The maximum age of each connection is up to this fraction shorter, so that those made together are not replaced together. */
const AGE_JITTER = 0.2;

/**
 * The connections to one upstream, as many as requests were under way at once: the caller bounds those. Idle ones are kept as
 * long as upstream does, for GETs: a GET whose connection turns out to be closed is sent once more. Any other request takes a
 * connection that was used a moment ago, or a new one, because its outcome would be unknown. A connection that has reached its maximum
 * age is closed between two requests: only a new one follows a host name whose address has changed.
 *
 * @see docs/decisions/0053-warm-connections.md
 */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #all = new Set<Connection>();
  /** The connection that was used last is at the end. */
  readonly #idle: Connection[] = [];

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  /** Sends a request on an idle connection, or on a new one. */
  dispatch(request: Dispatcher.DispatchOptions, handler: RequestHandler): void {
    const connection = this.#takeIdle(request.method === 'GET') ?? this.#create();
    connection.send(request, handler);
  }

  /** Closes all connections, those with a request after its end. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map(async ({ client }) => client.close()));
  }

  /** Closes all connections at once: requests on them fail. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map(async ({ client }) => client.destroy()));
  }

  /** A new connection replaces the oldest idle one, so that there are never more than requests were under way at once. */
  #takeIdle(mayRepeat: boolean): Connection | undefined {
    for (let last = this.#idle.at(-1); last?.isOld; last = this.#idle.at(-1)) this.#remove(last);
    const last = this.#idle.at(-1);
    if (last && (mayRepeat || last.isSafe)) return this.#idle.pop();
    const [oldest] = this.#idle;
    if (oldest) this.#remove(oldest);
    return undefined;
  }

  #create(): Connection {
    const { origin, connect, maxAgeMs } = this.#options;
    const client = new Client(origin, {
      connect: (target, callback) => {
        const connecting: unknown = connect(target, (...result) => {
          const [, socket] = result;
          if (socket) connection.interim.filter(socket);
          callback(...result);
        });
        if (connecting instanceof Socket) connection.handler?.onConnecting((error) => void connecting.destroy(error));
      },
      // undici's own timeouts are off: they cover neither the wait for a connection nor a body that arrives slowly.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      keepAliveTimeoutThreshold: CLOSED_BEFORE_END_MS,
    });
    const endsAt = performance.now() + maxAgeMs * (1 - AGE_JITTER * Math.random());
    const connection = new Connection(client, endsAt, {
      onFree: () => (connection.isOld ? this.#remove(connection) : this.#idle.push(connection)),
      onFailure: (isStale) => {
        this.#remove(connection);
        if (isStale) for (const idle of this.#idle.filter(({ isSafe }) => !isSafe)) this.#remove(idle);
      },
    });
    this.#all.add(connection);
    client.on('disconnect', () => {
      if (this.#idle.includes(connection)) this.#remove(connection);
    });
    return connection;
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    queueMicrotask(() => void connection.client.destroy()); // undici may be in the midst of telling its end
  }
}

interface ConnectionEvents {
  /** Called before the request learns of its end. */
  readonly onFree: () => void;
  /** @param isStale whether upstream seems to have left the connection before the request */
  readonly onFailure: (isStale: boolean) => void;
}

/**
 * One connection, and the handler of undici's `dispatch` for the request that it carries: `request` does not tell when that is
 * sent. Of the two kinds of handlers it is the one that gets the headers as they came: for the other kind undici builds an object
 * of all headers, at 4 µs a call. The connection ends with the first request that fails.
 */
class Connection implements Dispatcher.DispatchHandler {
  readonly client: Client;
  readonly interim = new InterimResponses();
  readonly #events: ConnectionEvents;
  handler: RequestHandler | undefined;
  /** Until when it takes a request that must not be repeated, as `performance.now()` tells the time. */
  #safeUntil = 0;
  #safeIdleMs = SAFE_IDLE_MS;
  #hasServed = false;
  #hasHead = false;
  /** Whether the head was the whole response: a 204 or 304 has no body, whatever its other headers say (RFC 9112, 6.3). */
  #endsWithHead = false;

  readonly #endsAt: number;

  /** @param endsAt when it is too old for another request, as `performance.now()` tells the time */
  constructor(client: Client, endsAt: number, events: ConnectionEvents) {
    this.client = client;
    this.#endsAt = endsAt;
    this.#events = events;
  }

  /** The clock decides, not a timer, which would be late in a busy process. */
  get isSafe(): boolean {
    return performance.now() < this.#safeUntil;
  }

  get isOld(): boolean {
    return performance.now() >= this.#endsAt;
  }

  send(request: Dispatcher.DispatchOptions, handler: RequestHandler): void {
    this.handler = handler;
    this.#hasHead = false;
    this.#endsWithHead = false;
    this.interim.begin();
    this.client.dispatch(request, this);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.handler?.onConnect(abort);
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true; // an informational status: the response itself follows
    const head = responseHead(headers);
    this.#hasHead = true;
    this.#endsWithHead = status === 204 || status === 304;
    this.#safeIdleMs = safeIdleMs(head.keepAlive);
    this.handler?.onHead(status, head);
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.handler?.onData(chunk) ?? true;
  }

  onComplete(): void {
    const handler = this.handler;
    this.handler = undefined;
    this.#hasServed = true;
    this.#safeUntil = performance.now() + this.#safeIdleMs;
    this.#events.onFree();
    handler?.onComplete();
  }

  onError(error: Error): void {
    const handler = this.handler;
    this.handler = undefined;
    const isUnanswered = isConnectionClosed(error) || error instanceof UpstreamTimeoutError;
    this.#events.onFailure(this.#hasServed && !this.#hasHead && isUnanswered);
    // undici expects the body that `Content-Length` tells of, except after HEAD.
    if (this.#endsWithHead && error instanceof errors.ResponseContentLengthMismatchError) handler?.onComplete();
    else handler?.onError(error);
  }
}

/** How long a connection may be idle and still take a request that must not be repeated. @param keepAlive the header of upstream */
function safeIdleMs(keepAlive: string): number {
  if (keepAlive === '') return SAFE_IDLE_MS;
  const [, seconds] = /timeout=(\d{1,9})/.exec(keepAlive) ?? [];
  if (seconds === undefined) return SAFE_IDLE_MS;
  const ms = Math.min(Number(seconds) * 1000, MAX_IDLE_MS);
  return Math.max(SAFE_IDLE_MS, ms - SAFE_BEFORE_END_MS);
}

/** A call that needs one of the connections. */
export interface QueuedCall {
  /**
   * Called once when a connection is free for the call. The call must `leave` when it needs it no more.
   *
   * @returns false when a call that has waited does not take the connection
   */
  readonly onFree: (hasWaited: boolean) => boolean;
  /** Called once, in the place of `onFree`, when the call may wait no longer. */
  readonly onRefused: (reason: QueueRefusal) => void;
}

/** Why a call may not wait for a connection: too many wait already, it has waited too long, or upstream does not answer. */
export type QueueRefusal = 'full' | 'late' | 'down';

interface WaitingCall {
  /** Undefined once the call has left the queue. */
  call: QueuedCall | undefined;
  readonly since: number;
}

/** From this wait of the oldest call on the queue is last in, first out, in milliseconds. */
const CROWDED_MS = 1_000;

/**
 * The calls of one upstream that wait for a connection. Their number and the time of their wait are bounded: an upstream that
 * hangs can hold no more memory than that.
 *
 * First in, first out, unless the oldest call has waited for CROWDED_MS: then last in, first out. After an outage every call would
 * otherwise wait for nearly the whole limit, and operations with several calls would exceed their deadlines.
 *
 * @see docs/decisions/0059-one-stall-stays-one-stall.md
 */
export class ConnectionQueue {
  readonly maxWaiting: number;
  /** How many calls have a connection at once. */
  readonly connections: number;
  readonly #maxWaitMs: number;
  #free: number;
  /** In order of arrival. */
  readonly #waiting = new Map<QueuedCall, WaitingCall>();
  /** The same entries as a stack, with empty ones of calls that have left the queue. */
  #inOrder: WaitingCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(connections: number, maxWaiting: number, maxWaitMs: number) {
    this.connections = connections;
    this.#free = connections;
    this.maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  /** How many calls wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Gives the call a connection at once, or in its turn. */
  enter(call: QueuedCall): void {
    if (this.#free > 0) {
      this.#free -= 1;
      call.onFree(false);
    } else if (this.#waiting.size < this.maxWaiting) {
      const waiting = { call, since: performance.now() };
      this.#waiting.set(call, waiting);
      if (this.#inOrder.length < 2 * this.maxWaiting) this.#inOrder.push(waiting);
      else this.#inOrder = [...this.#waiting.values()];
      if (!this.#timer) this.#refuseLateIn(this.#maxWaitMs);
    } else {
      call.onRefused('full');
    }
  }

  /** Gives the connection of a call to the next one. */
  leave(): void {
    while (this.#waiting.size > 0) {
      const next = this.#next();
      if (next && this.remove(next) && next.onFree(true)) return;
    }
    this.#free += 1;
  }

  #next(): QueuedCall | undefined {
    const [first] = this.#waiting.values();
    const isCrowded = first && performance.now() - first.since > CROWDED_MS;
    return isCrowded ? this.#inOrder.pop()?.call : first?.call;
  }

  /** Takes out a call that still waits. False for any other call. */
  remove(call: QueuedCall): boolean {
    const waiting = this.#waiting.get(call);
    if (waiting) waiting.call = undefined;
    const wasWaiting = this.#waiting.delete(call);
    if (this.#waiting.size === 0) this.#inOrder = [];
    return wasWaiting;
  }

  /** Refuses all calls that wait: upstream does not answer. */
  refuseAll(): void {
    for (const call of [...this.#waiting.keys()]) if (this.remove(call)) call.onRefused('down');
  }

  #refuseLateIn(ms: number): void {
    this.#timer = setTimeout(() => this.#refuseLate(), ms).unref();
  }

  /** One timer serves all calls: the first has waited longest. */
  #refuseLate(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [call, { since }] of this.#waiting) {
      const msLeft = since + this.#maxWaitMs - now;
      if (msLeft >= 1) return this.#refuseLateIn(msLeft);
      this.remove(call);
      call.onRefused('late');
    }
  }
}
