import { Pool } from 'undici';
import type { Api } from './api.ts';
import type { UpstreamCall } from '../errors.ts';
import { ConnectionQueue } from './connection-queue.ts';
import type { Departure } from './departure.ts';
import type { Answer, Outgoing } from './messages.ts';
import { OpenCall } from './open-call.ts';
import type { Connections } from './pending-call.ts';

export interface UpstreamOptions {
  /** Base address; when undefined, every call throws an `UnreachableError` that names the setting. */
  readonly url: URL | undefined;
  /** Deadline in milliseconds for the wait for a connection, the request and the whole response, a retry included. */
  readonly timeoutMs: number;
  /** Maximum number of connections to the origin. Further calls wait, for half of their deadlines. */
  readonly connections: number;
  /** Maximum number of calls that wait for a connection. */
  readonly maxWaiting: number;
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

  constructor(api: Api, { url, connections, maxWaiting, timeoutMs }: UpstreamOptions) {
    this.api = api;
    this.#timeoutMs = timeoutMs;
    this.#base = url?.pathname.replace(/\/$/, '') ?? '';
    // undici's own timeouts are off: they cover neither the wait for a connection nor a body that arrives slowly.
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
    this.#connections = url && {
      pool: new Pool(url.origin, { connections, connectTimeout: timeoutMs, ...noTimeouts }),
      queue: new ConnectionQueue(connections, maxWaiting, timeoutMs / 2),
    };
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
   * @param onOver called once when the call ends, before anybody learns how
   */
  open(request: Outgoing, call: UpstreamCall, onOver?: () => void): OpenCall {
    const path = `${this.#base}${request.target}`;
    const connections = this.#connections;
    return new OpenCall({ connections, api: this.api, path, request, call, timeoutMs: this.#timeoutMs, onOver });
  }

  /** Closes the connections and cancels the calls on them. */
  async close(): Promise<void> {
    await this.#connections?.pool.destroy();
  }
}
