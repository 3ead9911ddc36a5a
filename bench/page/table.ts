import { barPlot } from '../plot.ts';
import type { Row } from '../results.ts';
import { LOADS } from '../workloads/workload.ts';
import { number, table, unique, whole } from './markdown.ts';

const FLOOR = 'floor';

/** The floor's CPU time for one operation by that of the target: above 1 the target needs less. */
function shareOfFloor(row: Row, rows: readonly Row[]): number | undefined {
  const floor = rows.find(({ target, workload }) => target === FLOOR && workload === row.workload);
  return floor && floor.cpuMs / row.cpuMs;
}

/** A table for each workload: one row for each target, the one with the least CPU time first. */
export function workloadTables(rows: readonly Row[]): string {
  return unique(rows.map(({ workload }) => workload))
    .map((workload) => {
      const { title, connections } = LOADS[workload];
      const ofWorkload = rows.filter((row) => row.workload === workload).toSorted((a, b) => a.cpuMs - b.cpuMs);
      const head = ['target', 'rps', 'p50 ms', 'p99 ms', 'CPU ms/op', 'share of floor', 'calls/op', 'peak MB'];
      const cells = ofWorkload.map((row) => [
        row.target,
        number(row.rps),
        number(row.p50Ms),
        number(row.p99Ms),
        number(row.cpuMs),
        number(shareOfFloor(row, rows)),
        number(row.calls),
        whole(row.peakMb),
      ]);
      return `### ${workload}: ${title}\n\n${connections} connections.\n\n${table(head, cells)}`;
    })
    .join('\n\n');
}

export function sharesPlot(rows: readonly Row[]): string {
  const workloads = unique(rows.map(({ workload }) => workload));
  const targets = unique(rows.map(({ target }) => target)).filter((target) => target !== FLOOR);
  const share = (target: string, workload: string) => {
    const row = rows.find((row) => row.target === target && row.workload === workload);
    const value = row && shareOfFloor(row, rows);
    return Number.isFinite(value) ? value : undefined;
  };
  return barPlot({
    title: "Share of the floor's speed, by CPU time per operation",
    groups: workloads,
    y: { label: 'share of floor (more is faster)' },
    bars: targets.map((name) => ({ name, values: workloads.map((workload) => share(name, workload)) })),
  });
}
