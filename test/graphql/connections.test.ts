import { describe, expect, test } from 'vitest';
import { cursorAt, offsetAfter, type Page, pageOfList, pageSize } from '../../src/graphql/connections.ts';
import { ValidationError } from '../../src/http/errors.ts';
import { SearchPage } from '../../src/flex/search-page.ts';

/** A list of whole numbers, and how often it was read. */
function listOf(length: number) {
  const list = Array.from({ length }, (_, index) => index);
  const read = { times: 0, all };
  async function all() {
    read.times += 1;
    return list;
  }
  return read;
}

describe('cursors', () => {
  test.each([0, 1, 20, 99, 999_999_998])('the cursor of row %i is where the next page begins', (offset) => {
    expect(offsetAfter(cursorAt(offset))).toBe(offset + 1);
  });

  test('without one, a page begins at the first row', () => {
    expect(offsetAfter(undefined)).toBe(0);
    expect(offsetAfter(null)).toBe(0);
  });

  test.each([
    '',
    '0',
    'offset:',
    'offset:-1',
    'offset:00',
    'offset:1.5',
    'offset: 1',
    ' offset:1',
    'offset:1 ',
    'offset:1\n',
    'b2Zmc2V0OjE=',
    'offset:１',
    'offset:1000000000',
    '__proto__',
  ])('%j is none', (after) => {
    expect(() => offsetAfter(after)).toThrow(ValidationError);
    expect(() => offsetAfter(after)).toThrow(expect.objectContaining({ fields: { after: ['is no cursor'] } }));
  });
});

describe('the size of a page', () => {
  test.each([
    [undefined, 20],
    [null, 20],
    [0, 0],
    [1, 1],
    [1000, 1000],
  ])('%j is %i', (first, size) => {
    expect(pageSize(first, 20, 1000)).toBe(size);
  });

  test.each([-1, 1001, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', (first) => {
    expect(() => pageSize(first, 20, 1000)).toThrow(
      expect.objectContaining({ fields: { first: ['takes 0 to 1000'] } }),
    );
  });
});

describe('a page of a list', () => {
  test.each([
    [10, 0, 3, [0, 1, 2], true],
    [10, 7, 3, [7, 8, 9], false],
    [10, 9, 3, [9], false],
    [10, 10, 3, [], false],
    [10, 0, 10, [...Array(10).keys()], false],
    [10, 0, 0, [], true],
    [0, 0, 3, [], false],
  ])('of %i rows from %i, %i rows', async (length, offset, size, nodes, hasNextPage) => {
    const page = pageOfList(listOf(length).all, offset, size);

    expect(await page.rows()).toEqual(nodes.map((node) => ({ node, cursor: cursorAt(node) })));
    expect(await page.hasNextPage()).toBe(hasNextPage);
    expect(page.hasPreviousPage).toBe(offset > 0);
  });

  test('reads nothing before something of it is asked for', async () => {
    const list = listOf(1);
    const page = pageOfList(list.all, 0, 1);
    expect([page.hasPreviousPage, list.times]).toEqual([false, 0]);
    await page.rows();
    expect(list.times).toBe(1);
  });
});

describe('a page of a search', () => {
  /** A search over so many rows that writes down what it was asked. */
  function searched(length: number, offset: number, size: number) {
    const windows: string[] = [];
    const page = new SearchPage(offset, size, async ({ limit, offset: from }) => {
      windows.push(`${limit}@${from}`);
      return Array.from({ length: Math.max(0, Math.min(limit, length - from)) }, (_, index) => from + index);
    });
    return { page, windows };
  }

  const cases = [0, 1, 99, 100, 101, 199, 200, 201, 350].flatMap((length) =>
    [0, 1, 99, 100, 150, 400].flatMap((offset) =>
      [0, 1, 99, 100, 101, 200, 250].map((size) => ({ length, offset, size })),
    ),
  );

  /** What is asked for, in which order, and how many more calls than windows of 100 rows that may cost. */
  test.each<[string, number, (page: Page<unknown>) => Promise<{ rows?: unknown; next?: boolean }>]>([
    ['the rows', 0, async (page) => ({ rows: await page.rows() })],
    ['whether there is a next page', 0, async (page) => ({ next: await page.hasNextPage() })],
    [
      'both at once',
      0,
      async (page) => {
        const [rows, next] = await Promise.all([page.rows(), page.hasNextPage()]);
        return { rows, next };
      },
    ],
    [
      'both at once, the other way round',
      0,
      async (page) => {
        const [next, rows] = await Promise.all([page.hasNextPage(), page.rows()]);
        return { rows, next };
      },
    ],
    [
      'the rows, and later the next page',
      1,
      async (page) => ({ rows: await page.rows(), next: await page.hasNextPage() }),
    ],
    [
      'the next page, and later the rows',
      1,
      async (page) => ({ next: await page.hasNextPage(), rows: await page.rows() }),
    ],
  ])('asked for %s answers like a list, in windows of at most 100 rows', async (asked, extra, ask) => {
    for (const { length, offset, size } of cases) {
      const whole = pageOfList(listOf(length).all, offset, size);
      const { page, windows } = searched(length, offset, size);

      const answer = await ask(page);

      const expected = { rows: await whole.rows(), next: await whole.hasNextPage() };
      expect(answer).toEqual(Object.fromEntries(Object.entries(expected).filter(([part]) => part in answer)));
      for (const window of windows) expect(window).toMatch(/^([1-9]\d?|100)@/);
      const rows = asked === 'whether there is a next page' ? 1 : size + ('next' in answer ? 1 : 0);
      expect(windows.length).toBeLessThanOrEqual(Math.ceil(rows / 100) + extra);
    }
  });

  test('asks for one more row to know whether there is more, and never twice', async () => {
    const { page, windows } = searched(10, 0, 10);
    expect(await Promise.all([page.rows(), page.hasNextPage(), page.rows()])).toEqual([
      expect.any(Array),
      false,
      expect.any(Array),
    ]);
    expect(windows).toEqual(['11@0']);
  });

  test('a failure is one for each part, and no second call', async () => {
    let calls = 0;
    const page = new SearchPage(0, 5, async () => {
      calls += 1;
      throw new Error('down');
    });
    const outcomes = await Promise.allSettled([page.rows(), page.hasNextPage()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toBe(1);
  });
});
