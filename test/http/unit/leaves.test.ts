import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../../src/errors.ts';
import {
  boolean,
  compareDecimals,
  decimal,
  identifier,
  instant,
  int32,
  integer,
  isExact,
  oneOf,
  plainDecimal,
  raw,
  text,
  texts,
} from '../../../src/formats/leaves.ts';

const leaves = {
  text,
  boolean,
  integer,
  int32,
  raw,
  identifier,
  decimal,
  texts,
  instant,
  state: oneOf(['won', 'lost']),
};
type Name = keyof typeof leaves;

describe('a leaf reads', () => {
  test.each<[Name, unknown, unknown]>([
    ['text', 'a', 'a'],
    ['text', '', ''],
    ['text', 1.5, '1.5'],
    ['text', false, 'false'],
    ...[true, 1, '1', 'true'].map((value): [Name, unknown, unknown] => ['boolean', value, true]),
    ...[false, 0, '0', 'false'].map((value): [Name, unknown, unknown] => ['boolean', value, false]),
    ['integer', 7, 7],
    ['integer', '-12', -12],
    ['int32', 2 ** 31 - 1, 2 ** 31 - 1],
    ['int32', `${-(2 ** 31)}`, -(2 ** 31)],
    ['raw', [1], [1]],
    ['identifier', 7, '7'],
    ['identifier', 'a', 'a'],
    ['decimal', ' 100.0 ', '100.0'],
    ['decimal', 1.5, '1.5'],
    ['decimal', '12345678901234567890.5', '12345678901234567890.5'],
    ['decimal', '+1e2', '100'],
    ['decimal', 1e21, '1000000000000000000000'],
    ['decimal', '1 000,50', '1000.50'],
    ['decimal', '-1\u00A0234\u00A0567,8', '-1234567.8'],
    ['decimal', '12\u202F345', '12345'],
    ['decimal', '1,000.50', '1000.50'],
    ['decimal', '1.000,50', '1000.50'],
    ['decimal', '+1,000,000', '1000000'],
    ['decimal', '1.000.000', '1000000'],
    ['decimal', '1.000', '1.000'],
    ['decimal', '1 000.5', '1000.5'],
    ['decimal', '12,5', '12.5'],
    ['decimal', '0,125', '0.125'],
    ['decimal', '1000,125', '1000.125'],
    ['decimal', '100,00', '100.00'],
    ['texts', ['a', ''], ['a', '']],
    ['texts', [], []],
    ['state', 'won', 'won'],
    ['instant', '1970-01-01T00:00:01Z', 1_000],
    ['instant', '1970-01-01T00:00:01', 1_000],
    ['instant', '1970-01-01t01:00:00+01:00', 0],
    ['instant', '1970-01-01T00:00-0030', 1_800_000],
    ['instant', '1970-01-01T00:00:60Z', 59_000],
    ['instant', '1970-01-02', 86_400_000],
    ['instant', 'Thu Jan 01 01:00:01 +0100 1970', 1_000],
    ['instant', 1_272_700_800, 1_272_700_800_000],
  ])('%s of %j as %j', (name, value, read) => {
    expect(leaves[name](value)).toEqual(read);
  });
});

test.each(['boolean', 'integer', 'int32', 'raw', 'identifier', 'decimal', 'texts', 'instant', 'state'] as const)(
  'null, an empty text and nothing are no value: %s',
  (name) => {
    expect([undefined, null, ''].map((value) => leaves[name](value))).toEqual([null, null, null]);
  },
);

test('null and nothing are no text, but an empty one is', () => {
  expect([undefined, null].map(text)).toEqual([null, null]);
});

