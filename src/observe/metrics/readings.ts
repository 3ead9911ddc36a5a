import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Turns } from '../../calls/transport/turns.ts';
import { version } from '../../system.ts';
import type { CallMetrics } from './call-metrics.ts';
import type { OperationMetrics } from './operation-metrics.ts';

/** A value, with the labels that tell it from others of its metric. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Values = number | readonly Sample[];

/** A figure that is kept anyway, and is read when Prometheus asks for it. */
export interface Reading<Source> {
  /** A counter, when it ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Must be quick: it runs between operations. */
  readonly read: (source: Source) => Values | Promise<Values>;
}

/** The counts of an API that has an address. */
interface ApiFigures {
  readonly api: string;
  readonly isOpen: boolean;
  readonly waiting: number;
  readonly sharedReads: number;
  readonly asksForPacked: boolean;
  readonly choices: readonly { readonly endpoint: string; readonly lists: number; readonly reads: number }[];
  /** Undefined when its answers are not kept. */
  readonly answers: Readonly<Record<'hits' | 'revalidated' | 'misses' | 'dropped' | 'bytes', number>> | undefined;
}

/** Where the figures are read: parts of the gateway that keep them as plain numbers. */
export interface Sources {
  readonly turns: Pick<Turns, 'waiting'>;
  readonly overload: { readonly shed: number };
  readonly connections: { readonly size: number };
  readonly upstreams: { figures(): readonly ApiFigures[] };
  /** Undefined without REDIS_URL. */
  readonly redis: { readonly report: { readonly redis: string; readonly redisReason?: string } } | undefined;
  /** Undefined where no receipts of writes are kept. */
  readonly receipts: { count(): number | Promise<number>; readonly begins: ReadonlyMap<string, number> } | undefined;
}

/** Figures that this folder keeps for its readings. */
interface Observed {
  readonly operations: OperationMetrics;
  readonly calls: CallMetrics;
}

const API = ['api'];

/** Reads a figure of each API. Undefined where the API does not have it. */
function ofEachApi(figureOf: (figures: ApiFigures, observed: Observed) => number | undefined) {
  return ({ upstreams, ...observed }: Sources & Observed): Sample[] =>
    upstreams.figures().flatMap((figures) => {
      const value = figureOf(figures, observed);
      return value === undefined ? [] : [{ labels: { api: figures.api }, value }];
    });
}

