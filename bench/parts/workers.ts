import { setTimeout as sleep } from 'node:timers/promises';
import { getIntrospectionQuery } from 'graphql';
import { load } from '../driver/load.ts';
import { ALL_CPUS, freePort, startNode, untilReady } from '../driver/processes.ts';
import { median, quantile } from '../driver/statistics.ts';
import type { Workers } from '../results.ts';
import { TRIVIUM } from '../targets.ts';

const WORKERS = [1, 2];
const CONNECTIONS = 16;
/** The other workers begin to listen within this time after the first one has answered. */
const START_MS = 2000;

/** The introspection query takes 10 ms of the gateway alone: no upstream call, and little of the load generator. */
const body = Buffer.from(JSON.stringify({ query: getIntrospectionQuery() }));

interface Windows {
  readonly workers: number;
  readonly rps: number[];
  readonly p99Ms: number[];
}

/** Operations per second by one and by two workers, which share all CPUs with the load generator. */
export async function measureWorkers(seconds: number, rounds: number): Promise<Workers[]> {
  const windows: Windows[] = WORKERS.map((workers) => ({ workers, rps: [], p99Ms: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const window of round % 2 === 0 ? windows : windows.toReversed()) {
      const { rps, p99Ms } = await measureOnce(window.workers, seconds);
      window.rps.push(rps);
      window.p99Ms.push(p99Ms);
      console.error(`${window.workers} workers: ${rps.toFixed(0)} per second`);
    }
  }
  return windows.map(({ workers, rps, p99Ms }) => ({ workers, rps: median(rps), p99Ms: median(p99Ms) }));
}

async function measureOnce(workers: number, seconds: number): Promise<Omit<Workers, 'workers'>> {
  const port = await freePort();
  const env = { NODE_ENV: 'production', PORT: String(port), WORKERS: String(workers), ...TRIVIUM.env(NO_UPSTREAM, 1) };
  const running = startNode(TRIVIUM.args, { cpu: ALL_CPUS, env });
  const url = new URL(`http://127.0.0.1:${port}/graphql`);
  await untilReady(running, () => verify(url));
  await sleep(START_MS);
  const send = (time: number) =>
    load({ url, headers: TRIVIUM.headers, bodies: [body], connections: CONNECTIONS, seconds: time });
  await send(seconds / 2);
  const { latencies, failures, seconds: took } = await send(seconds);
  await running.stop();
  if (failures > 0) throw new Error(`${workers} workers: ${failures} requests failed.`);
  return { rps: latencies.length / took, p99Ms: quantile(latencies, 0.99) };
}

/** An address at which nothing answers: the operation makes no call. */
const NO_UPSTREAM = 'http://127.0.0.1:9';

/** @throws Error when the answer is not the schema */
async function verify(url: URL): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers: TRIVIUM.headers, body });
  const text = await response.text();
  if (response.status !== 200 || !text.startsWith('{"data":{"__schema":')) throw new Error(text.slice(0, 300));
}
