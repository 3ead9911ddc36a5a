import { Agent, get, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { type Running, running } from '../cli/trivium.ts';

const PROCESS = z.object({ worker: z.number(), process: z.number() });

/** A worker, as the log names it. */
export type Process = z.output<typeof PROCESS>;

export interface RunningWorkers extends Running {
  readonly endpoint: string;
  /** The workers that have begun to listen since the start, in this order, once there are so many. */
  processes(count: number): Promise<Process[]>;
}

/** Free ports, and a grace period of 250 ms. */
const QUICK_END = { PORT: '0', SANDBOX_PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000' };

/** Starts the gateway with several workers. */
export async function runningWorkers(env: Readonly<Record<string, string>>, args = ['serve']): Promise<RunningWorkers> {
  const started = await running(args, /http\S+\/graphql[^]*\n$/, { env: { ...QUICK_END, ...env } });
  return {
    ...started,
    endpoint: /http\S+\/graphql/.exec(started.banner)?.[0] ?? '',
    processes: async (count) => {
      const lines = await started.logged(/"msg":"worker listens"/, count);
      return lines.map((line) => PROCESS.parse(JSON.parse(line)));
    },
  };
}

/** Sends an operation over a connection of its own, so that the workers take turns. */
export async function ask(endpoint: string, query: string, token = 'token'): Promise<unknown> {
  const agent = new Agent({ keepAlive: false });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    request(endpoint, { method: 'POST', headers, agent }, (response) => json(response).then(resolve, reject))
      .on('error', reject)
      .end(JSON.stringify({ query }));
  });
}

/** Figures that the primary process sums up, read where its banner says. */
export async function summedMetrics(banner: string) {
  const text = await (await fetch(/^Metrics are at (\S+)$/m.exec(banner)?.[1] ?? '')).text();
  const sumOf = (series: string) => {
    const [, value] =
      text
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.split(/ (?=\S+$)/) ?? [];
    return Number(value);
  };
  return {
    operations: sumOf('trivium_operations_total{operation="anonymous",type="query",outcome="ok"}'),
    calls: sumOf('trivium_upstream_calls_total{api="account",method="GET",endpoint="/account/api_tokens.json"'),
    workers: sumOf('trivium_workers'),
    ends: sumOf('trivium_worker_ends_total'),
  };
}

/** Asks over new connections until none is accepted any more. */
export async function untilRefused(url: string): Promise<void> {
  const accepted = () =>
    new Promise<boolean>((resolve) => {
      get(url, { agent: new Agent({ keepAlive: false }) }, (response) =>
        response.resume().on('end', () => resolve(true)),
      ).on('error', () => resolve(false));
    });
  while (await accepted());
}

/** The numbers of the workers that logged an operation. */
export function workersIn(stderr: string): number[] {
  const numbers = [...stderr.matchAll(/"worker":(\d+),"requestId":"[^"]+","operation"/g)].map(([, number]) =>
    Number(number),
  );
  return [...new Set(numbers)].sort();
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
