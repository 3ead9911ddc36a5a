import type { LastCalls } from '../calls/transport/call.ts';

/** Beyond this age of its last answer the clock of upstream counts as unknown, in milliseconds. */
const MAX_AGE_MS = 10 * 60_000;

/** A `Date` header has no parts of a second. */
const SECOND_MS = 1000;

/**
 * Between which times the clock of upstream is now, in milliseconds since 1970: from the `Date` header of its last answer. Not documented (A245): that the header and the times of
 * records are of one clock.
 *
 * @param now of `performance.now()`
 * @returns undefined where no answer of late told it
 */
export function upstreamTime(last: Readonly<LastCalls> | undefined, now: number) {
  if (!last || last.answerDate === '' || now - last.answeredAt > MAX_AGE_MS) return undefined;
  const date = Date.parse(last.answerDate);
  if (Number.isNaN(date)) return undefined;
  // The header was written after the request was sent and before the answer was complete.
  const age = now - last.answeredAt;
  return { earliest: date + age, latest: date + SECOND_MS + age + last.answerMs };
}
