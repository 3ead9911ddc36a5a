import { parseArgs } from 'node:util';
import { type Target, TARGETS, WAN_TARGETS } from '../targets.ts';
import { type LinkOptions, LINKS } from '../wan/link.ts';
import { type WorkloadName, WORKLOADS } from '../workloads/workload.ts';

export const PARTS = ['table', 'lists', 'callers', 'memory', 'start', 'wan', 'profile', 'page'] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  readonly targets: readonly Target[];
  readonly workloads: readonly WorkloadName[];
  /** Windows of each target and workload; the median counts. */
  readonly rounds: number;
  /** Length of a window. */
  readonly seconds: number;
  /** Delay of each upstream response. */
  readonly latencyMs: number;
  /** The networks of the part `wan`. */
  readonly links: readonly LinkOptions[];
  readonly parts: readonly Part[];
  /** Whether the results are saved: not those of a choice of targets or workloads, or with latency. */
  readonly saved: boolean;
}

export const USAGE = `npm run bench -- [options]

  --targets NAMES     of ${TARGETS.map(({ name }) => name).join(', ')}
  --workloads NAMES   of ${WORKLOADS.join(', ')}
  --rounds N          windows of each, the median counts (default 3)
  --seconds N         length of a window (default 4)
  --latency N         delay of each upstream response in milliseconds (default 0)
  --parts NAMES       of ${PARTS.join(', ')}
  --wan               what one user waits for over a network, and nothing else
  --rtt N             round trip of that network in milliseconds (default 40)
  --mbit N            its bandwidth in megabits per second (default 50)

Without --targets, --workloads, --latency and --wan every part is measured, its results are saved to bench/results/, and
docs/performance.md is written. With one of them the table, or the part wan, is measured and printed, and nothing is
written.`;

/** @throws Error for an unknown option or value */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ targets: text, workloads: text, rounds: text, seconds: text, latency: text, parts: text },
      ...{ wan: flag, rtt: text, mbit: text },
    },
  });
  if (values.wan) return wanOptions(values);
  if (values.rtt !== undefined || values.mbit !== undefined) throw new Error('--rtt and --mbit go with --wan.');
  const saved = values.targets === undefined && values.workloads === undefined && values.latency === undefined;
  if (!saved && values.parts !== undefined) {
    throw new Error('--parts goes with none of --targets, --workloads and --latency.');
  }
  return {
    targets: chosen('--targets', values.targets, new Map(TARGETS.map((target) => [target.name, target]))),
    workloads: chosen('--workloads', values.workloads, named(WORKLOADS)),
    rounds: positive('--rounds', values.rounds ?? '3'),
    seconds: positive('--seconds', values.seconds ?? '4'),
    latencyMs: values.latency === undefined ? 0 : positive('--latency', values.latency),
    links: LINKS,
    parts: chosen('--parts', values.parts ?? (saved ? undefined : 'table'), named(PARTS)),
    saved,
  };
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The part `wan` alone, over one network. */
function wanOptions(values: Values): Options {
  const other = ['workloads', 'seconds', 'latency', 'parts'].find((name) => values[name] !== undefined);
  if (other !== undefined) throw new Error(`--${other} does not go with --wan.`);
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return {
    ...readOptions(['--rounds', text('rounds') ?? '3']),
    targets: chosen('--targets', text('targets'), new Map(WAN_TARGETS.map((target) => [target.name, target]))),
    links: [{ rttMs: positive('--rtt', text('rtt') ?? '40'), mbit: positive('--mbit', text('mbit') ?? '50') }],
    parts: ['wan'],
    saved: false,
  };
}

/** For `chosen`: values that are their own names. */
export const named = <Name extends string>(names: readonly Name[]) =>
  new Map<string, Name>(names.map((name) => [name, name]));

/** The values that the text names, separated by commas; all of them without a text. @throws Error for an unknown name */
export function chosen<T>(option: string, text: string | undefined, values: ReadonlyMap<string, T>): T[] {
  if (text === undefined) return [...values.values()];
  return text.split(',').map((name) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${option} knows no ${name}, but ${[...values.keys()].join(', ')}.`);
    return value;
  });
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} is a number above zero.`);
  return value;
}
