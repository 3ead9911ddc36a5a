import { AggregatorRegistry, Registry } from 'prom-client';
import { FirstNames } from './first-names.ts';
import { droppedLinesReading } from './process-readings.ts';
import { type Reading, registerReadings, textOf } from './readings.ts';

/** A worker that does not answer within this time is summed up with its last report, in milliseconds. */
const MAX_WAIT_MS = 1_000;

/** The number of names of operations that are kept of workers that have ended: each worker has first names of its own. */
const MAX_ENDED_NAMES = 1_000;

/** The counts of a worker, as `Metrics.report` returns it. */
type Report = readonly object[];

interface ReportingWorker {
  readonly ask: () => boolean;
  report: Report;
  /** Called with its next report, and at its end. */
  onNews: () => void;
}

/** The metrics of the primary process. */
const primaryReadings: readonly Reading<{ running(): number; ends(): number }>[] = [
  {
    name: 'trivium_workers',
    help: 'Workers that accept connections, or answer their last requests.',
    read: ({ running }) => running(),
  },
  {
    name: 'trivium_worker_ends_total',
    help: 'Workers that have ended.',
    read: ({ ends }) => ends(),
  },
];

/**
 * Sums up the metrics of several workers. What a worker counted stays counted when it ends: a sum that falls would be a
 * restart to Prometheus, and all that is left of it new.
 */
export class SummedMetrics {
  readonly #own = new Registry();
  /** What the primary adds to the sums. */
  readonly #added = new Registry();
  readonly #workers = new Set<ReportingWorker>();
  /** The sum of the workers that have ended, by metric. */
  #ended: Report = [];
  readonly #endedNames = new FirstNames(MAX_ENDED_NAMES);
  /** The sums are made one after the other. */
  #summing = Promise.resolve();
  #ends = 0;

  constructor() {
    registerReadings(this.#own, primaryReadings, { running: () => this.#workers.size, ends: () => this.#ends });
    registerReadings(this.#added, [droppedLinesReading], {});
  }

  /**
   * Adds a worker.
   *
   * @param ask asks it for a report; false when it cannot be asked any more
   * @returns takes its reports, and is told its end
   */
  add(ask: () => boolean): { receive(report: Report): void; end(): void } {
    const worker: ReportingWorker = { ask, report: [], onNews: () => {} };
    this.#workers.add(worker);
    return {
      receive: (report) => {
        worker.report = report;
        worker.onNews();
      },
      end: () => {
        this.#workers.delete(worker);
        this.#ends += 1;
        this.#summing = this.#summing.then(() => this.#keep(worker.report));
        worker.onNews();
      },
    };
  }

  /** The sums in the format of Prometheus. Waits for a worker that does not answer, for a second at most. */
  async text(): Promise<string> {
    await Promise.all([...this.#workers].map(newsOf));
    let sum: Promise<void>;
    do {
      sum = this.#summing;
      await sum;
    } while (sum !== this.#summing); // another worker has ended meanwhile
    const reports = [...this.#workers].map(({ report }) => report);
    const added = await this.#added.getMetricsAsJSON();
    return `${await textOf(sumOf([...reports, this.#ended, added]))}${await textOf(this.#own)}`;
  }

  async #keep(report: Report): Promise<void> {
    const metrics = await sumOf([this.#ended, report]).getMetricsAsJSON();
    this.#ended = metrics
      .filter(({ type }) => String(type) !== 'gauge')
      .map((metric) => ({
        ...metric,
        values: metric.values.map((value) => ({ ...value, labels: this.#boundedLabels(value.labels) })),
      }));
  }

  /** Values that come to have the same labels are summed up the next time. */
  #boundedLabels(labels: Readonly<Record<string, string | number | undefined>>) {
    const { operation } = labels;
    return typeof operation === 'string' ? { ...labels, operation: this.#endedNames.labelOf(operation) } : labels;
  }
}

function sumOf(reports: readonly Report[]): Registry {
  return AggregatorRegistry.aggregate([...reports]);
}

/** Asks a worker for a report, and waits for it. */
async function newsOf(worker: ReportingWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    worker.onNews = () => {
      clearTimeout(timer);
      resolve();
    };
    if (!worker.ask()) worker.onNews();
  });
}
