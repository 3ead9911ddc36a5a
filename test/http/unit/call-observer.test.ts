import { expect, test } from 'vitest';
import { CallerGoneError, TooLargeError, UnreachableError, UpstreamTimeoutError } from '../../../src/errors.ts';
import {
  allCallObservers,
  type BegunCall,
  type CallObserver,
  type EndedCall,
} from '../../../src/calls/transport/call-observer.ts';
import { Departure } from '../../../src/calls/transport/departure.ts';
import { stoppedClock } from '../../support/clock.ts';
import {
  DEAD_ADDRESS,
  heldUpstream,
  rawUpstream,
  says,
  stubUpstream,
  wholeAnswer,
} from '../../support/stub-upstream.ts';
import { get, STAYS, upstreamAt } from './support.ts';

const CALL = { api: 'CRM', endpoint: 'GET /app/deals/:id.json' };
/** Keeps what it sees, and has a header of its own sent. */
function recordingObserver(headers?: Record<string, string>) {
  const begun: BegunCall[] = [];
  const ended: EndedCall[] = [];
  const observer: CallObserver = {
    begin: (call) => {
      begun.push(call);
      return { headers, end: (call) => void ended.push(call) };
    },
  };
  return { observer, begun, ended };
}

test('an answered call is seen with its template, its status, its size and its times', async () => {
  const { observer, begun, ended } = recordingObserver();
  const { takes } = stoppedClock();
  const { url } = await stubUpstream(takes(70, says('0123456789', { status: 201 })));
  await upstreamAt(url, { observer }).open(get, CALL).answer(STAYS);

  expect(begun).toEqual([{ api: 'CRM', method: 'GET', template: '/app/deals/:id.json', isRead: true }]);
  expect(ended).toMatchObject([{ status: 201, bytes: 10, retries: 0, error: undefined, queueMs: 0, totalMs: 70 }]);
});

test('the headers of all observers are sent', async () => {
  const first = recordingObserver({ traceparent: '00-1' });
  const second = recordingObserver();
  const third = recordingObserver({ tracestate: 'a=b' });
  const sent: unknown[] = [];
  const { url } = await stubUpstream((request, response) => {
    const { traceparent, tracestate, accept } = request.headers;
    sent.push({ traceparent, tracestate, accept });
    says('{}')(request, response);
  });
  const observer = allCallObservers([undefined, first.observer, second.observer, third.observer]);
  await upstreamAt(url, { observer }).open(get, CALL).answer(STAYS);

  expect(sent).toEqual([{ traceparent: '00-1', tracestate: 'a=b', accept: 'application/json' }]);
  for (const { ended } of [first, second, third]) expect(ended).toHaveLength(1);
});

test('without an observer there is none', () => {
  const { observer } = recordingObserver();
  expect(allCallObservers([undefined])).toBeUndefined();
  expect(allCallObservers([undefined, observer])).toBe(observer);
});

test('a read that is sent once more is one call with a retry', async () => {
  const { observer, ended } = recordingObserver();
  let calls = 0;
  const { url } = await rawUpstream((socket) => {
    calls += 1;
    if (calls === 1) socket.destroy();
    else socket.write(wholeAnswer('{}'));
  });
  await upstreamAt(url, { observer }).open(get, CALL).answer(STAYS);
  expect(ended).toMatchObject([{ status: 200, bytes: 2, retries: 1 }]);
});

test('a call that waits for a connection is seen with the time of its wait', async () => {
  const { observer, ended } = recordingObserver();
  const { takes } = stoppedClock();
  const { url, answer } = await heldUpstream(takes(30, says('{}')), '/first');
  const upstream = upstreamAt(url, { observer });
  const first = upstream.open({ ...get, target: '/first' }, CALL).answer(STAYS);
  const second = upstream.open(get, CALL).answer(STAYS);
  await answer('/first', takes(70, says('{}')));
  await Promise.all([first, second]);

  expect(ended).toMatchObject([
    { queueMs: 0, totalMs: 70 },
    { queueMs: 70, totalMs: 100 },
  ]);
});

test('a call without a whole response ends with the error', async () => {
  const { observer, ended } = recordingObserver();
  const tooLarge = await stubUpstream(says('0123456789a'));
  await expect(upstreamAt(tooLarge.url, { observer }).open(get, CALL).answer(STAYS)).rejects.toThrow(TooLargeError);
  await expect(upstreamAt(DEAD_ADDRESS, { observer }).open(get, CALL).answer(STAYS)).rejects.toThrow(UnreachableError);
  const silent = await stubUpstream(() => {});
  await expect(upstreamAt(silent.url, { observer, timeoutMs: 500 }).open(get, CALL).answer(STAYS)).rejects.toThrow(
    UpstreamTimeoutError,
  );

  expect(ended).toMatchObject([
    { status: 200, bytes: 10, error: expect.any(TooLargeError) },
    { status: undefined, bytes: 0, error: expect.any(UnreachableError) },
    { status: undefined, bytes: 0, error: expect.any(UpstreamTimeoutError) },
  ]);
});

test('a call ends once, when the last of those who wait for it has left', async () => {
  const { observer, begun, ended } = recordingObserver();
  const { url } = await stubUpstream(() => {});
  const call = upstreamAt(url, { observer }).open(get, CALL);
  const callers = [new Departure(), new Departure()];
  const answers = callers.map((gone) => call.answer(gone).catch((error: unknown) => error));
  callers[0]?.happen();
  expect(ended).toEqual([]);
  callers[1]?.happen();

  expect(await Promise.all(answers)).toEqual([expect.any(CallerGoneError), expect.any(CallerGoneError)]);
  expect(begun).toHaveLength(1);
  expect(ended).toMatchObject([{ status: undefined, error: expect.any(CallerGoneError) }]);
});

test('a call that an open breaker refuses begins and ends', async () => {
  const { observer, begun, ended } = recordingObserver();
  const upstream = upstreamAt(DEAD_ADDRESS, { observer });
  for (let call = 0; call < 10; call += 1)
    await upstream
      .open(get, CALL)
      .answer(STAYS)
      .catch(() => {});
  await expect(upstream.open(get, CALL).answer(STAYS)).rejects.toThrow('is not called for now');
  expect(begun).toHaveLength(11);
  expect(ended).toHaveLength(11);
  expect(ended.at(-1)).toMatchObject({ status: undefined, retries: 0, error: { name: 'Error' } });
  expect(ended.at(-1)?.queueMs).toBe(ended.at(-1)?.totalMs);
});
