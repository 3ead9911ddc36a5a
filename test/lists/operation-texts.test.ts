import { afterEach, expect, test, vi } from 'vitest';
import { Rows } from '../../src/http/rows.ts';
import { atOnce } from '../../src/http/slices.ts';
import { anyOf, filtering } from '../../src/lists/filters.ts';
import { OperationTexts } from '../../src/lists/operation-texts.ts';
import { textFilter, textInFilter } from '../../src/lists/text-filters.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly place: string;
}

const rows = new Rows(
  Array.from({ length: 50 }, (_none, id): Row => ({ id: `${id}`, name: `Żółw ${id}`, place: `Łódź ${id}` })),
);

/** How many texts are folded while twenty alternatives are looked for in two keys, in several fields of an operation. */
function foldsIn(fields: number, texts: OperationTexts): number {
  const conditions = Array.from({ length: fields }, (_field, field) =>
    anyOf<Row, string>(
      Array.from({ length: 20 }, (_none, at) => `zolwie ${field}${at}`),
      (words) => [textFilter<Row>(words, ['name', 'place'])],
    ),
  );
  const normalize = vi.spyOn(String.prototype, 'normalize').mockClear();
  for (const condition of conditions) expect(atOnce(filtering(rows, [condition], rows, texts))).toHaveLength(0);
  return normalize.mock.calls.length;
}

afterEach(() => void vi.restoreAllMocks());

test('a text is folded once, however many alternatives and fields ask for it', () => {
  expect(foldsIn(1, new OperationTexts())).toBe(100);
  expect(foldsIn(5, new OperationTexts())).toBe(100);
});

test('beyond the bound a text is folded once for all alternatives of a field', () => {
  expect(foldsIn(5, new OperationTexts(0))).toBe(500);
  expect(foldsIn(5, new OperationTexts(5_000))).toBeLessThan(500);
});

test('a single look keeps nothing, the next ones keep what they fold', () => {
  const texts = new OperationTexts();
  const condition = textFilter<Row>('zolw 7', ['name', 'place']);
  const normalize = vi.spyOn(String.prototype, 'normalize');
  for (let look = 0; look < 5; look += 1) {
    expect([...atOnce(filtering(rows, [condition], rows, texts))].map(({ id }) => id)).toEqual(['7']);
  }
  expect(normalize.mock.calls.length).toBeLessThanOrEqual(200);
});

test('the parts of a text are made once, and the digits of a long one', () => {
  const row: Row = { id: '1', name: 'Ź@example.com, '.repeat(100), place: '+48 600-100-200 '.repeat(100) };
  const header = new Rows([row]);
  const texts = new OperationTexts();
  const splits: string[] = [];
  const split = (text: string) => {
    splits.push(text);
    return text.split(', ');
  };
  const condition = anyOf<Row, string>(['a@example.com', 'z@example.com'], (email) => [
    textInFilter<Row>([email], ['name'], split),
    textFilter<Row>('600100', ['name'], { numbers: ['place'] }),
  ]);
  for (let field = 0; field < 3; field += 1)
    expect([...atOnce(filtering(header, [condition], header, texts))]).toEqual([row]);
  expect(splits).toHaveLength(1);
});
