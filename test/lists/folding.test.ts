import { describe, expect, test } from 'vitest';
import { leastCpuMs } from '../support/cpu.ts';
import { containing, digitsOf, foldText, oneOfTexts, onlyDigits } from '../../src/lists/folding.ts';

describe('texts without regard to case and accents', () => {
  test.each([
    ['Łódź', 'LODZ'],
    ['Zażółć gęślą jaźń', 'ZAZOLC GESLA JAZN'],
    ['Straße', 'STRASSE'],
    ['ẞ', 'SS'],
    ['Ærø Þór Đà Œuvre', 'AERO THOR DA OEUVRE'],
    ['e\u0301', 'E'],
    ['σς', 'ΣΣ'],
    ['\u0301', '\u0301'],
    ['a1 +', 'A1 +'],
    ['日本', '日本'],
  ])('%s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test.each([
    ['lodz', 'Łódź', true],
    ['Łódź', 'lodz', true],
    ['ŁÓDŹ', 'Nowa Łódź 1', true],
    ['strasse', 'Hauptstraße', true],
    ['lodz', 'Lublin', false],
    ['\u0301', 'abc', false],
  ])('%s in %s: %s', (words, text, expected) => {
    expect(containing(words)(text)).toBe(expected);
  });

  test('a whole text is one of some', () => {
    const isOne = oneOfTexts([' łódź ', 'Paris']);
    expect(['Lodz', ' ŁÓDŹ', 'paris', 'Parisien', ''].map((text) => isOne(text))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the digits of a number', () => {
  test.each([
    ['+48 600-100-200', '48600100200'],
    ['600100200', '600100200'],
    ['(22) 600.10/20', '226001020'],
    ['12', undefined],
    ['+48 600 ext', undefined],
    ['', undefined],
  ])('%s: %s', (text, digits) => {
    expect(digitsOf(text)).toBe(digits);
  });

  test('may stand among letters in a value', () => {
    expect(onlyDigits('PL 123-456')).toBe('123456');
  });
});

test('100,000 texts with accents take less than a second of CPU time', async () => {
  const texts = Array.from({ length: 100_000 }, (_none, index) => `Zażółć gęślą jaźń ${index}`);
  const matches = containing('lodz');
  const cost = await leastCpuMs(1_000, async () => void texts.filter((text) => matches(text)));
  expect(cost).toBeLessThan(1_000);
});
