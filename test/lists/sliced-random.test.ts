import { expect, test } from 'vitest';
import { Rows } from '../../src/formats/rows.ts';
import { atOnce, type Steps } from '../../src/formats/slices.ts';
import { anyOf, type Condition, decimalRange, filtering } from '../../src/graph/lists/filters.ts';
import { foldCase, foldText } from '../../src/graph/lists/folding.ts';
import { ordering } from '../../src/graph/lists/orders.ts';
import { sorting } from '../../src/graph/lists/sorting.ts';
import { textFilter, textInFilter } from '../../src/graph/lists/text-filters.ts';
import { dice } from '../support/dice.ts';

// Wherever the work is interrupted, the rows are those that a plain look at each text
// gives.

interface Row {
  readonly id: string;
  readonly name?: unknown;
  readonly place?: unknown;
  readonly price?: unknown;
}

const LETTERS = [
  ...[
    'a',
    'A',
    'b',
    'ż',
    'Ł',
    'ß',
    'ẞ',
    'é',
    'e\u0301',
    '\u0301',
    'ς',
    'Σ',
    'İ',
    'ı',
    'ŉ',
    'ﬁ',
    '한',
    'ㅎ',
    'א\u05B7',
    '\u0591',
  ],
  ...[' ', ' ', ',', ';', '1', '2', '3', '-', '\u00A0', 'Đ', 'ǅ', '\u1E9B\u0323'],
] as const;

const { roll, pick } = dice(27);
const text = (most: number) => Array.from({ length: roll(most) }, () => LETTERS[roll(LETTERS.length)]).join('');
const value = (most: number): unknown =>
  pick<() => unknown>(
    () => text(most),
    () => text(most),
    () => null,
    () => [],
    () => 12,
  )();
const price = (): unknown =>
  pick<() => unknown>(
    () => `${roll(3) - 1}.${roll(30)}`,
    () => roll(4),
    () => '-0.0',
    () => `1e${roll(4)}`,
    () => 'x',
    () => null,
  )();
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_none, id) => ({ id: `${id}`, name: value(9), place: value(80), price: price() }));

/** Runs pieces of work by turns, a step of each. */
function byTurns<Result>(works: readonly Steps<Result>[]): Result[] {
  const results: Result[] = [];
  const running = new Map(works.entries());
  while (running.size > 0) {
    for (const [at, work] of running) {
      const step = work.next();
      if (!step.done) continue;
      results[at] = step.value;
      running.delete(at);
    }
  }
  return results;
}

const folded = (upper: string) =>
  upper
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/[ÆØĐÐĦŁŒÞŦẞ]/g, (letter) => foldText(letter));

const contains = (words: string) => (found: string) =>
  foldCase(found).includes(foldText(words)) || folded(foldCase(found)).includes(foldText(words));

const isOne = (words: string) => (found: string) =>
  [foldCase(found.trim()), folded(foldCase(found.trim()))].includes(foldText(words.trim()));

/** Whether a text under one of the keys fits. Undefined when none does, and one of them is no text. */
function anyFits(row: Row, fits: (found: string) => boolean): boolean | undefined {
  const values = [row.name, row.place].filter((found) => found !== null);
  const texts = values.filter((found) => !Array.isArray(found)).map(String);
  return texts.some(fits) || (texts.length < values.length ? undefined : false);
}

const split = (found: string) => found.split(/[\s,;]+/);

interface Wanted {
  readonly condition: Condition<Row> | undefined;
  readonly holds: (row: Row) => boolean | undefined;
}

function wantedText(): Wanted {
  const words = text(4);
  return pick<() => Wanted>(
    () => ({
      condition: textFilter<Row>(words, 'filter.text', ['name', 'place']),
      holds: (row) => words.trim() === '' || anyFits(row, contains(words.trim())),
    }),
    () => ({
      condition: textInFilter<Row>([words], ['name', 'place'], split),
      holds: (row) => anyFits(row, (found) => split(found).some(isOne(words))),
    }),
    () => ({
      condition: textInFilter<Row>([words], ['name', 'place']),
      holds: (row) => anyFits(row, isOne(words)),
    }),
  )();
}

