import { Pool } from 'undici';
import type { Api } from './api.ts';
import { TooLargeError, UnreachableError, UpstreamTimeoutError, type UpstreamCall } from './errors.ts';
import { networkFailure, unsure, wasNeverAnswered } from './network-failure.ts';
import { ReadCost } from './read-cost.ts';

export interface UpstreamOptions {
  /** Base address; without one, every call is an `UnreachableError` that names the setting. */
  readonly url: URL | undefined;
  /** One deadline over waiting for a connection, connecting, headers and body, a retry included. */
  readonly timeoutMs: number;
  /** Connections to the origin; a call beyond them waits, within its deadline. */
  readonly connections: number;
  /** Reads by id that one operation has under way at once. */
  readonly readsAtOnce: number;
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
  readonly limit: ByteLimit;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly retryAfter: string;
  /** Each `Set-Cookie` header. */
  readonly setCookies: readonly string[];
  /** As it came, piece by piece: a long list is never joined, and used up by being parsed. */
  readonly body: Uint8Array[];
  /** From the request to the head of the answer. */
  readonly headMs: number;
}

/** A refusal is read for its message only: more of it is cut off. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * One upstream API over HTTP/1.1, for the life of the process: its address and its connections. It knows no
 * caller and no credential. It follows no redirect and asks for no compression.
 */
export class Upstream {
  readonly api: Api;
  /** How many reads by id one operation has under way at once. */
  readonly readsAtOnce: number;
  /** What reading from it has been seen to cost. */
  readonly reads: ReadCost;
  readonly #options: UpstreamOptions;
  readonly #base: string;
  readonly #pool: Pool | undefined;

  constructor(api: Api, options: UpstreamOptions) {
    const { url, connections, timeoutMs } = options;
    this.api = api;
    this.readsAtOnce = options.readsAtOnce;
    this.reads = new ReadCost(options.readsAtOnce);
    this.#options = options;
    this.#base = url?.pathname.replace(/\/$/, '') ?? '';
    // undici's own time-outs cover neither a call that waits for a connection nor a body that trickles: off.
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
    this.#pool = url && new Pool(url.origin, { connections, connectTimeout: timeoutMs, ...noTimeouts });
  }

  /** Sends one request and reads its whole answer. */
  async send(request: Outgoing, call: UpstreamCall): Promise<Answer> {
    const pool = this.#pool;
    if (!pool) throw new UnreachableError(`The ${this.api.name} API has no address: set ${this.api.setting}.`, call);

    return this.#withinDeadline(call, (signal) => this.#exchange(pool, request, call, signal));
  }

  /** Ends the connections, and with them the calls that nobody waits for any more. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  async #withinDeadline<T>(call: UpstreamCall, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const seconds = this.#options.timeoutMs / 1000;
        const message = `The ${this.api.name} API did not answer within ${seconds} s.${unsure(call.endpoint)}`;
        reject(new UpstreamTimeoutError(message, call));
        abort.abort();
      }, this.#options.timeoutMs);
    });
    try {
      return await Promise.race([run(abort.signal), deadline]);
    } catch (error) {
      throw networkFailure(error, this.api, call);
    } finally {
      clearTimeout(timer);
    }
  }

  async #exchange(pool: Pool, request: Outgoing, call: UpstreamCall, signal: AbortSignal): Promise<Answer> {
    const { method, headers, body, target, limit } = request;
    const options = { method, path: `${this.#base}${target}`, headers, body, signal };
    const sent = performance.now();
    const answer = await pool.request(options).catch((error: unknown) => {
      // The connection was closed before anything came back, as happens to one that was kept: a GET is sent once
      // more. A write never is, for it may have been carried out.
      if (method !== 'GET' || signal.aborted || !wasNeverAnswered(error)) throw error;
      return pool.request(options);
    });
    const headMs = performance.now() - sent;
    const ok = answer.statusCode >= 200 && answer.statusCode < 300;
    const { chunks, whole } = await readUpTo(ok ? limit.bytes : MAX_REFUSAL_BYTES, answer.body);
    if (ok && !whole) {
      const advice = `raise ${limit.setting} if that is meant to be.${unsure(call.endpoint)}`;
      const message = `The ${this.api.name} API answered more than ${limit.bytes} bytes: ${advice}`;
      throw new TooLargeError(message, { ...call, status: answer.statusCode });
    }
    return {
      status: answer.statusCode,
      contentType: header(answer.headers['content-type']),
      contentEncoding: header(answer.headers['content-encoding']),
      retryAfter: header(answer.headers['retry-after']),
      setCookies: [answer.headers['set-cookie'] ?? []].flat(),
      body: chunks,
      headMs,
    };
  }
}

function header(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

async function readUpTo(max: number, body: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  let left = max;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left < 0) break; // leaving the loop destroys the body, and with it the connection: no more is read
  }
  return { chunks, whole: left >= 0 };
}
