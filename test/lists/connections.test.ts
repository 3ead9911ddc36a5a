import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../src/errors.ts';
import { Rows } from '../../src/formats/rows.ts';
import {
  cursorAt,
  listPaging,
  offsetOfCursor,
  type PageArguments,
  pageSize,
} from '../../src/graph/lists/connections.ts';

const letters = Array.from('abcde', (id) => ({ id }));
const at = (offset: number, id?: string) => `offset:${offset}${id === undefined ? '' : `:${id}`}`;

async function pageOf(args: PageArguments, list = letters, digestOf?: (row: { readonly id: string }) => string) {
  const page = listPaging(args, 50)(new Rows(list), digestOf);
  const rows = await page.rows();
  return {
    ids: rows.map(({ node }) => node.id).join(''),
    cursors: rows.map(({ cursor }) => cursor),
    before: page.hasPreviousPage,
    after: await page.hasNextPage(),
    total: page.totalCount,
  };
}

describe('a page of the list abcde', () => {
  test.each<[PageArguments, string, boolean, boolean]>([
    [{}, 'abcde', false, false],
    [{ first: 2 }, 'ab', false, true],
    [{ first: 5 }, 'abcde', false, false],
    [{ first: 0 }, '', false, true],
    [{ first: 2, after: at(1, 'b') }, 'cd', true, true],
    [{ first: 2, after: at(2, 'c') }, 'de', true, false],
    [{ first: 2, after: at(4, 'e') }, '', true, false],
    [{ after: at(1) }, 'cde', true, false],
    [{ before: at(3, 'd') }, 'abc', false, true],
    [{ first: 2, before: at(3, 'd') }, 'ab', false, true],
    [{ last: 2 }, 'de', true, false],
    [{ last: 5 }, 'abcde', false, false],
    [{ last: 0 }, '', true, false],
    [{ last: 2, before: at(3, 'd') }, 'bc', true, true],
    [{ last: 9, after: at(0, 'a') }, 'bcde', true, false],
    [{ first: 2, last: null }, 'ab', false, true],
    [{ after: at(0, 'a'), before: at(3, 'd') }, 'bc', true, true],
    [{ after: at(3, 'd'), before: at(1, 'b') }, '', true, true],
    [{ first: null, last: null, after: null, before: null }, 'abcde', false, false],
    [{ first: null, last: 1 }, 'e', true, false],
  ])('%j is %j', async (args, ids, before, after) => {
    expect(await pageOf(args)).toMatchObject({ ids, before, after, total: 5 });
  });

  test('tells each row where it is and which one it is', async () => {
    expect((await pageOf({ first: 2, after: at(1, 'b') })).cursors).toEqual(['offset:2:c', 'offset:3:d']);
  });
});

describe('a cursor finds its row', () => {
  test.each([
    ['moved back', at(0, 'c'), 'de'],
    ['moved ahead', at(4, 'b'), 'cde'],
    ['gone: what stands there now comes next', at(2, 'x'), 'cde'],
    ['gone from behind the end', at(9, 'x'), ''],
    ['of a search, which is where it was', at(2), 'de'],
    ['with an id of two lines', at(1, 'x\ny'), 'bcde'],
  ])('%s', async (_name, after, ids) => {
    expect((await pageOf({ after })).ids).toBe(ids);
  });

  test('before a row that is gone is all up to where it was', async () => {
    expect((await pageOf({ before: at(2, 'x') })).ids).toBe('ab');
  });
});

