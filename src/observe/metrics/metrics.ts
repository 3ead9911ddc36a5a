import type { ServerResponse } from 'node:http';
import { Counter, Registry } from 'prom-client';
import type { UpstreamChange } from '../../calls/transport/breaker.ts';
import { CallMetrics } from './call-metrics.ts';
import { OperationMetrics } from './operation-metrics.ts';
import { LagSinceRead, processReadings } from './process-readings.ts';
import { readings, registerReadings, type Sources, textOf } from './readings.ts';

/** The metrics of a process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly operations = new OperationMetrics(this.#registry);
  readonly calls = new CallMetrics(this.#registry);
  readonly #lag = new LagSinceRead();
  readonly #requests = new Counter({
    name: 'trivium_requests_total',
    help: 'Answered requests of GraphQL, by their status.',
    labelNames: ['status'],
    registers: [this.#registry],
  });
  readonly #callersGone = new Counter({
    name: 'trivium_callers_gone_total',
    help: 'Requests of GraphQL whose caller left before the whole answer was sent.',
    registers: [this.#registry],
  });
  readonly #breakerChanges = new Counter({
    name: 'trivium_upstream_breaker_changes_total',
    help: 'How often an API, or one of its endpoints for a credential, was called no more, and was called again.',
    labelNames: ['api', 'scope', 'state'],
    registers: [this.#registry],
  });

  constructor() {
    registerReadings(this.#registry, processReadings, { lag: this.#lag });
  }

  /** Reads figures from these sources from now on. */
  readFrom(sources: Sources): void {
    const { operations, calls } = this;
    for (const { api } of sources.upstreams.figures()) {
      calls.addApi(api);
      for (const state of ['open', 'closed']) {
        for (const scope of ['api', 'endpoint']) this.#breakerChanges.inc({ api, scope, state }, 0);
      }
    }
    registerReadings(this.#registry, readings, { ...sources, operations, calls });
  }

  /** The step of a request that counts it at the end of its response. */
  countEnd<Request, Response extends ServerResponse>(
    request: Request,
    response: Response,
    next: (request: Request, response: Response) => void,
  ): void {
    response.once('close', () => {
      if (response.writableFinished) this.#requests.inc({ status: String(response.statusCode) });
      else this.#callersGone.inc();
    });
    next(request, response);
  }

  countBreakerChange({ api, endpoint, isOpen }: UpstreamChange): void {
    const scope = endpoint === undefined ? 'api' : 'endpoint';
    this.#breakerChanges.inc({ api, scope, state: isOpen ? 'open' : 'closed' });
  }

  /** The metrics in the format of Prometheus. */
  async text(): Promise<string> {
    return textOf(this.#registry);
  }

  close(): void {
    this.#lag.stop();
  }
}
