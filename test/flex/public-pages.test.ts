import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// `list` of a public method over an upstream that sends fewer records at once than were asked for.

const window = z.object({ limit: z.int(), offset: z.int() });

type Upstream = (window: { limit: number; offset: number }) => { from: number; count: number };

/** Reads a page. Returns the windows as `limit@offset`, the ids of the records, and what else was answered. */
async function listing(list: string, upstream: Upstream, settings: Partial<Config> = {}) {
  const windows: string[] = [];
  const { url } = await stubUpstream((request, response) => {
    text(request).then(
      (body) => {
        const asked = window.parse(JSON.parse(body));
        windows.push(`${asked.limit}@${asked.offset}`);
        const { from, count } = upstream(asked);
        const rows = Array.from({ length: Math.max(0, count) }, (_none, index) => ({ id: from + index + 1, data: {} }));
        says(JSON.stringify(rows))(request, response);
      },
      () => response.destroy(),
    );
  });
  const { execute } = await gatewayOver(url, settings);
  const again = async (code = 'book') => {
    windows.length = 0;
    const { data, errors } = await execute(`{ publicFlexDb(code: "${code}") { list${list} } }`, { token: null });
    const ids = [...JSON.stringify(data).matchAll(/"upstreamId":"(\d+)"/g)].map(([, id]) => Number(id));
    return { windows: [...windows], ids, data, errors };
  };
  return { ...(await again()), again };
}

/** `length` records, of which at most `most` are sent at once. */
const capped =
  (length: number, most: number): Upstream =>
  ({ limit, offset }) => ({
    from: offset,
    count: Math.min(limit, most, length - offset),
  });

const WITH_NEXT = '{ nodes { upstreamId } pageInfo { hasNextPage endCursor } }';
const through = (length: number) => Array.from({ length }, (_none, index) => index + 1);

describe('a list that upstream sends in smaller pages than asked for', () => {
  test.each([
    [120, 250, 50, ['100@0', '50@50', '21@100'], 120],
    [120, 120, 50, ['100@0', '50@50', '21@100'], 120],
    [120, 110, 50, ['100@0', '50@50', '21@100'], 110],
    [120, 100, 50, ['100@0', '50@50', '21@100'], 100],
    [120, 80, 50, ['100@0', '50@50'], 80],
    [60, 250, 25, ['61@0', '25@25', '11@50'], 60],
    [20, 250, 20, ['21@0', '1@20'], 20],
    [1000, 34, 10, ['100@0', '10@10', '10@20', '10@30'], 34],
  ])('first: %i of %i records, %i at once', async (first, length, most, windows, count) => {
    const found = await listing(`(first: ${first}) ${WITH_NEXT}`, capped(length, most));
    expect(found.errors).toEqual([]);
    expect(found.windows).toEqual(windows);
    expect(found.ids).toEqual(through(count));
    const pageInfo = { hasNextPage: length > first, endCursor: `offset:${count - 1}` };
    expect(found.data).toMatchObject({ publicFlexDb: { list: { pageInfo } } });
  });

  test('goes on after a cursor', async () => {
    const { windows, ids } = await listing('(first: 60, after: "offset:99") { nodes { upstreamId } }', capped(250, 50));
    expect(windows).toEqual(['60@100', '10@150']);
    expect(ids).toEqual(through(160).slice(100));
  });

  test('ends with the calls of the operation, with an error', async () => {
    const { windows, errors } = await listing(`(first: 900) ${WITH_NEXT}`, capped(1000, 10), { MAX_UPSTREAM_CALLS: 7 });
    expect(windows).toHaveLength(7);
    expect(errors).toMatchObject([{ path: ['publicFlexDb', 'list'], extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
  });
});

describe('a list that ends', () => {
  test.each([0, 1, 7, 19, 21, 37, 49, 51, 99, 101])('with %i records costs no further call', async (length) => {
    const { windows, ids } = await listing(`(first: 120) ${WITH_NEXT}`, capped(length, 100));
    expect(ids).toEqual(through(length));
    expect(windows).toEqual(length < 100 ? ['100@0'] : ['100@0', '21@100']);
  });

  test('with as many records as upstream may send at once costs one call more', async () => {
    const { windows, ids } = await listing(`(first: 120) ${WITH_NEXT}`, capped(50, 100));
    expect(ids).toEqual(through(50));
    expect(windows).toEqual(['100@0', '50@50']);
  });

  test('costs it once, as long as it has the same records: an empty page was proof', async () => {
    let [first, length] = [0, 20];
    const { windows, again } = await listing(`(first: 120) ${WITH_NEXT}`, (asked) => {
      const { from, count } = capped(length, 20)(asked);
      return { from: first + from, count };
    });
    expect(windows).toEqual(['100@0', '20@20']);
    expect((await again()).windows).toEqual(['100@0']);
    first = 1;
    length = 23; // the newest record comes first, and at most 20 at once
    const grown = await again();
    expect(grown.windows).toEqual(['100@0', '20@20']);
    expect(grown.ids).toEqual(through(24).slice(1));
  });

  test('costs it once for each database, of the last 100', async () => {
    const { again } = await listing(`(first: 120) ${WITH_NEXT}`, capped(20, 100));
    for (let number = 1; number < 100; number += 1) expect((await again(`book-${number}`)).windows).toHaveLength(2);
    expect((await again()).windows).toHaveLength(1);
    expect((await again('book-100')).windows).toHaveLength(2);
    expect((await again('book-1')).windows).toHaveLength(2);
    expect((await again('book')).windows).toHaveLength(1);
  });

  test('and is sent again, because upstream ignores the offset, has no record twice', async () => {
    const { windows, ids, data } = await listing(`(first: 120) ${WITH_NEXT}`, () => ({ from: 0, count: 50 }));
    expect(ids).toEqual(through(50));
    expect(windows).toEqual(['100@0', '50@50']);
    expect(data).toMatchObject({ publicFlexDb: { list: { pageInfo: { hasNextPage: false } } } });
  });
});
