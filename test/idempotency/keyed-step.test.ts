import { expect, test } from 'vitest';
import type { UpstreamCall } from '../../src/errors.ts';
import type { KeyedWrite } from '../../src/calls/keyed-step.ts';
import { WriteLedger } from '../../src/calls/write-ledger.ts';
import { CallBudget } from '../../src/calls/transport/call-budget.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { type Found, noBegins, type Receipts } from '../../src/idempotency/receipts.ts';
import { KeyedWrites } from '../../src/idempotency/keyed-writes.ts';
import { ReceiptNames } from '../../src/idempotency/receipt-names.ts';
import { stoppedClock } from '../support/clock.ts';

const call: UpstreamCall = { api: 'crm', endpoint: 'PUT /app/clients/:id.json' };

const UPSTREAM_MS = 10_000;

const CHANGE: KeyedWrite = {
  call,
  path: '/app/clients/1.json',
  credential: 'token',
  upstream: { timeoutMs: UPSTREAM_MS, last: undefined },
  created: undefined,
  kindOf: undefined,
  evidence: undefined,
};

/** The step of an operation that has this time, over receipts that tell this, one after the other. */
function step(found: readonly Found[], operationMs = 30_000) {
  const told = [...found];
  const leases: number[] = [];
  const waits: number[] = [];
  const ends: string[] = [];
  const receipts: Receipts = {
    begins: noBegins(),
    count: () => 0,
    begin: async (_name, _sentAt, leaseMs) => {
      leases.push(leaseMs);
      return told.shift() ?? { state: 'AWAY' };
    },
    look: () => undefined,
    end: async (_name, attempt, end) => void ends.push(`${attempt} ${end.state}`),
    settled: async (_name, ms) => void waits.push(ms),
    claim: async () => true,
    close: async () => {},
  };
  const writes = new WriteLedger();
  const gone = new Departure();
  const receiptNames = new ReceiptNames((text) => `hash of ${text}`);
  const keyed = new KeyedWrites({ receipts, receiptNames }, 'k', {
    network: '',
    writes,
    gone,
    budget: new CallBudget(10, operationMs),
    credentials: () => [],
  });
  const documentWrites = ['a', 'b', '__proto__', 'constructor'].map((path) => ({ path, field: path, arguments: '{}' }));
  keyed.identify({ writes: () => documentWrites, document: '', name: undefined, variables: {} });
  const begin = async (key: string, write: Partial<KeyedWrite> = {}) => {
    writes.enter({ prev: undefined, key });
    writes.begin();
    return keyed.begin({ ...CHANGE, ...write });
  };
  return { keyed, writes, gone, begin, leases, waits, ends };
}

const NEW: Found = { state: 'NEW', attempt: '7' };
const APPLIED: Found = { state: 'APPLIED', id: '1' };

test('a change is leased for the time of its operation, in which it may wait for a record lock, and the deadline of its call; a creation for the latter', async () => {
  stoppedClock();
  const { begin, leases } = step([NEW, NEW]);
  await begin('a');
  await begin('b', { created: { name: 'Ada' } });
  expect(leases).toEqual([47_000, 17_000]); // 30 s and UPSTREAM_MS, with GRACE_MS
});

test('a first attempt is waited for as long as the operation has time, and asked again', async () => {
  stoppedClock();
  const { begin, waits } = step([{ state: 'OPEN' }, { state: 'OPEN' }, APPLIED]);
  expect(await begin('a')).toEqual({ end: undefined, id: '1' });
  expect(waits).toEqual([30_000, 30_000]);
});

test('a caller who leaves while it waits sends nothing', async () => {
  const { begin, gone, ends } = step([{ state: 'OPEN' }, NEW]);
  gone.happen();
  await expect(begin('a')).rejects.toMatchObject({ code: 'CALLER_GONE' });
  expect(ends).toEqual([]);
});

test('the ledger has the outcome of what was told', async () => {
  const { begin, writes } = step([APPLIED, { state: 'REUSED', by: 'OPEN' }]);
  await begin('a');
  expect(writes.outcome).toBe('APPLIED');
  await expect(begin('b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(writes.outcome).toBe('REFUSED');
});

test('each report is told once, and of several writes of a field the first of FIRST, RECONCILED, REPLAYED', async () => {
  const unknown: Found = { state: 'UNKNOWN', sentMsAgo: 1, sentAt: undefined, endedAt: undefined };
  const { begin, keyed } = step([NEW, APPLIED, unknown, APPLIED]);
  await (await begin('a')).end?.('APPLIED', '1');
  await begin('a');
  await begin('b', { evidence: { record: async () => ({ id: '1' }) } });
  await begin('b');
  expect(keyed.takeReports()).toEqual({ a: 'FIRST', b: 'RECONCILED' });
  expect(keyed.takeReports()).toBeUndefined();
});

test('a field may have any name as its alias', async () => {
  const { begin, keyed } = step([APPLIED, APPLIED]);
  await begin('__proto__');
  await begin('constructor');
  expect(JSON.stringify(keyed.takeReports())).toBe('{"__proto__":"REPLAYED","constructor":"REPLAYED"}');
});
