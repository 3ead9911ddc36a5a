import { anything, assert, boolean, constant, double, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, inSlices } from '../../src/formats/slices.ts';
import { jsonPieces } from '../../src/operation/responses/json-pieces.ts';
import { longSteps } from '../support/clock.ts';

const textOf = (value: unknown) => Buffer.concat(atOnce(jsonPieces(value, () => {}))).toString();

test('pieces are together what JSON.stringify writes', () => {
  const long = string({ unit: 'binary', minLength: 0, maxLength: 9_000, size: 'max' });
  const leaf = oneof(long, double(), boolean(), constant(null), constant(undefined));
  const value = anything({ key: string({ unit: 'binary' }), values: [leaf], maxDepth: 4 });
  assert(
    property(value, (given) => {
      expect(textOf(given)).toBe(Buffer.from(JSON.stringify(given) ?? 'null').toString());
    }),
  );
});

test('a large value is written in pieces, each of which is counted, and others go on in between', async () => {
  const turns = longSteps();
  const rows = Array.from({ length: 30_000 }, (_none, id) => ({ id, texts: ['é'.repeat(100), { id }] }));
  const counted: number[] = [];
  const pieces = await inSlices(jsonPieces(rows, (bytes) => void counted.push(bytes)));
  expect(turns()).toBeGreaterThanOrEqual(counted.length - 1);
  expect(pieces.map(({ length }) => length)).toEqual(counted);
  expect(Math.max(...counted)).toBeLessThan(512 * 1024);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(rows);
});

test('others go on between the parts of long texts', () => {
  const steps = [...jsonPieces(Array(100).fill('x'.repeat(300_000)), () => {})];
  expect(steps.length).toBeGreaterThan(200);
});

test('a value beyond the bound is not written further', () => {
  let bytes = 0;
  const count = (length: number) => {
    bytes += length;
    if (bytes > 1_000_000) throw new Error('Too large.');
  };
  expect(() => atOnce(jsonPieces(Array(1_000).fill('x'.repeat(100_000)), count))).toThrow('Too large.');
  expect(bytes).toBeLessThan(1_500_000);
});

test.each([
  ['of letters beyond ASCII', 'é'.repeat(400_000)],
  ['of pairs of surrogates at all offsets', `x${'\u{1f600}'.repeat(200_000)}`],
  ['of surrogates without their halves', '\ud83d'.repeat(300_000)],
  ['of pairs behind such halves', `x${'\ud83d\u{1f600}'.repeat(150_000)}`],
  ['of escapes', '\u0001"'.repeat(200_000)],
  ['without an escape', 'x'.repeat(400_000)],
  ['with an escape in one of its parts', `${'x'.repeat(150_000)}"${'x'.repeat(150_000)}`],
])('a long text %s is written in parts', (_of, text) => {
  const pieces = atOnce(jsonPieces({ text, after: [text] }, () => {}));
  expect(Buffer.concat(pieces).toString() === JSON.stringify({ text, after: [text] })).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_500_000);
});

test('an object of many keys is written key by key, without those of undefined values', async () => {
  const entries = Array.from({ length: 200_000 }, (_none, index) => [`key ${index}`, index % 3 ? index : undefined]);
  const value = { ['__proto__']: 1, ...Object.fromEntries(entries), [`z`]: {} };
  const turns = longSteps();
  const pieces = await inSlices(jsonPieces(value, () => {}));
  expect(turns()).toBeGreaterThan(10);
  expect(Buffer.concat(pieces).toString() === JSON.stringify(value)).toBe(true);
});
