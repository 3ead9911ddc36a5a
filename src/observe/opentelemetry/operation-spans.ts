import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { BegunCall, CallObservation, EndedCall } from '../../calls/transport/call-observer.ts';
import type { OperationTrace } from '../../calls/transport/call-trace.ts';
import type { EndedOperation } from '../../operation/operation-observer.ts';
import { traceHeaders } from './caller-trace.ts';

/** The names of all attributes of spans. The conventions of OpenTelemetry give those that do not begin with `trivium`. */
export const ATTRIBUTES = {
  operationType: 'graphql.operation.type',
  /** A text of the caller. */
  operationName: 'graphql.operation.name',
  errors: 'trivium.errors',
  upstreamCalls: 'trivium.upstream_calls',
  parentType: 'trivium.field.parent_type',
  fieldName: 'trivium.field.name',
  api: 'trivium.api',
  queueMs: 'trivium.queue_ms',
  method: 'http.request.method',
  resendCount: 'http.request.resend_count',
  status: 'http.response.status_code',
  bodySize: 'http.response.body.size',
  template: 'url.template',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  errorType: 'error.type',
} as const;

/** Longer names of operations are cut. */
const MAX_NAME_LENGTH = 100;

/** The codes of errors that are the caller's: they leave the status of an operation unset, as those of HTTP below 500 do. */
const CALLERS_ERRORS: ReadonlySet<string> = new Set([
  'BAD_USER_INPUT',
  'CALLER_GONE',
  'FORBIDDEN',
  'GRAPHQL_VALIDATION_FAILED',
  'QUERY_LIMIT_EXCEEDED',
  'UNAUTHENTICATED',
]);

/** The span of a field that called upstreams. */
interface FieldSpan {
  readonly span: Span;
  readonly context: Context;
  /** How many of its calls are under way. */
  calls: number;
  /** When its last call ended. */
  endedAt: number;
}

interface OperationSpansOptions {
  readonly tracer: Tracer;
  /** The span of the caller. */
  readonly parent: SpanContext | undefined;
  /** Whether upstreams get the headers of the trace. */
  readonly passes: boolean;
  /** The hosts of the APIs, by their names. */
  readonly hosts: ReadonlyMap<string, Attributes>;
}

/** The spans of one operation: its own, one for each field that called an upstream, and one for each call. */
export class OperationSpans {
  /** Whether the sampler has chosen the operation. */
  readonly isRecorded: boolean;
  readonly #options: OperationSpansOptions;
  readonly #span: Span;
  readonly #context: Context;
  /** By response path, which may hold aliases of the caller: it is not exported. */
  readonly #fields = new Map<string, FieldSpan>();
  /** Added to `performance.now()` it makes a time of the clock. */
  readonly #epoch = Date.now() - performance.now();
  #hasEnded = false;

  constructor(options: OperationSpansOptions) {
    const { tracer, parent } = options;
    this.#options = options;
    const outer = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    this.#span = tracer.startSpan('GraphQL Operation', { kind: SpanKind.SERVER, startTime: this.#now() }, outer);
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span);
    this.isRecorded = this.#span.isRecording();
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  /** Names the operation. */
  begin(type: string | undefined, name: string | undefined): void {
    if (type !== undefined) this.#span.updateName(type).setAttribute(ATTRIBUTES.operationType, type);
    if (name !== undefined) this.#span.setAttribute(ATTRIBUTES.operationName, name.slice(0, MAX_NAME_LENGTH));
  }

  /**
   * Begins a call.
   *
   * @param paths the response paths of the fields that it is for. Its span is a child of the first one's
   */
  beginCall(call: BegunCall, operation: OperationTrace, paths: ReadonlySet<string>): CallObservation | undefined {
    const { tracer, passes, hosts } = this.#options;
    if (!this.isRecorded) {
      return passes ? { headers: traceHeaders(this.#span.spanContext()), end: () => {} } : undefined;
    }
    const field = this.#fieldSpan(operation, paths);
    if (field) field.calls += 1;
    const attributes = {
      [ATTRIBUTES.api]: call.api,
      [ATTRIBUTES.method]: call.method,
      [ATTRIBUTES.template]: call.template,
      ...hosts.get(call.api),
    };
    const options = { kind: SpanKind.CLIENT, startTime: this.#now(), attributes };
    const span = tracer.startSpan(`${call.method} ${call.template}`, options, field?.context ?? this.#context);
    return {
      headers: passes ? traceHeaders(span.spanContext()) : undefined,
      end: (ended) => {
        const now = this.#now();
        describeEnd(span, ended);
        span.end(now);
        if (field) this.#endCall(field, now);
      },
    };
  }

  /** Ends the span of the operation, and those of its fields: those with a call under way end with it. */
  end({ errors, upstreamCalls }: EndedOperation): void {
    this.#hasEnded = true;
    const codes = Object.keys(errors);
    const count = Object.values(errors).reduce((sum, number) => sum + number, 0);
    this.#span.setAttributes({ [ATTRIBUTES.upstreamCalls]: upstreamCalls, [ATTRIBUTES.errors]: count });
    const failure = codes.find((code) => !CALLERS_ERRORS.has(code));
    if (failure !== undefined) fail(this.#span, failure);
    for (const field of this.#fields.values()) if (field.calls === 0) field.span.end(field.endedAt);
    this.#span.end(this.#now());
  }

  #endCall(field: FieldSpan, now: number): void {
    field.calls -= 1;
    field.endedAt = now;
    if (this.#hasEnded && field.calls === 0) field.span.end(now);
  }

  #fieldSpan(operation: OperationTrace, [path]: Iterable<string>): FieldSpan | undefined {
    const known = path === undefined ? undefined : this.#fields.get(path);
    const field = path === undefined ? undefined : operation.field(path);
    if (known || path === undefined || !field) return known;
    const { parentType, name, beganAt } = field;
    const startTime = beganAt + this.#epoch;
    const attributes = { [ATTRIBUTES.parentType]: parentType, [ATTRIBUTES.fieldName]: name };
    const span = this.#options.tracer.startSpan(`${parentType}.${name}`, { startTime, attributes }, this.#context);
    const made = { span, context: trace.setSpan(ROOT_CONTEXT, span), calls: 0, endedAt: startTime };
    this.#fields.set(path, made);
    return made;
  }

  #now(): number {
    return performance.now() + this.#epoch;
  }
}

function describeEnd(span: Span, { status, receivedBytes, retries, queueMs, error }: EndedCall): void {
  span.setAttribute(ATTRIBUTES.queueMs, Math.round(queueMs));
  if (retries > 0) span.setAttribute(ATTRIBUTES.resendCount, retries);
  if (status !== undefined) span.setAttributes({ [ATTRIBUTES.status]: status, [ATTRIBUTES.bodySize]: receivedBytes });
  if (error) fail(span, error.code);
  else if (status !== undefined && status >= 400) fail(span, String(status));
}

/** Marks a span as failed. It gets no message: one could hold a text of an upstream. */
function fail(span: Span, type: string): void {
  span.setAttribute(ATTRIBUTES.errorType, type).setStatus({ code: SpanStatusCode.ERROR });
}
