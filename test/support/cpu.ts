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
