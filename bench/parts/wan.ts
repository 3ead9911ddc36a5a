// What one user waits for over a network: each journey by itself, on a gateway that was just started.
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../driver/statistics.ts';
import { startTarget } from '../driver/target.ts';
import type { WanRow } from '../results.ts';
import type { Target } from '../targets.ts';
import { directJourneys } from '../wan/direct.ts';
import { AFTER_CHANGE, AFTER_SILENCE, type Ask, JOURNEYS, type JourneyName, type Journeys } from '../wan/journeys.ts';
import type { LinkOptions } from '../wan/link.ts';
import { startWanUpstream, type WanUpstream } from '../wan/upstream.ts';

const SILENCE_MS = 10_000;

/** One whose journeys are timed. */
export interface Caller {
  readonly name: string;
  readonly journeys: Journeys;
  readonly stop: () => Promise<void>;
}

/** The journeys of `direct` and of each target over one link, `rounds` times, each time in processes of their own. */
export async function measureWan(targets: readonly Target[], link: LinkOptions, rounds: number): Promise<WanRow[]> {
  const upstream = await startWanUpstream(link);
  const rows: WanRow[] = [];
  for (let round = 0; round < rounds; round++) {
    const callers = [direct(upstream)];
    for (const target of targets) callers.push(await callerOf(target, upstream));
    const order = callers.map((_none, index) => (index + round) % callers.length);
    const inTurn = order.flatMap((index) => callers[index] ?? []);
    rows.push(...(await timeJourneys(inTurn, upstream)).map((row) => ({ ...link, ...row })));
    for (const { stop } of callers) await stop();
    console.error(`${link.rttMs} ms, ${link.mbit} Mbit/s: ${round + 1} of ${rounds}`);
  }
  await upstream.stop();
  const first = rows.slice(0, (targets.length + 1) * JOURNEYS.length);
  return first.map((row) => medianRow(rows.filter((other) => sameJourney(row, other))));
}

type Timed = Omit<WanRow, keyof LinkOptions>;

/** Times all journeys of each traveller. Those after the silence come last, so that all are silent at the same time. */
export async function timeJourneys(
  callers: readonly Caller[],
  upstream: WanUpstream,
  silenceMs = SILENCE_MS,
): Promise<Timed[]> {
  const rows: Timed[] = [];
  const lastAt = new Map<Caller, number>();
  for (const one of callers) {
    for (const journey of JOURNEYS) if (journey !== AFTER_SILENCE) rows.push(await timed(one, journey, upstream));
    lastAt.set(one, performance.now());
  }
  for (const one of callers) {
    await sleep(Math.max(0, (lastAt.get(one) ?? 0) + silenceMs - performance.now()));
    rows.push(await timed(one, AFTER_SILENCE, upstream));
  }
  return rows;
}

async function timed({ name, journeys }: Caller, journey: JourneyName, upstream: WanUpstream): Promise<Timed> {
  const changed = journey === AFTER_CHANGE ? upstream.changeClient() : '';
  upstream.reset();
  const began = performance.now();
  await journeys[journey](changed);
  return { target: name, journey, ms: performance.now() - began, ...upstream.counts() };
}

function direct({ origin, clients }: WanUpstream): Caller {
  return { name: 'direct', ...directJourneys(origin, clients) };
}

async function callerOf(target: Target, upstream: WanUpstream): Promise<Caller> {
  const { name, journeys } = target;
  if (!journeys) throw new Error(`${name} has no journeys.`);
  const { url, headers, stop } = await startTarget(target, upstream);
  return { name, journeys: journeys(asking(url, headers)), stop };
}

/** Operations by POST, on a connection that is kept open. */
export function asking(url: URL, headers: Readonly<Record<string, string>>): Ask {
  return async (query, variables) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const answer: unknown = await response.json();
    if (typeof answer === 'object' && answer !== null && 'data' in answer && !('errors' in answer)) return answer.data;
    throw new Error(`${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
  };
}

const sameJourney = (one: WanRow, other: WanRow) => one.target === other.target && one.journey === other.journey;

function medianRow(rows: readonly WanRow[]): WanRow {
  const [row] = rows;
  if (!row) throw new Error('A journey was not timed.');
  const of = (figure: 'ms' | 'bytes' | 'calls') => median(rows.map((row) => row[figure]));
  return { ...row, ms: of('ms'), bytes: of('bytes'), calls: of('calls') };
}
