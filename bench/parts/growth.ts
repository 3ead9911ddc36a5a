// How the figures grow: over the length of a list, over the number of callers; and the memory of long lists.
import { measure } from '../driver/measure.ts';
import { startTarget } from '../driver/target.ts';
import { startUpstream, type Upstream } from '../driver/upstream.ts';
import type { Row } from '../results.ts';
import type { Target } from '../targets.ts';

const SIZES = [50, 200, 500, 2000, 5000, 20_000];
const CALLERS = [1, 2, 4, 8, 16, 32, 64, 128];
const MEMORY = [
  { clients: 2000, connections: 4 },
  { clients: 20_000, connections: 1 },
];

/** Lists of 50 to 20,000 clients with 20 fields (W3), one caller, each size in a fresh process. */
export async function measureLists(targets: readonly Target[], seconds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const clients of SIZES) rows.push(...(await listsOf(targets, { clients, connections: 1, seconds })));
  return rows;
}

/** The memory of a fresh process under lists of 2,000 clients to four callers, and of 20,000 clients to one. */
export async function measureMemory(targets: readonly Target[], seconds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const load of MEMORY) rows.push(...(await listsOf(targets, { ...load, seconds })));
  return rows;
}

interface ListLoad {
  readonly clients: number;
  readonly connections: number;
  readonly seconds: number;
}

async function listsOf(targets: readonly Target[], { clients, connections, seconds }: ListLoad): Promise<Row[]> {
  const upstream = await startUpstream({ clients });
  const rows: Row[] = [];
  for (const target of targets) {
    const running = await startTarget(target, upstream);
    const figures = await measure(running, upstream, { workload: 'W3', connections, seconds });
    await running.stop();
    rows.push({ target: target.name, workload: 'W3', clients, connections, ...figures });
    console.error(
      `${target.name}, ${clients} clients: ${figures.cpuMs.toFixed(2)} ms, ${figures.peakMb.toFixed(0)} MB`,
    );
  }
  await upstream.stop();
  return rows;
}

/** One client (W1) read by 1 to 128 callers at once. */
export async function measureCallers(targets: readonly Target[], seconds: number): Promise<Row[]> {
  const upstream = await startUpstream();
  const rows: Row[] = [];
  for (const target of targets) rows.push(...(await callersOf(target, upstream, seconds)));
  await upstream.stop();
  return rows;
}

async function callersOf(target: Target, upstream: Upstream, seconds: number): Promise<Row[]> {
  const running = await startTarget(target, upstream);
  const rows: Row[] = [];
  for (const connections of CALLERS) {
    const figures = await measure(running, upstream, { workload: 'W1', connections, seconds });
    rows.push({ target: target.name, workload: 'W1', clients: upstream.clients, connections, ...figures });
    console.error(`${target.name}, ${connections} callers: ${figures.rps.toFixed(0)} per second`);
  }
  await running.stop();
  return rows;
}
