import { setTimeout } from 'node:timers/promises';
import type { Finding } from './doctor.ts';

export interface WatchOptions {
  /** Tries each API once. */
  readonly check: () => Promise<readonly Finding[]>;
  /** The pause between two rounds. It is longer after a `Retry-After` that asks for more. */
  readonly intervalMs: number;
  /** Ends the watch, also in the midst of a round. */
  readonly end: AbortSignal;
  /** Receives a line for each API at first, then for each change. */
  readonly print: (line: string) => void;
}

/** An API since it answers, or since it fails. */
interface Phase {
  readonly ok: boolean;
  readonly since: number;
  readonly text: string;
}

/** Repeats the trial calls of the doctor until it is ended, and prints what changes. */
export async function watchUpstreams({ check, intervalMs, end, print }: WatchOptions): Promise<void> {
  const phases = new Map<string, Phase>();
  while (!end.aborted) {
    const findings = await check();
    if (end.aborted) return; // the calls of this round were cancelled
    for (const finding of findings) {
      const line = nextLine(phases, finding, Date.now());
      if (line !== undefined) print(line);
    }
    const asked = Math.max(...findings.map(({ retryAfter = 0 }) => retryAfter * 1_000));
    await setTimeout(Math.max(intervalMs, asked), undefined, { signal: end }).catch(() => {});
  }
}

/** The line for a finding that differs from the one before. The counts of records that answer may change without a line. */
function nextLine(phases: Map<string, Phase>, { api, ok, text }: Finding, now: number): string | undefined {
  const before = phases.get(api);
  const isSamePhase = before?.ok === ok;
  if (isSamePhase && (ok || before.text === text)) return undefined;
  phases.set(api, { ok, text, since: isSamePhase ? before.since : now });
  const lasted = before && !isSamePhase ? ` It ${ok ? 'failed' : 'answered'} for ${duration(now - before.since)}.` : '';
  return `${new Date(now).toISOString().slice(0, 19)}Z  ${ok ? 'ok  ' : 'FAIL'}  ${api}: ${text}${lasted}`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
