import { get } from 'node:http';
import { z } from 'zod';
import { type Serving, serving } from '../cli/trivium.ts';

const PROCESS = z.object({ worker: z.number(), process: z.number() });

/** A worker, as the log names it. */
export type Process = z.output<typeof PROCESS>;

export interface RunningWorkers extends Serving {
  /** The workers that have begun to listen since the start, in this order, once there are so many. */
  processes(count: number): Promise<Process[]>;
}

/** Starts the gateway with two workers. */
export async function runningWorkers(env: Readonly<Record<string, string>>, args?: string[]): Promise<RunningWorkers> {
  const started = await serving({ WORKERS: '2', ...env }, args);
  return {
    ...started,
    processes: async (count) => {
      const lines = await started.logged(/"msg":"worker listens"/, count);
      return lines.map((line) => PROCESS.parse(JSON.parse(line)));
    },
  };
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

/** The status of one request over a connection of its own; 0 when it is refused. */
export async function status(url: string): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
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
