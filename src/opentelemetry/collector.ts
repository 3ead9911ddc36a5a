import { setTimeout as delay } from 'node:timers/promises';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { Pool } from 'undici';
import { errorCode } from '../process/system.ts';

interface CollectorOptions {
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Time for a batch, further attempts included, in milliseconds. */
  readonly timeoutMs: number;
  /** The maximum number of spans that are held, those of batches under way included. */
  readonly maxSpans: number;
  /** Called with the number of spans that are dropped, and a reason that holds nothing that the collector has sent. */
  readonly onDrop: (spans: number, reason: string) => void;
  readonly onSuccess: () => void;
}

/** A batch was not taken. */
class RefusedBatch extends Error {
  /** Whether the collector may take it later. */
  readonly isPassing: boolean;
  /** Milliseconds after which it wants to be asked again. */
  readonly retryMs: number | undefined;

  constructor(message: string, isPassing: boolean, retryMs?: number) {
    super(message);
    this.isPassing = isPassing;
    this.retryMs = retryMs;
  }
}

/** As much of an answer is read, so that the connection can be used again. Else it is closed. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The statuses of a collector that may take the batch later: OTLP names them. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The wait before the second attempt, in milliseconds. It doubles with each further one. */
const FIRST_WAIT_MS = 1_000;

/**
 * Sends batches of spans to a collector by OTLP over HTTP, and limits the number of spans that are held. One deadline covers all of a
 * batch: connection, answer, and further attempts. Of an answer only the status and `Retry-After` are read, and redirects are not followed.
 */
export class Collector implements SpanExporter {
  readonly #options: CollectorOptions;
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;
  /** Ends the waits for further attempts. */
  readonly #finishing = new AbortController();
  /** The batches under way, and what ends each of them. */
  readonly #underWay = new Map<Promise<void>, AbortController>();
  #spans = 0;

  constructor(options: CollectorOptions) {
    const { url, headers, protocol, timeoutMs } = options;
    this.#options = options;
    this.#pool = new Pool(url.origin, { connections: 4, connect: { timeout: timeoutMs } });
    const contentType = protocol === 'http/json' ? 'application/json' : 'application/x-protobuf';
    const given = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    this.#headers = { ...Object.fromEntries(given), 'content-type': contentType };
  }

  /** Counts a span that is to be exported. @returns whether there is room for it; else it is dropped */
  hold(): boolean {
    const hasRoom = this.#spans < this.#options.maxSpans;
    if (hasRoom) this.#spans += 1;
    else this.#options.onDrop(1, 'it takes fewer spans than there are');
    return hasRoom;
  }

  /** Sends a batch of spans that are held. Never throws: a batch that cannot be sent is dropped. */
  export(spans: ReadableSpan[], report: (result: ExportResult) => void): void {
    const ending = new AbortController();
    const deadline = setTimeout(() => ending.abort(), this.#options.timeoutMs);
    const sending = this.#exported(spans, ending.signal).then((code) => report({ code }));
    this.#underWay.set(sending, ending);
    void sending.finally(() => {
      clearTimeout(deadline);
      this.#spans -= spans.length;
      this.#underWay.delete(sending);
    });
  }

  /** Makes the attempts that are under way the last ones. */
  finish(): void {
    this.#finishing.abort();
  }

  /** Gives up the batches that are under way. */
  abort(): void {
    for (const ending of this.#underWay.values()) ending.abort();
  }

  /** Waits for the batches that are under way, and closes the connections. */
  async shutdown(): Promise<void> {
    await Promise.all(this.#underWay.keys());
    await this.#pool.destroy();
  }

  async #exported(spans: ReadableSpan[], signal: AbortSignal): Promise<ExportResultCode> {
    const { timeoutMs, onDrop, onSuccess } = this.#options;
    try {
      await this.#send(spans, signal);
    } catch (error) {
      const reason = error instanceof RefusedBatch ? error.message : `it did not answer within ${timeoutMs / 1000} s`;
      onDrop(spans.length, reason);
      return ExportResultCode.FAILED;
    }
    onSuccess();
    return ExportResultCode.SUCCESS;
  }

  async #send(spans: ReadableSpan[], signal: AbortSignal): Promise<void> {
    const { protocol, timeoutMs } = this.#options;
    const body = (protocol === 'http/json' ? JsonTraceSerializer : ProtobufTraceSerializer).serializeRequest(spans);
    const end = performance.now() + timeoutMs;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      const refusal = await this.#attempt(body, signal);
      if (!refusal) return;
      const ms = refusal.retryMs ?? waitMs * (0.8 + 0.4 * Math.random());
      if (!refusal.isPassing || performance.now() + ms > end) throw refusal;
      await delay(ms, undefined, { signal: this.#finishing.signal }).catch(() => {
        throw refusal;
      });
    }
  }

  /** @returns why the batch was not taken; undefined when it was */
  async #attempt(body: Uint8Array | undefined, signal: AbortSignal): Promise<RefusedBatch | undefined> {
    const { pathname } = this.#options.url;
    const request = { method: 'POST', path: pathname, headers: this.#headers, body: body ?? null, signal } as const;
    const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }; // the signal is the deadline, of each byte too
    try {
      const { statusCode, headers, body: answer } = await this.#pool.request({ ...request, ...noTimeouts });
      await answer.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => {}); // the status has said it all
      if (statusCode >= 200 && statusCode < 300) return undefined;
      const retryMs = retryAfterMs(headers['retry-after']);
      return new RefusedBatch(`it answers ${statusCode}`, PASSING_STATUSES.has(statusCode), retryMs);
    } catch (error) {
      if (signal.aborted) throw error;
      return new RefusedBatch(networkReason(error), true);
    }
  }
}

/** The code of an error of the network: `ECONNREFUSED`, `ERR_SSL_SSL/TLS_ALERT_…`. Its message may hold a header. */
function networkReason(error: unknown): string {
  const code = errorCode(error) ?? '';
  return /^[A-Z0-9_/]{1,60}$/.test(code) ? code : 'the connection failed';
}

/** Reads `Retry-After` in seconds. */
function retryAfterMs(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : undefined;
}
