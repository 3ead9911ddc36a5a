import type { UpstreamReport } from '../apis/upstreams.ts';

/** An API in the body of `/ready`. */
interface ApiReadiness {
  /** `open` while it is not called because it failed too often; `failing` when it failed at the last call. */
  readonly state: 'ok' | 'failing' | 'open';
  /** The end of the last calls of this process. A key is absent as long as no call has ended so. */
  readonly last: {
    /** `status` is a class such as `2xx`: an answer of 5xx is an answer, too. `ms` is the duration of the call. */
    readonly answered?: { readonly at: string; readonly status: string; readonly ms: number };
    /** No connection, or no complete answer in time. */
    readonly failed?: { readonly at: string };
  };
}

/** Each API that has an address, by its name. */
export function apiReadiness(reports: readonly UpstreamReport[]): Readonly<Record<string, ApiReadiness>> {
  const entries = reports.flatMap(({ api, state, last }) => {
    if (!state || !last) return [];
    const { answeredAt, answerMs, answerStatus, failedAt } = last;
    const status = `${Math.floor(answerStatus / 100)}xx`;
    const answered = answeredAt > 0 && { answered: { at: isoTime(answeredAt), status, ms: Math.round(answerMs) } };
    const failed = failedAt > 0 && { failed: { at: isoTime(failedAt) } };
    const isFailing = failedAt > answeredAt || answerStatus >= 500;
    const shown = state === 'ok' && isFailing ? 'failing' : state;
    return [[api.name, { state: shown, last: { ...answered, ...failed } }] as const];
  });
  return Object.fromEntries(entries);
}

/** @param at as `performance.now()` told it */
function isoTime(at: number): string {
  return new Date(Date.now() - (performance.now() - at)).toISOString();
}
