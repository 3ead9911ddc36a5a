import { Pool } from 'undici';
import type { Body } from '../formats/format.ts';
import type { Api } from './api.ts';
import {
  CallerGoneError,
  TooLargeError,
  UnreachableError,
  UpstreamTimeoutError,
  type UpstreamCall,
} from '../errors.ts';
import { networkFailure, unknownOutcomeNotice } from './network-failure.ts';
import { PendingCall, type RawResponse } from './pending-call.ts';

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
