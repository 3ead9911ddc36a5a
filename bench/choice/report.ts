// The table and the plot of the benchmark of the choice.
import { linePlot } from '../plot.ts';
import type { Cost } from './measure.ts';

/** The costs of one operation that reads `count` clients of a list of `size`, `atOnce` such operations at once. */
export interface Cell {
  readonly atOnce: number;
  readonly latency: number;
  readonly size: number;
  readonly count: number;
  readonly auto: Cost;
  readonly list: Cost;
  readonly byId: Cost;
  /** The share of the operations that chose the list. */
  readonly listShare: number;
}

/** The choice is right when it costs no more than this many times the better way. */
const GOAL = 1.15;

const RECORD_MB = 2.1e-3;

/** The time of the operations that were measured with the choice, beside that of the better way. */
const measuredRatio = ({ auto, list, byId }: Cell) => auto.ms / Math.min(list.ms, byId.ms);

/** The same from the least times of the chosen ways: noise in one measurement does not make a choice look wrong. */
const choiceRatio = ({ list, byId, listShare }: Cell) =>
  (listShare * list.ms + (1 - listShare) * byId.ms) / Math.min(list.ms, byId.ms);

/** The CPU time of a call and of a megabyte of a list under load, which are constants in `src/calls`. */
function unitCosts(cells: readonly Cell[]): string {
  const loaded = cells.filter(({ atOnce, latency }) => atOnce > 1 && latency === 0);
  const most = loaded.reduce((best, cell) => (cell.count > best.count ? cell : best));
  const perCall = most.byId.cpuMs / most.count;
  const perMegabyte = loaded.map(({ list, size }) => list.cpuMs / (size * RECORD_MB));
  const range = [Math.min(...perMegabyte), Math.max(...perMegabyte)].map((ms) => ms.toFixed(0)).join(' to ');
  return `A call takes ${perCall.toFixed(2)} ms of CPU, and a megabyte of a list ${range}.`;
}

/** A page in Markdown around the table: `choice.svg` is beside it. */
export function choicePage(table: string): string {
  return `# The choice between a list and reads by id

![Time of an operation over the size of the list](choice.svg)

K clients of 2.1 KB are read by their ids, alone or eight operations at once. \`npx tsx bench/choice.ts\` measures it; the
[decision](../decisions/0010-list-or-reads-by-id.md) tells how the gateway chooses. A time is that in which the process
worked or waited for upstream, the least that was seen; what was measured with a choice counts for the chosen way, too.

${table}`;
}

/** A summary and a table in Markdown of all cells. */
export function choiceTable(cells: readonly Cell[], { rounds, seconds }: { rounds: number; seconds: number }): string {
  const summary = [
    summaryOf('As measured', cells, measuredRatio),
    summaryOf('By the times of the chosen ways', cells, choiceRatio),
    unitCosts(cells),
    `Least of ${rounds} rounds in ${seconds.toFixed(0)} s.`,
  ].join(' ');
  const head = [
    'at once | latency (ms) | list | K | chosen (ms) | always the list (ms) | always by id (ms) | chosen / better: measured | by the ways | list chosen | CPU (ms): chosen | list | by id',
    '--: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --:',
  ];
  const rows = cells.map((cell) => {
    const { atOnce, latency, size, count, auto, list, byId, listShare } = cell;
    const times = [auto.ms, list.ms, byId.ms].map((ms) => ms.toFixed(1));
    const cpu = [auto.cpuMs, list.cpuMs, byId.cpuMs].map((ms) => ms.toFixed(1));
    const ratios = [measuredRatio(cell), choiceRatio(cell)].map((ratio) =>
      ratio <= GOAL ? ratio.toFixed(2) : `**${ratio.toFixed(2)}**`,
    );
    return [atOnce, latency, size, count, ...times, ...ratios, `${Math.round(100 * listShare)} %`, ...cpu].join(' | ');
  });
  const table = [...head, ...rows].map((row) => `| ${row} |`).join('\n');
  return `${summary}\n\n${table}\n`;
}

function summaryOf(how: string, cells: readonly Cell[], ratioOf: (cell: Cell) => number): string {
  const ratios = cells.map(ratioOf);
  const right = ratios.filter((ratio) => ratio <= GOAL).length;
  return `${how}, ${right} of ${cells.length} choices cost at most ${GOAL} times the better way, the worst ${Math.max(...ratios).toFixed(2)} times.`;
}

/** The time of an operation over the size of the list, for the largest K, in two situations. */
export function choicePlot(cells: readonly Cell[]): string {
  const count = Math.max(...cells.map((cell) => cell.count));
  const slowest = Math.max(...cells.filter(({ latency }) => latency <= 20).map(({ latency }) => latency));
  const situations = [
    { name: `${slowest} ms latency, alone`, atOnce: 1, latency: slowest },
    { name: 'no latency, 8 at once', atOnce: 8, latency: 0 },
  ];
  const ways = [
    { way: 'auto', of: 'chosen' },
    { way: 'list', of: 'list' },
    { way: 'byId', of: 'by id' },
  ] as const;
  return linePlot({
    title: `Reading ${count} records by id: the choice, always the list, always by id`,
    x: { label: 'records in the list', log: true },
    y: { label: 'milliseconds per operation', log: true },
    lines: situations.flatMap(({ name, atOnce, latency }) =>
      ways.map(({ way, of }) => ({
        name: `${of}: ${name}`,
        points: cells
          .filter((cell) => cell.count === count && cell.atOnce === atOnce && cell.latency === latency)
          .map((cell) => [cell.size, cell[way].ms] as const),
      })),
    ),
  });
}
