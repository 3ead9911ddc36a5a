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
  readonly #processor: BatchSpanProcessor;
  readonly #start: (headers: IncomingHttpHeaders) => OperationSpans;
  readonly #passes: boolean;

  constructor(config: OtelSettings, addresses: Addresses, log: Logger) {
    this.#collector = new Collector({ ...collectorOptions(config), ...new CollectorLog(log) });
    this.#processor = new BatchSpanProcessor({
      exporter: this.#collector,
      scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMillis: config.OTEL_BSP_EXPORT_TIMEOUT,
      maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
      maxExportBatchSize: Math.min(config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, config.OTEL_BSP_MAX_QUEUE_SIZE),
    });
    const provider = new TracerProvider({
      resource: resourceOf(config),
      sampler: samplerOf(config),
      spanProcessors: [this.#processor],
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
  }
}

/** Logs that spans cannot be sent, but not for each batch. */
class CollectorLog {
  readonly #log: Logger;
  #hasFailed = false;
  #mayLogAt = -Infinity;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly onFailure = (reason: string): void => {
    if (this.#hasFailed || performance.now() < this.#mayLogAt) return;
    this.#hasFailed = true;
    this.#mayLogAt = performance.now() + LOG_AGAIN_MS;
    this.#log.warn({ reason }, 'the collector takes no spans: they are dropped');
  };

  readonly onSuccess = (): void => {
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#log.info('the collector takes spans again');
  };
}

/** A collector that fails every now and then is logged no more often than this, in milliseconds. */
const LOG_AGAIN_MS = 60_000;

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
