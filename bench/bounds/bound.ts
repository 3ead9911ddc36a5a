/** A limit that only a measurement can check, on an otherwise idle machine. */
export interface Bound {
  readonly name: string;
  /** The largest figure that is allowed, in `unit`. */
  readonly limit: number;
  readonly unit: 'ms' | 'ms of CPU' | 'MB';
  /** Measures once, in `unit`. It cleans up after itself. */
  readonly measure: () => Promise<number>;
}

/** What came of a bound. */
export interface Figure {
  readonly figure: number;
  readonly holds: boolean;
}

/** A collection, compiling or another process adds to a figure; nothing takes from it. */
const ROUNDS = 6;

/** Measures until the figure is within the limit, six times at most. @returns the least figure */
export async function check({ limit, measure }: Bound): Promise<Figure> {
  let figure = Infinity;
  for (let round = 0; round < ROUNDS && figure > limit; round++) figure = Math.min(figure, await measure());
  return { figure, holds: figure <= limit };
}

/**
 * A bound on what a piece of work costs this process. Unlike a clock, CPU time counts none of the work of others.
 *
 * @param make prepares what the work needs, and is not measured
 */
export function cpuBound<Input>(
  name: string,
  limit: number,
  make: () => Input,
  work: (input: Input) => unknown,
): Bound {
  const measure = async () => {
    const input = make();
    const before = process.cpuUsage();
    await work(input);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return { name, limit, unit: 'ms of CPU', measure };
}
