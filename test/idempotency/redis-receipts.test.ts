import { expect, onTestFinished, test, vi } from 'vitest';
import { RedisReceipts } from '../../src/idempotency/redis-receipts.ts';
import { createLog } from '../../src/observe/log.ts';
import { AWAY } from '../../src/redis/shared-store.ts';
import { again, LONG_MS, named, SENT_AT } from './receipt-contract.ts';

// What they promise is tested over a Redis, in test/servers/receipts.test.ts.

/** Receipts over a Redis that answers this to each command, or what the function returns. */
function over(answer: unknown, state: 'ok' | 'away' = 'ok') {
  let asked = 0;
  const store = {
    state,
    key: (kind: string, name: string) => `${kind}:${name}`,
    run: async (): Promise<unknown> => {
      asked += 1;
      return typeof answer === 'function' ? answer() : answer;
    },
  };
  const log = createLog('silent', { write: () => {} });
  // @ts-expect-error: a Redis may answer anything, of any type
  const receipts = new RedisReceipts({ store, log, ttlMs: LONG_MS, max: 10 });
  onTestFinished(() => receipts.close());
  return { receipts, asked: () => asked };
}

test.each([
  ['no list', 'OK'],
  ['nothing', null],
  ['a number', 7],
  ['an empty list', []],
  ['another word', ['MAYBE']],
  ['a number for a word', [1]],
  ['an id that is no text', ['APPLIED', 7]],
  ['an UNKNOWN without its time', ['UNKNOWN']],
  ['a time that is no number', ['UNKNOWN', 'soon', '1', '2']],
  ['a negative time', ['UNKNOWN', '-1', '1', '2']],
  ['a time beyond all clocks', ['UNKNOWN', '1'.repeat(17), '1', '2']],
  ['that the attempt is withdrawn', ['WITHDRAWN']],
  ['nothing in time', AWAY],
])('a Redis that answers %s is AWAY', async (_name, answer) => {
  const { receipts } = over(answer);
  expect(await again(receipts, named())).toEqual({ state: 'AWAY' });
  expect(await receipts.claim(named(), '1')).toBe(false);
  expect(receipts.begins.get('AWAY')).toBe(1);
});

test('times of upstream that are no numbers are not known', async () => {
  for (const [sent, ended] of [
    ['x', '-'],
    [7, null],
    [undefined, '1e3'],
  ]) {
    const { receipts } = over(['UNKNOWN', '5', sent, ended]);
    const found = await again(receipts, named());
    expect(found).toEqual({ state: 'UNKNOWN', sentMsAgo: 5, sentAt: undefined, endedAt: undefined });
  }
});

test('an id that is longer than any is none', async () => {
  const { receipts } = over(['APPLIED', `=${'x'.repeat(257)}`]);
  expect(await again(receipts, named())).toEqual({ state: 'APPLIED', id: undefined });
});

test('while Redis is away nothing is sent, nor kept to be told', async () => {
  const { receipts, asked } = over(AWAY, 'away');
  expect(await again(receipts, named())).toEqual({ state: 'AWAY' });
  await receipts.close();
  expect(asked()).toBe(0);
});

test('a wait for a write of the same process ends with it, at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // no time passes: nothing is asked again by itself
  onTestFinished(() => void vi.useRealTimers());
  const answers = [['OPEN'], 'OK', ['APPLIED', '=1']]; // it is OPEN, its end is taken, it is not OPEN
  const { receipts, asked } = over(() => answers.shift());
  const wait = receipts.settled(named(), LONG_MS);
  while (vi.getTimerCount() === 0) await Promise.resolve();
  await receipts.end(named(), 'attempt', { state: 'APPLIED', id: '1' }, SENT_AT);
  await wait;
  expect(asked()).toBe(3);
});

test('a wait for a Redis that does not answer ends after its time', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { receipts, asked } = over(AWAY);
  const onEnd = vi.fn<() => void>();
  const wait = receipts.settled(named(), 300).then(onEnd);
  await vi.advanceTimersByTimeAsync(299);
  expect(onEnd).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await wait;
  expect(asked()).toBe(5); // after 0, 25, 75, 175 and 300 ms
});
