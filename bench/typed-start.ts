// What typed databases cost at the start: `npm run bench:typed-start`. Starts the gateway without and with a snapshot of 100
// databases of 50 fields in turns, and fails when the second takes more than 1.5 times the time, or 60 MB more. Prints
// medians: the time to the first answer, the CPU time until then, and the memory of the idle process. It has both CPUs, as
// V8 optimizes code on one while the start goes on on the other.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshotText } from '../src/typed-flex/snapshot/snapshot.ts';
import { snapshotOf } from '../test/typed-flex/snapshots.ts';
import { ALL_CPUS, prepareThisProcess } from './driver/processes.ts';
import { median } from './driver/statistics.ts';
import { startTarget } from './driver/target.ts';
import { startUpstream, type Upstream } from './driver/upstream.ts';
import { cpuMs, rssMb } from './driver/usage.ts';
import { type Target, TRIVIUM } from './targets.ts';

const DATABASES = 100;
const FIELDS = 50;
const ROUNDS = 15;
const IDLE_MS = 1500;
const MOST = { times: 1.5, moreMb: 60 };

const TYPES = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time'] as const;

/** The snapshot of databases with one table each. */
function snapshot(): string {
  const fields = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, field) => [
      field % 2 === 0 ? `title${field + 1}` : `due_at_${field + 1}`,
      TYPES[field % TYPES.length],
    ]),
  );
  const databases = Array.from({ length: DATABASES }, (_, index) => ({
    id: String(index + 1),
    name: `Database ${index + 1}`,
    code: `database-${index + 1}`,
    schema: { fields, indexed_fields: ['title1', 'due_at_2', 'title3'] },
  }));
  return snapshotText(snapshotOf(databases));
}

interface Start {
  readonly answerMs: number;
  readonly cpuMs: number;
  readonly idleMb: number;
}

async function measure(target: Target, upstream: Upstream): Promise<Start> {
  const running = await startTarget(target, upstream, { cpu: ALL_CPUS });
  const cpu = cpuMs(running.pid);
  await sleep(IDLE_MS);
  const idleMb = rssMb(running.pid);
  await running.stop();
  return { answerMs: running.firstAnswerMs, cpuMs: cpu, idleMb };
}

prepareThisProcess();
const folder = mkdtempSync(join(tmpdir(), 'trivium-typed-start-'));
const file = join(folder, 'flex.schema.json');
writeFileSync(file, snapshot());
const upstream = await startUpstream();
const typed: Target = {
  ...TRIVIUM,
  name: 'typed',
  env: (...given) => ({ ...TRIVIUM.env(...given), FLEX_SCHEMA: file }),
};
const starts: Record<'untyped' | 'typed', Start[]> = { untyped: [], typed: [] };
for (let round = 0; round < ROUNDS; round++) {
  starts.untyped.push(await measure(TRIVIUM, upstream));
  starts.typed.push(await measure(typed, upstream));
}
await upstream.stop();
rmSync(folder, { recursive: true });

const figure = (name: keyof typeof starts, key: keyof Start) => median(starts[name].map((start) => start[key]));
for (const name of ['untyped', 'typed'] as const) {
  const [answer, cpu, idle] = (['answerMs', 'cpuMs', 'idleMb'] as const).map((key) => figure(name, key).toFixed(0));
  console.log(`${name.padEnd(8)} first answer after ${answer} ms, ${cpu} ms of CPU, ${idle} MB idle`);
}
const times = figure('typed', 'answerMs') / figure('untyped', 'answerMs');
const moreMb = figure('typed', 'idleMb') - figure('untyped', 'idleMb');
console.log(
  `${times.toFixed(2)} times the time (at most ${MOST.times}), ${moreMb.toFixed(0)} MB more (at most ${MOST.moreMb})`,
);
process.exitCode = times <= MOST.times && moreMb <= MOST.moreMb ? 0 : 1;
