import { expect, test } from 'vitest';
import { LastCalls } from '../../src/calls/transport/call.ts';
import { upstreamTime } from '../../src/idempotency/upstream-time.ts';

const DATE = 'Wed, 25 Nov 2026 10:00:00 GMT';
const AT = Date.parse(DATE);

function last(date: string, answeredAt = 5_000, ms = 40): LastCalls {
  return Object.assign(new LastCalls(), { answeredAt, answerMs: ms, answerDate: date });
}

test('the time of upstream lies within the second of its last header, and what the answer took', () => {
  expect(upstreamTime(last(DATE), 5_000)).toEqual({ earliest: AT, latest: AT + 1_040 });
  expect(upstreamTime(last(DATE), 5_250)).toEqual({ earliest: AT + 250, latest: AT + 1_290 });
});

test.each([
  ['no answer yet', new LastCalls()],
  ['no API', undefined],
  ['no header', last('')],
  ['a header that is no time', last('soon')],
  ['an answer of more than ten minutes ago', last(DATE, 5_000 - 600_001)],
])('the time of upstream is not known: %s', (_name, calls) => {
  expect(upstreamTime(calls, 5_000)).toBeUndefined();
});
