import { describe, expect, test } from 'vitest';
import { LongNumber, mayHoldLongNumber, parseLongNumbers, wasLongNumber } from '../../../src/formats/long-numbers.ts';
import { json } from '../../../src/formats/json.ts';
import { object } from '../../../src/formats/decode.ts';
import { HOSTILE_NUMBERS } from '../../../bench/bounds/hostile-texts.ts';
import { singleCharactersRead } from '../../support/passes.ts';

const parse = async (...parts: readonly string[]) =>
  json.parse(
    { body: parts.map((part) => Buffer.from(part)), contentType: 'application/json', contentEncoding: '' },
    'CRM_URL',
  );

describe('a whole number beyond 2^53 becomes a text of its digits', () => {
  test.each<[string, unknown]>([
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740991', -(2 ** 53) + 1],
    ['-9007199254740992', '-9007199254740992'],
    [' 10000000000000000 ', '10000000000000000'],
    ['[12345678901234567,1]', ['12345678901234567', 1]],
    ['[1,\n\t12345678901234567\r]', [1, '12345678901234567']],
    [
      '{"a" : 12345678901234567 , "b":{"c":[-12345678901234567]}}',
      { a: '12345678901234567', b: { c: ['-12345678901234567'] } },
    ],
    ['[12345678901234567.25]', ['12345678901234567.25']],
    ['[12345678901234567e-3]', ['12345678901234567e-3']],
    [`[${'1'.repeat(400)}]`, ['1'.repeat(400)]],
    ['["12345678901234567", "a,12345678901234567"]', ['12345678901234567', 'a,12345678901234567']],
    [
      '["\\"",12345678901234567,"\\\\",12345678901234567,"\\\\\\""]',
      ['"', '12345678901234567', '\\', '12345678901234567', '\\"'],
    ],
    ['{"12345678901234567":12345678901234567}', { '12345678901234567': '12345678901234567' }],
    ['{"a, 12345678901234567":0.1234567890123456}', { 'a, 12345678901234567': 0.123_456_789_012_345_6 }],
    [
      '[1e21,1.5e-7,0.30000000000000004,1234567890.1234567]',
      [1e21, 1.5e-7, 0.300_000_000_000_000_04, 1_234_567_890.123_456_7],
    ],
    ['["ż🪑",12345678901234567,"ż"]', ['ż🪑', '12345678901234567', 'ż']],
  ])('%s', async (text, value) => {
    expect(await parse(text)).toEqual(value);
    expect(parseLongNumbers(text)).toEqual(value);
  });

  test('keys stay keys of the object itself', async () => {
    const read = await parse('{"__proto__":{"n":12345678901234567},"constructor":12345678901234567,"z":1}');
    expect(JSON.stringify(read)).toBe(
      '{"__proto__":{"n":"12345678901234567"},"constructor":"12345678901234567","z":1}',
    );
    expect(JSON.stringify(await parse('{"__proto__":12345678901234567}'))).toBe('{"__proto__":"12345678901234567"}');
    expect({}).not.toHaveProperty('n');
  });
});

describe('a number whose digits a double does not hold becomes a text of them', () => {
  test.each([
    '0.1234567890123456789',
    '-0.12345678901234567',
    '12345678.90123456789',
    '1234567890123456.78',
    '9.007199254740993e15',
    '1.2345678901234567891E-7',
    '-123456789.1234567891e+200',
    '0.000000000000000000012345678901234567891',
    '19.989999999999998',
    '1.50000000000000000001',
    '1.5000000000000000e400',
  ])('%s', async (number) => {
    expect(await parse(`[${number}]`)).toEqual([number]);
    expect(await parse(`{"a" : ${number}\n,"b":[1,${number}]}`)).toEqual({ a: number, b: [1, number] });
    expect(await parse(number)).toBe(number);
  });

  test.each([
    ['1.50', 1.5],
    ['100.00000000000000000000', 100],
    ['1.50000000000000000000e2', 150],
    ['0.00000000000000000000', 0],
    ['-0.0000000000000000', -0],
    ['0.000000000000000000001', 1e-21],
    ['0.30000000000000004', 0.300_000_000_000_000_04],
    ['1234567890.1234567', 1_234_567_890.123_456_7],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['1e3', 1000],
    ['1e400', Infinity],
  ])('but %s is a number', async (number, value) => {
    expect(await parse(`[${number}]`)).toEqual([value]);
    expect(parseLongNumbers(`[${number}]`)).toEqual([value]);
  });
});

