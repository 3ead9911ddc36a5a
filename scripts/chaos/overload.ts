import { Agent, request, type RequestOptions } from 'node:http';
import { CALLERS, clientList, requestsTo } from './client-list.ts';
import { closedLoop, type LoadResult, openLoop, p99Of } from './open-loop.ts';
import { answering, percent, type Row, startGateway, startUpstream } from './trial.ts';

export interface OverloadOptions {
  /** How long the overload lasts, 20 by default. The loads before and after it are a quarter of it. */
  readonly seconds?: number;
  /** The rows of the list that each request asks for: each takes about 1.4 µs of CPU time. 1,200 by default. */
  readonly clients?: number;
  /** The part of the peak that has to be answered in time at least, 0.6 by default: a refusal costs CPU time, too. */
  readonly share?: number;
  /** Settings of the gateway. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An answer that comes later is of no use to its caller. */
const USEFUL_MS = 1_000;

const TIMES_PEAK = 4;
const CONNECTIONS_AT_PEAK = 32;

/**
 * Measures the compiled gateway at its peak, and at four times the peak load: the answers in time, the refused requests, the
 * latency, a caller that asks for little, probes on new connections, and the memory.
 */
export async function overload(options: OverloadOptions = {}): Promise<Row[]> {
  const { seconds = 20, clients = 1_200, share = 0.6, settings = {} } = options;
  const upstream = await startUpstream(answering(clientList(clients)));
  const maxPage = { MAX_PAGE_SIZE: String(clients) };
  const gateway = await startGateway({ CRM_URL: upstream.url, CRM_SHARES_TOKEN: 'true', ...maxPage, ...settings });
  const { port } = gateway;
  const agent = new Agent({ keepAlive: true });
  try {
    const requestBytes = requestsTo(port, clients);
    const atPeak = async () => closedLoop(port, requestBytes, CONNECTIONS_AT_PEAK, seconds / 4);
    await atPeak(); // compiles the code
    const before = await atPeak();
    const memoryAtPeak = gateway.memoryPeak();
    const probes = [watch(port, PROBE_MS, probe('/health')), watch(port, PROBE_MS, probe('/ready'))];
    const modest = watch(port, ((CALLERS + 1) * 1000) / (MODEST_PART * usefulRate(before)), modestly(agent));
    const flooded = await openLoop(port, requestBytes, { perSecond: TIMES_PEAK * usefulRate(before), seconds });
    const probed = (await Promise.all(probes.map(({ end }) => end()))).flat();
    const measured = { before, flooded, probed, modest: await modest.end() };
    const memoryMb = gateway.memoryPeak() - memoryAtPeak;
    return rowsOf({ ...measured, after: await atPeak(), memoryMb }, share).map((each) => ({
      ...each,
      case: `${TIMES_PEAK} times the peak load of lists of ${clients}: ${each.case}`,
    }));
  } finally {
    agent.destroy();
    await gateway.stop();
    await upstream.stop();
  }
}

interface Measured {
  /** The peak load, before and after the overload: the speed of a machine changes within seconds. */
  readonly before: LoadResult;
  readonly after: LoadResult;
  readonly flooded: LoadResult;
  /** The answers of `/health` and `/ready`. */
  readonly probed: readonly Probed[];
  /** Those to a caller that asks for little. */
  readonly modest: readonly Probed[];
  readonly memoryMb: number;
}

function rowsOf({ before, after, flooded, probed, modest, memoryMb }: Measured, leastShare: number): Row[] {
  const [served, refused] = [withStatus(flooded, 200), withStatus(flooded, 503)];
  const peak = (usefulRate(before) + usefulRate(after)) / 2;
  const share = usefulRate(flooded) / peak;
  const refusedP99 = p99Of(refused);
  const others = flooded.sent - served.length - refused.length;
  const withoutRetryAfter = refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  const modestShare = modest.filter(({ status }) => status === 200).length / modest.length;
  const slowest = Math.max(...probed.map((each) => (each.status === 200 ? each.ms : Infinity)));
  return [
    row(
      `answers within ${USEFUL_MS} ms`,
      `${percent(leastShare)} of the peak or more`,
      `${percent(share)} of ${Math.round(peak)} a second, p99 ${ms(p99Of(served))}`,
      share >= leastShare,
    ),
    row('refused requests', 'p99 below 50 ms', ms(refusedP99), refused.length > 0 && refusedP99 < 50),
    row('refused requests without Retry-After', 'none', String(withoutRetryAfter), withoutRetryAfter === 0),
    row('requests without an answer', 'none', String(others), others === 0),
    row(
      'a caller that asks for little',
      '98 % served or more',
      `${percent(modestShare)} of ${modest.length}, p99 ${ms(p99Of(modest))}`,
      modestShare >= 0.98,
    ),
    row(
      `/health and /ready on ${probed.length} new connections`,
      'answers within 200 ms',
      `p99 ${ms(p99Of(probed))}, the slowest ${ms(slowest)}`,
      slowest < 200,
    ),
    row('memory', 'within 192 MB of the peak', `${Math.round(memoryMb)} MB`, memoryMb <= 192),
  ];
}

const row = (promise: string, expected: string, measured: string, passed: boolean): Row => ({
  case: promise,
  expected,
  measured,
  passed,
});
const ms = (time: number) => `${Math.round(time)} ms`;

const withStatus = ({ answers }: LoadResult, status: number) => answers.filter((answer) => answer.status === status);

/** How many answers came in time, per second. */
function usefulRate(result: LoadResult): number {
  return withStatus(result, 200).filter((answer) => answer.ms <= USEFUL_MS).length / result.seconds;
}

interface Probed {
  readonly status: number;
  readonly ms: number;
}

/** How often each probe is sent, in milliseconds. */
const PROBE_MS = 100;

/** The caller that asks for little asks for this part of an equal share. */
const MODEST_PART = 0.4;

type Ask = (port: number) => Promise<Probed>;

/** Sends a request each so many milliseconds, unless the one before it is not answered yet. */
function watch(port: number, everyMs: number, ask: Ask) {
  const all: Probed[] = [];
  let underWay: Promise<void> | undefined;
  const once = async () => {
    all.push(await ask(port));
    underWay = undefined;
  };
  const timer = setInterval(() => (underWay ??= once()), everyMs);
  return {
    end: async (): Promise<readonly Probed[]> => {
      clearInterval(timer);
      await underWay;
      return all;
    },
  };
}

/** Asks for a path, on a new connection as load balancers do. */
const probe = (path: string) => asking({ path, agent: false, headers: { connection: 'close' } });

/** Asks for a small list, on a connection that is kept. */
function modestly(agent: Agent): Ask {
  const headers = { authorization: 'Bearer modest', 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ clients(first: 3) { nodes { name } } }' });
  return asking({ path: '/graphql', method: 'POST', agent, headers }, body);
}

function asking(options: RequestOptions, body = ''): Ask {
  return async (port) => {
    const start = performance.now();
    const status = await new Promise<number>((resolve) => {
      request({ port, host: '127.0.0.1', ...options }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode ?? 0)),
      )
        .on('error', () => resolve(0))
        .end(body);
    });
    return { status, ms: performance.now() - start };
  };
}
