import { describe, expect, test } from 'vitest';
import { BadResponseError, ValidationError } from '../../src/http/errors.ts';
import { text, texts } from '../../src/http/formats/leaves.ts';
import {
  applyFilters,
  booleanFilter,
  type Condition,
  decimalRange,
  foldCase,
  hasAll,
  idFilter,
  inFilter,
  instantRange,
  textFilter,
} from '../../src/lists/filters.ts';

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
    ['a text', () => [undefined, null, '', '  '].map((words) => textFilter<Deal>(words, ['name']))],
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
    const condition = textFilter<Deal>(' STRASSE ', ['name', 'place']);
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
    expect(held(booleanFilter<Deal>(false, 'value'), [true, false, 0, null, []])).toEqual([false, 0, null, []]);
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
  expect(() => idFilter<Deal>(['7', id], 'value', field, typename)).toThrow(
    expect.objectContaining({ fields: { 'filter.ids.1': [expect.stringMatching(/Deal/)] } }),
  );
  expect(() => idFilter<Deal>([id], 'value', field, typename)).toThrow(ValidationError);
});

test('a text is compared in upper case, so that ß and ss are one', () => {
  expect(foldCase('Straße')).toBe(foldCase('STRASSE'));
});

describe('the records for which all conditions hold', () => {
  const records = [1, 2, 3, 4].map((value) => deal(`${value}`, value));
  const atLeast = (min: string) => decimalRange<Deal>({ min }, 'value');

  test('keep their order', () => {
    const conditions = [atLeast('2'), undefined, decimalRange<Deal>({ max: '3' }, 'value')];
    expect(applyFilters(records, conditions)).toEqual([records[1], records[2]]);
  });

  test('are all of them, as they are, where there is no condition', () => {
    expect(applyFilters(records, [])).toBe(records);
    expect(applyFilters(records, [undefined])).toBe(records);
  });

  test('are none of none, whatever the list', () => {
    const none: Deal[] = [];
    expect(applyFilters(none, [atLeast('1')], [{ id: '1' }])).toBe(none);
  });

  test('cannot be told where no value of the list can be read', () => {
    const odd = [deal('1', []), deal('2', {})];
    expect(() => applyFilters(odd, [atLeast('1')])).toThrow(BadResponseError);
    expect(applyFilters(odd, [atLeast('1')], [...odd, ...records])).toEqual([]);
  });
});
