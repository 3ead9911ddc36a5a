import { describe, expect, test } from 'vitest';
import { GET, gatewayOverReplies, LIST, SEARCH } from '../flex/public-support.ts';
import { numbered } from '../flex/support.ts';
import { publicBook, publicSettings } from './public-gateway.ts';
import { several } from './public-support.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { textFile } from './snapshot-files.ts';
import { snapshotOf } from './snapshots.ts';

const READS = { list: true, get: true, search: true };
const rows = { fields: { n: 'integer', author: 'string' } };

describe('list', () => {
  test('shows the newest records first, without any credential, in one POST', async () => {
    const { ask, sandbox, makeRecords, db } = await publicBook(READS);
    const [first, second] = makeRecords(db, [
      { message: 'One', sent_at: '2026-03-01T08:00:00.000Z', rank: 1 },
      { message: 'Two', nick: 'B' },
    ]);

    const data = await ask(
      '{ publicBook { id list { nodes { id upstreamId message sentAt rank extra createdAt updatedAt } } } }',
      { authorization: 'Bearer canary' },
    );

    const stamp = expect.stringMatching(/^\d{4}-.*Z$/);
    const row = (id: string | undefined, values: object) => ({
      ...{ id: `PublicBookRow:${id}`, upstreamId: id, createdAt: stamp, updatedAt: stamp },
      ...values,
    });
    expect(data).toEqual({
      publicBook: {
        id: 'PublicBook:book',
        list: {
          nodes: [
            row(second, { message: 'Two', sentAt: null, rank: null, extra: { nick: 'B' } }),
            row(first, { message: 'One', sentAt: '2026-03-01T08:00:00.000Z', rank: 1, extra: {} }),
          ],
        },
      },
    });
    expect(sandbox.calls()).toEqual([LIST]);
    expect(sandbox.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('shows the records of all tables', async () => {
    const { run, makeRecords, db } = await publicBook(READS, { schema: several });
    makeRecords(db, [{ place: 'Hall', at: '2026-03-01T08:00:00.000Z' }], 'visits');
    makeRecords(db, [{ name: 'Ada', at: '2026-03-02' }], 'guests');

    const { data, errors } = await run('{ publicBook { list { nodes { name place at } } } }');

    const nodes = [
      { name: 'Ada', place: null, at: '2026-03-02' },
      { name: null, place: 'Hall', at: '2026-03-01T08:00:00.000Z' },
    ];
    expect({ data, errors }).toEqual({ data: { publicBook: { list: { nodes } } }, errors: [] });
  });

  test.each([
    ['(first: 2)', 'nodes { id }', [[2, 0]]],
    ['(first: 2, after: "offset:0")', 'nodes { id } pageInfo { hasNextPage }', [[3, 1]]],
    [
      '(first: 101)',
      'nodes { id }',
      [
        [100, 0],
        [1, 100],
      ],
    ],
    ['', 'pageInfo { hasPreviousPage }', []],
  ])('%s of { %s } calls upstream for its window only', async (args, selection, windows) => {
    const { run, bodies, makeRecords, db } = await publicBook(READS, { schema: rows });
    makeRecords(db, numbered(120));

    expect((await run(`{ publicBook { list${args} { ${selection} } } }`)).errors).toEqual([]);
    expect(bodies()).toEqual(windows.map(([limit, offset]) => ({ limit, offset })));
  });
});

describe('get', () => {
  test('takes the id of a row and its upstream id; a record that does not exist is null', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await publicBook(READS);
    const [id] = makeRecords(db, [{ message: 'One' }]);

    const data = await ask(
      `{ publicBook { one: get(id: "PublicBookRow:${id}") { message } two: get(id: "${id}") { id } none: get(id: "x") { id } } }`,
    );
    expect(data).toEqual({ publicBook: { one: { message: 'One' }, two: { id: `PublicBookRow:${id}` }, none: null } });
    expect(sandbox.calls()).toEqual([GET, GET, GET]);
    expect(bodies()).toEqual(expect.arrayContaining([{ id }, { id }, { id: 'x' }]));
  });

  test('refuses the id of a row of another database before any call', async () => {
    const { run, sandbox } = await publicBook(READS);

    const { errors } = await run('{ publicBook { get(id: "PublicOtherRow:1") { id } } }');

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'id' }] } }]);
    expect(sandbox.calls()).toEqual([]);
  });
});

