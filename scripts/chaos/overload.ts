import { clientList, requestsTo } from './client-list.ts';
import { closedLoop, type LoadResult, openLoop, p99Of } from './open-loop.ts';
import { answering, type Row, startGateway, startUpstream } from './trial.ts';

export interface OverloadOptions {
  /** How long the overload lasts, 10 by default. The loads before it are shorter. */
  readonly seconds?: number;
  /** The rows of the list that each request asks for: each takes about 3.5 µs of CPU time. 500 by default. */
  readonly clients?: number;
  /** The part of the peak that has to be answered in time at least, 0.6 by default: a refusal costs CPU time, too. */
  readonly share?: number;
  /** Settings of the gateway. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An answer that comes later is of no use to its caller. */
const USEFUL_MS = 500;

const TIMES_PEAK = 4;
const CONNECTIONS_AT_PEAK = 32;

/**
 * Measures the compiled gateway at its peak, and at four times the peak load: the answers within half a second, the refused
 * requests, the latency, and the memory.
 */
export async function overload(options: OverloadOptions = {}): Promise<Row[]> {
  const { seconds = 10, clients = 500, share = 0.6, settings = {} } = options;
  const upstream = await startUpstream(answering(clientList(clients)));
  const maxPage = { MAX_PAGE_SIZE: String(clients) };
  const gateway = await startGateway({ CRM_URL: upstream.url, CRM_SHARES_TOKEN: 'true', ...maxPage, ...settings });
  try {
    const requestBytes = requestsTo(gateway.port, clients);
    const atPeak = async () => closedLoop(gateway.port, requestBytes, CONNECTIONS_AT_PEAK, seconds / 2);
    await atPeak(); // compiles the code
    const before = await atPeak();
    const memoryAtPeak = gateway.memoryPeak();
    const health = await watchHealth(gateway.port);
    const flooded = await openLoop(gateway.port, requestBytes, { perSecond: TIMES_PEAK * usefulRate(before), seconds });
    const healthMs = await health.end();
    const memoryMb = gateway.memoryPeak() - memoryAtPeak;
    const rows = rowsOf({ before, after: await atPeak(), flooded, healthMs, memoryMb }, share);
    return rows.map((row) => ({
      ...row,
      case: `${TIMES_PEAK} times the peak load of lists of ${clients}: ${row.case}`,
    }));
  } finally {
    await gateway.stop();
    await upstream.stop();
  }
}

interface Measured {
  /** The peak load, before and after the overload: the speed of a machine changes within seconds. */
  readonly before: LoadResult;
  readonly after: LoadResult;
  readonly flooded: LoadResult;
  /** The slowest answer of `/health`. */
  readonly healthMs: number;
  readonly memoryMb: number;
}

function rowsOf({ before, after, flooded, healthMs, memoryMb }: Measured, leastShare: number): Row[] {
  const [served, refused] = [withStatus(flooded, 200), withStatus(flooded, 503)];
  const peak = (usefulRate(before) + usefulRate(after)) / 2;
  const share = usefulRate(flooded) / peak;
  const [p99, p99AtPeak] = [p99Of(served), p99Of([...before.answers, ...after.answers])];
  const refusedP99 = p99Of(refused);
  const others = flooded.sent - served.length - refused.length;
  const withoutRetryAfter = refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  return [
    row(
      `answers within ${USEFUL_MS} ms`,
      `${percent(leastShare)} of the peak or more`,
      `${percent(share)} of ${Math.round(peak)} a second`,
      share >= leastShare,
    ),
    row('refused requests', 'p99 below 50 ms', ms(refusedP99), refused.length > 0 && refusedP99 < 50),
    row('refused requests without Retry-After', 'none', String(withoutRetryAfter), withoutRetryAfter === 0),
    row('requests without an answer', 'none', String(others), others === 0),
    row('latency of answers', 'p99 within 3 times the peak', `${ms(p99)} for ${ms(p99AtPeak)}`, p99 <= 3 * p99AtPeak),
    row('/health', 'answers within 200 ms', ms(healthMs), healthMs < 200),
    row('memory', 'within 128 MB of the peak', `${Math.round(memoryMb)} MB`, memoryMb <= 128),
  ];
}

const row = (promise: string, expected: string, measured: string, passed: boolean): Row => ({
  case: promise,
  expected,
  measured,
  passed,
});
const percent = (share: number) => `${Math.round(share * 100)} %`;
const ms = (time: number) => `${Math.round(time)} ms`;

const withStatus = ({ answers }: LoadResult, status: number) => answers.filter((answer) => answer.status === status);

/** How many answers came in time, per second. */
function usefulRate(result: LoadResult): number {
  return withStatus(result, 200).filter((answer) => answer.ms <= USEFUL_MS).length / result.seconds;
}

/** Asks for `/health` once, which loads what `fetch` needs, then ten times a second. */
async function watchHealth(port: number) {
  let slowest = 0;
  let last: Promise<void> = Promise.resolve();
  const ask = async () => {
    const start = performance.now();
    const { status } = await fetch(`http://127.0.0.1:${port}/health`);
    slowest = Math.max(slowest, status === 200 ? performance.now() - start : Infinity);
  };
  await ask();
  const timer = setInterval(() => (last = last.then(ask)), 100);
  return {
    /** @returns the longest time in milliseconds */
    end: async () => {
      clearInterval(timer);
      await last;
      return slowest;
    },
  };
}
