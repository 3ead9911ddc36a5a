import { z } from 'zod';
import { layerOf } from './layers.ts';
import { sourceFinder } from './original.ts';

/** What Node writes with --cpu-prof; times are microseconds of the system's steady clock. */
const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.number().default(0),
        columnNumber: z.number().default(0),
      }),
    }),
  ),
  startTime: z.number(),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

export interface Layer {
  readonly layer: string;
  /** Its share of the time in which the process worked. */
  readonly share: number;
}

/**
 * Sums up the self time of functions by layer.
 *
 * @param text a file of `node --cpu-prof`
 * @param from start of the part that counts, and `to` its end, in microseconds of the steady clock
 * @returns the layers, the greatest first
 */
export function summarise(text: string, { from, to }: { from: number; to: number }): Layer[] {
  const { nodes, startTime, samples, timeDeltas } = cpuProfile.parse(JSON.parse(text));
  const sourceOf = sourceFinder();
  const layers = new Map(
    nodes.map(({ id, callFrame }) => [id, layerOf({ ...callFrame, url: sourceOf(callFrame) })] as const),
  );
  const times = new Map<string, number>();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    now += delta;
    const layer = layers.get(id);
    if (layer !== undefined && now >= from && now <= to) times.set(layer, (times.get(layer) ?? 0) + delta);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([layer, time]) => ({ layer, share: time / total }))
    .toSorted((one, other) => other.share - one.share);
}
