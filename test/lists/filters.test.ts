import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BadResponseError, ValidationError } from '../../src/errors.ts';
import { oneOf, text, texts } from '../../src/formats/leaves.ts';
import { Rows } from '../../src/formats/rows.ts';
import { atOnce } from '../../src/formats/slices.ts';
import {
  anyOf,
  applyFilters,
  booleanFilter,
  type Condition,
  decimalRange,
  hasAll,
  idFilter,
  enumFilter,
  filtering,
  inFilter,
  instantRange,
  nullFilters,
} from '../../src/graph/lists/filters.ts';
import { textFilter, textInFilter } from '../../src/graph/lists/text-filters.ts';

interface Deal {
  readonly id: string;
  readonly name?: unknown;
  readonly place?: unknown;
  readonly value?: unknown;
}

const deal = (id: string, value: unknown): Deal => ({ id, value });

/** For which of these values, as JSON, the condition on `value` holds. */
function held(condition: Condition<Deal> | undefined, values: readonly unknown[]): unknown[] {
  return values.filter((value) => condition?.holds(deal('1', value)));
}

describe('a condition that is left out, null or empty is none', () => {
  test.each([
    ['a text', () => [undefined, null, '', '  '].map((words) => textFilter<Deal>(words, 'filter.text', ['name']))],
    ['values', () => [undefined, null, []].map((values) => inFilter<Deal, string>(values, 'value', text))],
    ['ids', () => [undefined, null, []].map((ids) => idFilter<Deal>(ids, 'value', 'ids'))],
    ['a boolean', () => [undefined, null].map((wanted) => booleanFilter<Deal>(wanted, 'value'))],
    ['instants', () => [undefined, null].map((range) => instantRange<Deal>(range, 'value'))],
    ['decimals', () => [undefined, null].map((range) => decimalRange<Deal>(range, 'value'))],
    ['all of some texts', () => [undefined, null, []].map((wanted) => hasAll<Deal>(wanted, 'value', texts))],
  ])('%s', (_name, conditions) => {
    for (const condition of conditions()) expect(condition).toBeUndefined();
  });
});

