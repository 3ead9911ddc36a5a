import { describe, expect, test } from 'vitest';
import { compareDecimals, decimal, integer, plainDecimal } from '../../../src/formats/leaves.ts';

describe('a decimal has at most 1,000 digits, the zeros of its exponent included', () => {
  const nines = '9'.repeat(1_000);

  test.each([
    [nines, nines],
    [`-${nines.slice(1)}.5`, `-${nines.slice(1)}.5`],
    ['1e999', `1${'0'.repeat(999)}`],
    ['1e-999', `0.${'0'.repeat(998)}1`],
    ['1e+0000000002', '100'],
  ])('%s is written as one', (written, plain) => {
    expect(plainDecimal(written)).toBe(plain);
    expect(decimal(written)).toBe(plain);
  });

  test.each([
    `${nines}9`,
    `${nines}.9`,
    '1e1000',
    '1e-1000',
    `${nines}e1`,
    '1e999999999',
    '-1e-999999999',
    nines.repeat(9),
  ])('%s is none, and says so', (written) => {
    expect(plainDecimal(written)).toBeUndefined();
    expect(() => decimal(written)).toThrow('A decimal of more than 1,000 digits cannot be read.');
  });

  test('other long texts are no decimals', () => {
    expect(() => decimal('x'.repeat(5_000))).toThrow('Expected a decimal, got another text.');
    expect(() => integer('1'.repeat(5_000))).toThrow('Expected a whole number, got another text.');
  });
});

test.each([
  ['0', '-0.00', 0],
  ['-0', '0', 0],
  ['-0.0', '-1', 1],
  ['-2', '1', -1],
  ['1', '-2', 1],
  ['1', '1.000', 0],
  ['1.0', '1.0001', -1],
  ['0.5', '0.50', 0],
])('%s against %s is %i', (one, other, order) => {
  expect(compareDecimals(one, other)).toBe(order);
});
