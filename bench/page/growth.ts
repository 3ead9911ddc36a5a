import { type Axis, linePlot } from '../plot.ts';
import type { Row, Start } from '../results.ts';
import { table, unique, whole } from './markdown.ts';

interface Growth {
  readonly title: string;
  readonly x: 'clients' | 'connections';
  readonly y: 'cpuMs' | 'peakMb' | 'rps' | 'p99Ms';
  readonly axes: { readonly x: string; readonly y: Axis };
}

function growthPlot(rows: readonly Row[], { title, x, y, axes }: Growth): string {
  const lineOf = (target: string) =>
    rows
      .filter((row) => row.target === target && Number.isFinite(row[y]) && row[y] > 0)
      .map((row) => [row[x], row[y]] as const);
  return linePlot({
    title,
    x: { label: axes.x, log: true, ticks: unique(rows.map((row) => row[x])) },
    y: axes.y,
    lines: unique(rows.map(({ target }) => target)).map((name) => ({ name, points: lineOf(name) })),
  });
}

const CLIENTS = 'clients in the list, 20 fields each';

export const listTimesPlot = (rows: readonly Row[]) =>
  growthPlot(rows, {
    title: 'CPU time of a list',
    x: 'clients',
    y: 'cpuMs',
    axes: { x: CLIENTS, y: { label: 'CPU ms per operation', log: true } },
  });

export const listMemoryPlot = (rows: readonly Row[]) =>
  growthPlot(rows, {
    title: 'Memory under lists to one caller',
    x: 'clients',
    y: 'peakMb',
    axes: { x: CLIENTS, y: { label: 'peak resident memory in MB' } },
  });

export const callersPlot = (rows: readonly Row[]) =>
  growthPlot(rows, {
    title: 'One client, read by more and more callers (W1)',
    x: 'connections',
    y: 'rps',
    axes: { x: 'callers', y: { label: 'operations per second' } },
  });

export const callersLatencyPlot = (rows: readonly Row[]) =>
  growthPlot(rows, {
    title: 'How long the slowest hundredth waits (W1)',
    x: 'connections',
    y: 'p99Ms',
    axes: { x: 'callers', y: { label: 'p99 in ms', log: true } },
  });

/** Peak memory: a row for each target, a column for each load. */
export function memoryTable(rows: readonly Row[]): string {
  const loads = unique(rows.map(({ clients }) => clients));
  const peak = (target: string, clients: number) =>
    rows.find((row) => row.target === target && row.clients === clients)?.peakMb ?? Number.NaN;
  return table(
    ['target', ...loads.map((clients) => `${clients.toLocaleString('en')} clients: peak MB`)],
    unique(rows.map(({ target }) => target)).map((target) => [
      target,
      ...loads.map((clients) => whole(peak(target, clients))),
    ]),
  );
}

export function startTable(rows: readonly Start[]): string {
  return table(
    ['target', 'first answer ms', 'idle MB'],
    rows.map(({ target, firstAnswerMs, idleMb }) => [target, whole(firstAnswerMs), whole(idleMb)]),
  );
}