test.each([
  '[12345678901234567',
  '{12345678901234567:1}',
  '{12345678901234567 \n: 1}',
  '[012345678901234567]',
  '[+12345678901234567]',
  '[--12345678901234567]',
  '[12345678901234567.]',
  '[0.1234567890123456789.1]',
  '[.1234567890123456789]',
  '[1.234567890123456789e]',
  '[12345678901234567e]',
  '[12345678901234567a]',
  '[12345678901234567"a"]',
  '["a"12345678901234567]',
  '[12345678901234567 12345678901234567]',
  '12345678901234567,12345678901234567',
  '["12345678901234567]',
  '["\\",12345678901234567]',
])('quotes make no JSON of what is none: %s', async (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(() => parseLongNumbers(text)).toThrow(SyntaxError);
  await expect(parse(text)).rejects.toThrow(/broken or cut off/);
});

test('a long number is found wherever it stands, and numbers that a double holds and texts are no reason to look closer', () => {
  const found = (text: string) => mayHoldLongNumber(Buffer.from(text));
  for (let before = 0; before < 40; before += 1) {
    expect(found(`${'7'.repeat(before % 7)}${' '.repeat(before)}[-9234567890123456]`)).toBe(true);
    for (const number of ['12345678.90123456789', '-0.12345678901234567', '1.2345678901234567891e-7'])
      expect(found(`${'7'.repeat(before % 7)}${' '.repeat(before)}[${number}]`)).toBe(true);
    expect(found(`["${'x'.repeat(before)}","0.1234567890123456789","12345678901234567","a12345678901234567"]`)).toBe(
      false,
    );
    expect(found(`[${'1,'.repeat(before)}123456789012345,123456789012345]`)).toBe(false);
    expect(found(`[${'1,'.repeat(before)}0.123456789012345,-1234567.89012345,1.23456789012345e-7]`)).toBe(false);
    expect(found(`[${'1,'.repeat(before)}0.30000000000000004,50.06143000000001,1.7976931348623157e308]`)).toBe(false);
  }
});

test('a text that was a number is told from other texts', () => {
  const read = parseLongNumbers('{"n":12345678901234567,"t":"12345678901234567","l":[1,12345678901234567]}');
  const { l: list, ...texts } = object(read);
  expect(texts).toEqual({ n: '12345678901234567', t: '12345678901234567' });
  expect(['n', 't', 'l'].map((key) => wasLongNumber(object(read), key))).toEqual([true, false, false]);
  expect(['0', '1'].map((key) => Array.isArray(list) && wasLongNumber(list, key))).toEqual([false, true]);
});

test('a long list keeps the digits of each piece', async () => {
  const rows = Array.from(
    { length: 5_000 },
    (_, index) => `{"id":${index},"n":${9_007_199_254_740_993n + BigInt(index)},"t":"${'x'.repeat(40)}"}`,
  );
  const read = await parse(`[${rows.join(',')}]`);
  expect(read).toHaveLength(rows.length);
  expect(read).toHaveProperty([4_999, 'n'], '9007199254745992');
});

/** The value of a text, or that there is none. */
function outcome(text: string): unknown {
  try {
    return parseLongNumbers(text);
  } catch {
    return 'no JSON';
  }
}

test.each(HOSTILE_NUMBERS)('a text that is eight times as long is read as often: %s', (_name, text) => {
  const read = (count: number) => singleCharactersRead(() => outcome(text(count)));
  expect(read(800)).toBeLessThanOrEqual(8 * read(100) + 100);
});

describe('a long number is written as a number', () => {
  test.each<[unknown, string]>([
    [new LongNumber('9007199254740993'), '9007199254740993'],
    [{ a: [new LongNumber('-9223372036854775808'), 1, '"'] }, '{"a":[-9223372036854775808,1,"\\""]}'],
    [
      { a: new LongNumber('1.000000000000000001'), b: '9007199254740993' },
      '{"a":1.000000000000000001,"b":"9007199254740993"}',
    ],
  ])('%j', (body, text) => {
    expect(json.encode(body)).toBe(text);
  });
});
