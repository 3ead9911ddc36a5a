import { describe, expect, test } from 'vitest';
import {
  cursorAt,
  offsetOfCursor,
  type Page,
  type PageArguments,
  pageSize,
  listPaging,
} from '../../src/graph/lists/connections.ts';
import { ValidationError } from '../../src/errors.ts';
import { records } from '../../src/formats/decode.ts';
import { Rows } from '../../src/formats/rows.ts';
import { SearchPage } from '../../src/apis/flex/search-page.ts';

/** Records with these ids. */
const listOf = (...ids: readonly string[]) => ids.map((id) => ({ id }));

describe('cursors', () => {
  test.each([0, 1, 20, 99, 999_999_998])('the cursor of row %i is where the next page begins', (offset) => {
    expect(offsetOfCursor(cursorAt(offset))).toBe(offset + 1);
  });

  test('without a cursor, a page begins at the first row', () => {
    expect(offsetOfCursor(undefined)).toBe(0);
    expect(offsetOfCursor(null)).toBe(0);
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
    'offset:10000000000',
    '__proto__',
  ])('%j is none', (after) => {
    expect(() => offsetOfCursor(after)).toThrow(ValidationError);
    expect(() => offsetOfCursor(after)).toThrow(expect.objectContaining({ fields: { after: ['is no cursor'] } }));
  });
});

describe('the size of a page', () => {
  test.each([0, 1, 1000])('%i is taken', (first) => {
    expect(pageSize(first, 1000)).toBe(first);
  });

  test.each([-1, 1001, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', (first) => {
    expect(() => pageSize(first, 1000)).toThrow(expect.objectContaining({ fields: { first: ['takes 0 to 1000'] } }));
    expect(() => pageSize(first, 1000, 'last')).toThrow(
      expect.objectContaining({ fields: { last: ['takes 0 to 1000'] } }),
    );
  });
});

describe('a page of a list', () => {
  const letters = listOf('a', 'b', 'c', 'd', 'e');
  const shown = async (args: PageArguments, list = letters) => {
    const page = listPaging(args, 1000)(new Rows(list));
    const rows = await page.rows();
    const neighbours = [page.hasPreviousPage, await page.hasNextPage()];
    return { ids: rows.map(({ node }) => node.id).join(''), neighbours, total: page.totalCount, rows };
  };
  const cursor = async (id: string, list = letters) =>
    (await shown({}, list)).rows.find(({ node }) => node.id === id)?.cursor;

  test.each<[PageArguments & { from?: string; to?: string }, string, boolean[]]>([
    [{}, 'abcde', [false, false]],
    [{ first: 2 }, 'ab', [false, true]],
    [{ first: 0 }, '', [false, true]],
    [{ last: 2 }, 'de', [true, false]],
    [{ last: 0 }, '', [true, false]],
    [{ from: 'b' }, 'cde', [true, false]],
    [{ from: 'e' }, '', [true, false]],
    [{ from: 'b', first: 2 }, 'cd', [true, true]],
    [{ from: 'b', last: 2 }, 'de', [true, false]],
    [{ to: 'd' }, 'abc', [false, true]],
    [{ to: 'a' }, '', [false, true]],
    [{ to: 'd', last: 2 }, 'bc', [true, true]],
    [{ from: 'a', to: 'e' }, 'bcd', [true, true]],
    [{ from: 'd', to: 'b' }, '', [true, true]],
  ])('%j of five is %j', async ({ from, to, ...sizes }, ids, neighbours) => {
    const args = { ...sizes, ...(from && { after: await cursor(from) }), ...(to && { before: await cursor(to) }) };

    expect(await shown(args)).toMatchObject({ ids, neighbours, total: 5 });
  });

  test('has 20 rows unless its size is given', async () => {
    const list = listOf(...Array.from({ length: 50 }, (_, index) => String(index)));
    expect((await shown({}, list)).rows).toHaveLength(20);
    expect((await shown({ last: 30 }, list)).rows).toHaveLength(30);
  });

  test('a cursor follows its row when others come or go before it', async () => {
    const after = await cursor('c');
    expect(await shown({ after }, listOf('x', 'a', 'b', 'c', 'd'))).toMatchObject({ ids: 'd' });
    expect(await shown({ after }, listOf('b', 'c', 'd'))).toMatchObject({ ids: 'd' });
    expect(await shown({ before: after }, listOf('x', 'a', 'b', 'c', 'd'))).toMatchObject({ ids: 'xab' });
  });

  test('the cursor of a removed row stays where the row was', async () => {
    const after = await cursor('c');
    expect(await shown({ after }, listOf('a', 'b', 'd', 'e'))).toMatchObject({ ids: 'de' });
    expect(await shown({ before: after }, listOf('a', 'b', 'd', 'e'))).toMatchObject({ ids: 'ab' });
    expect(await shown({ after }, listOf('a'))).toMatchObject({ ids: '', neighbours: [true, false] });
  });

  test('a cursor without an id stands for the row at its offset', async () => {
    expect(await shown({ after: 'offset:2' })).toMatchObject({ ids: 'de' });
    expect(await shown({ before: 'offset:2' })).toMatchObject({ ids: 'ab' });
    expect(await shown({ after: 'offset:99' })).toMatchObject({ ids: '', neighbours: [true, false] });
  });

  test.each(['', 'c', 'offset:2:', 'offset:-1:c', 'offset:02:c', 'offset:x:c', 'OFFSET:2:c'])(
    'the cursor %j is none, and refused before there is a list',
    (text) => {
      expect(() => listPaging({ after: text }, 10)).toThrow(
        expect.objectContaining({ fields: { after: ['is no cursor'] } }),
      );
      expect(() => listPaging({ before: text }, 10)).toThrow(
        expect.objectContaining({ fields: { before: ['is no cursor'] } }),
      );
    },
  );
});

