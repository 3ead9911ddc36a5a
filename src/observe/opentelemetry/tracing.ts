import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { CallObserver } from '../../calls/transport/call-observer.ts';
import { OperationTrace, tracedCode } from '../../calls/transport/call-trace.ts';
import type { OperationObserver } from '../../operation/operation-observer.ts';
import { version } from '../../system.ts';
import { callerSpan } from './caller-trace.ts';
import { type Addresses, hostsOf, processResource, samplerOf } from './from-config.ts';
import { HeldSpans } from './held-spans.ts';
import { OperationSpans } from './operation-spans.ts';
import type { OtelSettings } from './settings.ts';

/** A collector that is away may not delay the end: the exporter would ask it again for as long as a batch may take. */
const LAST_BATCHES_MS = 2_000;

/** Records the operations of a gateway and their calls, and sends them to a collector. */
export class Tracing {
  readonly operations: OperationObserver;
  readonly calls: CallObserver;
  readonly #spans = new WeakMap<OperationTrace, OperationSpans>();
  readonly #held: HeldSpans;
  readonly #processor: BatchSpanProcessor;
  readonly #start: (headers: IncomingHttpHeaders) => OperationSpans;
  readonly #passes: boolean;

  constructor(config: OtelSettings, addresses: Addresses, log: Logger) {
    const maxSpans = config.OTEL_BSP_MAX_QUEUE_SIZE;
    this.#held = new HeldSpans(maxSpans, log);
    this.#processor = new BatchSpanProcessor({
      exporter: this.#held,
      scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMillis: config.OTEL_BSP_EXPORT_TIMEOUT,
      maxQueueSize: maxSpans,
      maxExportBatchSize: Math.min(config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, maxSpans),
    });
    const provider = new TracerProvider({
      resource: processResource(),
      sampler: samplerOf(config),
      spanProcessors: [
        {
          onStart: () => {},
          onEnd: (span) => this.#held.hold() && this.#processor.onEnd(span),
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

  /** Sends the spans that wait. Gives up after a time in milliseconds, LAST_BATCHES_MS at most. */
  async shutdown(timeoutMs: number): Promise<void> {
    const given = setTimeout(Math.min(timeoutMs, LAST_BATCHES_MS), undefined, { ref: false });
    await Promise.race([this.#processor.shutdown().catch(() => {}), given]); // what failed is logged
    this.#held.close();
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
