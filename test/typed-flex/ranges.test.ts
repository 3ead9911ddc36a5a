import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { gatewayOverText, SEARCH } from '../flex/support.ts';
import { snapshotFile } from './snapshot-files.ts';
import { sharedTypedDatabase } from './support.ts';

const schema = {
  tables: {
    tasks: {
      fields: {
        title: 'string',
        kind: 'string',
        count: 'integer',
        price: 'number',
        due_at: 'datetime',
        day: 'date',
        done: 'boolean',
        hour: 'time',
        client: 'integer',
      },
      indexed_fields: ['title', 'count', 'due_at'],
    },
    many: { fields: { title: 'string', count: 'integer' } },
  },
};

const openShop = sharedTypedDatabase(
  { code: 'shop', schema },
  { tasks: { client: { name: 'client', references: 'Client' } } },
);

type Shop = Awaited<ReturnType<typeof openShop>>;

const ROWS = [
  { title: 'a', kind: 'x', count: 1, price: '0.10', due_at: '2026-03-01T08:00:00Z', day: '2026-03-01' },
  { title: 'b', kind: 'x', count: 2, price: 10, due_at: '2026-03-01T10:00:00+02:00', day: '2026-03-02' },
  {
    title: 'c',
    kind: 'y',
    count: 10,
    price: '9.75',
    due_at: '2026-03-01T08:00:00.001Z',
    day: '2026-03-10',
  },
  { title: 'd', kind: 'y', count: '9007199254740993', price: -5, due_at: '2026-03-01T09:00:00', day: '2025-12-31' },
  { title: 'e', kind: 'x', count: null, price: null, due_at: null, day: null },
  { title: 'f', kind: 'x' },
];

let isFilled = false;

/** A shop with the rows above, and 250 rows in the table `many`. */
async function filledShop(settings: Parameters<typeof openShop>[0] = {}): Promise<Shop> {
  const shop = await openShop(settings);
  if (!isFilled) {
    shop.makeRecords(ROWS, 'tasks');
    shop.makeRecords(
      Array.from({ length: 250 }, (_none, index) => ({ title: index % 2 ? 'odd' : 'even', count: index })),
      'many',
    );
    isFilled = true;
  }
  shop.sandbox.forgetCalls();
  return shop;
}

const listed = z.object({ shop: z.object({ list: z.object({ nodes: z.array(z.object({ title: z.string() })) }) }) });

/** The titles of the rows in a range, in the order of the alphabet. */
async function titles({ ask }: Shop, range: object, more: { readonly filter?: object } = {}) {
  const data = await ask(
    'query ($range: ShopTaskRange, $filter: ShopTaskFilter) { shop { list: tasks(range: $range, filter: $filter) { nodes { title } } } }',
    { variables: { range, ...more } },
  );
  return listed
    .parse(data)
    .shop.list.nodes.map(({ title }) => title)
    .sort()
    .join('');
}

