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
export async function cpuMs(work: () => Promise<unknown>): Promise<number> {
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

/**
 * The longest time in milliseconds for which this process could not serve anyone while it did some work: that between two
 * calls of a timer, by the clock or by the CPU time of the process, whichever is less. Others on the same core lengthen the
 * first, and threads of this process the second.
 */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let [at, cpu] = [performance.now(), process.cpuUsage()];
  const tick = () => {
    const { user, system } = process.cpuUsage(cpu);
    longest = Math.max(longest, Math.min(performance.now() - at, (user + system) / 1000));
    [at, cpu] = [performance.now(), process.cpuUsage()];
  };
  const timer = setInterval(tick, 2);
  try {
    await work();
    tick();
  } finally {
    clearInterval(timer);
  }
  return longest;
}
