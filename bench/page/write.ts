// docs/performance.md and its plots, from the saved results.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { PROJECT } from '../driver/processes.ts';
import { type Machine, type Measured, readResults, RESULTS, type Run } from '../results.ts';
import { callersLatencyPlot, callersPlot, listMemoryPlot, listTimesPlot, memoryTable, startTable } from './growth.ts';
import { profileTables } from './profiles.ts';
import { sharesPlot, workloadTables } from './table.ts';
import { wanTables } from './wan.ts';

const PAGE = 'docs/performance.md';
const PICTURES = 'docs/performance';
/** Written by hand, between the parts that are measured here. */
const LIST_OR_READS = 'bench/page/list-or-reads.md';

/** Writes the page from what is saved in bench/results/; a part that was never measured is left out. */
export async function writePage(): Promise<void> {
  mkdirSync(join(PROJECT, PICTURES), { recursive: true });
  const sections = [INTRODUCTION, tableSection(), wanSection(), byHand(), listsSection(), callersSection()];
  const text = [...sections, memorySection(), startSection(), profileSection(), HOW].filter((part) => part !== '');
  writeFileSync(join(PROJECT, PAGE), (await format(PAGE, text.join('\n\n'))).code);
  console.error(`${PAGE} is written.`);
}

const INTRODUCTION = `# Performance

<!-- \`npm run bench\` writes this page. -->

The compiled gateway with the shipped defaults (limits, masking, redaction, deadlines, the log), compared to other
gateways over the same canned upstream. \`floor\` is the same upstream calls without GraphQL: undici, \`JSON.parse\`, fields
picked by hand, nothing checked. \`trivium-unshared\` is the gateway with \`SHARE_READS=false\`. Mercurius runs compiled by
graphql-jit, Apollo Server with its REST data sources. Neither has limits, and both trust what upstream sends.

The CPU time for one operation is the figure that other processes of the machine disturb least. Share of floor is the
CPU time of the floor divided by that of the target: above 1 the target needs less.`;

const HOW = `## Measure it

\`npm run bench\` measures all of this and writes this page: it takes about 25 minutes on a quiet machine, and installs the peers
(\`bench/peers\`) when they are not there. Each answer is checked before its workload is timed. The gateway runs on one CPU,
the upstream and the load generator on another, where \`taskset\` can pin them. A window in which other processes use more
than a fifth of a CPU is measured again. [bench/README.md](../bench/README.md) has the options.`;

function tableSection(): string {
  const results = readResults('table', RESULTS.table);
  if (!results) return '';
  const picture = savePlot('peers', 'CPU time as a share of the floor, for each workload', sharesPlot(results.rows));
  return `## Against peers\n\n${about(results.run)}\n\n${picture}\n\n${workloadTables(results.rows)}`;
}

function wanSection(): string {
  const results = readResults('wan', RESULTS.wan);
  if (!results) return '';
  const { run, rows } = results;
  return `## Over a network\n\nThe median of ${run.rounds} runs, ${machine(run)}.\n\n${WAN}\n\n${wanTables(rows)}`;
}

const WAN = `What one user waits for, with an upstream that serves the records as a Rails application does: gzip for who asks, an entity
tag on each answer, 304 for one that is known. Each request waits for a round trip, on a new connection for three (TCP and
TLS 1.3), and all bodies together have one bandwidth. It is an imitation on the loopback interface: no packet is lost, and no
connection begins slowly.

Each journey is timed by itself, in this order, on a process that was just started. \`direct\` is a careful hand-written
client: it asks for gzip, sends \`If-None-Match\`, and cuts all pages from one list. The peers have no pages: they serve the
whole list. A cell has the time, the bytes of the bodies that upstream sent, and its calls. Upstream and \`direct\` are one
process, whose garbage collection is a part of the time of either.`;

function byHand(): string {
  return readFileSync(join(PROJECT, LIST_OR_READS), 'utf8').trim();
}

function listsSection(): string {
  return measuredSection('lists', (rows) => [
    '## Lists of 50 to 20,000 clients\n\nOne caller; a fresh process for each length.',
    savePlot('list-times', 'CPU time over the length of a list', listTimesPlot(rows)),
    savePlot('list-memory', 'Peak memory over the length of a list', listMemoryPlot(rows)),
  ]);
}

function callersSection(): string {
  return measuredSection('callers', (rows) => [
    '## 1 to 128 callers',
    savePlot('callers', 'Operations per second over the number of callers', callersPlot(rows)),
    savePlot('callers-p99', 'The 99th percentile over the number of callers', callersLatencyPlot(rows)),
  ]);
}

function memorySection(): string {
  return measuredSection('memory', (rows) => [
    '## Memory',
    'Peak resident memory of a fresh process: lists of 2,000 clients to four callers, of 20,000 clients to one.',
    memoryTable(rows),
  ]);
}

function startSection(): string {
  const results = readResults('start', RESULTS.start);
  if (!results) return '';
  const words =
    'From the start of the process to the first answer of `/graphql`, and the resident memory of the idle process.';
  return `## Start\n\n${about(results.run)}\n\n${words}\n\n${startTable(results.rows)}`;
}

function profileSection(): string {
  const results = readResults('profile', RESULTS.profile);
  if (!results) return '';
  const words = `Where the CPU time of one operation goes: the self time of functions, summed up by layer. \`src/...\` are the
folders of the gateway, other names are packages. The profiler itself costs some time, so that the sums are above those
of the tables.`;
  return `## CPU profile by layer\n\n${words}\n\n${profileTables(results.rows)}`;
}

function measuredSection(
  name: 'lists' | 'callers' | 'memory',
  parts: (rows: Measured['rows']) => readonly string[],
): string {
  const results = readResults(name, RESULTS[name]);
  if (!results) return '';
  const [heading, ...rest] = parts(results.rows);
  return [heading, about(results.run), ...rest].join('\n\n');
}

function about({ seconds, rounds, latencyMs, ...run }: Run): string {
  const windows = `${rounds === 1 ? 'One window' : `The median of ${rounds} windows`} of ${seconds} s`;
  const latency = latencyMs === 0 ? '' : `, upstream latency ${latencyMs} ms`;
  return `${windows}${latency}, ${machine(run)}.`;
}

function machine({ date, commit, node, cpu, cpus, pinned }: Omit<Machine, 'rounds'>): string {
  return `Node ${node} on ${cpus} CPUs (${cpu})${pinned ? '' : ', not pinned'}; commit ${commit}, ${date}`;
}

/** @returns the picture in Markdown */
function savePlot(name: string, description: string, svg: string): string {
  writeFileSync(join(PROJECT, PICTURES, `${name}.svg`), svg);
  return `![${description}](performance/${name}.svg)`;
}
