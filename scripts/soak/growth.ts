import type { Held } from './child.ts';

/** How much more the last third of a run may hold than the second one. */
interface Tolerance {
  readonly by: (values: readonly number[]) => number;
  readonly name: string;
  readonly unit: string;
  readonly of: (held: Held) => number;
  readonly more: number;
}

const MB = 1_000_000;

// The heap is measured after a collection, so its median is steady: a leak of 400 bytes a request adds 2.4 MB to it in the
// 40 s of a third of two minutes, at 150 requests a second. Code that V8 compiles late added up to 0.8 MB to it. Buffers and
// the memory of the process hold what requests under way need and what V8 and the allocator keep for later, tens of
// megabytes that come and go: there the least of a third counts. Sockets come and go with the callers that leave.
const tolerances: readonly Tolerance[] = [
  { name: 'heap', by: median, unit: 'MB', of: ({ heapUsed }) => heapUsed / MB, more: 2 },
  { name: 'buffers', by: least, unit: 'MB', of: ({ external }) => external / MB, more: 2 },
  { name: 'process', by: least, unit: 'MB', of: ({ rss }) => rss / MB, more: 24 },
  { name: 'descriptors', by: median, unit: '', of: ({ descriptors }) => descriptors, more: 8 },
  { name: 'resources', by: median, unit: '', of: ({ resources }) => resources, more: 8 },
];

export interface Growth {
  readonly table: string;
  /** The names of what grew by more than is tolerated. */
  readonly grown: readonly string[];
}

/** Compares the second and the last third of a run. The first third warms up. */
export function growthOf(samples: readonly Held[]): Growth {
  const third = Math.floor(samples.length / 3);
  const thirds = [samples.slice(0, third), samples.slice(third, 2 * third), samples.slice(2 * third)];
  const rows = tolerances.map(({ name, by, unit, of, more }) => {
    const [first = 0, second = 0, last = 0] = thirds.map((part) => by(part.map(of)));
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

function least(values: readonly number[]): number {
  return Math.min(...values);
}

function rounded(value: number): string {
  return value.toFixed(1);
}
