import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure } from '../driver/measure.ts';
import { startTarget } from '../driver/target.ts';
import { startUpstream } from '../driver/upstream.ts';
import { commit, type Profile } from '../results.ts';
import { TRIVIUM } from '../targets.ts';
import type { WorkloadName } from '../workloads/workload.ts';
import { summarise } from './cpu-profile.ts';

/** Time between two samples, in microseconds. */
const INTERVAL = 500;

const steadyClock = () => Number(process.hrtime.bigint() / 1000n);

/** Runs a workload on the gateway under Node's profiler; its start and the first seconds do not count. */
export async function profileWorkload(workload: WorkloadName, label: string, seconds: number): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-profile-'));
  const upstream = await startUpstream();
  const target = await startTarget(TRIVIUM, upstream, {
    nodeOptions: ['--cpu-prof', '--cpu-prof-interval', String(INTERVAL), '--cpu-prof-dir', folder],
  });
  await measure(target, upstream, { workload, seconds: 0.1, warmUpSeconds: Math.min(3, seconds) });
  const from = steadyClock();
  const { cpuMs } = await measure(target, upstream, { workload, seconds, warmUpSeconds: 0.1 });
  const to = steadyClock();
  // Node writes the profile when the process ends.
  await target.stop();
  await upstream.stop();
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error('Node wrote no profile.');
  const layers = summarise(readFileSync(join(folder, file), 'utf8'), { from, to });
  rmSync(folder, { recursive: true });
  return { label, commit: commit(), workload, cpuMs, layers };
}
