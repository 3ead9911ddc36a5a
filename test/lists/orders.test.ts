import { describe, expect, test } from 'vitest';
import { BadResponseError, ValidationError } from '../../src/errors.ts';
import { Rows } from '../../src/formats/rows.ts';
import { atOnce } from '../../src/formats/slices.ts';
import { checkedOrder, ordering, type Orderings } from '../../src/graph/lists/orders.ts';

interface Row {
  readonly id: number;
  readonly value?: unknown;
}

const applyOrder = <T extends object, Key extends keyof T & string>(...given: Parameters<typeof ordering<T, Key>>) => [
  ...atOnce(ordering(...given)),
];

type Kind = Orderings<'value'>['value']['kind'];

const rowsOf = (values: readonly unknown[]) => new Rows(values.map((value, id): Row => ({ id, value })));
const by = (kind: Kind): Orderings<'value'> => ({ value: { kind, about: 'By value.' } });

function ordered(kind: Kind, values: readonly unknown[], direction?: 'ASC' | 'DESC' | null) {
  const rows = rowsOf(values);
  return applyOrder(rows, by(kind), [{ field: 'value', direction }], rows).map(({ value }) => value);
}

describe('values are ordered by their kind', () => {
  test.each<[Kind, readonly unknown[], readonly unknown[]]>([
    ['text', ['b', 'Ä', 'a10', 'a9', 'z'], ['Ä', 'a9', 'a10', 'b', 'z']],
    ['id', ['10', 9, 'a', 100], [9, '10', 100, 'a']],
    ['decimal', ['10', '9.5', '-1', '9.50001', 2], ['-1', 2, '9.5', '9.50001', '10']],
    ['numberOrText', ['b', '10', 'a', '9.5', '1e3'], ['9.5', '10', '1e3', 'a', 'b']],
    [
      'instant',
      ['2026-01-01T12:00:00+02:00', '2026-01-01T11:00:00Z', '2001-09-09T00:00:00Z', '2026-01-01T09:00:00'],
      ['2001-09-09T00:00:00Z', '2026-01-01T09:00:00', '2026-01-01T12:00:00+02:00', '2026-01-01T11:00:00Z'],
    ],
  ])('%s', (kind, values, expected) => {
    expect(ordered(kind, values)).toEqual(expected);
    expect(ordered(kind, values, 'ASC')).toEqual(expected);
    expect(ordered(kind, values, null)).toEqual(expected);
    expect(ordered(kind, values, 'DESC')).toEqual(expected.toReversed());
  });
});

test('numbers come before texts whichever stands first', () => {
  expect(ordered('numberOrText', ['a', '1'])).toEqual(['1', 'a']);
  expect(ordered('numberOrText', ['1', 'a'])).toEqual(['1', 'a']);
});

describe('what has no value comes last', () => {
  test.each(['ASC', 'DESC'] as const)('%s', (direction) => {
    const expected = direction === 'ASC' ? ['a', 'b'] : ['b', 'a'];
    expect(ordered('text', [null, 'b', '', 'a', [], undefined], direction)).toEqual([
      ...expected,
      null,
      '',
      [],
      undefined,
    ]);
  });
});

test('what is equal keeps its order, in either direction', () => {
  const rows = rowsOf(['a', 'b', 'a', 'b']);
  for (const [direction, ids] of [
    ['ASC', [0, 2, 1, 3]],
    ['DESC', [1, 3, 0, 2]],
  ] as const) {
    expect(applyOrder(rows, by('text'), [{ field: 'value', direction }], rows).map(({ id }) => id)).toEqual(ids);
  }
});

test('records stay as they are without an order', () => {
  const rows = rowsOf(['b', 'a']);
  expect(atOnce(ordering(rows, by('text'), [], rows))).toBe(rows);
});

test('no records have an order, whatever the list holds', () => {
  const none = new Rows<Row>([]);
  const list = new Rows<Row>([{ id: 1 }]);
  expect(atOnce(ordering(none, by('text'), [{ field: 'value' }], list))).toBe(none);
});

test('records cannot be ordered by a key that the list does not have', () => {
  const rows = new Rows<Row>([{ id: 1 }]);
  expect(() => applyOrder(rows, by('text'), [{ field: 'value' }], rows)).toThrow(BadResponseError);
  expect(applyOrder(rows, by('text'), [{ field: 'value' }], new Rows([...rows, { id: 2, value: 'a' }]))).toEqual([
    { id: 1 },
  ]);
});

test('the records that are given are not moved themselves', () => {
  const rows = rowsOf(['b', 'a']);
  applyOrder(rows, by('text'), [{ field: 'value' }], rows);
  expect([...rows].map(({ value }) => value)).toEqual(['b', 'a']);
});

describe('several orders', () => {
  interface Deal {
    readonly id: number;
    readonly name: unknown;
    readonly price: unknown;
  }
  const orderings: Orderings<'name' | 'price'> = {
    name: { kind: 'text', about: 'By name.' },
    price: { kind: 'decimal', about: 'By price.' },
  };
  const deals = new Rows<Deal>([
    { id: 1, name: 'b', price: '1' },
    { id: 2, name: 'a', price: '1' },
    { id: 3, name: null, price: '9' },
    { id: 4, name: 'a', price: null },
    { id: 5, name: 'b', price: '2' },
    { id: 6, name: 'a', price: '10' },
    { id: 7, name: 'a', price: '1.0' },
  ]);

  test.each([
    [
      ['name', 'price'],
      [2, 7, 6, 4, 1, 5, 3],
    ],
    [
      ['price', 'name'],
      [2, 7, 1, 5, 3, 6, 4],
    ],
  ] as const)('are applied one after the other: %s', (fields, ids) => {
    const orders = fields.map((field) => ({ field }));
    expect(applyOrder(deals, orderings, orders, deals).map(({ id }) => id)).toEqual(ids);
  });

  test('have a direction each', () => {
    const orders = [
      { field: 'name', direction: 'DESC' },
      { field: 'price', direction: 'ASC' },
    ] as const;
    expect(applyOrder(deals, orderings, orders, deals).map(({ id }) => id)).toEqual([1, 5, 2, 7, 6, 4, 3]);
  });

  test('of one field are refused: the second would have no effect', () => {
    const twice = [{ field: 'name' }, { field: 'price' }, { field: 'name' }] as const;
    expect(() => checkedOrder(twice)).toThrow(ValidationError);
    expect(() => checkedOrder(twice)).toThrow('`orderBy.2.field` occurs twice.');
    expect(checkedOrder(null)).toEqual([]);
    expect(checkedOrder([{ field: 'name' }])).toEqual([{ field: 'name' }]);
  });

  test('need a list with values under each of the fields', () => {
    const rows = new Rows([{ id: 1, name: 'a' }]);
    expect(() =>
      applyOrder<Row & { name?: unknown; price?: unknown }, 'name' | 'price'>(
        rows,
        orderings,
        [{ field: 'name' }, { field: 'price' }],
        rows,
      ),
    ).toThrow(BadResponseError);
  });
});
