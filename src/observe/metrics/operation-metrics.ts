import { Counter, Histogram, type Registry } from 'prom-client';
import type {
  BegunOperation,
  EndedOperation,
  OperationObservation,
  OperationObserver,
} from '../../operation/operation-observer.ts';
import { FirstNames } from './first-names.ts';

/** The number of names whose operations have series of their own. */
const MAX_NAMES = 50;

/** The codes of errors are our own: this is a second safeguard. */
const MAX_CODES = 50;

/** Upper bounds in seconds, from a small operation without a call to OPERATION_TIMEOUT_MS. */
const SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts operations and their errors, and measures how long they take. */
export class OperationMetrics implements OperationObserver {
  readonly #operations: Counter<'operation' | 'type' | 'outcome'>;
  readonly #seconds: Histogram<'operation' | 'type'>;
  readonly #errors: Counter<'code'>;
  readonly #refused: Counter<'code'>;
  readonly #names = new FirstNames(MAX_NAMES);
  readonly #codes = new FirstNames(MAX_CODES);
  #inFlight = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#operations = new Counter({
      name: 'trivium_operations_total',
      help: 'Operations that were executed.',
      labelNames: ['operation', 'type', 'outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'trivium_operation_duration_seconds',
      help: 'Time from the begin of the execution to the complete response.',
      labelNames: ['operation', 'type'],
      buckets: SECONDS,
      registers,
    });
    this.#errors = new Counter({
      name: 'trivium_operation_errors_total',
      help: 'Errors in the responses of operations.',
      labelNames: ['code'],
      registers,
    });
    this.#refused = new Counter({
      name: 'trivium_operations_refused_total',
      help: 'Errors of operations that were refused before their execution.',
      labelNames: ['code'],
      registers,
    });
  }

  /** How many operations are executed at the moment. */
  get inFlight(): number {
    return this.#inFlight;
  }

  begin({ name, type: known, isTrusted }: BegunOperation): OperationObservation {
    const type = known ?? 'unknown';
    const operation = name === undefined ? 'anonymous' : this.#names.labelOf(name, isTrusted);
    const start = performance.now();
    this.#inFlight += 1;
    return {
      end: (ended) => {
        this.#inFlight -= 1;
        this.#operations.inc({ operation, type, outcome: outcomeOf(ended) });
        this.#seconds.observe({ operation, type }, (performance.now() - start) / 1000);
        this.#count(this.#errors, ended.errors);
      },
    };
  }

  refuse(errors: Readonly<Record<string, number>>): void {
    this.#count(this.#refused, errors);
  }

  #count(counter: Counter<'code'>, errors: Readonly<Record<string, number>>): void {
    for (const code in errors) counter.inc({ code: this.#codes.labelOf(code) }, errors[code] ?? 0);
  }
}

function outcomeOf({ hasData, errors }: EndedOperation): 'ok' | 'partial' | 'failed' {
  if (Object.keys(errors).length === 0) return 'ok';
  return hasData ? 'partial' : 'failed';
}
