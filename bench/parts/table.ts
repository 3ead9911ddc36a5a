import { type Figures, measure, medianFigures } from '../driver/measure.ts';
import type { Options } from '../driver/options.ts';
import { startTarget } from '../driver/target.ts';
import { startUpstream, type Upstream } from '../driver/upstream.ts';
import type { Row } from '../results.ts';
import type { Target } from '../targets.ts';
import { LOADS, type WorkloadName } from '../workloads/workload.ts';

/** Measures each workload on each target, in rounds whose order of targets rotates. */
export async function measureTable({ targets, workloads, rounds, seconds, latencyMs }: Options): Promise<Row[]> {
  const upstream = await startUpstream({ latencyMs });
  const windows = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round++) {
    for (const index of targets.keys()) {
      const target = targets[(index + round) % targets.length];
      if (!target) continue;
      for (const [workload, figures] of await measureTarget(target, upstream, { workloads, seconds })) {
        const key = `${target.name} ${workload}`;
        windows.set(key, [...(windows.get(key) ?? []), figures]);
      }
    }
  }
  await upstream.stop();
  return workloads.flatMap((workload) =>
    targets.map(({ name }) => ({
      target: name,
      workload,
      clients: upstream.clients,
      connections: LOADS[workload].connections,
      ...medianFigures(windows.get(`${name} ${workload}`) ?? []),
    })),
  );
}

async function measureTarget(
  target: Target,
  upstream: Upstream,
  { workloads, seconds }: Pick<Options, 'workloads' | 'seconds'>,
): Promise<[WorkloadName, Figures][]> {
  const running = await startTarget(target, upstream);
  const measured: [WorkloadName, Figures][] = [];
  for (const workload of workloads) {
    const figures = await measure(running, upstream, { workload, seconds });
    console.error(`${target.name} ${workload}: ${figures.rps.toFixed(1)} per second, ${figures.cpuMs.toFixed(3)} ms`);
    measured.push([workload, figures]);
  }
  await running.stop();
  return measured;
}
