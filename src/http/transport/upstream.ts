import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import type { Body } from '../formats/format.ts';
import type { Api } from './api.ts';
import {
  asError,
  CallerGoneError,
  TooLargeError,
  UnreachableError,
  UpstreamTimeoutError,
  type UpstreamCall,
} from '../errors.ts';
import { networkFailure, isConnectionClosed } from './network-failure.ts';

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

const CALLER_GONE = 'The caller has closed the connection.';

/** A refusal is read for its message only, so its body is cut off at this size. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * The connections to one upstream API over HTTP/1.1, for the life of the process. Holds no caller and no credential.
 * Follows no redirect and asks for no compression.
 */
export class Upstream {
  readonly api: Api;
  readonly #options: UpstreamOptions;
  readonly #base: string;
  readonly #pool: Pool | undefined;

  constructor(api: Api, options: UpstreamOptions) {
    const { url, connections, timeoutMs } = options;
    this.api = api;
    this.#options = options;
    this.#base = url?.pathname.replace(/\/$/, '') ?? '';
    // undici's own timeouts are off: they cover neither the wait for a connection nor a body that arrives slowly.
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
    this.#pool = url && new Pool(url.origin, { connections, connectTimeout: timeoutMs, ...noTimeouts });
  }

  /**
   * Sends one request and reads its response within the deadline.
   *
   * @param gone aborted when the caller leaves. That cancels a read, and a write that still waits for a connection; a write
   *   that was sent continues.
   * @throws GatewayError when the network fails, the deadline passes, or the response is too large
   */
  async send(request: Outgoing, call: UpstreamCall, gone: AbortSignal): Promise<Answer> {
    if (!this.#pool)
      throw new UnreachableError(`The ${this.api.name} API has no address: set ${this.api.setting}.`, call);

    const { method, headers, body, target, limit } = request;
    const options = { method, path: `${this.#base}${target}`, headers, body };
    const pending = new PendingCall(this.#pool, options, (status) =>
      isSuccess(status) ? limit.bytes : MAX_REFUSAL_BYTES,
    );
    const onGone = () => {
      if (request.isRead || !pending.wasSent) pending.giveUp(new CallerGoneError(CALLER_GONE, call));
    };
    const timeoutMs = Math.min(request.timeoutMs ?? Infinity, this.#options.timeoutMs);
    const deadline = setTimeout(() => {
      const message = `The ${this.api.name} API did not answer within ${timeoutMs / 1000} s.`;
      pending.giveUp(new UpstreamTimeoutError(message, call));
    }, timeoutMs);
    gone.addEventListener('abort', onGone);
    try {
      return this.#answer(await pending.response(), limit, call);
    } catch (error) {
      throw networkFailure(error, this.api, call);
    } finally {
      clearTimeout(deadline);
      gone.removeEventListener('abort', onGone);
    }
  }

  /** Closes the connections and cancels the calls on them. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  #answer(
    { status, headers, body, isWhole, headMs, totalMs }: RawResponse,
    limit: ByteLimit,
    call: UpstreamCall,
  ): Answer {
    if (isSuccess(status) && !isWhole) {
      const advice = `raise ${limit.setting} if that is meant to be.`;
      const message = `The ${this.api.name} API answered more than ${limit.bytes} bytes: ${advice}`;
      throw new TooLargeError(message, { ...call, status });
    }
    return {
      status,
      contentType: firstValue(headers['content-type']),
      contentEncoding: firstValue(headers['content-encoding']),
      retryAfter: firstValue(headers['retry-after']),
      setCookies: [headers['set-cookie'] ?? []].flat(),
      body,
      headMs,
      totalMs,
    };
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** A response as undici delivers it. */
interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array[];
  /** False when `body` was cut off at the limit. */
  readonly isWhole: boolean;
  /** Milliseconds from sending the request on its connection to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from sending the request on its connection to the end of the response. */
  readonly totalMs: number;
}

/**
 * One call over a pool of connections: dispatches the request, collects the response, and can be cancelled at any time.
 *
 * It uses undici's `dispatch`, which tells when a request leaves the queue for a connection; `request` does not. So the
 * measured times exclude the wait for other calls of this process.
 */
class PendingCall {
  readonly #pool: Pool;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #maxBytes: (status: number) => number;
  #controller: Dispatcher.DispatchController | undefined;
  #rejectPending: ((reason: Error) => void) | undefined;
  #givenUpFor: Error | undefined;

  /** @param maxBytes the maximum size of a response with this status, in bytes */
  constructor(pool: Pool, options: Dispatcher.DispatchOptions, maxBytes: (status: number) => number) {
    this.#pool = pool;
    this.#options = options;
    this.#maxBytes = maxBytes;
  }

  /** Whether the request has left the queue for a connection. */
  get wasSent(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Sends the request. A GET is sent once more when the server closed the connection before any response: that happens to
   * connections that were kept open. A write is never repeated, because upstream may have carried it out.
   *
   * @throws the error of undici, or the reason that `giveUp` was given
   */
  async response(): Promise<RawResponse> {
    const first = await this.#attempt();
    if (!(first instanceof Error)) return first;
    if (this.#options.method !== 'GET' || this.#givenUpFor || !isConnectionClosed(first)) throw first;
    const second = await this.#attempt();
    if (second instanceof Error) throw second;
    return second;
  }

  /** Cancels the call: `response` rejects with the reason at once, and the connection is closed. */
  giveUp(reason: Error): void {
    this.#givenUpFor ??= reason;
    this.#controller?.abort(reason);
    this.#rejectPending?.(reason);
  }

  /**
   * @returns an Error when there was no response
   * @throws when the response broke off
   */
  async #attempt(): Promise<RawResponse | Error> {
    return new Promise((resolve, reject) => {
      this.#rejectPending = reject;
      if (this.#givenUpFor) return reject(this.#givenUpFor);

      let sentAt = 0;
      let head: Pick<RawResponse, 'status' | 'headers' | 'headMs'> | undefined;
      let bytesLeft = 0;
      const body: Uint8Array[] = [];
      const end = (isWhole: boolean) => {
        if (head) resolve({ ...head, body, isWhole, totalMs: performance.now() - sentAt });
      };
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (controller) => {
          this.#controller = controller;
          sentAt = performance.now();
          if (this.#givenUpFor) controller.abort(this.#givenUpFor);
        },
        onResponseStart: (_controller, status, headers) => {
          if (status < 200) return; // an informational status: the response itself follows
          head = { status, headers, headMs: performance.now() - sentAt };
          bytesLeft = this.#maxBytes(status);
        },
        onResponseData: (controller, chunk) => {
          body.push(chunk.subarray(0, bytesLeft));
          bytesLeft -= chunk.length;
          if (bytesLeft >= 0) return;
          end(false);
          controller.abort(new Error('The response is larger than its limit.'));
        },
        onResponseEnd: () => end(true),
        onResponseError: (_controller, error) => {
          if (head) reject(asError(error));
          else resolve(asError(error));
        },
      };
      this.#pool.dispatch(this.#options, handler);
      return undefined;
    });
  }
}
