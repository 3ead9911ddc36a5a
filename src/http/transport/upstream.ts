import { Pool } from 'undici';
import type { Api } from './api.ts';
import type { UpstreamCall } from '../errors.ts';
import { Breaker, type UpstreamChange } from './breaker.ts';
import type { CallObserver } from './call-observer.ts';
import { ConnectionQueue } from './connection-queue.ts';
import type { Departure } from './departure.ts';
import { LastCalls } from './last-calls.ts';
import type { Answer, Outgoing } from './messages.ts';
import { OpenCall } from './open-call.ts';
import type { Connections } from './pending-call.ts';
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
  /** Divide the work on the responses of all upstreams. */
  readonly turns: Turns;
  /** Called when the API is called no more because it failed too often, and when it is called again. */
  readonly onChange?: ((change: UpstreamChange) => void) | undefined;
  /** Observes the calls. */
  readonly observer?: CallObserver | undefined;
}

/**
 * The connections to one upstream API over HTTP/1.1, for the life of the process. Holds no caller and no credential.
 * Follows no redirect and asks for no compression.
 */
export class Upstream {
  readonly api: Api;
  readonly #timeoutMs: number;
  readonly #base: string;
  readonly #connections: Connections | undefined;
  readonly #breaker: Breaker;
  readonly #turns: Turns;
  readonly #observer: CallObserver | undefined;

  constructor(api: Api, options: UpstreamOptions) {
    const { url, connections, maxWaiting, turns, timeoutMs, onChange, observer } = options;
    this.api = api;
    this.#observer = observer;
    this.#turns = turns;
    this.#breaker = new Breaker((change) => {
      onChange?.({ api: api.name, ...change });
      if (change.isOpen) this.#connections?.queue.refuseAll();
    });
    this.#timeoutMs = timeoutMs;
    this.#base = url?.pathname.replace(/\/$/, '') ?? '';
    // undici's own timeouts are off: they cover neither the wait for a connection nor a body that arrives slowly.
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
    this.#connections = url && {
      pool: new Pool(url.origin, { connections, connectTimeout: timeoutMs, ...noTimeouts }),
      queue: new ConnectionQueue(connections, maxWaiting, timeoutMs / 2),
      last: new LastCalls(),
    };
  }

  /** Whether it can be called at all. */
  get hasAddress(): boolean {
    return this.#connections !== undefined;
  }

  /** `open` while the API is not called because it failed too often. Undefined when it has no address. */
  get state(): 'ok' | 'open' | undefined {
    return this.#connections && (this.#breaker.isOpen ? 'open' : 'ok');
  }

  /** How many calls wait for a connection. */
  get waiting(): number {
    return this.#connections?.queue.size ?? 0;
  }

  /** The end of the last calls of this process. Undefined when the API has no address. */
  get last(): Readonly<LastCalls> | undefined {
    return this.#connections?.last;
  }

  /**
   * Sends one request and reads its response within the deadline.
   *
   * @param gone happens when the caller leaves. That cancels a read, and a write that still waits for a connection; a
   *   write that was sent continues.
   * @throws GatewayError when the network fails, the deadline passes, or the response is too large
   */
  send(request: Outgoing, call: UpstreamCall, gone: Departure): Promise<Answer> {
    return this.open(request, call).answer(gone, request.timeoutMs);
  }

  /**
   * Sends one request whose response several callers may wait for.
   *
   * @param onOver called when nobody may join the call any more: when it ends, before anybody learns how, or earlier
   */
  open(request: Outgoing, call: UpstreamCall, onOver?: () => void): OpenCall {
    const path = `${this.#base}${request.target}`;
    return new OpenCall({
      connections: this.#connections,
      breaker: this.#breaker,
      turns: this.#turns,
      api: this.api,
      path,
      request,
      call,
      timeoutMs: this.#timeoutMs,
      onOver,
      observer: this.#observer,
    });
  }

  /** Closes the connections and cancels the calls on them. */
  async close(): Promise<void> {
    await this.#connections?.pool.destroy();
  }
}
