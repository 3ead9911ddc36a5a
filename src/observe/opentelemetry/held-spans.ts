import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** The interval of the lines that count dropped spans, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/**
 * The exporter of the SDK, with a bound on all spans that are held: those that wait, and those of batches under way. Spans that are
 * dropped are counted in the log: at once, and then once a minute, with a reason that holds nothing that the collector has sent.
 */
export class HeldSpans implements SpanExporter {
  readonly #exporter = new OTLPTraceExporter();
  readonly #maxSpans: number;
  readonly #log: Logger;
  #held = 0;
  #dropped = 0;
  #reason = '';
  #hasFailed = false;
  /** Undefined while no spans are dropped. */
  #timer: NodeJS.Timeout | undefined;

  constructor(maxSpans: number, log: Logger) {
    this.#maxSpans = maxSpans;
    this.#log = log;
  }

  /** Counts a span that is to be exported. @returns whether there is room for it; else it is dropped */
  hold(): boolean {
    const hasRoom = this.#held < this.#maxSpans;
    if (hasRoom) this.#held += 1;
    else this.#drop(1, 'it takes fewer spans than there are');
    return hasRoom;
  }

  export(spans: ReadableSpan[], report: (result: ExportResult) => void): void {
    this.#exporter.export(spans, ({ code, error }) => {
      this.#held -= spans.length;
      if (code === ExportResultCode.SUCCESS) this.#succeed();
      else this.#drop(spans.length, reasonOf(error));
      report({ code });
    });
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  /** Logs what was not logged yet. Spans that are still held are dropped. */
  close(): void {
    if (this.#held > 0) this.#drop(this.#held, 'it did not take them before the end');
    if (this.#dropped > 0) this.#write();
    clearInterval(this.#timer);
  }

  #succeed(): void {
    if (!this.#hasFailed || this.#dropped > 0) return; // the next line counts them
    this.#hasFailed = false;
    this.#log.info('the collector takes spans again');
  }

  #drop(spans: number, reason: string): void {
    this.#dropped += spans;
    this.#reason = reason;
    this.#hasFailed = true;
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#write(), LOG_EVERY_MS).unref();
    this.#write();
  }

  #write(): void {
    if (this.#dropped === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const [dropped, reason] = [this.#dropped, this.#reason];
    this.#dropped = 0;
    this.#log.warn({ dropped, reason }, 'the collector takes no spans: they are dropped');
  }
}

/** Says why a batch was not taken: by a status, or by a code such as `ECONNREFUSED`. A message may hold what the collector has sent. */
function reasonOf(error: Error | undefined): string {
  const code: unknown = error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `it answers ${code}`;
  return typeof code === 'string' && /^[A-Z0-9_/]{1,60}$/.test(code) ? code : 'it did not take them in time';
}
