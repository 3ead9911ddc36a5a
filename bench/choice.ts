// How far the choice between a list and reads by id is from the better one: `tsx bench/choice.ts [--quick] [--seconds 300]
// [--port 9260] [--out docs/performance]`. Reads K clients by their ids through the data source of the gateway, over HTTP
// from a process of its own, in each way of BATCH_READS: one operation at a time, and eight at once.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchUpstream, type Cost, Reader } from './choice/measure.ts';
import { choicePage, choicePlot, choiceTable, type Cell } from './choice/report.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '300' },
    port: { type: 'string', default: '9260' },
    out: { type: 'string' },
  },
});
const sizes = options.quick ? [50, 2_000] : [50, 200, 1_000, 2_000, 5_000];
const latencies = options.quick ? [0, 20] : [0, 5, 20, 100];
const counts = options.quick ? [5, 100] : [5, 20, 100];
const AT_ONCE = [1, 8];
const MAX_ROUNDS = 8;

/** Each window measures some operations; the least of all windows counts. */
const MAX_WINDOWS = 3;
const WINDOWS_MS = 60;

interface Choices {
  readonly lists: number;
  readonly operations: number;
}

/** The least costs seen, by way, size, latency, K and operations at once. */
const least = new Map<string, Cost>();
/** The operations that chose the list, of those that were measured. */
const listed = new Map<string, Choices>();

const upstream = new BenchUpstream(Number(options.port));
await upstream.ready();

/** Measures one way of reading, with nothing learned before but in its own first operations. */
async function measure(way: string, size: number, latency: number, count: number): Promise<void> {
  const reader = new Reader(upstream.url(size, latency), count, way);
  await reader.measure(2, 1);
  for (const atOnce of AT_ONCE) {
    if (atOnce > 1) await reader.measure(atOnce, atOnce);
    const operations = atOnce;
    const started = performance.now();
    for (let window = 0; window < MAX_WINDOWS && performance.now() - started < WINDOWS_MS; window++) {
      const listsBefore = await upstream.listCalls();
      const cost = await reader.measure(operations, atOnce);
      const lists = (await upstream.listCalls()) - listsBefore;
      record(keyOf(way, size, latency, count, atOnce), cost, { lists, operations });
      // A window with one choice throughout is one more measurement of that way.
      if (way !== 'auto') continue;
      if (lists === 0) record(keyOf('by-id', anySize, latency, count, atOnce), cost, { lists, operations });
      if (lists === operations) record(keyOf('list', size, latency, anyCount, atOnce), cost, { lists, operations });
    }
  }
  await reader.close();
}

function record(key: string, cost: Cost, { lists, operations }: Choices): void {
  const known = least.get(key) ?? cost;
  least.set(key, { ms: Math.min(known.ms, cost.ms), cpuMs: Math.min(known.cpuMs, cost.cpuMs) });
  const before = listed.get(key) ?? { lists: 0, operations: 0 };
  listed.set(key, { lists: before.lists + lists, operations: before.operations + operations });
}

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join(' ');
}

const anySize = Math.max(...sizes);
const [anyCount = 0] = counts;

/** The numbers of ids that are read where the list has `size` records. */
const idsOf = (size: number) => counts.map((count) => Math.min(count, size));
const numbersOfIds = new Set(sizes.flatMap(idsOf));

/** A round measures everything once. Reads by id cost the same for each size, and the list for each K. */
async function round(): Promise<void> {
  for (const latency of latencies) {
    for (const count of numbersOfIds) await measure('by-id', anySize, latency, count);
    for (const size of sizes) {
      await measure('list', size, latency, anyCount);
      for (const count of idsOf(size)) await measure('auto', size, latency, count);
    }
  }
}

await new Reader(upstream.url(anySize, 0), 20, 'by-id').measure(200, 8); // code that runs often is compiled first
const started = performance.now();
let rounds = 0;
for (let longest = 0; rounds < MAX_ROUNDS; rounds++) {
  const roundStarted = performance.now();
  if (rounds > 0 && roundStarted - started + longest > Number(options.seconds) * 1000) break;
  await round();
  longest = Math.max(longest, performance.now() - roundStarted);
}
upstream.close();

const cells = AT_ONCE.flatMap((atOnce) =>
  latencies.flatMap((latency) =>
    sizes.flatMap((size) =>
      idsOf(size).map((count): Cell => {
        const costOf = (way: string, ofSize: number, ofCount: number) =>
          least.get(keyOf(way, ofSize, latency, ofCount, atOnce)) ?? { ms: Number.NaN, cpuMs: Number.NaN };
        const { lists, operations } = listed.get(keyOf('auto', size, latency, count, atOnce)) ?? {
          lists: 0,
          operations: 1,
        };
        return {
          ...{ atOnce, latency, size, count, listShare: lists / operations },
          auto: costOf('auto', size, count),
          list: costOf('list', size, anyCount),
          byId: costOf('by-id', anySize, count),
        };
      }),
    ),
  ),
);
const table = choiceTable(cells, { rounds, seconds: (performance.now() - started) / 1000 });
process.stdout.write(table);
if (options.out !== undefined) {
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'choice.md'), choicePage(table));
  await writeFile(join(options.out, 'choice.svg'), choicePlot(cells));
}
