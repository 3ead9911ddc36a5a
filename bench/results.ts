// The results that docs/performance.md is made of: one file for each part of a run, in bench/results/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { pinned, PROJECT } from './driver/processes.ts';
import { JOURNEYS } from './wan/journeys.ts';
import { WORKLOADS } from './workloads/workload.ts';

const FOLDER = join(PROJECT, 'bench/results');

// JSON has no NaN: a figure that was not measured is null in the file.
const figure = z.union([z.number(), z.null().transform(() => Number.NaN)]);

const machine = z.object({
  date: z.string(),
  commit: z.string(),
  node: z.string(),
  cpu: z.string(),
  cpus: z.number(),
  pinned: z.boolean(),
  rounds: z.number(),
});

const run = machine.extend({ seconds: z.number(), latencyMs: z.number() });

const row = z.object({
  target: z.string(),
  workload: z.enum(WORKLOADS),
  clients: z.number(),
  connections: z.number(),
  rps: figure,
  p50Ms: figure,
  p99Ms: figure,
  cpuMs: figure,
  calls: figure,
  peakMb: figure,
  foreign: figure,
});

const start = z.object({ target: z.string(), firstAnswerMs: figure, idleMb: figure });

const wan = z.object({
  target: z.string(),
  journey: z.enum(JOURNEYS),
  rttMs: z.number(),
  mbit: z.number(),
  ms: figure,
  /** Of the bodies that upstream sent. */
  bytes: figure,
  calls: figure,
});

const profile = z.object({
  label: z.string(),
  commit: z.string(),
  workload: z.enum(WORKLOADS),
  /** CPU time for one operation, idle time left out. */
  cpuMs: figure,
  /** The layers' shares of that time, the greatest first. */
  layers: z.array(z.object({ layer: z.string(), share: z.number() })),
});

const measured = z.object({ run, rows: z.array(row) });

/** What each file holds. */
export const RESULTS = {
  table: measured,
  lists: measured,
  callers: measured,
  memory: measured,
  start: z.object({ run, rows: z.array(start) }),
  wan: z.object({ run: machine, rows: z.array(wan) }),
  profile: z.object({ rows: z.array(profile) }),
};

export type Machine = z.infer<typeof machine>;
export type Run = z.infer<typeof run>;
export type Row = z.infer<typeof row>;
export type Start = z.infer<typeof start>;
export type WanRow = z.infer<typeof wan>;
export type Profile = z.infer<typeof profile>;
export type Measured = z.infer<typeof measured>;

/** The last commit that changed the gateway, with a mark where its sources differ from it. */
export function commit(): string {
  const git = (...args: readonly string[]) => spawnSync('git', [...args, '--', 'src'], { cwd: PROJECT });
  const hash = String(git('log', '-1', '--format=%h').stdout).trim();
  const same = git('diff', '--quiet', 'HEAD').status === 0;
  return hash === '' ? 'unknown' : `${hash}${same ? '' : ', changed'}`;
}

/** Where and how a run was made. */
export function describeRun(settings: Pick<Run, 'seconds' | 'rounds' | 'latencyMs'>): Run {
  return { ...describeMachine(settings.rounds), ...settings };
}

export function describeMachine(rounds: number): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: cpus().length,
    pinned,
    rounds,
  };
}

const fileOf = (name: keyof typeof RESULTS) => join(FOLDER, `${name}.json`);

export function saveResults<Name extends keyof typeof RESULTS>(
  name: Name,
  results: z.infer<(typeof RESULTS)[Name]>,
): void {
  mkdirSync(FOLDER, { recursive: true });
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  writeFileSync(fileOf(name), `${JSON.stringify(results, rounded, 1)}\n`);
}

/** @returns undefined when the part was never saved. @throws Error when the file holds something else */
export function readResults<Schema extends z.ZodType>(
  name: keyof typeof RESULTS,
  schema: Schema,
): z.infer<Schema> | undefined {
  if (!existsSync(fileOf(name))) return undefined;
  return schema.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));
}