describe('a page of a search', () => {
  const rowAt = (index: number) => ({ id: String(index) });

  /** A search over so many rows that writes down what it was asked. */
  function searched(length: number, offset: number, size: number, selection: { rows: boolean; hasNextPage: boolean }) {
    const windows: string[] = [];
    const page = new SearchPage({ offset, size }, selection, async ({ limit, offset: from }) => {
      windows.push(`${limit}@${from}`);
      const count = Math.max(0, Math.min(limit, length - from));
      return new Rows(Array.from({ length: count }, (_, index) => rowAt(from + index)));
    });
    return { page, windows };
  }

  const cases = [0, 1, 99, 100, 101, 199, 200, 201, 350].flatMap((length) =>
    [0, 1, 99, 100, 150, 400].flatMap((offset) =>
      [0, 1, 99, 100, 101, 200, 250].map((size) => ({ length, offset, size })),
    ),
  );

  test.each<[string, (page: Page<unknown>) => Promise<{ rows?: unknown; next?: boolean }>]>([
    ['the rows', async (page) => ({ rows: await page.rows() })],
    ['whether there is a next page', async (page) => ({ next: await page.hasNextPage() })],
    [
      'both at once',
      async (page) => {
        const [rows, next] = await Promise.all([page.rows(), page.hasNextPage()]);
        return { rows, next };
      },
    ],
    [
      'the rows, and later the next page',
      async (page) => ({ rows: await page.rows(), next: await page.hasNextPage() }),
    ],
    [
      'the next page, and later the rows',
      async (page) => ({ next: await page.hasNextPage(), rows: await page.rows() }),
    ],
  ])('asked for %s answers like a list, in windows of at most 100 rows', async (asked, ask) => {
    const selection = { rows: asked.includes('rows') || asked.includes('both'), hasNextPage: asked !== 'the rows' };
    for (const { length, offset, size } of cases) {
      const { page, windows } = searched(length, offset, size, selection);

      const answer = await ask(page);

      const all = Array.from({ length }, (_, index) => ({ node: rowAt(index), cursor: cursorAt(index) }));
      const expected = { rows: all.slice(offset, offset + size), next: length > offset + size };
      expect(answer).toEqual(Object.fromEntries(Object.entries(expected).filter(([part]) => part in answer)));
      for (const window of windows) expect(window).toMatch(/^([1-9]\d?|100)@/);
      const rows = selection.rows ? size + (selection.hasNextPage ? 1 : 0) : 1;
      expect(windows.length).toBeLessThanOrEqual(Math.ceil(rows / 100));
    }
  });

  test('asks for one more row to know whether there is more, and never twice', async () => {
    const { page, windows } = searched(10, 0, 10, { rows: true, hasNextPage: true });
    expect(await Promise.all([page.rows(), page.hasNextPage(), page.rows()])).toEqual([
      expect.any(Array),
      false,
      expect.any(Array),
    ]);
    expect(windows).toEqual(['11@0']);
  });

  test('a probe for more is made once', async () => {
    const { page, windows } = searched(10, 0, 5, { rows: false, hasNextPage: true });
    expect(await Promise.all([page.hasNextPage(), page.hasNextPage()])).toEqual([true, true]);
    expect(windows).toEqual(['1@5']);
  });

  test('a failure is one for each part, and no second call', async () => {
    let calls = 0;
    const page = new SearchPage({ offset: 0, size: 5 }, { rows: true, hasNextPage: true }, async () => {
      calls += 1;
      throw new Error('down');
    });
    const outcomes = await Promise.allSettled([page.rows(), page.hasNextPage()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toBe(1);
  });
});

test('rows of a search that cannot be read leave their positions to the cursors, and do not end the list', async () => {
  const list = (from: number, limit: number) =>
    Array.from({ length: limit }, (_, index) => ((from + index) % 3 === 1 ? null : { id: from + index }));
  const page = new SearchPage({ offset: 3, size: 150 }, { rows: true, hasNextPage: true }, async ({ limit, offset }) =>
    records(list(offset, limit)),
  );

  const rows = await page.rows();

  expect(rows.slice(0, 3)).toEqual([
    { cursor: 'offset:3', node: { id: '3' } },
    { cursor: 'offset:5', node: { id: '5' } },
    { cursor: 'offset:6', node: { id: '6' } },
  ]);
  expect(rows.at(-1)).toEqual({ cursor: 'offset:152', node: { id: '152' } });
  expect(rows).toHaveLength(100);
  expect(await page.hasNextPage()).toBe(true);
  expect(page.problems.map(({ message }) => message)).toEqual([
    '33 of 100 rows were left out: Expected an object, got nothing.',
    '17 of 51 rows were left out: Expected an object, got nothing.',
  ]);
});
