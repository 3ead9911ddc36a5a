import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { integer, text } from '../../src/formats/leaves.ts';
import { Rows } from '../../src/formats/rows.ts';
import { atOnce } from '../../src/formats/slices.ts';
import { checkingDecodable, decodeOrNull } from '../../src/graph/lists/decodable.ts';

interface Row {
  readonly a?: unknown;
  readonly b?: unknown;
}

const check =
  (list: readonly Row[], keys: readonly (keyof Row)[] = ['a']) =>
  () =>
    atOnce(checkingDecodable(new Rows(list), keys, integer));

describe('a list can be searched by a key', () => {
  test.each<[string, readonly Row[]]>([
    ['whose values can be read', [{ a: 1 }]],
    ['some of whose values can be read', [{ a: 'x' }, { a: null }, { a: 1 }]],
    ['that has no value', [{ a: null }, { a: '' }]],
    ['that one of the records has', [{}, { a: null }]],
  ])('%s', (_name, list) => {
    expect(check(list)).not.toThrow();
  });

  test('where another of the keys has values', () => {
    expect(check([{ a: 'x', b: 1 }], ['a', 'b'])).not.toThrow();
    expect(check([{ b: 1 }], ['a', 'b'])).not.toThrow();
  });

  test('where another of the keys has no value, and this one is not there', () => {
    expect(check([{ b: null }], ['a', 'b'])).not.toThrow();
  });
});

describe('a list cannot be searched by a key', () => {
  test('that none of its records has', () => {
    expect(check([{ b: 1 }])).toThrow(BadResponseError);
    expect(check([{}], ['a', 'b'])).toThrow(
      'The list does not tell `a`, `b` of its records, so it cannot be searched or ordered by it.',
    );
  });

  test('none of whose values can be read, and the first one says why', () => {
    const list = [{ a: null }, { a: 'x' }, { a: [] }];
    expect(check(list)).toThrow(BadResponseError);
    expect(check(list)).toThrow(
      'No value under `a` can be read, so the list cannot be searched or ordered by it. Expected a whole number, got another text.',
    );
  });

  test('and only the keys that cannot be read are named', () => {
    expect(check([{ a: null, b: 'x' }], ['a', 'b'])).toThrow(/^No value under `b` can/);
    expect(check([{ a: 'x', b: [] }], ['a', 'b'])).toThrow(/^No value under `a`, `b` can/);
  });

  test('of one kind, though it can by the same key of another', () => {
    const list = new Rows([{ a: 'x' }]);
    expect(() => atOnce(checkingDecodable(list, ['a'], text))).not.toThrow();
    expect(() => atOnce(checkingDecodable(list, ['a'], integer))).toThrow(BadResponseError);
  });
});

test('a list is looked through once', () => {
  let reads = 0;
  const counting = (value: unknown) => {
    reads += 1;
    return integer(value);
  };
  const list = new Rows<Row>([{ a: null, b: null }, { a: 1 }, { a: 2 }]);
  atOnce(checkingDecodable(list, ['a'], counting));
  atOnce(checkingDecodable(list, ['a'], counting));
  expect(reads).toBe(2);
  atOnce(checkingDecodable(list, ['b'], counting));
  expect(reads).toBe(5);
});

describe('a value as far as it can be read', () => {
  test.each([
    [1, 1],
    ['2', 2],
    [null, null],
    ['x', null],
  ])('%j is %j', (value, read) => {
    expect(decodeOrNull(integer, value)).toBe(read);
  });

  test('a mistake of a leaf is not hidden', () => {
    const broken = () => {
      throw new TypeError('a mistake');
    };
    expect(() => decodeOrNull(broken, 1)).toThrow(TypeError);
  });
});
