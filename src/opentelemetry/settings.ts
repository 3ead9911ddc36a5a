import {
  choice,
  choices,
  fraction,
  httpAddress,
  oneOf,
  pairs,
  text,
  type ValuesOf,
  wholeNumber,
} from '../config/setting.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

const MAX_TIMEOUT_MS = 600_000;

/** The settings of traces, by the names that OpenTelemetry gives them, and one of our own. */
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
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(PROTOCOLS, 'http/protobuf', 'How traces are sent.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: choice(
    ['auto', ...PROTOCOLS],
    'auto',
    'In its place, for traces; auto: as it says.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs('Headers for the collector, name=value, separated by commas. Never shown.'),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs('Further headers for the collector. Never shown.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(
    10_000,
    1,
    MAX_TIMEOUT_MS,
    'Deadline for one batch of spans, further attempts included, in milliseconds.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: wholeNumber(
    0,
    0,
    MAX_TIMEOUT_MS,
    'In place of OTEL_EXPORTER_OTLP_TIMEOUT, for traces; 0: not in its place.',
  ),
  OTEL_SERVICE_NAME: text(
    '',
    'Name of the service in traces; by default that of OTEL_RESOURCE_ATTRIBUTES, or trivium.',
  ),
  OTEL_RESOURCE_ATTRIBUTES: pairs('Attributes of this process in traces, name=value, separated by commas.'),
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
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(5_000, 1, MAX_TIMEOUT_MS, 'Time between two batches of spans, in milliseconds.'),
  OTEL_BSP_EXPORT_TIMEOUT: wholeNumber(
    30_000,
    1,
    MAX_TIMEOUT_MS,
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
