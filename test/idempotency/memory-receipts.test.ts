import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryReceipts } from '../../src/idempotency/memory-receipts.ts';
import {
  again,
  begun,
  type ContractOptions,
  LONG_MS,
  named,
  receiptContract,
  SENT_AT,
  type Tried,
} from './receipt-contract.ts';

async function inMemory(options: ContractOptions): Promise<Tried> {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const receipts = new MemoryReceipts(options);
  return { receipts, others: receipts, pass: (ms) => vi.advanceTimersByTimeAsync(ms) };
}

describe('in memory', () => {
  receiptContract(inMemory);
});

test('a share of many receipts that expire at once is free again at once', async () => {
  const { receipts, pass } = await inMemory({ max: 10_000, ttlMs: 1_000 });
  for (let key = 0; key < 5_000; key++) await begun(receipts, named({ key: `${key}` }), 1);
  expect(await again(receipts, named({ key: 'more' }))).toEqual({ state: 'FULL' });
  await pass(1_001);
  for (let key = 0; key < 5_000; key++) await begun(receipts, named({ key: `new ${key}` }), 1);
  expect(await again(receipts, named({ key: 'more' }))).toEqual({ state: 'FULL' });
});

test('receipts that have gone leave nothing, and what remains is in order', async () => {
  const receipts = new MemoryReceipts({ max: 100, ttlMs: 60_000 });
  const names = ['first', 'middle', 'last'].map((key) => named({ key }));
  const attempts = [];
  for (const name of names) attempts.push(await begun(receipts, name));
  expect(receipts.figures.kept).toBe(3);
  for (const index of [1, 0, 2]) {
    const name = names[index] ?? named();
    await receipts.end(name, attempts[index] ?? '', { state: 'REFUSED' }, SENT_AT);
  }
  expect(receipts.figures.kept).toBe(0);
  await begun(receipts, named());
  expect(receipts.figures.kept).toBe(1);
  expect(receipts.figures.begins.get('NEW')).toBe(4);
});

test('the end of the process ends the waits', async () => {
  const receipts = new MemoryReceipts({ max: 10, ttlMs: 60_000 });
  await begun(receipts, named());
  const wait = receipts.settled(named(), LONG_MS);
  receipts.close();
  await wait;
});