describe('a condition holds for', () => {
  test('a text in any of the keys, in whatever case', () => {
    const condition = textFilter<Deal>(' STRASSE ', 'filter.text', ['name', 'place']);
    expect(condition?.keys).toEqual(['name', 'place']);
    const records = [
      { id: '1', name: 'Hauptstraße 1', place: 'a' },
      { id: '2', name: 'a', place: 'strasse' },
      { id: '3', name: 'a', place: 'b' },
      { id: '4', name: ['strasse'], place: null },
    ];
    expect(records.filter((record) => condition?.holds(record)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('one of some values', () => {
    const condition = inFilter<Deal, string>(['won', 'lost'], 'value', text);
    expect(condition?.keys).toEqual(['value']);
    expect(held(condition, ['won', 'lost', 'open', null, [], undefined])).toEqual(['won', 'lost']);
  });

  test('an id, as a number or as a text', () => {
    const condition = idFilter<Deal>(['7', '8'], 'value', 'clientIds');
    expect(condition?.keys).toEqual(['value']);
    expect(held(condition, [7, '8', 9, null])).toEqual([7, '8']);
  });

  test('a global id of the type', () => {
    expect(held(idFilter<Deal>(['Client:7'], 'value', 'clientIds', 'Client'), [7, 'Client:7'])).toEqual([7]);
  });

  test('true, and false with what has no value', () => {
    expect(booleanFilter<Deal>(true, 'value')?.keys).toEqual(['value']);
    expect(held(booleanFilter<Deal>(true, 'value'), [true, 'true', 1, false, null, []])).toEqual([true, 'true', 1]);
    expect(held(booleanFilter<Deal>(false, 'value'), [true, false, 0, null, []])).toEqual([false, 0, null]);
  });

  test('an instant from the first to before the second', () => {
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    const instants = ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-01-01T23:59:59', '2026-01-02T00:00:00Z'];
    expect(instantRange<Deal>(range, 'value')?.keys).toEqual(['value']);
    expect(held(instantRange<Deal>(range, 'value'), [...instants, null, 'x'])).toEqual(instants.slice(1, 3));
    expect(held(instantRange<Deal>({ from: range.from }, 'value'), [...instants, null])).toEqual(instants.slice(1));
    expect(held(instantRange<Deal>({ to: range.to }, 'value'), [...instants, null])).toEqual(instants.slice(0, 3));
  });

  test('a decimal from one to another, both included', () => {
    const values = ['9.99', '10', 15, '20.00', '20.01', null, 'x'];
    expect(decimalRange<Deal>({ min: '10', max: '20' }, 'value')?.keys).toEqual(['value']);
    expect(held(decimalRange<Deal>({ min: '10', max: '20' }, 'value'), values)).toEqual(['10', 15, '20.00']);
    expect(held(decimalRange<Deal>({ min: '10' }, 'value'), values)).toEqual(['10', 15, '20.00', '20.01']);
    expect(held(decimalRange<Deal>({ max: '20', min: null }, 'value'), values)).toEqual(['9.99', '10', 15, '20.00']);
    expect(held(decimalRange<Deal>({}, 'value'), ['1', null])).toEqual(['1']);
  });

  test('every one of some texts, in whatever case', () => {
    const condition = hasAll<Deal>([' VIP ', 'new'], 'value', texts);
    expect(condition?.keys).toEqual(['value']);
    expect(held(condition, [['New', 'vip', 'x'], ['vip'], [], null, 'vip'])).toEqual([['New', 'vip', 'x']]);
  });
});

test.each([
  ['ids', 'Deal:1', undefined],
  ['ids', 'Deal:1', 'Client'],
])('a global id of another type is refused, and its place is named', (field, id, typename) => {
  expect(() => idFilter<Deal>(['7', id], 'value', `filter.${field}`, typename)).toThrow(
    expect.objectContaining({ fields: { 'filter.ids.1': [expect.stringMatching(/Deal/)] } }),
  );
  expect(() => idFilter<Deal>([id], 'value', field, typename)).toThrow(ValidationError);
});

describe('the records for which all conditions hold', () => {
  const records = new Rows([1, 2, 3, 4].map((value) => deal(`${value}`, value)));
  const atLeast = (min: string) => decimalRange<Deal>({ min }, 'value');

  test('keep their order', async () => {
    const conditions = [atLeast('2'), undefined, decimalRange<Deal>({ max: '3' }, 'value')];
    expect([...(await applyFilters(records, conditions))]).toEqual([records.at(1), records.at(2)]);
  });

  test('are all of them, as they are, where there is no condition', async () => {
    expect(await applyFilters(records, [])).toBe(records);
    expect(await applyFilters(records, [undefined])).toBe(records);
  });

  test('are none of none, whatever the list', async () => {
    const none = new Rows<Deal>([]);
    expect(await applyFilters(none, [atLeast('1')], new Rows<Deal>([{ id: '1' }]))).toBe(none);
  });

  test('cannot be told where no value of the list can be read', async () => {
    const odd = new Rows([deal('1', []), deal('2', {})]);
    await expect(async () => applyFilters(odd, [atLeast('1')])).rejects.toThrow(BadResponseError);
    expect(await applyFilters(odd, [atLeast('1')], new Rows([...odd, ...records]))).toHaveLength(0);
  });
});

describe('a condition that cannot be decided', () => {
  const odd: unknown = [];
  const undecided = (condition: Condition<Deal> | undefined) => condition?.holds(deal('1', odd));

  test.each([
    ['one of some values', () => inFilter<Deal, string>(['a'], 'value', text)],
    ['a boolean', () => booleanFilter<Deal>(false, 'value')],
    ['instants', () => instantRange<Deal>({ from: '2026-01-01T00:00:00Z' }, 'value')],
    ['decimals', () => decimalRange<Deal>({ min: '1' }, 'value')],
    ['all of some texts', () => hasAll<Deal>(['a'], 'value', (value) => [text(value) ?? ''])],
    ['a text', () => textFilter<Deal>('a', 'filter.text', ['value', 'name'])],
    ['one of some texts', () => textInFilter<Deal>(['a'], ['value', 'name'])],
  ])('is told: %s', (_name, condition) => {
    expect(undecided(condition())).toBeUndefined();
  });

  test('is decided by another value', () => {
    expect(textFilter<Deal>('a', 'filter.text', ['value', 'name'])?.holds({ id: '1', value: odd, name: 'A' })).toBe(
      true,
    );
  });

  test('is decided for a value that an enum does not have', () => {
    const condition = enumFilter<Deal, 'won' | 'lost'>(['won'], 'value', oneOf(['won', 'lost']));
    expect(condition?.holds(deal('1', 'open'))).toBe(false);
    expect(undecided(condition)).toBeUndefined();
  });
});

describe('rows that a filter leaves out because a value cannot be read', () => {
  const rows = new Rows<Deal>([
    { id: '1', name: 'a', value: 1 },
    { id: '2', name: 'a', value: [] },
    { id: '3', name: 'b', value: [] },
    { id: '4', name: {}, value: [] },
    { id: '5', name: {}, value: 0 },
  ]);
  const named = textFilter<Deal>('a', 'filter.text', ['name']);
  const positive = decimalRange<Deal>({ min: '1' }, 'value');

  test('are counted for each condition, unless another condition leaves them out anyway', async () => {
    const kept = await applyFilters(rows, [named, positive]);
    expect([...kept].map(({ id }) => id)).toEqual(['1']);
    expect(kept.problems).toEqual([
      new BadResponseError('2 rows were left out by the filter, because their `value` cannot be read.'),
      new BadResponseError('1 row was left out by the filter, because its `name` cannot be read.'),
    ]);
  });

  test('are no problem of the list, nor of a filter that could be decided', async () => {
    await applyFilters(rows, [positive]);
    expect(rows.problems).toEqual([]);
    expect((await applyFilters(rows.slice(0, 1), [named, positive], rows)).problems).toEqual([]);
  });

  test('are kept where one alternative holds, and counted where none does', async () => {
    const alternatives = [['a'], ['c']];
    const condition = anyOf<Deal, string[]>(alternatives, ([name]) => [
      name === 'a' ? textFilter<Deal>(name, 'filter.text', ['name']) : positive,
    ]);
    const kept = await applyFilters(rows, [condition]);
    expect([...kept].map(({ id }) => id)).toEqual(['1', '2']);
    expect(kept.problems).toMatchObject([{ message: expect.stringMatching(/^3 rows .* `name` or `value` cannot/) }]);
  });
});

describe('alternatives', () => {
  test('are none when they are left out, null or empty', () => {
    for (const none of [undefined, null, []]) expect(anyOf<Deal, string>(none, () => [])).toBeUndefined();
  });

  test('hold for every record when one of them has no condition', () => {
    expect(anyOf<Deal, string>(['x'], () => [undefined])?.holds(deal('1', 1))).toBe(true);
  });

  test('know their path', () => {
    const paths: string[] = [];
    anyOf<Deal, string>(['x', 'y'], (_filter, path) => {
      paths.push(path);
      return [];
    });
    expect(paths).toEqual(['filter.anyOf.0.', 'filter.anyOf.1.']);
  });

  test('need a list with values for each of their conditions', async () => {
    const condition = anyOf<Deal, string>(['x', 'y'], (key) => [
      textFilter<Deal>('x', 'filter.text', key === 'x' ? ['name'] : ['place']),
    ]);
    await expect(async () => applyFilters(new Rows<Deal>([{ id: '1', name: 'x' }]), [condition])).rejects.toThrow(
      /`place`/,
    );
  });

  test('fold a text of a record once, however many look at it', () => {
    const rows = new Rows<Deal>([{ id: '1', name: 'Żółw', place: 'Łódź' }]);
    const condition = anyOf<Deal, string>(['a', 'b', 'c'], (words) => [
      textFilter<Deal>(words, 'filter.text', ['name', 'place']),
    ]);
    const normalize = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalize.mockRestore());
    expect(atOnce(filtering(rows, [condition], rows))).toHaveLength(0);
    expect(normalize).toHaveBeenCalledTimes(2);
  });

  test('are at most twenty', () => {
    const many = Array.from({ length: 21 }, () => 'x');
    expect(() => anyOf<Deal, string>(many, () => [])).toThrow('`filter.anyOf` takes 20 at most.');
    expect(anyOf<Deal, string>(many.slice(1), () => [])).toBeDefined();
  });
});

describe('null', () => {
  const empty = [null, undefined, '', [], {}];
  const filled = [0, false, 'x', ' ', ['x'], { x: 1 }];

  test('is also an empty text, list or map', () => {
    const [isNull] = nullFilters<Deal>(['value'], true);
    const [isNotNull] = nullFilters<Deal>(['value'], false);
    expect(held(isNull, [...empty, ...filled])).toEqual(empty);
    expect(held(isNotNull, [...empty, ...filled])).toEqual(filled);
  });

  test('is asked of each key once', () => {
    expect(nullFilters<Deal>(['value', 'name', 'value'], true).map(({ keys }) => keys)).toEqual([['value'], ['name']]);
    expect(nullFilters<Deal>(null, true)).toEqual([]);
  });

  test('cannot be asked of a key that the list does not have', async () => {
    await expect(async () =>
      applyFilters(new Rows([deal('1', null)]), nullFilters<Deal>(['name'], true)),
    ).rejects.toThrow(/`name`/);
  });
});