describe('a leaf refuses', () => {
  test.each<[Name, unknown, string]>([
    ['text', ['a'], 'Expected text, got a list.'],
    ['text', Infinity, 'A number is too large to be read.'],
    ['boolean', 'yes', 'Expected true or false, got another text.'],
    ['boolean', 2, 'Expected true or false, got a number.'],
    ['integer', '1.5', 'Expected a whole number, got another text.'],
    ['integer', 'a1', 'Expected a whole number, got another text.'],
    ['integer', '1a', 'Expected a whole number, got another text.'],
    ...[' 7', '0x10', '7e2'].map((value): [Name, unknown, string] => [
      'integer',
      value,
      'Expected a whole number, got another text.',
    ]),
    ['integer', 1.5, 'Expected a whole number, got a number.'],
    ['integer', '9007199254740993', 'A whole number beyond 2^53 cannot be read exactly.'],
    ['int32', 2 ** 31, 'A number beyond 2^31 does not fit into an Int.'],
    ['int32', -(2 ** 31) - 1, 'A number beyond 2^31 does not fit into an Int.'],
    ['integer', 1e21, 'A whole number beyond 2^53 cannot be read exactly.'],
    ['identifier', 1e21, 'A whole number beyond 2^53 cannot be read exactly.'],
    ['identifier', 1.5, 'Expected an id, got a number.'],
    ['identifier', true, 'Expected an id, got a boolean.'],
    ['decimal', 'a', 'Expected a decimal, got another text.'],
    ['decimal', true, 'Expected a decimal, got a boolean.'],
    ['decimal', -Infinity, 'A number is too large to be read.'],
    ['texts', 'a', 'Expected a list of texts, got another text.'],
    ['texts', ['a', 7], 'Expected text, got a number.'],
    ['state', 'open', 'Expected one of won, lost.'],
    ['instant', '2026-02-30', 'Expected an instant, got another text.'],
    ...['1,000', '-999,000'].map((value): [Name, unknown, string] => [
      'decimal',
      value,
      'A decimal such as 1,000 can be read in two ways.',
    ]),
    ...[
      '1,00,000',
      '1 00',
      '1  000',
      '1,000,50',
      '1.000.50',
      '1 000,50,1',
      '0 123',
      '1000,',
      ',5',
      '1 000 ,5',
      '12 34,5',
      '1.000,5.0',
    ].map((value): [Name, unknown, string] => ['decimal', value, 'Expected a decimal, got another text.']),
    ['instant', 7, 'Expected an instant, got a number.'],
    ['instant', 1_272_700_800.5, 'Expected an instant, got a number.'],
  ])('%s of %j', (name, value, message) => {
    expect(() => leaves[name](value)).toThrow(BadResponseError);
    expect(() => leaves[name](value)).toThrow(message);
  });
});

test.each([
  [2 ** 53 - 1, true],
  [2 ** 53, false],
  [1e21, true],
  [-1.23456789012345e200, true],
  [1.234567890123456e30, false],
  [Infinity, false],
  [0.1, true],
  [-1234567.12345678, true],
  [123456789.1234567, false],
  [0.000123456789012345, true],
  [1.23456789012345e-20, true],
])('%d has all of its digits: %s', (number, exact) => {
  expect(isExact(number)).toBe(exact);
});

describe('a decimal without an exponent', () => {
  test.each([
    ['1.50', '1.50'],
    ['-0.5', '-0.5'],
    ['+7', '7'],
    ['007', '7'],
    ['0', '0'],
    ['00', '0'],
    ['1.5e3', '1500'],
    ['1.2345E2', '123.45'],
    ['15e-1', '1.5'],
    ['15e-3', '0.015'],
    ['1.5e-2', '0.015'],
    ['1e0', '1'],
    ['1e+2', '100'],
  ])('%s is %s', (written, plain) => {
    expect(plainDecimal(written)).toBe(plain);
  });

  test.each(['', '.5', '1.', 'a', '1a', 'a1', '1e', '1e1234', '1,5', '--1', '1.5.2'])('%j is none', (written) => {
    expect(plainDecimal(written)).toBeUndefined();
  });
});

test.each([
  ['1', '2', -1],
  ['2', '1', 1],
  ['1.50', '1.5', 0],
  ['10', '9.99', 1],
  ['-1.5', '-1.25', -1],
  ['9007199254740993', '9007199254740992', 1],
  ['0.1', '0.09', 1],
])('%s against %s is %i', (one, other, order) => {
  expect(compareDecimals(one, other)).toBe(order);
});