describe('a range of the values of a table', () => {
  test.each<[object, string]>([
    [{ count: { gt: 1 } }, 'bcd'],
    [{ count: { gte: 1 } }, 'abcd'],
    [{ count: { lt: 10 } }, 'ab'],
    [{ count: { lte: 10 } }, 'abc'],
    [{ count: { gt: 1, lt: 10 } }, 'b'],
    [{ count: { gte: 10, lte: 10 } }, 'c'],
    [{ count: { gte: '9007199254740993' } }, 'd'],
    [{ count: { gt: '9007199254740993' } }, ''],
    [{ price: { gt: '9.7' } }, 'bc'],
    [{ price: { gt: '9.75' } }, 'b'],
    [{ price: { lt: 0 } }, 'd'],
    [{ price: { gte: '0.1', lte: '10.0' } }, 'abc'],
    [{ dueAt: { lte: '2026-03-01T09:00:00+01:00' } }, 'ab'], // the same instant with three offsets
    [{ dueAt: { gt: '2026-03-01T08:00:00Z' } }, 'cd'], // without an offset it is UTC
    [{ dueAt: { gte: '2026-03-01T08:00:00Z', lt: '2026-03-01T08:00:00.001Z' } }, 'ab'],
    [{ day: { lt: '2026-03-02' } }, 'ad'],
    [{ day: { gte: '2026-03-01', lte: '2026-03-02' } }, 'ab'],
    [{ day: { gt: '2026-03-02' } }, 'c'],
    [{ count: { gte: 2 }, price: { gt: 0 } }, 'bc'],
    [{ createdAt: { gt: '2020-01-01T00:00:00Z' } }, 'abcdef'],
    [{ createdAt: { lt: '2020-01-01T00:00:00Z' } }, ''],
    [{ updatedAt: { gt: '2020-01-01T00:00:00Z' }, count: { lt: 2 } }, 'a'],
    [{ count: { gt: null, lte: 2 } }, 'ab'],
    [{ count: { gt: null }, day: null }, 'abcdef'],
    [{}, 'abcdef'],
  ])('%j has the rows "%s"', async (range, rows) => {
    expect(await titles(await filledShop(), range)).toBe(rows);
  });

  test('goes together with conditions, which upstream decides', async () => {
    const shop = await filledShop();
    expect(await titles(shop, { count: { gte: 2 } }, { filter: { kind: { equals: 'y' } } })).toBe('cd');
    expect(await titles(shop, { count: { gte: 2 } }, { filter: { count: 2 } })).toBe('b');
    expect(shop.sandbox.calls()).toEqual([SEARCH, SEARCH]);
    expect(shop.sandbox.requests[0]?.query).toEqual({
      table_name: 'tasks',
      sort: 'id',
      fields: 'title,count',
      'filter[kind]': 'y',
      limit: '100',
      offset: '0',
    });
  });

  test('asks for all fields where `extra` is selected, and for none of the data where it is of a time', async () => {
    const { execute, sandbox } = await filledShop();
    const time = 'createdAt: { gt: "2020-01-01T00:00:00Z" }';
    await execute(`{ shop { tasks(range: { ${time} }) { nodes { id } } } }`);
    await execute('{ shop { tasks(range: { count: { gt: 1 } }) { nodes { extra } } } }');
    expect(sandbox.requests.map(({ query }) => query['fields'])).toEqual(['id', undefined]);
  });

  test.each([
    ['{ count: { gt: 5, gte: 5 } }', 'range.count', 'takes `gt` or `gte`, not both'],
    ['{ price: { lt: 5, lte: 5 } }', 'range.price', 'takes `lt` or `lte`, not both'],
    ['{ dueAt: { gt: "now" } }', 'range.dueAt.gt', 'Expected an instant'],
    ['{ count: { gt: "many" } }', 'range.count.gt', 'Expected a whole number'],
    ['{ day: { lt: "2026-02-30" } }', 'range.day.lt', 'Expected a date'],
  ])('%s is refused before any call', async (range, field, reason) => {
    const { execute, sandbox } = await filledShop();
    expect((await execute(`{ shop { tasks(range: ${range}) { nodes { id } } } }`)).errors).toMatchObject([
      { extensions: { fields: [{ field, messages: [expect.stringContaining(reason)] }] } },
    ]);
    expect(sandbox.calls()).toEqual([]);
  });

  test.each([
    '{ count: { gt: 5, lt: 5 } }',
    '{ count: { gte: 5, lt: 5 } }',
    '{ count: { gte: 1 }, price: { gt: 6, lt: 5 } }',
    '{ dueAt: { gte: "2026-03-01T08:00:00Z", lt: "2026-03-01T09:00:00+02:00" } }',
    '{ day: { gte: "2026-03-02", lte: "2026-03-01" } }',
    '{ updatedAt: { gt: "2026-03-02T00:00:00Z", lt: "2026-03-01T00:00:00Z" } }',
  ])('no value is in %s: the page is empty, without a call', async (range) => {
    const { ask, sandbox } = await filledShop();
    const pageInfo = '{ hasNextPage hasPreviousPage startCursor endCursor }';
    const data = await ask(
      `{ shop { tasks(range: ${range}) { nodes { id } edges { cursor } pageInfo ${pageInfo} } } }`,
    );
    const empty = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    expect(data).toEqual({ shop: { tasks: { nodes: [], edges: [], pageInfo: empty } } });
    expect(sandbox.calls()).toEqual([]);
  });

  test.each(['title', 'done', 'hour', 'client', 'extra'])('there is none of %s', async (field) => {
    const { execute } = await filledShop();
    const { errors } = await execute(`{ shop { tasks(range: { ${field}: { gt: 1 } }) { nodes { id } } } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });
});

describe('pages of a range', () => {
  const page = z.object({
    shop: z.object({
      list: z.object({
        nodes: z.array(z.object({ count: z.number() })),
        pageInfo: z.object({
          endCursor: z.string().nullable(),
          hasNextPage: z.boolean(),
          hasPreviousPage: z.boolean(),
        }),
      }),
    }),
  });

  async function pageOf({ ask }: Shop, args: string, after: string | null = null) {
    const query = `query ($after: String) { shop { list: many(${args}, after: $after, orderBy: { field: CREATED_AT }) {
      nodes { count } pageInfo { endCursor hasNextPage hasPreviousPage } } } }`;
    const data = await ask(query, { variables: { after } });
    const { nodes, pageInfo } = page.parse(data).shop.list;
    return { counts: nodes.map(({ count }) => count), ...pageInfo };
  }

  /** The offsets of the searches since the last call. */
  function offsets({ sandbox }: Shop): number[] {
    const read = sandbox.requests.map(({ query }) => Number(query['offset']));
    sandbox.forgetCalls();
    return read;
  }

  test('read 100 rows with each call, from the cursor on, until they are full', async () => {
    const shop = await filledShop();
    const range = 'first: 2, range: { count: { gte: 98, lt: 150 } }';

    const first = await pageOf(shop, range);
    expect(first).toEqual({ counts: [98, 99], endCursor: 'offset:99', hasNextPage: true, hasPreviousPage: false });
    expect(offsets(shop)).toEqual([0, 100]);

    const second = await pageOf(shop, range, first.endCursor);
    expect(second).toMatchObject({ counts: [100, 101], hasNextPage: true, hasPreviousPage: true });
    expect(offsets(shop)).toEqual([100]);
  });

  test('end with the table', async () => {
    const shop = await filledShop();
    const last = await pageOf(shop, 'first: 5, range: { count: { gte: 247 } }');
    expect(last).toMatchObject({ counts: [247, 248, 249], hasNextPage: false });
    expect(offsets(shop)).toEqual([0, 100, 200]);

    const beyond = await pageOf(shop, 'first: 5, range: { count: { gte: 247 } }', last.endCursor);
    expect(beyond).toMatchObject({ counts: [], endCursor: null, hasNextPage: false });
    expect(offsets(shop)).toEqual([250]);
  });

  test('know whether a next page has a row, not whether there are more rows', async () => {
    const shop = await filledShop();
    for (const [first, counts, hasNextPage, read] of [
      [2, [0, 1], false, [0, 100, 200]],
      [1, [0], true, [0]],
    ]) {
      expect(await pageOf(shop, `first: ${first}, range: { count: { lt: 2 } }`)).toMatchObject({ counts, hasNextPage });
      expect(offsets(shop)).toEqual(read);
    }
  });

  test('are whole when they are read one after another', async () => {
    const shop = await filledShop();
    const counts: number[] = [];
    let after: string | null = null;
    for (let hasNextPage = true; hasNextPage;) {
      const read: Awaited<ReturnType<typeof pageOf>> = await pageOf(
        shop,
        'first: 7, filter: { title: { equals: "odd" } }, range: { count: { gt: 31, lte: 213 } }',
        after,
      );
      counts.push(...read.counts);
      [after, hasNextPage] = [read.endCursor, read.hasNextPage];
    }
    expect(counts).toEqual(Array.from({ length: 91 }, (_none, index) => 33 + 2 * index));
  });

  test('call nothing that is not selected', async () => {
    const shop = await filledShop();
    for (const [first, selection, read] of [
      [1, 'pageInfo { hasPreviousPage }', []],
      [0, 'nodes { id }', []],
      [0, 'pageInfo { hasNextPage }', [0]],
    ]) {
      await shop.ask(`{ shop { many(first: ${first}, range: { count: { gte: 0 } }) { ${selection} } } }`);
      expect(offsets(shop), String(selection)).toEqual(read);
    }
  });

  test('have a bound, which the argument names', async () => {
    const { ask } = await filledShop();
    expect(JSON.stringify(await ask('{ __type(name: "Shop") { fields { args { description } } } }'))).toContain(
      'MAX_UPSTREAM_CALLS calls, 100 rows with each',
    );
  });

  test('end with the calls of the operation, and go on in the next one', async () => {
    const shop = await filledShop({ MAX_UPSTREAM_CALLS: 2 });
    const range = 'first: 100, range: { count: { gte: 150 } }';
    const first = await pageOf(shop, range);
    expect(first).toMatchObject({ hasNextPage: true, endCursor: 'offset:199' });
    expect(first.counts).toEqual(Array.from({ length: 50 }, (_none, index) => 150 + index));
    const second = await pageOf(shop, range, first.endCursor);
    expect(second).toMatchObject({ hasNextPage: false });
    expect([second.counts[0], second.counts.length]).toEqual([200, 50]);
  });

  test('are an error where the calls of the operation find no row', async () => {
    const { execute } = await filledShop({ MAX_UPSTREAM_CALLS: 2 });
    const list = (more: string) => `{ shop { many(range: { count: { gte: 1000 } }${more}) { nodes { count } } } }`;
    const { data, errors } = await execute(list(''));
    expect(data).toEqual({ shop: { many: null } });
    expect(errors).toMatchObject([
      {
        message:
          'The operation needs more than 2 upstream calls: ask for less at once, or raise MAX_UPSTREAM_CALLS. `range` reads the ' +
          'rows that match everything else, 100 with each call. Narrow them by `filter` or `query`, or ask for fewer rows, ' +
          'without `hasNextPage`.',
        path: ['shop', 'many'],
        extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
      },
    ]);
    const narrowed = await execute(list(', filter: { title: { equals: "even" } }'));
    expect(narrowed).toMatchObject({ data: { shop: { many: { nodes: [] } } } });
  });
});

describe('values as other upstreams write them', () => {
  /** A gateway over an upstream whose search has these rows of a table without a name. */
  async function rowsOf(...rows: readonly string[]) {
    const notes = {
      id: '7',
      code: 'notes',
      schema: { fields: { count: 'integer', price: 'number', at: 'datetime', day: 'date' } },
    };
    const settings = { FLEX_SCHEMA: await snapshotFile(notes) };
    const { execute } = await gatewayOverText(`[${rows.join(',')}]`, { settings });
    return async (range: string) => execute(`{ notes { rows(range: { ${range} }) { nodes { upstreamId } } } }`);
  }

  const ids = (...found: readonly string[]) => ({
    notes: { rows: { nodes: found.map((upstreamId) => ({ upstreamId })) } },
  });

  test('each digit of a number counts', async () => {
    const ask = await rowsOf(
      '{"id":1,"price":12345678.90123456789,"count":9007199254740993}',
      '{"id":2,"price":"12345678.90123456788","count":"9007199254740992"}',
    );
    expect((await ask('price: { gt: "12345678.90123456788" }')).data).toEqual(ids('1'));
    expect((await ask('count: { gt: "9007199254740992" }')).data).toEqual(ids('1'));
  });

  test('instants and dates are read in all forms that fields have', async () => {
    const ask = await rowsOf(
      '{"id":1,"at":1772352000,"day":"2026/03/01"}',
      '{"id":2,"at":"Sun, 01 Mar 2026 10:00:00 +0200","day":"2026-03-01T23:30:00-05:00"}',
      '{"id":3,"at":"2026-03-01","day":"2026-03-02"}',
    );
    expect((await ask('at: { gte: "2026-03-01T08:00:00Z", lte: "2026-03-01T08:00:00Z" }')).data).toEqual(ids('1', '2'));
    expect((await ask('day: { lte: "2026-03-01" }')).data).toEqual(ids('1', '2'));
  });

  test('rows whose values cannot be read are left out, and counted for each field', async () => {
    const ask = await rowsOf(
      '{"id":1,"count":"many","day":"2026-03-01"}',
      '{"id":2,"count":{"a":1},"day":"2026-03-01"}',
      '{"id":3,"count":"many","day":"2025-03-01"}',
      '{"id":4,"count":3,"day":"soon"}',
      '{"id":5,"count":3,"day":"2026-03-01"}',
      '{"id":6,"count":"","day":null}',
    );
    const { data, errors } = await ask('count: { gte: 1 }, day: { gte: "2026-01-01" }');
    expect(data).toEqual(ids('5'));
    const leftOut = (rows: string, key: string) => ({
      path: ['notes', 'rows'],
      message: `${rows} left out by the filter, because ${rows === '1 row was' ? 'its' : 'their'} \`${key}\` cannot be read.`,
      extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
    });
    expect(errors).toMatchObject([leftOut('2 rows were', 'count'), leftOut('1 row was', 'day')]);
  });
});
