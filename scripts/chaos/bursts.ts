import { setTimeout as delay } from 'node:timers/promises';
import { clientList, requestsTo } from './client-list.ts';
import { burst, type LoadResult, p99Of } from './open-loop.ts';
import { answering, percent, type Row, startGateway, startUpstream } from './trial.ts';

/** A small list: an operation takes about 0.2 ms of CPU time. */
const CLIENTS = 3;

/** The bursts that come again and again. */
const TIMES = 6;

interface Burst {
  readonly count: number;
  /** Whether the connections are open before. */
  readonly isOpen: boolean;
  /** The part that has to be served at least. */
  readonly share: number;
  /** How long the last answer may take, in milliseconds. */
  readonly withinMs: number;
}

const BURSTS: readonly Burst[] = [
  { count: 200, isOpen: true, share: 1, withinMs: 1_000 },
  { count: 500, isOpen: true, share: 1, withinMs: 1_000 },
  { count: 1_000, isOpen: true, share: 0.95, withinMs: 2_000 },
  { count: 1_000, isOpen: false, share: 0.95, withinMs: 2_000 },
];

/** Sends many requests at the same moment, again and again: a burst that can be served within a second is served. */
export async function bursts(pauseMs = 2_000): Promise<Row[]> {
  const upstream = await startUpstream(answering(clientList(CLIENTS)));
  const gateway = await startGateway({ CRM_URL: upstream.url, CRM_SHARES_TOKEN: 'true' });
  const rows: Row[] = [];
  try {
    const requestBytes = requestsTo(gateway.port, CLIENTS);
    for (const each of BURSTS) {
      const results: LoadResult[] = [];
      for (let left = TIMES; left > 0; left--) {
        results.push(await burst(gateway.port, requestBytes, each.count, each.isOpen));
        await delay(pauseMs);
      }
      rows.push(rowOf(each, results));
    }
  } finally {
    await gateway.stop();
    await upstream.stop();
  }
  return rows;
}

/** The worst of the bursts counts. */
function rowOf({ count, isOpen, share, withinMs }: Burst, results: readonly LoadResult[]): Row {
  const served = results.map(({ answers }) => answers.filter(({ status }) => status === 200));
  const least = Math.min(...served.map(({ length }) => length / count));
  const slowest = Math.max(...served.map((answers) => Math.max(...answers.map(({ ms }) => ms))));
  const p99 = Math.max(...served.map(p99Of));
  return {
    case: `${count} requests at once on ${isOpen ? 'open' : 'new'} connections, ${results.length} times`,
    expected: `${percent(share)} served, within ${withinMs} ms`,
    measured: `${percent(least)}, p99 ${Math.round(p99)} ms, the slowest ${Math.round(slowest)} ms`,
    passed: least >= share && slowest <= withinMs,
  };
}
