// `npm run bench`: measures the gateway against the floor and the peers, and writes docs/performance.md.
import { installPeers } from './driver/install.ts';
import { type Options, type Part, readOptions, USAGE } from './driver/options.ts';
import { pinned, prepareThisProcess } from './driver/processes.ts';
import { workloadTables } from './page/table.ts';
import { wanTables } from './page/wan.ts';
import { writePage } from './page/write.ts';
import { measureCallers, measureLists, measureMemory } from './parts/growth.ts';
import { saveProfiles } from './parts/profiles.ts';
import { measureStart } from './parts/start.ts';
import { measureTable } from './parts/table.ts';
import { measureWan } from './parts/wan.ts';
import { profileWorkload } from './profile/measure.ts';
import { describeMachine, describeRun, saveResults, type WanRow } from './results.ts';
import { COMPARED, FLOOR, WAN_TARGETS } from './targets.ts';
import type { WorkloadName } from './workloads/workload.ts';

const PROFILED: readonly WorkloadName[] = ['W1', 'W2', 'W3', 'W5'];

const parts: Readonly<Record<Part, (options: Options) => Promise<void>>> = {
  async table(options) {
    const rows = await measureTable(options);
    console.log(workloadTables(rows));
    if (options.saved) saveResults('table', { run: describeRun(options), rows });
  },
  async lists({ seconds, latencyMs }) {
    const run = describeRun({ seconds, rounds: 1, latencyMs });
    saveResults('lists', { run, rows: await measureLists(COMPARED, seconds) });
  },
  async callers({ seconds, latencyMs }) {
    const run = describeRun({ seconds, rounds: 1, latencyMs });
    saveResults('callers', { run, rows: await measureCallers(COMPARED, seconds) });
  },
  async memory({ seconds, latencyMs }) {
    const run = describeRun({ seconds, rounds: 1, latencyMs });
    saveResults('memory', { run, rows: await measureMemory(COMPARED, seconds) });
  },
  async start({ seconds, latencyMs }) {
    const run = describeRun({ seconds, rounds: 1, latencyMs });
    saveResults('start', { run, rows: await measureStart(COMPARED) });
  },
  async wan({ targets, links, rounds, saved }) {
    const compared = saved ? WAN_TARGETS : targets;
    const rows: WanRow[] = [];
    for (const link of links) rows.push(...(await measureWan(compared, link, rounds)));
    console.log(wanTables(rows));
    if (saved) saveResults('wan', { run: describeMachine(rounds), rows });
  },
  async profile({ seconds }) {
    for (const workload of PROFILED) saveProfiles([await profileWorkload(workload, 'now', seconds)]);
  },
  page: writePage,
};

async function run(options: Options): Promise<void> {
  if (!pinned) console.error('Processes are not pinned to CPUs: there is no taskset, or one CPU alone.');
  prepareThisProcess();
  if (options.targets.some(({ name }) => !name.startsWith('trivium') && name !== FLOOR.name)) installPeers();
  for (const part of options.parts) await parts[part](options);
}

/** @returns undefined after it has told how the command is used */
function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return undefined;
  }
}

const options = optionsOrUsage();
if (options) await run(options);
else process.exitCode = 2;
