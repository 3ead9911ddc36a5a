import type { IncomingHttpHeaders } from 'node:http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { CallObserver } from '../http/transport/call-observer.ts';
import { OperationTrace, tracedCode } from '../http/transport/call-trace.ts';
import type { OperationObserver } from '../operation/operation-observer.ts';
import { version } from '../process/system.ts';
import { callerSpan } from './caller-trace.ts';
import { Collector } from './collector.ts';
import { type Addresses, collectorOptions, hostsOf, resourceOf, samplerOf } from './from-config.ts';
import { OperationSpans } from './operation-spans.ts';
import type { OtelSettings } from './settings.ts';

/** Records the operations of a gateway and their calls, and sends them to a collector. */
export class Tracing {
  readonly operations: OperationObserver;
  readonly calls: CallObserver;
  readonly #spans = new WeakMap<OperationTrace, OperationSpans>();
  readonly #collector: Collector;
  readonly #log: CollectorLog;
  readonly #processor: BatchSpanProcessor;
  readonly #start: (headers: IncomingHttpHeaders) => OperationSpans;
  readonly #passes: boolean;

  constructor(config: OtelSettings, addresses: Addresses, log: Logger) {
    const maxSpans = config.OTEL_BSP_MAX_QUEUE_SIZE;
    this.#log = new CollectorLog(log);
    const { onDrop, onSuccess } = this.#log;
    this.#collector = new Collector({ ...collectorOptions(config), maxSpans, onDrop, onSuccess });
    this.#processor = new BatchSpanProcessor({
      exporter: this.#collector,
      scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMillis: config.OTEL_BSP_EXPORT_TIMEOUT,
      maxQueueSize: maxSpans,
      maxExportBatchSize: Math.min(config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, maxSpans),
    });
    const provider = new TracerProvider({
      resource: resourceOf(config),
      sampler: samplerOf(config),
      spanProcessors: [
        {
          onStart: () => {},
          onEnd: (span) => this.#collector.hold() && this.#processor.onEnd(span),
          forceFlush: () => this.#processor.forceFlush(),
          shutdown: () => this.#processor.shutdown(),
        },
      ],
    });
    const tracer = provider.getTracer('trivium', version());
    const hosts = hostsOf(addresses);
    const passes = config.PASS_TRACE_CONTEXT === 'true';
    const readsHeaders = config.OTEL_PROPAGATORS.includes('tracecontext');
    this.#passes = passes;
    this.#start = ({ traceparent, tracestate }) => {
      const parent = readsHeaders
        ? callerSpan({ traceparent: one(traceparent), tracestate: one(tracestate) })
        : undefined;
      return new OperationSpans({ tracer, parent, passes, hosts });
    };
    this.operations = {
      begin: ({ name, type, context }) => {
        const spans = context.trace && this.#spans.get(context.trace);
        spans?.begin(type, name);
        return (
          spans && {
            traceId: spans.traceId,
            run: (execute) => context.trace?.run(execute) ?? execute(),
            end: (ended) => spans.end(ended),
          }
        );
      },
    };
    this.calls = {
      begin: (call) => {
        const code = tracedCode();
        return code && this.#spans.get(code.trace)?.beginCall(call, code.trace, code.paths);
      },
    };
  }

  /** Starts the trace of an operation. @see StartTrace */
  readonly startTrace = (headers: IncomingHttpHeaders, hasFields: boolean): OperationTrace | undefined => {
    const spans = this.#start(headers);
    if (!spans.isRecorded && !this.#passes) return undefined;
    const trace = new OperationTrace(hasFields || spans.isRecorded);
    this.#spans.set(trace, spans);
    return trace;
  };

  /** Sends the spans that wait. Gives up after a time in milliseconds. */
  async shutdown(timeoutMs: number): Promise<void> {
    this.#collector.finish();
    const timer = setTimeout(() => this.#collector.abort(), timeoutMs);
    await this.#processor.shutdown().catch(() => {}); // the collector has logged it
    await this.#collector.shutdown();
    clearTimeout(timer);
    this.#log.close();
  }
}

/** Logs the number of spans that were dropped: at once, and then once a minute. */
class CollectorLog {
  readonly #log: Logger;
  #dropped = 0;
  #reason = '';
  #hasFailed = false;
  /** Undefined while no spans are dropped. */
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly onDrop = (spans: number, reason: string): void => {
    this.#dropped += spans;
    this.#reason = reason;
    this.#hasFailed = true;
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#write(), LOG_EVERY_MS).unref();
    this.#write();
  };

  readonly onSuccess = (): void => {
    if (!this.#hasFailed || this.#dropped > 0) return; // the next line counts them
    this.#hasFailed = false;
    this.#log.info('the collector takes spans again');
  };

  /** Logs what was not logged yet. */
  close(): void {
    if (this.#dropped > 0) this.#write();
    clearInterval(this.#timer);
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

/** The interval of the lines that count dropped spans, in milliseconds. */
const LOG_EVERY_MS = 60_000;

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
