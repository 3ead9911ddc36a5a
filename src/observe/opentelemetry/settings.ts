import { choice, choices, fraction, httpAddress, oneOf, type ValuesOf, wholeNumber } from '../../config/setting.ts';

const MAX_MS = 600_000;

const protocol = oneOf(['http/protobuf'], 'http/protobuf', 'http/protobuf alone', 'How traces are sent.');

/**
 * The settings of traces, by the names that OpenTelemetry gives them, and one of our own. What else is in `OTEL_EXPORTER_OTLP_*`, the SDK
 * reads itself: docs/settings.md.
 */
export const otelSettings = {
  OTEL_SDK_DISABLED: choice(['false', 'true'], 'false', 'Whether traces are off, whatever the other settings say.'),
  OTEL_TRACES_EXPORTER: choice(
    ['auto', 'otlp', 'none'],
    'auto',
    'Whether traces are sent; auto: to the endpoint of OTLP, if there is one. See docs/tracing.md.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddress(
    'Base address of the collector of traces, such as http://localhost:4318; `/v1/traces` is added.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpAddress('Whole address of the collector, in place of the base address.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_SAMPLER: oneOf(
    [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ],
    'parentbased_always_on',
    'always_on, always_off or traceidratio, or one of these after parentbased_',
    'Sampler: always_on, always_off, traceidratio, or parentbased_ and one of these. See docs/tracing.md.',
  ),
  OTEL_TRACES_SAMPLER_ARG: fraction(1, 'Share of the operations that are traced, for the samplers with traceidratio.'),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(5_000, 1, MAX_MS, 'Time between two batches of spans, in milliseconds.'),
  OTEL_BSP_EXPORT_TIMEOUT: wholeNumber(
    30_000,
    1,
    MAX_MS,
    'Time after which the next batch does not wait for one that is being sent, in milliseconds.',
  ),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(
    2_048,
    1,
    100_000,
    'Maximum number of spans that are held, those being sent included; further ones are dropped.',
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(512, 1, 10_000, 'Maximum number of spans in a batch.'),
  OTEL_PROPAGATORS: choices(
    ['tracecontext', 'baggage', 'none'],
    ['tracecontext', 'baggage'],
    'Headers by which traces of callers go on; tracecontext: traceparent, tracestate. baggage has no effect.',
  ),
  PASS_TRACE_CONTEXT: choice(
    ['false', 'true'],
    'false',
    'Whether calls to upstreams carry traceparent and tracestate, where traces are on.',
  ),
};

export type OtelSettings = ValuesOf<typeof otelSettings>;
