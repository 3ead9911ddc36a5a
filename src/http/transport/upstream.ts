import { Pool } from 'undici';
import type { Body } from '../formats/format.ts';
import type { Api } from './api.ts';
import {
  CallerGoneError,
  type GatewayError,
  TooLargeError,
  UnreachableError,
  UpstreamTimeoutError,
  type UpstreamCall,
} from '../errors.ts';
import type { Departure, DepartureListener } from './departure.ts';
import { networkFailure } from './network-failure.ts';
import { type CallOwner, headerValues, PendingCall, type RawResponse } from './pending-call.ts';

export interface UpstreamOptions {
  /** Base address; when undefined, every call throws an `UnreachableError` that names the setting. */
  readonly url: URL | undefined;
  /** Deadline in milliseconds for the wait for a connection, the request and the whole response, a retry included. */
  readonly timeoutMs: number;
  /** Maximum number of connections to the origin. Further calls wait, within their deadlines. */
  readonly connections: number;
}

/** The maximum size of a response, and the setting that holds it. */
export interface ByteLimit {
  readonly bytes: number;
  readonly setting: string;
}

/** A request to an upstream. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below the base address, encoded, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** True when the request changes nothing upstream; a search may be a POST. */
  readonly isRead: boolean;
  readonly limit: ByteLimit;
  /** Deadline in milliseconds, when it is shorter than that of the upstream. */
  readonly timeoutMs?: number | undefined;
}

/** A complete response of an upstream. */
export interface Answer extends Body {
  readonly status: number;
  /** The `Retry-After` header, or an empty text. */
  readonly retryAfter: string;
  /** Each `Set-Cookie` header. */
  readonly setCookies: readonly string[];
  /** Milliseconds from sending the request on its connection to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from sending the request on its connection to the end of the response. */
  readonly totalMs: number;
}

/** A refusal is read for its message only, so its body is cut off at this size. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * The connections to one upstream API over HTTP/1.1, for the life of the process. Holds no caller and no credential.
 * Follows no redirect and asks for no compression.
 */
export class Upstream {
  readonly api: Api;
  readonly #timeoutMs: number;
  readonly #base: string;
  readonly #pool: Pool | undefined;

  constructor(api: Api, { url, connections, timeoutMs }: UpstreamOptions) {
    this.api = api;
    this.#timeoutMs = timeoutMs;
    this.#base = url?.pathname.replace(/\/$/, '') ?? '';
    // undici's own timeouts are off: they cover neither the wait for a connection nor a body that arrives slowly.
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
    this.#pool = url && new Pool(url.origin, { connections, connectTimeout: timeoutMs, ...noTimeouts });
  }

  /**
   * Sends one request and reads its response within the deadline.
   *
   * @param gone happens when the caller leaves. That cancels a read, and a write that still waits for a connection; a
   *   write that was sent continues.
   * @throws GatewayError when the network fails, the deadline passes, or the response is too large
   */
  send(request: Outgoing, call: UpstreamCall, gone: Departure): Promise<Answer> {
    const pool = this.#pool;
    if (!pool) {
      const message = `The ${this.api.name} API has no address: set ${this.api.setting}.`;
      return Promise.reject(new UnreachableError(message, call));
    }
    const timeoutMs = Math.min(request.timeoutMs ?? Infinity, this.#timeoutMs);
    const target = `${this.#base}${request.target}`;
    return new Promise((resolve, reject) => {
      new BoundedCall({ pool, api: this.api, target, request, call, gone, timeoutMs, resolve, reject }).send();
    });
  }

  /** Closes the connections and cancels the calls on them. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}

interface BoundedCallOptions {
  readonly pool: Pool;
  readonly api: Api;
  /** The path with the base address's own and the query. */
  readonly target: string;
  readonly request: Outgoing;
  readonly call: UpstreamCall;
  readonly gone: Departure;
  readonly timeoutMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: GatewayError) => void;
}

/** A call that ends at its deadline, and when its caller leaves. */
class BoundedCall implements CallOwner, DepartureListener {
  readonly #options: BoundedCallOptions;
  readonly #pending: PendingCall;
  readonly #deadline: NodeJS.Timeout;

  constructor(options: BoundedCallOptions) {
    const { pool, target, request, gone, timeoutMs } = options;
    const { method, headers, body } = request;
    this.#options = options;
    this.#pending = new PendingCall(pool, { method, path: target, headers, body }, this);
    this.#deadline = setTimeout(() => this.#onDeadline(), timeoutMs);
    gone.add(this);
  }

  send(): void {
    this.#pending.send();
  }

  maxBytes(status: number): number {
    return isSuccess(status) ? this.#options.request.limit.bytes : MAX_REFUSAL_BYTES;
  }

  onResponse(response: RawResponse): void {
    const { api, call, request, resolve, reject } = this.#options;
    this.#release();
    if (response.isWhole || !isSuccess(response.status)) resolve(answerOf(response));
    else reject(tooLarge(api, request.limit, { ...call, status: response.status }));
  }

  onFailure(error: Error): void {
    const { api, call, reject } = this.#options;
    this.#release();
    reject(networkFailure(error, api, call));
  }

  onDeparture(): void {
    const { request, call } = this.#options;
    if (!request.isRead && this.#pending.wasSent) return;
    this.#giveUp(new CallerGoneError('The caller has closed the connection.', call));
  }

  #onDeadline(): void {
    const { api, call, timeoutMs } = this.#options;
    const message = `The ${api.name} API did not answer within ${timeoutMs / 1000} s.`;
    this.#giveUp(new UpstreamTimeoutError(message, call));
  }

  #giveUp(reason: GatewayError): void {
    this.#release();
    this.#pending.cancel(reason);
    this.#options.reject(reason);
  }

  #release(): void {
    clearTimeout(this.#deadline);
    this.#options.gone.remove(this);
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function tooLarge(api: Api, { bytes, setting }: ByteLimit, call: UpstreamCall): TooLargeError {
  const advice = `raise ${setting} if that is meant to be.`;
  return new TooLargeError(`The ${api.name} API answered more than ${bytes} bytes: ${advice}`, call);
}

function answerOf({ status, headers, body, headMs, totalMs }: RawResponse): Answer {
  return {
    status,
    contentType: headerValues(headers, 'content-type')[0] ?? '',
    contentEncoding: headerValues(headers, 'content-encoding')[0] ?? '',
    retryAfter: headerValues(headers, 'retry-after')[0] ?? '',
    setCookies: headerValues(headers, 'set-cookie'),
    body,
    headMs,
    totalMs,
  };
}
