import { expect, test } from 'vitest';
import { WriteLedger } from '../../../src/http/session/write-ledger.ts';

test('a write that was never sent is refused', () => {
  const ledger = new WriteLedger();
  expect(ledger.outcome).toBe('REFUSED');
  ledger.record('APPLIED');
  expect(ledger.outcome).toBe('APPLIED');
  ledger.begin();
  expect(ledger.outcome).toBe('REFUSED');
});

test('a field that fails keeps the outcome of its write', () => {
  const ledger = new WriteLedger();
  ledger.record('UNKNOWN');
  ledger.keep(['a']);
  ledger.begin();
  ledger.keep(['b', 0]);
  ledger.record('APPLIED');
  expect([ledger.outcomeAt(['a']), ledger.outcomeAt(['b', 0]), ledger.outcomeAt(['b'])]).toEqual([
    'UNKNOWN',
    'REFUSED',
    undefined,
  ]);
});
