import { type Answer, closedLoop, type LoadResult, openLoop } from './open-loop.ts';
import { answering, type Row, startGateway, startUpstream } from './trial.ts';

export interface OverloadOptions {
  /** How long the overload lasts, 10 by default. The loads before it are shorter. */
  readonly seconds?: number;
  /** Settings of the gateway. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An answer that comes later is of no use to its caller. */
const USEFUL_MS = 500;

/** How many callers there are: each has a credential of its own. */
const CALLERS = 200;

const TIMES_PEAK = 4;
const CONNECTIONS_AT_PEAK = 32;
const CLIENTS = 500;

/**
 * Measures the compiled gateway at its peak, and at four times the peak load: the answers within half a second, the refused
 * requests, the latency, and the memory.
 */
export async function overload({ seconds = 10, settings = {} }: OverloadOptions = {}): Promise<Row[]> {
  const upstream = await startUpstream(answering(clientList()));
  const gateway = await startGateway({ CRM_URL: upstream.url, CRM_SHARES_TOKEN: 'true', ...settings });
  try {
    const requestBytes = requestsTo(gateway.port);
    await closedLoop(gateway.port, requestBytes, CONNECTIONS_AT_PEAK, seconds / 3); // compiles the code
    const atPeak = await closedLoop(gateway.port, requestBytes, CONNECTIONS_AT_PEAK, seconds / 2);
    const memoryAtPeak = gateway.memoryPeak();
    const peak = useful(atPeak) / atPeak.seconds;
    const health = watchHealth(gateway.port);
    const flooded = await openLoop(gateway.port, requestBytes, { perSecond: TIMES_PEAK * peak, seconds });
    const healthMs = await health.end();
    return rowsOf({ atPeak, flooded, healthMs, memoryMb: gateway.memoryPeak() - memoryAtPeak });
  } finally {
    await gateway.stop();
    await upstream.stop();
  }
}

interface Measured {
  readonly atPeak: LoadResult;
  readonly flooded: LoadResult;
  /** The slowest answer of `/health`. */
  readonly healthMs: number;
  readonly memoryMb: number;
}

function rowsOf({ atPeak, flooded, healthMs, memoryMb }: Measured): Row[] {
  const [served, refused] = [withStatus(flooded, 200), withStatus(flooded, 503)];
  const share = useful(flooded) / flooded.seconds / (useful(atPeak) / atPeak.seconds);
  const [p99, p99AtPeak] = [p99Of(served), p99Of(withStatus(atPeak, 200))];
  const refusedP99 = p99Of(refused);
  const others = flooded.sent - served.length - refused.length;
  const withoutRetryAfter = refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  const perSecond = Math.round(atPeak.answers.length / atPeak.seconds);
  return [
    row(
      `answers within ${USEFUL_MS} ms`,
      '80 % of the peak or more',
      `${percent(share)} of ${perSecond} a second`,
      share >= 0.8,
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
  case: `${TIMES_PEAK} times the peak load: ${promise}`,
  expected,
  measured,
  passed,
});
const percent = (share: number) => `${Math.round(share * 100)} %`;
const ms = (time: number) => `${Math.round(time)} ms`;

const withStatus = ({ answers }: LoadResult, status: number) => answers.filter((answer) => answer.status === status);
const useful = (result: LoadResult) => withStatus(result, 200).filter((answer) => answer.ms <= USEFUL_MS).length;

function p99Of(answers: readonly Answer[]): number {
  const ascending = answers.map((answer) => answer.ms).sort((one, other) => one - other);
  return ascending[Math.floor(ascending.length * 0.99)] ?? 0;
}

/** Requests of many callers in turn. */
function requestsTo(port: number): (index: number) => string {
  const body = JSON.stringify({ query: `{ clients(first: ${CLIENTS}) { nodes { id name email phone } totalCount } }` });
  const requests = Array.from({ length: CALLERS }, (_none, caller) =>
    [
      'POST /graphql HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer token-${caller}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  return (index) => requests[index % CALLERS] ?? '';
}

/** Asks for `/health` ten times a second. */
function watchHealth(port: number) {
  let slowest = 0;
  let last: Promise<void> = Promise.resolve();
  const ask = async () => {
    const start = performance.now();
    const { status } = await fetch(`http://127.0.0.1:${port}/health`);
    slowest = Math.max(slowest, status === 200 ? performance.now() - start : Infinity);
  };
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

/** The CRM's answer to each call. */
function clientList(): string {
  const clients = Array.from({ length: CLIENTS }, (_none, index) => ({
    id: index + 1,
    name: `Client ${index}`,
    email: `client${index}@example.test`,
    phone: null,
  }));
  return JSON.stringify(clients);
}
