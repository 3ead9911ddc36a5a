import { Counter, Histogram, type Registry } from 'prom-client';
import {
  CallerGoneError,
  ConnectionLostError,
  type GatewayError,
  NotCalledError,
  TooLargeError,
  UnreachableError,
  UpstreamTimeoutError,
} from '../../errors.ts';
import type { BegunCall, CallObservation, CallObserver, EndedCall } from '../../calls/transport/call-observer.ts';

/** Upper bounds in seconds, up to UPSTREAM_TIMEOUT_MS. */
const CALL_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper bounds in seconds, up to half of UPSTREAM_TIMEOUT_MS. The first one holds the calls that did not wait. */
const QUEUE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

const ENDPOINT = ['api', 'method', 'endpoint'] as const;

/** Counts and measures the calls to upstreams. */
export class CallMetrics implements CallObserver {
  readonly #calls: Counter<(typeof ENDPOINT)[number] | 'status'>;
  readonly #seconds: Histogram<(typeof ENDPOINT)[number]>;
  readonly #queueSeconds: Histogram<'api'>;
  readonly #bytes: Counter<(typeof ENDPOINT)[number]>;
  readonly #retries: Counter<'api'>;
  readonly #inFlight = new Map<string, number>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#calls = new Counter({
      name: 'trivium_upstream_calls_total',
      help: 'Calls to an API, by the status of the response or the reason why there is none.',
      labelNames: [...ENDPOINT, 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'trivium_upstream_call_duration_seconds',
      help: 'Time from sending a call on its connection to the end of its response, or to its failure.',
      labelNames: ENDPOINT,
      buckets: CALL_SECONDS,
      registers,
    });
    this.#queueSeconds = new Histogram({
      name: 'trivium_upstream_queue_duration_seconds',
      help: 'Time that a call waited until it was sent on a connection, or given up.',
      labelNames: ['api'],
      buckets: QUEUE_SECONDS,
      registers,
    });
    this.#bytes = new Counter({
      name: 'trivium_upstream_received_bytes_total',
      help: 'Bytes of the bodies of responses.',
      labelNames: ENDPOINT,
      registers,
    });
    this.#retries = new Counter({
      name: 'trivium_upstream_retries_total',
      help: 'Reads that were sent once more because the connection had been closed.',
      labelNames: ['api'],
      registers,
    });
  }

  /** Begins the series of an API with 0: the first event would go unnoticed by a rate otherwise. */
  addApi(api: string): void {
    this.#queueSeconds.zero({ api });
    this.#retries.inc({ api }, 0);
  }

  /** How many calls to an API are under way or wait for a connection. */
  inFlight(api: string): number {
    return this.#inFlight.get(api) ?? 0;
  }

  begin({ api, method, template: endpoint }: BegunCall): CallObservation {
    this.#inFlight.set(api, this.inFlight(api) + 1);
    return {
      end: ({ status, receivedBytes, retries, queueMs, totalMs, error }: EndedCall) => {
        this.#inFlight.set(api, this.inFlight(api) - 1);
        this.#calls.inc({ api, method, endpoint, status: statusLabel(status, error) });
        const wasSent = queueMs < totalMs;
        if (wasSent) this.#seconds.observe({ api, method, endpoint }, (totalMs - queueMs) / 1000);
        this.#queueSeconds.observe({ api }, queueMs / 1000);
        if (receivedBytes > 0) this.#bytes.inc({ api, method, endpoint }, receivedBytes);
        if (retries > 0) this.#retries.inc({ api }, retries);
      },
    };
  }
}

/** Statuses with a label of their own. An upstream may invent others. */
const KNOWN_STATUSES: ReadonlySet<number> = new Set([
  ...[200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 423, 429, 500, 501, 502, 503, 504],
]);

/** Why a call has no whole response, by the class of its error. The first one that fits counts. */
const FAILURES = [
  [CallerGoneError, 'caller_gone'],
  [UpstreamTimeoutError, 'timeout'],
  [NotCalledError, 'not_called'],
  [UnreachableError, 'unreachable'],
  [ConnectionLostError, 'connection_lost'],
  [TooLargeError, 'too_large'],
] as const;

function statusLabel(status: number | undefined, error: GatewayError | undefined): string {
  if (error) return FAILURES.find(([failure]) => error instanceof failure)?.[1] ?? 'failed';
  if (status === undefined) return 'failed';
  if (KNOWN_STATUSES.has(status)) return String(status);
  const hundreds = Math.floor(status / 100);
  return hundreds >= 2 && hundreds <= 5 ? `${hundreds}xx` : 'other';
}
