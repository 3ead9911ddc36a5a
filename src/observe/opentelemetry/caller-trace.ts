import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent, TraceState } from '@opentelemetry/core';

/** The headers of W3C Trace Context. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** A longer `traceparent` is none: that of the present version has 55 characters. */
const MAX_PARENT_LENGTH = 256;

/** A longer `tracestate` is left out: the standard promises this length, and each span keeps it. */
const MAX_STATE_LENGTH = 512;

/** Reads the span that a caller names as the parent. Undefined for none, and for headers that the standard does not allow. */
export function callerSpan({ traceparent, tracestate = '' }: TraceHeaders): SpanContext | undefined {
  if (traceparent === undefined || traceparent.length > MAX_PARENT_LENGTH) return undefined;
  const span = parseTraceParent(traceparent);
  if (!span) return undefined;
  const hasState = tracestate !== '' && tracestate.length <= MAX_STATE_LENGTH;
  return { ...span, isRemote: true, ...(hasState && { traceState: new TraceState(tracestate) }) };
}

/** The headers by which an upstream can continue a trace below a span. */
export function traceHeaders({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const isSampled = traceFlags === TraceFlags.SAMPLED; // spans of this process have no other flag
  const state = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
    ...(state !== '' && { tracestate: state }),
  };
}
