import type { Held } from './child.ts';

/** How much more the last third of a run may hold than the second one. */
interface Tolerance {
  readonly name: string;
  readonly unit: string;
  readonly of: (held: Held) => number;
  readonly more: number;
}

const MB = 1_000_000;

// The heap is measured after a collection, so a leak of 200 bytes a request shows in two minutes: 40 s of 150 requests a
// second add 1.2 MB. Memory of the process includes what V8 keeps to itself for later, and compiled code. Sockets come and
// go with the callers that leave.
const tolerances: readonly Tolerance[] = [
  { name: 'heap', unit: 'MB', of: ({ heapUsed }) => heapUsed / MB, more: 1 },
  { name: 'buffers', unit: 'MB', of: ({ external }) => external / MB, more: 2 },
  { name: 'process', unit: 'MB', of: ({ rss }) => rss / MB, more: 16 },
  { name: 'descriptors', unit: '', of: ({ descriptors }) => descriptors, more: 8 },
  { name: 'resources', unit: '', of: ({ resources }) => resources, more: 8 },
];

export interface Growth {
  readonly table: string;
  /** The names of what grew by more than is tolerated. */
  readonly grown: readonly string[];
}

/** Compares the medians of the second and the last third of a run. The first third warms up. */
export function growthOf(samples: readonly Held[]): Growth {
  const third = Math.floor(samples.length / 3);
  const thirds = [samples.slice(0, third), samples.slice(third, 2 * third), samples.slice(2 * third)];
  const rows = tolerances.map(({ name, unit, of, more }) => {
    const [first = 0, second = 0, last = 0] = thirds.map((part) => median(part.map(of)));
    const holds = last - second <= more;
    return { name, holds, cells: [name, ...[first, second, last, last - second].map(rounded), `${more} ${unit}`] };
  });
  const head = ['', 'first', 'second', 'last third', 'growth', 'tolerated'];
  const table = [head, ...rows.map(({ cells, holds }) => [...cells, holds ? '' : 'GREW'])];
  return {
    table: table
      .map((cells) =>
        cells
          .map((cell) => cell.padEnd(12))
          .join('')
          .trimEnd(),
      )
      .join('\n'),
    grown: rows.filter(({ holds }) => !holds).map(({ name }) => name),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function rounded(value: number): string {
  return value.toFixed(1);
}
