import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryReceipts } from '../../src/idempotency/memory-receipts.ts';
import {
  again,
  begun,
  type ContractOptions,
  FOREIGN,
  LONG_MS,
  named,
  receiptContract,
  SENT_AT,
} from './receipt-contract.ts';
import { roomContract } from './room-contract.ts';

async function inMemory(options: ContractOptions) {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const receipts = new MemoryReceipts(options);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { receipts, others: receipts, pass };
}

describe('in memory', () => {
  receiptContract(inMemory);
  roomContract(inMemory);
});

test('a receipt that has expired is none, also while many others are yet to be forgotten', async () => {
  const { receipts, pass } = await inMemory({ max: 1_000, ttlMs: 1_000 });
  const accepted = named({ key: 'accepted' });
  await receipts.end(accepted, await begun(receipts, accepted, 1), { state: 'APPLIED', id: undefined }, SENT_AT);
  for (let key = 0; key < 250; key++) await begun(receipts, named({ key: `${key}` }), 1);
  await begun(receipts, named({ key: 'one' }), 1);
  await begun(receipts, named({ key: 'two' }), 1);
  await pass(1_001);
  expect(await again(receipts, named({ key: 'one' }))).toMatchObject({ state: 'NEW' });
  expect(await again(receipts, named({ ...FOREIGN, key: 'two' }))).toMatchObject({
    state: 'NEW',
  });
});

test('receipts that have gone leave nothing, and what remains is in order', async () => {
  const receipts = new MemoryReceipts({ max: 100, ttlMs: 60_000 });
  const names = ['first', 'middle', 'last'].map((key) => named({ key }));
  const attempts = [];
  for (const name of names) attempts.push(await begun(receipts, name));
  expect(receipts.count()).toBe(3);
  for (const index of [1, 0, 2]) {
    const name = names[index] ?? named();
    await receipts.end(name, attempts[index] ?? '', { state: 'REFUSED' }, SENT_AT);
  }
  expect(receipts.count()).toBe(0);
  await begun(receipts, named());
  expect(receipts.count()).toBe(1);
  expect(receipts.begins.get('NEW')).toBe(4);
});

test('a receipt that follows one that was refused is forgotten in its time', async () => {
  const { receipts, pass } = await inMemory({ max: 100, ttlMs: 1_000 });
  await begun(receipts, named({ key: 'first' }), 1);
  const second = named({ key: 'second' });
  await receipts.end(second, await begun(receipts, second), { state: 'REFUSED' }, SENT_AT);
  await begun(receipts, named({ key: 'third' }), 1);
  expect(receipts.count()).toBe(2);
  await pass(1_001);
  await begun(receipts, named());
  expect(receipts.count()).toBe(1);
});

test('the end of the process ends the waits', async () => {
  const receipts = new MemoryReceipts({ max: 10, ttlMs: 60_000 });
  await begun(receipts, named());
  const wait = receipts.settled(named(), LONG_MS);
  await receipts.close();
  await wait;
});
