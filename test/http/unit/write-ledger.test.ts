import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { withOutcome } from '../../../src/operation/errors/public-error.ts';
import { WriteLedger } from '../../../src/calls/write-ledger.ts';

test('a write that was never sent is refused', () => {
  const ledger = new WriteLedger();
  expect(ledger.outcome).toBe('REFUSED');
  ledger.record('APPLIED');
  expect(ledger.outcome).toBe('APPLIED');
  ledger.begin();
  expect(ledger.outcome).toBe('REFUSED');
});

const field = (key: string) => ({ prev: undefined, key });
const item = (key: string, index: number) => ({ prev: field(key), key: index });

test('a write that is being sent is unknown until its end is', () => {
  const ledger = new WriteLedger();
  const write = ledger.begin();
  write.sent();
  expect([ledger.outcome, ledger.ofOperation]).toEqual(['UNKNOWN', 'UNKNOWN']);
  write.record('APPLIED');
  expect([ledger.outcome, ledger.ofOperation]).toEqual(['APPLIED', 'APPLIED']);
});

test('a write that ends after its operation changes nothing of the outcomes that its caller was given', () => {
  const ledger = new WriteLedger();
  ledger.enter(field('a'));
  const write = ledger.begin();
  write.sent();
  ledger.keep(['a']);
  ledger.enter(field('b'));
  ledger.begin();
  write.record('REFUSED');
  ledger.keep(['b']);
  const outcomes = [ledger.outcomeAt(['a']), ledger.outcomeAt(['b']), ledger.ofOperation, write.outcome];
  expect(outcomes).toEqual(['UNKNOWN', 'REFUSED', 'UNKNOWN', 'REFUSED']);
});

test('an error without a path has the outcome of all writes, one below a payload is APPLIED', () => {
  const ledger = new WriteLedger();
  const outcomeOf = (path?: (string | number)[]) =>
    withOutcome(new GraphQLError('failed', path && { path }), ledger).extensions['outcome'];
  expect(outcomeOf()).toBe('REFUSED');
  ledger.enter(field('a'));
  ledger.begin();
  ledger.record('UNKNOWN');
  ledger.keep(['a']);
  expect([outcomeOf(), outcomeOf(['a']), outcomeOf(['b']), outcomeOf(['b', 'name'])]).toEqual([
    ...['UNKNOWN', 'UNKNOWN'],
    'REFUSED',
    'APPLIED',
  ]);
});

test('a field has the least certain outcome of its writes and items, and the operation that of its fields', () => {
  const ledger = new WriteLedger();
  const write = (outcome?: 'APPLIED' | 'REFUSED' | 'UNKNOWN') => {
    ledger.begin();
    if (outcome) ledger.record(outcome);
  };
  ledger.enter(field('a'));
  write('APPLIED');
  write('REFUSED');
  write();
  ledger.keep(['a']);

  ledger.enter(field('b'));
  for (const [index, outcome] of (['APPLIED', 'UNKNOWN', 'REFUSED'] as const).entries()) {
    ledger.enter(item('b', index));
    write(outcome);
    ledger.keep(['b', index]);
  }
  ledger.keep(['b']);

  ledger.enter(field('c'));
  ledger.keep(['c']);
  const paths = [['a'], ['b', 0], ['b', 1], ['b', 2], ['b'], ['c'], ['d']];
  expect(paths.map((path) => ledger.outcomeAt(path))).toEqual([
    'APPLIED',
    ...['APPLIED', 'UNKNOWN', 'REFUSED'],
    'UNKNOWN',
    'REFUSED',
    undefined,
  ]);
  expect(ledger.ofOperation).toBe('UNKNOWN');
});
