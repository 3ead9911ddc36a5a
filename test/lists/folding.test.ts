import { describe, expect, test, vi } from 'vitest';
import {
  containing,
  digitsOf,
  foldLetters,
  foldText,
  oneOfTexts,
  onlyDigits,
  RecordTexts,
} from '../../src/graph/lists/folding.ts';

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
    expect(containing(words)(text, new RecordTexts())).toBe(expected);
  });

  test('a whole text is one of some', () => {
    const isOne = oneOfTexts([' łódź ', 'Paris']);
    expect(['Lodz', ' ŁÓDŹ', 'paris', 'Parisien', ''].map((text) => isOne(text, new RecordTexts()))).toEqual([
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

test('a text is split into letters and accents once, and not at all without accents', () => {
  const splitting = vi.spyOn(String.prototype, 'normalize');
  const [matches, texts] = [containing('lodz'), new RecordTexts()];
  for (let index = 0; index < 100; index++) {
    matches(`Zażółć gęślą jaźń ${index}`, texts);
    matches(`Lodz ${index}`, texts);
  }
  expect(splitting).toHaveBeenCalledTimes(100);
  splitting.mockRestore();
});

test('a long text is folded as its parts are', () => {
  const parts = ['Zażółć ', 'Ǖ\u0301e\u0301x', 'Łódź🪑 ', '\u0300\u036f', '\u02ff\u0370 ', 'plain ', 'ßﬁİ ', 'ΐ'];
  const text = parts.join('').repeat(500);
  expect(text.length).toBeGreaterThan(10_000);
  expect(foldText(text)).toBe(parts.map(foldLetters).join('').repeat(500));
});
