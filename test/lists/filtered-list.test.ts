import SchemaBuilder from '@pothos/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import type { Rows } from '../../src/formats/rows.ts';
import type { Conditions } from '../../src/graph/lists/filters.ts';

// A filtered list adds the input of its orders to the builder. Here that is a builder of its own, for the one that is
// shared makes the schema which other tests read.

interface Deal {
  readonly id: string;
  readonly value: unknown;
}

async function listOfDeals() {
  const { DecimalRange, decimalRange } = await import('../../src/graph/lists/filters.ts');
  const { filteredList } = await import('../../src/graph/lists/filtered-list.ts');
  return filteredList<Deal, typeof DecimalRange.$inferInput, 'value'>({
    name: 'UnitDeal',
    filter: DecimalRange,
    conditions: (range: typeof DecimalRange.$inferInput): Conditions<Deal> => {
      asked += 1;
      return [decimalRange(range, 'value')];
    },
    orderings: { value: { kind: 'decimal', about: 'By value.' } },
  });
}

let asked = 0;
let deals: Awaited<ReturnType<typeof listOfDeals>>;
/** Loaded anew with the lists: another class would not be theirs. */
let RowsOf: typeof Rows;

beforeAll(async () => {
  SchemaBuilder.allowPluginReRegistration = true; // the modules are loaded anew, and so is the plugin among them
  vi.resetModules();
  deals = await listOfDeals();
  ({ Rows: RowsOf } = await import('../../src/formats/rows.ts'));
});
afterAll(() => void vi.resetModules());

const list = [3, 1, 2].map((value): Deal => ({ id: `${value}`, value }));
const odd: Deal[] = [{ id: '9', value: [] }];

async function idsOf(args: Parameters<typeof deals.paging>[0], records = list, all = records) {
  const page = await deals.paging(args, 50)(new RowsOf(records), new RowsOf(all));
  return (await page.rows()).map(({ node }) => node.id);
}

describe('the page of a filtered and ordered list', () => {
  test('has what the filter says, in the order of upstream', async () => {
    expect(await idsOf({ filter: { min: '2' } })).toEqual(['3', '2']);
  });

  test('has all in the order that is asked for', async () => {
    expect(await idsOf({ orderBy: [{ field: 'value' }] })).toEqual(['1', '2', '3']);
  });

  test('is cut from what is filtered and ordered', async () => {
    const orderBy = [{ field: 'value', direction: 'DESC' }] as const;
    const page = await deals.paging({ filter: { min: '2' }, orderBy, first: 1 }, 50)(new RowsOf(list));
    expect([page.totalCount, await page.hasNextPage()]).toEqual([2, true]);
    expect((await page.rows()).map(({ node }) => node.id)).toEqual(['3']);
  });

  test('is one of the list as it is without a filter or an order', async () => {
    expect(await idsOf({})).toEqual(['3', '1', '2']);
    expect(await idsOf({ filter: null, orderBy: null }, odd)).toEqual(['9']);
  });

  test('of some records is filtered by what the whole list has', async () => {
    await expect(idsOf({ filter: { min: '2' } }, [...odd])).rejects.toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE' });
    expect(await idsOf({ filter: { min: '2' } }, [...odd], [...odd, ...list])).toEqual([]);
  });

  test('is another one for another filter or another order of the same list', async () => {
    const orderBy = [{ field: 'value' }] as const;
    expect(await idsOf({ filter: { min: '2' } })).toEqual(['3', '2']);
    expect(await idsOf({ filter: { min: '3' } })).toEqual(['3']);
    expect(await idsOf({ filter: { min: '2' }, orderBy })).toEqual(['2', '3']);
  });

  test('looks at its arguments before the list is read', () => {
    const before = asked;
    deals.paging({ filter: { min: '1' } }, 50);
    expect(asked).toBe(before + 1);
    expect(() => deals.paging({ first: 51 }, 50)).toThrow(/`first` takes 0 to 50/);
    expect(() => deals.paging({ orderBy: [{ field: 'value' }, { field: 'value' }] }, 50)).toThrow(/occurs twice/);
  });
});

describe('the problems of a page', () => {
  const problem = new BadResponseError('2 rows cannot be read.');
  const rows = () => new RowsOf(list);
  const whole = () => new RowsOf([...list, ...odd], [problem]);
  const problemsAt = async (args: Parameters<typeof deals.paging>[0], records = whole(), all = records) =>
    (await deals.paging(args, 50)(records, all)).problems?.map(({ message }) => message);

  test('are those of the list', async () => {
    expect(await problemsAt({})).toEqual([problem.message]);
    expect(await problemsAt({ orderBy: [{ field: 'value' }] })).toEqual([problem.message]);
    const all = whole();
    expect(await problemsAt({}, all.slice(0, 1), all)).toEqual([problem.message]);
    expect(await problemsAt({}, rows())).toEqual([]);
  });

  test('are those of a filter that left out rows, too', async () => {
    const leftOut = '1 row was left out by the filter, because its `value` cannot be read.';
    for (const orderBy of [null, [{ field: 'value' as const }]]) {
      const all = whole();
      expect(await problemsAt({ filter: { min: '2' }, orderBy }, all)).toEqual([problem.message, leftOut]);
      expect(await problemsAt({ filter: { min: '2' }, orderBy }, all)).toEqual([problem.message, leftOut]);
    }
    expect(await problemsAt({ filter: { min: '2' } }, rows())).toEqual([]);
  });

  test('are none of rows outside of the records that are filtered', async () => {
    const all = new RowsOf([...list, ...odd]);
    expect(await problemsAt({ filter: { min: '2' } }, all.slice(0, 2), all)).toEqual([]);
  });
});
