import { LOADS, requestBodies, type WorkloadName } from '../workloads/workload.ts';
import { load, type LoadResult } from './load.ts';
import { median, quantile } from './statistics.ts';
import { type RunningTarget, verify } from './target.ts';
import { cpuMs, machineCpuMs, peakRssMb, resetPeak } from './usage.ts';
import type { Upstream } from './upstream.ts';

/** The figures of one workload. Those that this system does not tell are NaN. */
export interface Figures {
  /** Operations per second. */
  readonly rps: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the gateway for one operation. */
  readonly cpuMs: number;
  /** Upstream calls for one operation. */
  readonly calls: number;
  readonly peakMb: number;
  /** The share of one CPU that other processes of this machine used meanwhile. */
  readonly foreign: number;
}

export interface Window {
  readonly workload: WorkloadName;
  /** By default those of the workload. */
  readonly connections?: number;
  readonly seconds: number;
  /** By default a third of `seconds`. */
  readonly warmUpSeconds?: number;
  /** Ends the window before its time. */
  readonly requests?: number;
}

/** A window in which others used more of a CPU than this is measured again. */
const QUIET = 0.2;
const ATTEMPTS = 3;

/**
 * Checks the answer of a workload, warms up, and measures a window; again where other processes disturbed it. The
 * quietest window counts.
 *
 * @throws Error when the answer is not the right one, or when a request of the window failed
 */
export async function measure(target: RunningTarget, upstream: Upstream, window: Window): Promise<Figures> {
  const { workload, seconds, warmUpSeconds = seconds / 3 } = window;
  await verify(target, workload);
  await send(target, { ...window, seconds: warmUpSeconds });
  let best = await measureOnce(target, upstream, window);
  for (let attempt = 1; attempt < ATTEMPTS && best.foreign > QUIET; attempt++) {
    const again = await measureOnce(target, upstream, window);
    if (again.foreign < best.foreign) best = again;
  }
  return best;
}

function send(target: RunningTarget, { workload, connections, seconds, requests }: Window): Promise<LoadResult> {
  return load({
    url: target.url,
    headers: target.headers,
    bodies: requestBodies(workload, target.workload(workload)),
    connections: connections ?? LOADS[workload].connections,
    seconds,
    ...(requests === undefined ? {} : { requests }),
  });
}

async function measureOnce(target: RunningTarget, upstream: Upstream, window: Window): Promise<Figures> {
  resetPeak(target.pid);
  await upstream.reset();
  const before = cpuTimes(target, upstream);
  const { latencies, failures, seconds } = await send(target, window);
  const after = cpuTimes(target, upstream);
  if (failures > 0) throw new Error(`${target.name} ${window.workload}: ${failures} requests failed.`);
  const operations = latencies.length;
  const [own, others] = [after.target - before.target, after.others - before.others];
  return {
    rps: operations / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMs: own / operations,
    calls: (await upstream.calls()) / operations,
    peakMb: peakRssMb(target.pid),
    foreign: Math.max(0, others / (seconds * 1000)),
  };
}

/** CPU times so far, in milliseconds: of the target, and of all that does not belong to this run. */
function cpuTimes(target: RunningTarget, upstream: Upstream) {
  const own = cpuMs(target.pid);
  const driver = process.cpuUsage();
  const run = own + cpuMs(upstream.pid) + (driver.user + driver.system) / 1000;
  return { target: own, others: machineCpuMs() - run };
}

/** The median of each figure. */
export function medianFigures(windows: readonly Figures[]): Figures {
  const of = (figure: keyof Figures) => median(windows.map((window) => window[figure]));
  return {
    rps: of('rps'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMs: of('cpuMs'),
    calls: of('calls'),
    peakMb: of('peakMb'),
    foreign: of('foreign'),
  };
}
