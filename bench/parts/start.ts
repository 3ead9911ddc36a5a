import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../driver/statistics.ts';
import { startTarget } from '../driver/target.ts';
import { startUpstream } from '../driver/upstream.ts';
import { rssMb } from '../driver/usage.ts';
import type { Start } from '../results.ts';
import type { Target } from '../targets.ts';

const STARTS = 7;
/** Memory is read after this pause: what the start left behind has been collected, or never will be. */
const IDLE_MS = 1500;

/** The time from the start of the process to the first answer of /graphql, and the memory of the idle process. */
export async function measureStart(targets: readonly Target[]): Promise<Start[]> {
  const upstream = await startUpstream();
  const rows: Start[] = [];
  for (const target of targets) {
    const times: number[] = [];
    const memory: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      const running = await startTarget(target, upstream);
      times.push(running.firstAnswerMs);
      await sleep(IDLE_MS);
      memory.push(rssMb(running.pid));
      await running.stop();
    }
    rows.push({ target: target.name, firstAnswerMs: median(times), idleMb: median(memory) });
    console.error(`${target.name}: first answer after ${median(times).toFixed(0)} ms, ${median(memory).toFixed(0)} MB`);
  }
  await upstream.stop();
  return rows;
}
