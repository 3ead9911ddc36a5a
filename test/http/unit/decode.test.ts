import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../../src/errors.ts';
import { isObject, kindOf, object, record, recordId, records } from '../../../src/formats/decode.ts';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['a', false],
])('%j is an object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

test('an object is taken as it is, and anything else is refused by its kind', () => {
  const body = { a: 1 };
  expect(object(body)).toBe(body);
  expect(() => object([1])).toThrow('Expected an object, got a list.');
});

describe('an id', () => {
  test.each([
    [7, '7'],
    ['7', '7'],
    ['007', '007'],
    [2 ** 53 - 1, '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
    ['9'.repeat(60), '9'.repeat(60)],
    ['a7', 'a7'],
    ['7a', '7a'],
    [0, '0'],
  ])('may be %j', (id, text) => {
    expect(recordId(id)).toBe(text);
  });

  test.each([1e21, 1.5, Number.NaN])('is no whole number in digits: %j', (id) => {
    expect(() => recordId(id)).toThrow('A record has an id that is no whole number in digits.');
  });

  test.each([undefined, null, '', true, [7], {}])('is missing: %j', (id) => {
    expect(() => recordId(id)).toThrow('A record has no id.');
  });
});

describe('a record', () => {
  test('is the object itself, its id as text', () => {
    const body = { id: 7, a: 1 };
    expect(record(body)).toBe(body);
    expect(body).toEqual({ id: '7', a: 1 });
  });

  test('is no list and no object without an id', () => {
    expect(() => record([{ id: 7 }])).toThrow('Expected an object, got a list.');
    expect(() => record({})).toThrow('A record has no id.');
  });
});

test('records are a list of objects with an id', async () => {
  expect([...(await records([{ id: 7 }, { id: 'a' }]))]).toEqual([{ id: '7' }, { id: 'a' }]);
  expect(() => records({ id: 7 })).toThrow('Expected a list, got an object.');
});

describe('a list gives the records that can be read', () => {
  test.each<[rows: unknown[], ids: string[], problem: string]>([
    [[{ id: 7 }, 'a'], ['7'], '1 of 2 rows was left out: Expected an object, got a string.'],
    [
      [null, { id: 7 }, {}, null],
      ['7'],
      '3 of 4 rows were left out: Expected an object, got nothing. A record has no id.',
    ],
    [[{ id: 1.5 }], [], '1 of 1 rows was left out: A record has an id that is no whole number in digits.'],
    [
      ['a', null, [], 7, { id: 'b' }, {}],
      ['b'],
      '5 of 6 rows were left out: Expected an object, got a string. Expected an object, got nothing. Expected an object, got a list. …',
    ],
  ])('%j', async (rows, ids, problem) => {
    const list = await records(rows);
    expect([...list].map(({ id }) => id)).toEqual(ids);
    expect(list.problems).toEqual([new BadResponseError(problem)]);
  });

  test.each<[rows: unknown[], records: unknown[], problem?: string]>([
    [[{ id: 7 }, { id: 7 }], [{ id: '7' }]],
    [
      [{ id: 7, a: [1] }, { id: 8 }, { a: [1], id: '7' }],
      [{ id: '7', a: [1] }, { id: '8' }],
    ],
    [[{ id: 7, a: 1 }, { id: '7' }], [{ id: '7', a: 1 }], '1 of 2 rows was left out: Another row has its id.'],
    [
      [{ id: 'a' }, { id: 'A' }, { id: 'a', b: 1 }, { id: 'a' }, null],
      [{ id: 'a' }, { id: 'A' }],
      '2 of 5 rows were left out: Another row has its id. Expected an object, got nothing.',
    ],
  ])('that come first: %j', async (rows, first, problem) => {
    const list = await records(rows);
    expect([...list]).toEqual(first);
    expect(list.total).toBe(rows.length);
    expect(list.problems).toEqual(problem === undefined ? [] : [new BadResponseError(problem)]);
  });

  test('that come first in a list of thousands, too', async () => {
    const rows = Array.from({ length: 3_000 }, (_row, index) => ({ id: index % 2_999, index }));
    const list = await records(rows);
    expect(list).toHaveLength(2_999);
    expect(list.problems).toEqual([new BadResponseError('1 of 3000 rows was left out: Another row has its id.')]);
  });

  test('and has no problem when it gives all of them', async () => {
    expect((await records([{ id: 7 }])).problems).toEqual([]);
    expect((await records([])).problems).toEqual([]);
  });
});

test.each([
  [null, 'nothing'],
  [undefined, 'nothing'],
  [[], 'a list'],
  [{}, 'an object'],
  ['secret', 'a string'],
  [7, 'a number'],
  [true, 'a boolean'],
])('of %j no more is told than its kind: %s', (value, kind) => {
  expect(kindOf(value)).toBe(kind);
});