test('a filter keeps the rows that a plain look keeps, with others by turns', () => {
  for (let round = 0; round < 180; round += 1) {
    const rows = [{ id: 'first', name: 'a', place: 'a' }, ...rowsOf(roll(60))];
    const list = new Rows(rows);
    const wanted = Array.from({ length: 4 }, () => Array.from({ length: 1 + roll(4) }, wantedText));
    const works = wanted.map((alternatives) =>
      filtering(list, [anyOf(alternatives, ({ condition }) => [condition])], list),
    );
    const expected = wanted.map((alternatives) =>
      rows.filter((row) => alternatives.some(({ holds }) => holds(row) === true)),
    );
    expect(byTurns(works).map((kept) => [...kept])).toEqual(expected);
  }
});

/** Compares decimals as fractions of whole numbers. */
function compareExactly(one: string, other: string): number {
  const scaled = (decimal: string) => {
    const [whole = '', fraction = ''] = decimal.split('.');
    return BigInt(`${whole}${fraction.padEnd(40, '0')}`);
  };
  return Number(scaled(one) - scaled(other) > 0n) - Number(scaled(one) - scaled(other) < 0n);
}

test('a range of decimals keeps the rows that whole numbers keep', () => {
  for (let round = 0; round < 200; round += 1) {
    const rows = Array.from({ length: 40 }, (_none, id): Row => ({
      id: `${id}`,
      price: `${pick('', '-')}${roll(20)}.${roll(99)}`,
    }));
    const [min, max] = [`${roll(10) - 5}.${roll(200)}`, `${roll(10)}`];
    const list = new Rows(rows);
    const kept = atOnce(filtering(list, [decimalRange<Row>({ min, max }, 'price')], list));
    const expected = rows.filter(
      (row) => compareExactly(String(row.price), min) >= 0 && compareExactly(String(row.price), max) <= 0,
    );
    expect([...kept]).toEqual(expected);
  }
});

const collator = new Intl.Collator('en', { numeric: true });

test('an order is that of a sort at once, and equal rows keep their order', () => {
  for (let round = 0; round < 20; round += 1) {
    const rows = [{ id: 'first', name: 'a', price: 1 }, ...rowsOf(roll(2_500))];
    const nameOf = ({ name }: Row) => (typeof name === 'string' || typeof name === 'number' ? String(name) : '');
    const expected = rows.toSorted((left, right) => {
      const [one, other] = [nameOf(left), nameOf(right)];
      if (one === '' || other === '') return Number(one === '') - Number(other === '');
      return -collator.compare(one, other);
    });
    const orderings = { name: { kind: 'text', about: '' } } as const;
    const orders = [{ field: 'name', direction: 'DESC' }] as const;
    const list = new Rows(rows);
    const works = [0, 1].map(() => ordering(list, orderings, orders, list));
    expect(byTurns(works).map((sorted) => [...sorted])).toEqual([expected, expected]);
  }
});

test('runs of any lengths are sorted', () => {
  for (const count of [0, 1, 2, 511, 512, 513, 1_024, 1_537, 5_000]) {
    const items = Array.from({ length: count }, (_none, at) => ({ at, key: roll(50) }));
    const expected = items.toSorted((one, other) => one.key - other.key);
    expect(atOnce(sorting(items, (one, other) => one.key - other.key))).toEqual(expected);
  }
});

test('long words are found where a plain look finds them', () => {
  for (let round = 0; round < 300; round += 1) {
    const few = () => Array.from({ length: 33 + roll(10) }, () => pick('a', 'a', 'a', 'b')).join('');
    const words = few();
    const found = `${few().slice(roll(40))}${pick(words, words.slice(1), words.slice(0, -1))}${few()}`;
    const rows = new Rows([{ id: '1', name: found }]);
    const condition = textFilter<Row>(words, 'filter.text', ['name']);
    expect(atOnce(filtering(rows, [condition], rows))).toHaveLength(Number(found.includes(words)));
  }
});