describe('search', () => {
  test('sends its arguments, and is restricted to its table', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await publicBook(READS, { schema: several });
    makeRecords(db, [{ place: 'Hall 1' }, { place: 'Hall 2' }, { place: 'Yard' }], 'visits');
    makeRecords(db, [{ place: 'Hall 3' }], 'guests');

    const data =
      await ask(`{ publicBook { search(query: "hall*", table: VISITS, orderBy: { field: PLACE, direction: DESC }, first: 5) {
        nodes { place createdAt }
      } } }`);
    const stamp = expect.any(String);
    expect(data).toEqual({
      publicBook: {
        search: {
          nodes: [
            { place: 'Hall 2', createdAt: stamp },
            { place: 'Hall 1', createdAt: stamp },
          ],
        },
      },
    });
    expect(sandbox.calls()).toEqual([SEARCH]);
    expect(bodies()).toEqual([{ q: 'hall*', table_name: 'visits', sort: '-place', limit: 5, offset: 0 }]);
  });

  test('is ordered by id unless it says otherwise', async () => {
    const { run, bodies } = await publicBook(READS);

    await run('{ publicBook { search(first: 2) { nodes { id } } } }');

    expect(bodies()).toEqual([{ sort: 'id', limit: 2, offset: 0 }]);
  });

  const shadowed = { fields: { id: 'string', created_at: 'string', n: 'integer' } };
  const row = { id: 7, created_at: '2026-03-01T08:00:00Z', updated_at: '2026-03-01T08:00:00Z' };

  test.each(['id', 'created_at'])(
    'has an error at the field %s of the data, which `list` returns and a search cannot',
    async (key) => {
      const field = key === 'id' ? 'dataId' : 'dataCreatedAt';
      const snapshot = snapshotOf([{ id: '7', code: 'book', schema: shadowed, public_methods: READS }]);
      Object.assign(snapshot.names['book']?.table?.fields ?? {}, { id: 'dataId', created_at: 'dataCreatedAt' });
      const FLEX_SCHEMA = await textFile(snapshotText(snapshot));
      const settings = { PUBLIC: 'true', FLEX_SCHEMA } as const;
      const { execute } = await gatewayOverReplies(
        [{ body: [{ ...row, n: 1 }] }, { body: [{ ...row, data: { id: 'a', created_at: 'b', n: 1 } }] }],
        settings,
      );
      const read = async (method: string) =>
        execute(`{ publicBook { ${method} { nodes { n ${field} } } } }`, { token: null });

      const searched = await read('search');
      expect(searched.data).toEqual({ publicBook: { search: { nodes: [{ n: 1, [field]: null }] } } });
      expect(searched.errors).toMatchObject([
        { path: ['publicBook', 'search', 'nodes', 0, field], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
      ]);
      const listed = await read('list');
      expect(listed).toMatchObject({
        errors: [],
        data: { publicBook: { list: { nodes: [{ n: 1, [field]: key === 'id' ? 'a' : 'b' }] } } },
      });
    },
  );

  test.each([
    ['a flat row', { ...row, data: 'x' }, 'x', []],
    ['a nested row', { ...row, data: { data: 'x' } }, 'x', []],
    ['a flat row whose value does not fit', { ...row, data: { a: 1 } }, null, ['UPSTREAM_BAD_RESPONSE']],
  ])('reads the field `data` of %s', async (_what, found, data, codes) => {
    const settings = await publicSettings(READS, { fields: { data: 'string' } });
    const { execute } = await gatewayOverReplies([{ body: [found] }], settings);

    const result = await execute('{ publicBook { search { nodes { data extra } } } }', { token: null });
    expect(result.data).toEqual({ publicBook: { search: { nodes: [{ data, extra: {} }] } } });
    expect(result.errors.map(({ extensions }) => extensions['code'])).toEqual(codes);
  });

  test('sends allowed parameters only', async () => {
    const search = { allowed_params: ['q'] };
    const { ask, bodies, makeRecords, db } = await publicBook({ search }, { schema: rows });
    makeRecords(db, numbered(25));

    const data = await ask(
      '{ publicBook { search(query: "*") { nodes { n } pageInfo { hasNextPage hasPreviousPage } } } }',
    );
    expect(data).toMatchObject({
      publicBook: { search: { pageInfo: { hasNextPage: false, hasPreviousPage: false } } },
    });
    expect(data).toHaveProperty('publicBook.search.nodes.length', 20);
    expect(bodies()).toEqual([{ q: '*' }]);
  });

  test('reads pages of the default limit where it must not send one', async () => {
    const search = { allowed_params: ['sort', 'offset'] };
    const { run, bodies, makeRecords, db } = await publicBook({ search }, { schema: rows });
    makeRecords(db, numbered(23));
    const page = (after: string) =>
      run(`{ publicBook { search${after} { nodes { n } pageInfo { hasNextPage endCursor } } } }`);

    const [one, two] = [await page(''), await page('(after: "offset:19")')];

    expect(one.data).toMatchObject({
      publicBook: { search: { pageInfo: { hasNextPage: true, endCursor: 'offset:19' } } },
    });
    expect(two.data).toMatchObject({
      publicBook: { search: { pageInfo: { hasNextPage: false, endCursor: 'offset:22' } } },
    });
    expect(one.data).toHaveProperty('publicBook.search.nodes.length', 20);
    expect(two.data).toHaveProperty('publicBook.search.nodes.length', 3);
    expect(bodies()).toEqual([0, 20, 20].map((offset) => ({ sort: 'id', offset })));
  });

  test('has one page where it must not send an offset', async () => {
    const search = { allowed_params: ['limit'] };
    const { run, bodies, makeRecords, db } = await publicBook({ search }, { schema: rows });
    makeRecords(db, numbered(120));

    const { data } = await run('{ publicBook { search(first: 100) { nodes { n } pageInfo { hasNextPage } } } }');
    const tooMany = await run('{ publicBook { search(first: 101) { nodes { n } } } }');

    expect(data).toMatchObject({ publicBook: { search: { pageInfo: { hasNextPage: false } } } });
    expect(data).toHaveProperty('publicBook.search.nodes.length', 100);
    expect(tooMany.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'first' }] } }]);
    expect(bodies()).toEqual([{ limit: 100 }]);
  });

  test('names its own arguments when upstream refuses one', async () => {
    const { execute } = await gatewayOverReplies(
      [{ status: 422, body: { errors: { sort: ['is unknown'], q: ['is too long'] } } }],
      await publicSettings(READS),
    );

    const { errors } = await execute('{ publicBook { search(query: "a") { nodes { id } } } }', { token: null });

    const fields = [{ field: 'orderBy' }, { field: 'query' }];
    expect(errors).toMatchObject([{ path: ['publicBook', 'search'], extensions: { code: 'BAD_USER_INPUT', fields } }]);
  });
});

describe('a method that was switched off after the snapshot', () => {
  test('is an error of its field that tells why; a record is null', async () => {
    const { run, call, admin, db } = await publicBook(READS);
    await call('PATCH', `/flex/dbs/${db}.json`, { token: admin.token, body: { db: { public_methods: {} } } });

    const { data, errors } = await run(
      '{ publicBook { list { nodes { id } } search { nodes { id } } get(id: 1) { id } } }',
    );

    expect(data).toEqual({ publicBook: { list: null, search: null, get: null } });
    const seen = errors.map(({ message, extensions: { code } }) => [message.split(':')[0], code]);
    const gone = (method: string) => [
      `The database no longer allows the public method \`${method}\``,
      'UPSTREAM_BAD_RESPONSE',
    ];
    expect(seen).toEqual([gone('list'), gone('search')]);
  });
});
