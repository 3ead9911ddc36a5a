import { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { InterimResponses } from './interim-responses.ts';

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
  readonly #origin: string;
  readonly #maxAgeMs: number;
  #connect: buildConnector.connector;
  readonly #all = new Set<Connection>();
  /** The connection that was used last is at the end. */
  readonly #idle: Connection[] = [];

  /** @param maxAgeMs an older connection takes no further request, in milliseconds */
  constructor(origin: string, maxAgeMs: number, connect: buildConnector.connector) {
    this.#origin = origin;
    this.#maxAgeMs = maxAgeMs;
    this.#connect = connect;
  }

  /**
   * Takes an idle connection for a request, or a new one. `free` or `close` must be called when the request has ended. A new
   * connection replaces the oldest idle one, so that there are never more than requests were under way at once.
   */
  take(mayRepeat: boolean): Connection {
    const now = performance.now();
    let last = this.#idle.at(-1);
    for (; last && last.endsAt <= now; last = this.#idle.at(-1)) this.#remove(last);
    if (last && (mayRepeat || now < last.safeUntil)) {
      this.#idle.pop();
      return last;
    }
    const [oldest] = this.#idle;
    if (oldest) this.#remove(oldest);
    const endsAt = now + this.#maxAgeMs * (1 - AGE_JITTER * Math.random());
    const connection = new Connection(this.#origin, this.#connect, endsAt);
    this.#all.add(connection);
    connection.client.on('disconnect', () => {
      if (this.#idle.includes(connection)) this.#remove(connection);
    });
    return connection;
  }

  /** Keeps the connection of a request that has a whole response. @param keepAlive the header of the response */
  free(connection: Connection, keepAlive: string): void {
    const now = performance.now();
    connection.safeUntil = now + safeIdleMs(keepAlive);
    if (connection.endsAt <= now) this.#remove(connection);
    else this.#idle.push(connection);
  }

  /**
   * Closes the connection of a request that failed.
   *
   * @param isUnanswered whether upstream sent nothing and closed it, or was not heard of until a deadline. A kept connection
   *   was left by upstream before the request then, and so may be the others that were idle for long
   */
  close(connection: Connection, isUnanswered: boolean): void {
    this.#remove(connection);
    if (!isUnanswered || connection.safeUntil === 0) return;
    const now = performance.now();
    for (const idle of this.#idle.filter(({ safeUntil }) => safeUntil <= now)) this.#remove(idle);
  }

  /** Makes connections by another connector from now on. Each one of before is closed, as soon as it carries no request. */
  renew(connect: buildConnector.connector): void {
    this.#connect = connect;
    for (const connection of this.#all) connection.endsAt = 0;
    for (const idle of [...this.#idle]) this.#remove(idle);
  }

  /** Closes all connections at once: requests on them fail. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map(async ({ client }) => client.destroy()));
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    queueMicrotask(() => void connection.client.destroy()); // undici may be in the midst of telling its end
  }
}

/** One connection, for one request at a time. It ends with the first request that fails. Times are those of `performance.now()`. */
export class Connection {
  readonly client: Client;
  /** The socket while it is being connected. */
  connecting: Socket | undefined;
  /**
   * Until when it takes a request that must not be repeated; 0 before its first response. The clock decides, not a timer, which
   * would be late in a busy process.
   */
  safeUntil = 0;
  /** When it is too old for another request. */
  endsAt: number;
  readonly #interim = new InterimResponses();

  constructor(origin: string, connect: buildConnector.connector, endsAt: number) {
    this.endsAt = endsAt;
    this.client = new Client(origin, {
      connect: (target, callback) => {
        const connecting: unknown = connect(target, (...result) => {
          this.connecting = undefined;
          const [, socket] = result;
          if (socket) this.#interim.filter(socket);
          callback(...result);
        });
        if (connecting instanceof Socket) this.connecting = connecting;
      },
      // undici's own timeouts are off: they cover neither the wait for a connection nor a body that arrives slowly.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      keepAliveTimeoutThreshold: CLOSED_BEFORE_END_MS,
    });
  }

  /** Sends a request, once it is connected. */
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#interim.begin();
    this.client.dispatch(request, handler);
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