describe('a cursor with a digest marks the place of its row', () => {
  const changed = () => 'new';
  test.each([
    ['is where it was, though changed', 'offset:2~old:c', changed, 'de', 'ab'],
    ['was moved behind its place by others', 'offset:1~old:c', () => 'old', 'de', 'ab'],
    ['was moved before its place by others', 'offset:3~old:c', () => 'old', 'de', 'ab'],
    ['moved behind its place by its own change', 'offset:1~old:d', changed, 'bcde', 'a'],
    ['moved to the end from the first place', 'offset:0~old:e', changed, 'abcde', ''],
    ['moved before its place by its own change', 'offset:3~old:b', changed, 'e', 'abcd'],
    ['moved to the start from the last place', 'offset:4~old:a', changed, '', 'abcde'],
    ['moved before a place that the list no longer has', 'offset:9~old:a', changed, '', 'abcde'],
    ['is gone', 'offset:2~old:x', changed, 'cde', 'ab'],
    ['is in a list without an order now', 'offset:1~old:d', undefined, 'e', 'abc'],
    ['has a cursor of an older version', 'offset:1:d', changed, 'e', 'abc'],
  ])('%s: %s', async (_name, cursor, digestOf, after, before) => {
    expect((await pageOf({ after: cursor }, letters, digestOf)).ids).toBe(after);
    expect((await pageOf({ before: cursor }, letters, digestOf)).ids).toBe(before);
  });

  test('is made for the rows whose cursors are selected', async () => {
    const digested: string[] = [];
    const digestOf = ({ id }: { readonly id: string }) => `d${digested.push(id)}`;
    const rows = await listPaging({ first: 3 }, 50)(new Rows(letters), digestOf).rows();
    expect(rows.map(({ node }) => node.id)).toEqual(['a', 'b', 'c']);
    expect(digested).toEqual([]);
    expect(rows.at(-1)?.cursor).toBe('offset:2~d1:c');
    expect(digested).toEqual(['c']);
  });
});

test('a page has 20 rows unless its size is given', async () => {
  const list = new Rows(Array.from({ length: 30 }, (_none, index) => ({ id: `${index}` })));
  expect(await listPaging({}, 50)(list).rows()).toHaveLength(20);
  expect(await listPaging({ last: 25 }, 50)(list).rows()).toHaveLength(25);
});

test('a page without a size has MAX_PAGE_SIZE rows where that is less than 20', async () => {
  const list = new Rows(Array.from({ length: 30 }, (_none, index) => ({ id: `${index}` })));
  expect(await listPaging({}, 5)(list).rows()).toHaveLength(5);
});

describe('what is no cursor is refused', () => {
  test.each(['', 'x', 'offset:', 'offset:01', 'offset:-1', 'offset:1:', 'xoffset:1', 'offset:1x', `offset:${1e9}`])(
    '%j',
    (cursor) => {
      expect(() => listPaging({ after: cursor }, 50)).toThrow(
        expect.objectContaining({ code: 'BAD_USER_INPUT', fields: { after: ['is no cursor'] } }),
      );
    },
  );

  test('as `after`, which takes an `endCursor`, or as `before`, which takes a `startCursor`', () => {
    expect(() => listPaging({ after: 'x' }, 50)).toThrow(/`after` takes .*`endCursor`/);
    expect(() => listPaging({ before: 'x' }, 50)).toThrow(/`before` takes .*`startCursor`/);
  });
});

describe('the size of a page', () => {
  test.each([0, 1, 50])('may be %i', (size) => {
    expect(pageSize(size, 50)).toBe(size);
  });

  test.each([-1, 51])('may not be %i', (size) => {
    expect(() => pageSize(size, 50)).toThrow(ValidationError);
    expect(() => pageSize(size, 50)).toThrow(expect.objectContaining({ fields: { first: ['takes 0 to 50'] } }));
    expect(() => listPaging({ first: size }, 50)).toThrow(/`first` takes 0 to 50/);
    expect(() => listPaging({ last: size }, 50)).toThrow(/`last` takes 0 to 50/);
  });

  test('may not be two', () => {
    for (const first of [0, 5])
      expect(() => listPaging({ first, last: 3 }, 50)).toThrow(/^`first` and `last` are given/);
  });
});

describe('the offset behind a cursor', () => {
  test.each([
    [null, 0],
    [undefined, 0],
    [cursorAt(0), 1],
    [cursorAt(41), 42],
  ])('%j is %i', (cursor, offset) => {
    expect(offsetOfCursor(cursor)).toBe(offset);
  });

  test.each(['', 'offset:1:a', 'offset:01', 'offset:-1', 'x'])('%j is none', (cursor) => {
    expect(() => offsetOfCursor(cursor)).toThrow(/`after` takes .*`endCursor`/);
  });
});
