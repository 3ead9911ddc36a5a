import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Bound } from './bound.ts';
import type { MeasuredGateway } from './gateway.ts';

const MB = 1_000_000;

/** What others notice of some work. */
export interface Effect {
  /** The longest wait for `/health`, in milliseconds. */
  readonly healthMs: number;
  /** The most memory that the process held. */
  readonly peakMb: number;
  /** How much of it was held above what it held before. */
  readonly addedMb: number;
}

/** Asks for `/health` in a thread of its own until it is told to end, and posts the longest wait in milliseconds. */
const PROBE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const isOver = new Int32Array(workerData.isOver);
  let slowest = 0;
  (async () => {
    await (await fetch(workerData.url)).text(); // opens the connection
    parentPort.postMessage('ready');
    while (isOver[0] === 0) {
      const begun = performance.now();
      await (await fetch(workerData.url)).text();
      slowest = Math.max(slowest, performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    parentPort.postMessage(slowest);
  })();
`;

/** Measures what others notice while some work is done. */
export async function effectOf({ pid, url }: MeasuredGateway, work: () => Promise<unknown>): Promise<Effect> {
  const isOver = new SharedArrayBuffer(4);
  const probe = new Worker(PROBE, { eval: true, workerData: { url: `${url}/health`, isOver } });
  await once(probe, 'message');
  const restMb = memoryMb(pid, 'VmRSS');
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // the peak begins anew
  try {
    await work();
  } finally {
    Atomics.store(new Int32Array(isOver), 0, 1);
  }
  const [healthMs] = await once(probe, 'message');
  const peakMb = memoryMb(pid, 'VmHWM');
  return { healthMs: Number(healthMs), peakMb, addedMb: peakMb - restMb };
}

/** What a process holds in memory, or the most that it has held. */
function memoryMb(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  const line = lines.find((each) => each.startsWith(`${figure}:`)) ?? '';
  return (Number.parseInt(line.slice(figure.length + 1), 10) * 1024) / MB;
}

/** What one caller and six at once may cost: `/health` answers within 200 ms, and the process holds so much more. */
export function boundsOf(name: string, measure: (callers: number) => Promise<Effect>): Bound[] {
  return [
    [1, 150],
    [6, 400],
  ].flatMap(([callers = 1, limit = 0]): Bound[] => {
    const by = `${name}, ${callers === 1 ? 'one caller' : `${callers} callers`}`;
    return [
      { name: `${by}: others wait`, limit: 200, unit: 'ms', measure: async () => (await measure(callers)).healthMs },
      { name: `${by}: memory`, limit, unit: 'MB', measure: async () => (await measure(callers)).addedMb },
    ];
  });
}
