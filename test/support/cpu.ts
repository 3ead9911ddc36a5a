import { readFileSync } from 'node:fs';

/**
 * Starts to measure how long this thread and the main thread of another process take for something. Unlike a clock it counts
 * no time in which one of the two waited for a core that other processes had: off Linux it is a clock.
 *
 * @returns the milliseconds so far
 */
export function stopwatch(pid: number): () => number {
  const now = () => performance.now() - waitedMs('thread-self') - waitedMs(String(pid));
  const start = now();
  return () => now() - start;
}

/** How long a thread has waited for a core so far: the second figure of its `schedstat`, in nanoseconds. */
function waitedMs(thread: string): number {
  if (process.platform !== 'linux') return 0;
  const [, waited] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1e6;
}

/** Milliseconds of work of this process for something. Unlike a clock it counts none of the work of others. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The least of up to ten measurements, no more than are needed to stay below a limit. A collection, compiling or another
 * process on the same core adds to a measurement; nothing takes from it.
 */
export async function leastCpuMs(limit: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 10 && least >= limit; round++) least = Math.min(least, await cpuMs(work));
  return least;
}
