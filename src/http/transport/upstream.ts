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
import { networkFailure, unknownOutcomeNotice, wasNeverAnswered } from './network-failure.ts';

export interface UpstreamOptions {
  /** Base address; without one, every call is an `UnreachableError` that names the setting. */
  readonly url: URL | undefined;
  /** One deadline over waiting for a connection, connecting, headers and body, a retry included. */
  readonly timeoutMs: number;
  /** Connections to the origin; a call beyond them waits, within its deadline. */
  readonly connections: number;
}

/** How much of an answer is read, and which setting says so. */
export interface ByteLimit {
  readonly bytes: number;
  readonly setting: string;
}

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below the base address, encoded, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether it changes nothing upstream, whatever its method. */
  readonly isRead: boolean;
  readonly limit: ByteLimit;
}

export interface Answer extends Body {
  readonly status: number;
  readonly retryAfter: string;
  /** Each `Set-Cookie` header. */
  readonly setCookies: readonly string[];
  /** From the sending of the request, on a connection of its own, to the head of the answer. */
  readonly headMs: number;
  /** From the sending of the request to the end of the answer. */
  readonly totalMs: number;
}

const CALLER_GONE = 'The caller has closed the connection.';

/** A refusal is read for its message only: more of it is cut off. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * One upstream API over HTTP/1.1, for the life of the process: its address and its connections. It knows no
 * caller and no credential. It follows no redirect and asks for no compression.
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
    // undici's own time-outs cover neither a call that waits for a connection nor a body that trickles: off.
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
    this.#pool = url && new Pool(url.origin, { connections, connectTimeout: timeoutMs, ...noTimeouts });
  }

  /**
   * Sends one request and reads its response, within the deadline.
   *
   * @param gone aborted when the caller has left: a read is given up then, and so is a write that is still waiting for a
   *   connection; a write that was sent goes on
   * @throws GatewayError for a failure of the network, a deadline, or a response that is too large
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
    const deadline = setTimeout(() => {
      const seconds = this.#options.timeoutMs / 1000;
      const message = `The ${this.api.name} API did not answer within ${seconds} s.${unknownOutcomeNotice(call.endpoint)}`;
      pending.giveUp(new UpstreamTimeoutError(message, call));
    }, this.#options.timeoutMs);
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

  /** Ends the connections, and with them the calls that nobody waits for any more. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  #answer(
    { status, headers, body, isWhole, headMs, totalMs }: RawResponse,
    limit: ByteLimit,
    call: UpstreamCall,
  ): Answer {
    if (isSuccess(status) && !isWhole) {
      const advice = `raise ${limit.setting} if that is meant to be.${unknownOutcomeNotice(call.endpoint)}`;
      const message = `The ${this.api.name} API answered more than ${limit.bytes} bytes: ${advice}`;
      throw new TooLargeError(message, { ...call, status });
    }
    return {
      status,
      contentType: header(headers['content-type']),
      contentEncoding: header(headers['content-encoding']),
      retryAfter: header(headers['retry-after']),
      setCookies: [headers['set-cookie'] ?? []].flat(),
      body,
      headMs,
      totalMs,
    };
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function header(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** A response as it came over the network. */
interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array[];
  /** Whether `body` is all of it, and not cut off at the limit. */
  readonly isWhole: boolean;
  /** Milliseconds from the sending of the request, on a connection of its own, to the head of the response. */
  readonly headMs: number;
  /** Milliseconds from the sending of the request to the end of the response. */
  readonly totalMs: number;
}

/**
 * One call over a pool of connections: dispatches the request, collects the response, and can be given up at any time.
 *
 * undici's `dispatch` tells when a request leaves the queue for a connection, which its `request` does not: what a call
 * is seen to take holds none of the time that it waited for others of this process.
 */
class PendingCall {
  readonly #pool: Pool;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #maxBytes: (status: number) => number;
  #controller: Dispatcher.DispatchController | undefined;
  #giveUp: ((reason: Error) => void) | undefined;
  #givenUpFor: Error | undefined;

  /** @param maxBytes how much of a response of this status is read */
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
   * Sends the request. A GET whose connection was closed before anything came back, as happens to one that was kept open,
   * is sent once more; a write never is, for it may have been carried out.
   *
   * @throws the error of undici, or the reason for which the call was given up
   */
  async response(): Promise<RawResponse> {
    const first = await this.#attempt();
    if (!(first instanceof Error)) return first;
    if (this.#options.method !== 'GET' || this.#givenUpFor || !wasNeverAnswered(first)) throw first;
    const second = await this.#attempt();
    if (second instanceof Error) throw second;
    return second;
  }

  /** Ends the call: `response` rejects with the reason at once, and the connection is closed. */
  giveUp(reason: Error): void {
    this.#givenUpFor ??= reason;
    this.#controller?.abort(reason);
    this.#giveUp?.(reason);
  }

  /** @returns an Error where nothing came back; @throws where the response broke off */
  async #attempt(): Promise<RawResponse | Error> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      if (this.#givenUpFor) return reject(this.#givenUpFor);

      let sentAt = 0;
      let head: Pick<RawResponse, 'status' | 'headers' | 'headMs'> | undefined;
      let left = 0;
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
          if (status < 200) return; // informational: the response is still to come
          head = { status, headers, headMs: performance.now() - sentAt };
          left = this.#maxBytes(status);
        },
        onResponseData: (controller, chunk) => {
          body.push(chunk.subarray(0, left));
          left -= chunk.length;
          if (left >= 0) return;
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