/** The metrics that are read from their sources, one in each row. */
export const readings: readonly Reading<Sources & Observed>[] = [
  {
    name: 'trivium_build_info',
    help: 'Always 1. The labels name the versions of trivium and Node.',
    labels: ['version', 'node'],
    read: () => [{ labels: { version: version(), node: process.version }, value: 1 }],
  },
  {
    name: 'trivium_operations_in_flight',
    help: 'Operations that are executed at the moment.',
    read: ({ operations }) => operations.inFlight,
  },
  {
    name: 'trivium_requests_waiting',
    help: 'Requests that wait to begin.',
    read: ({ turns }) => turns.waiting,
  },
  {
    name: 'trivium_requests_shed_total',
    help: 'Requests refused with 503 because of an overload.',
    read: ({ overload }) => overload.shed,
  },
  {
    name: 'trivium_connections',
    help: 'Open connections of callers.',
    read: ({ connections }) => connections.size,
  },
  {
    name: 'trivium_redis_available',
    help: 'Whether the Redis that gateways share is used: 0 or 1.',
    read: ({ redis }) => (redis ? Number(redis.report.redis === 'ok') : []),
  },
  {
    name: 'trivium_redis_unavailable',
    help: 'Processes that do not use Redis, by its state (away or refusing) and the reason in the log.',
    labels: ['state', 'reason'],
    read: ({ redis }) => {
      const { redis: state = '', redisReason: reason } = redis?.report ?? {};
      return reason === undefined ? [] : [{ labels: { state, reason }, value: 1 }];
    },
  },
  {
    name: 'trivium_receipts',
    help: 'Receipts of writes that are kept.',
    read: ({ receipts }) => receipts?.count() ?? [],
  },
  {
    name: 'trivium_receipts_asked_total',
    help: 'Writes with a key, by what their receipt told.',
    labels: ['state'],
    read: ({ receipts }) =>
      [...(receipts?.begins ?? [])].map(([state, value]) => ({ labels: { state: state.toLowerCase() }, value })),
  },
  {
    name: 'trivium_upstream_breaker_open',
    help: 'Whether an API is not called because it failed too often: 0 or 1 for each process.',
    labels: API,
    read: ofEachApi(({ isOpen }) => Number(isOpen)),
  },
  {
    name: 'trivium_upstream_calls_in_flight',
    help: 'Calls under way, with those that wait for a connection.',
    labels: API,
    read: ofEachApi(({ api }, { calls }) => calls.inFlight(api)),
  },
  {
    name: 'trivium_upstream_calls_waiting',
    help: 'Calls that wait for a connection.',
    labels: API,
    read: ofEachApi(({ waiting }) => waiting),
  },
  {
    name: 'trivium_upstream_compression',
    help: 'Whether reads ask for packed answers: 0 or 1 for each process.',
    labels: API,
    read: ofEachApi(({ asksForPacked }) => Number(asksForPacked)),
  },
  {
    name: 'trivium_upstream_shared_reads_total',
    help: 'Reads that joined the identical call of another operation.',
    labels: API,
    read: ofEachApi(({ sharedReads }) => sharedReads),
  },
  {
    name: 'trivium_answer_cache_reads_total',
    help: 'Reads of APIs whose answers are kept, by whether one was, or was found to hold still.',
    labels: ['api', 'outcome'],
    read: ({ upstreams }) =>
      upstreams.figures().flatMap(({ api, answers }) =>
        answers
          ? [
              { labels: { api, outcome: 'hit' }, value: answers.hits },
              { labels: { api, outcome: 'revalidated' }, value: answers.revalidated },
              { labels: { api, outcome: 'miss' }, value: answers.misses },
            ]
          : [],
      ),
  },
  {
    name: 'trivium_answer_cache_dropped_total',
    help: 'Kept answers that a write may have made stale when they were asked for again.',
    labels: API,
    read: ofEachApi(({ answers }) => answers?.dropped),
  },
  {
    name: 'trivium_answer_cache_bytes',
    help: 'Memory of kept answers, estimated from above.',
    labels: API,
    read: ofEachApi(({ answers }) => answers?.bytes),
  },
  {
    name: 'trivium_upstream_batches_total',
    help: 'Batches of reads by id for which a list could be read instead, by the choice.',
    labels: ['api', 'list', 'choice'],
    read: ({ upstreams }) =>
      upstreams.figures().flatMap(({ api, choices }) =>
        choices.flatMap(({ endpoint: list, lists, reads }) => [
          { labels: { api, list, choice: 'list' }, value: lists },
          { labels: { api, list, choice: 'by_id' }, value: reads },
        ]),
      ),
  },
];

/** Adds readings to the metrics of a registry. */
export function registerReadings<Source>(registry: Registry, added: readonly Reading<Source>[], source: Source): void {
  for (const { name, help, labels = [], read } of added) {
    const Metric = name.endsWith('_total') ? Counter : Gauge;
    const metric = new Metric({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect: async () => {
        const samples = samplesOf(await read(source));
        metric.reset();
        if (labels.length === 0) metric.remove(); // the 0 of a figure that is not kept would be wrong
        for (const { labels, value } of samples) metric.inc(labels, value);
      },
    });
  }
}

function samplesOf(value: Values): readonly Sample[] {
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

/**
 * Renders the metrics of a registry in the format of Prometheus. Operations go on between one metric and the next: all of
 * them at once may take 10 ms.
 */
export async function textOf(registry: Registry): Promise<string> {
  let text = '';
  for (const { name } of registry.getMetricsAsArray()) {
    text += `${await registry.getSingleMetricAsString(name)}\n\n`;
    await nextTurn();
  }
  return text;
}
