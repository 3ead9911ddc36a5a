import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { AnswerMemory } from './answer-memory.ts';
import type { Api } from './api.ts';
import type { UpstreamCall } from '../../errors.ts';
import { Breaker, type UpstreamChange } from './breaker.ts';
import { Call, type CallEnvironment, LastCalls } from './call.ts';
import type { CallObserver } from './call-observer.ts';
import { Compression, type CompressionMode } from './compression.ts';
import { ConnectionPool, ConnectionQueue } from './connection-pool.ts';
import type { Outgoing } from './messages.ts';
import type { Path } from './path.ts';
import type { Turns } from './turns.ts';

export interface UpstreamOptions {
  /** Base address; when undefined, every call throws an `UnreachableError` that names the setting. */
  readonly url: URL | undefined;
  /** Deadline in milliseconds for the wait for a connection, the request and the whole response, a retry included. */
  readonly timeoutMs: number;
  /** Maximum number of connections to the origin. Further calls wait, for half of their deadlines. */
  readonly connections: number;
  /** Maximum number of calls that wait for a connection. */
  readonly maxWaiting: number;
  /** A connection of this age, in milliseconds, takes no further call. Unlimited when it is 0 or not given. */
  readonly maxConnectionAgeMs?: number;
  /** Divide the work on the responses of all upstreams. */
  readonly turns: Turns;
  /** Limits the memory of response bodies; unlimited unless given. */
  readonly memory?: AnswerMemory;
  /** Observes the calls. */
  readonly observer?: CallObserver | undefined;
  /** Whether reads ask for packed answers; `off` unless given. */
  readonly compression?: CompressionMode;
  /** The authorities and the client certificate of connections over TLS; by default those of Node, and none. */
  readonly secureContext?: SecureContext | undefined;
}

/** Events of an upstream beyond single calls. */
export interface UpstreamEvents {
  /** Called when the API is called no more because it failed too often, and when it is called again. */
  readonly onChange: (change: UpstreamChange) => void;
  /** Called when TLS, or a lack of files, let no connection be made: for each message once a minute at most. */
  readonly onConnectFailure: (failure: ConnectFailure) => void;
}

/** Why no connection to an API could be made. The reason holds no URL and names the setting to look at. */
interface ConnectFailure {
  readonly api: string;
  readonly reason: string;
  /** Of the log. */
  readonly message: string;
}

/** The least time between two reports with one message, in milliseconds. */
const REPORTS_MS = 60_000;

/**
 * The connections to one upstream API over HTTP/1.1, for the life of the process. Holds no caller and no credential.
 * Follows no redirect.
 */
export class Upstream implements CallEnvironment {
  readonly api: Api;
  readonly hasAddress: boolean;
  readonly base: string;
  /** The longest time that a caller waits for a response, in milliseconds. */
  readonly timeoutMs: number;
  readonly pool: ConnectionPool;
  readonly queue: ConnectionQueue;
  readonly lastCalls = new LastCalls();
  readonly breaker: Breaker;
  readonly turns: Turns;
  readonly memory: AnswerMemory;
  readonly observer: CallObserver | undefined;
  /** Whether reads ask for packed answers. */
  readonly compression: Compression;
  readonly #url: URL | undefined;
  readonly #onConnectFailure: UpstreamEvents['onConnectFailure'] | undefined;
  readonly #reportedAt = new Map<string, number>();

  constructor(api: Api, options: UpstreamOptions & Partial<UpstreamEvents>) {
    const { url, connections, maxWaiting, timeoutMs, maxConnectionAgeMs, secureContext } = options;
    this.api = api;
    this.hasAddress = url !== undefined;
    this.base = url?.pathname.replace(/\/$/, '') ?? '';
    this.timeoutMs = timeoutMs;
    this.pool = new ConnectionPool(
      url?.origin ?? '',
      maxConnectionAgeMs || Infinity,
      connector(secureContext, timeoutMs),
    );
    this.queue = new ConnectionQueue(connections, maxWaiting, timeoutMs / 2);
    this.breaker = new Breaker((change) => {
      options.onChange?.({ api: api.name, ...change });
      if (change.isOpen) this.queue.refuseAll();
    });
    this.turns = options.turns;
    this.memory = options.memory ?? new AnswerMemory();
    this.observer = options.observer;
    this.compression = new Compression(options.compression ?? 'off');
    this.#url = url;
    this.#onConnectFailure = options.onConnectFailure;
  }

  /** The address of a path. @throws TypeError without a base address */
  addressOf({ path }: Path): URL {
    return new URL(`${this.base}${path}`, this.#url);
  }

  /** `open` while the API is not called because it failed too often. Undefined when it has no address. */
  get state(): 'ok' | 'open' | undefined {
    if (!this.hasAddress) return undefined;
    return this.breaker.isOpen ? 'open' : 'ok';
  }

  /** How many calls wait for a connection. */
  get waiting(): number {
    return this.queue.size;
  }

  /** The end of the last calls of this process. Undefined when the API has no address. */
  get last(): Readonly<LastCalls> | undefined {
    return this.hasAddress ? this.lastCalls : undefined;
  }

  /**
   * Makes a call, which `Call.answer` sends. Several callers may wait for its response.
   *
   * @param onOver called when nobody may join the call any more: when it ends, before anybody learns how, or earlier
   */
  open(request: Outgoing, call: UpstreamCall, onOver?: () => void): Call {
    return new Call(this, request, call, onOver);
  }

  onConnectFailure(message: string, reason: string): void {
    const now = performance.now();
    if (now - (this.#reportedAt.get(message) ?? -Infinity) < REPORTS_MS) return;
    this.#reportedAt.set(message, now);
    this.#onConnectFailure?.({ api: this.api.name, reason, message });
  }

  /** Makes connections with other certificates from now on. The calls under way end on the connections that they have. */
  renew(secureContext: SecureContext | undefined): void {
    this.pool.renew(connector(secureContext, this.timeoutMs));
    this.#reportedAt.clear();
  }

  /** Closes the connections and cancels the calls on them. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

/**
 * Connects, over TLS where the address says so. With TLS 1.3 a server refuses a client certificate by an alert after the
 * handshake, which the end of the connection follows. undici would report that end, as if the request might have arrived.
 */
function connector(secureContext: SecureContext | undefined, timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout, ...(secureContext && { secureContext }) });
  return (options, callback) => {
    return connect(options, (...result) => {
      const [, socket] = result;
      socket?.once('error', (alert) => socket.destroy(alert));
      callback(...result);
    });
  };
}
