import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DB, flexShop, gatewayOverText, SEARCH } from './support.ts';

const EVERYTHING =
  'nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

describe('a refused search', () => {
  test('is one error at its path, however many of its parts are selected', async () => {
    const { execute, sandbox } = await flexShop([], { schema: { tables: { orders: { fields: {} } } } });

    const { data, errors } = await execute(`{ flexDb(id: "shop") { name search { ${EVERYTHING} } } }`);

    expect(data).toEqual({ flexDb: { name: 'Shop', search: null } });
    expect(errors).toMatchObject([
      { path: ['flexDb', 'search'], extensions: { code: 'BAD_USER_INPUT', availableTables: ['orders'] } },
    ]);
    expect(sandbox.calls()).toEqual([DB, SEARCH]);
  });

  test('names its arguments as the caller wrote them', async () => {
    const names = { table_name: 'table', q: 'query', search_in: 'in', limit: 'first', offset: 'after', sort: 'sort' };
    for (const [parameter, field] of Object.entries(names)) {
      const refusal = JSON.stringify({ errors: { [parameter]: ['is odd'] } });
      const { execute } = await gatewayOverText(refusal, { status: 422 });
      const { errors } = await execute('{ flexDb(id: "FlexDb:7") { search { nodes { id } } } }');
      expect(errors).toMatchObject([{ extensions: { fields: [{ field, messages: ['is odd'] }] } }]);
    }
  });
});

describe('a search by the global id of its database', () => {
  const ROWS = 'GET /flex/dbs/7/search.json?fields=id&limit=20&offset=0';

  test('is one call where the definition is not needed', async () => {
    const { ask, received } = await gatewayOverAnswers({ [ROWS]: [{ id: 1 }] });

    const data = await ask('{ flexDb(id: "FlexDb:7") { __typename id upstreamId search { nodes { id } } } }');
    expect(data).toEqual({
      flexDb: { __typename: 'FlexDb', id: 'FlexDb:7', upstreamId: '7', search: { nodes: [{ id: 'FlexRecord:7:1' }] } },
    });
    expect(received).toEqual([ROWS]);
  });

  test('records and a record are one call each, and the same one', async () => {
    const { ask, received } = await gatewayOverAnswers({ 'GET /flex/dbs/7/records.json': [{ id: 1, data: {} }] });

    const data = await ask('{ flexDb(id: "FlexDb:7") { records { nodes { data } } record(id: 1) { data } } }');
    expect(data).toEqual({ flexDb: { records: { nodes: [{ data: {} }] }, record: { data: {} } } });
    expect(received).toEqual(['GET /flex/dbs/7/records.json']);
  });

  test('reads the definition once for names to check, and for the table of its records', async () => {
    const { ask, db, sandbox } = await flexShop([], { schema: { fields: { n: 'integer' } } });
    const variables = { id: `FlexDb:${db}` };
    for (const [args, selection] of [
      ['filter: [{ field: "n", is: { equals: 1 } }]', 'id'],
      ['sort: { field: "n" }', 'id'],
      ['in: ["n"]', 'id'],
      ['query: "x"', 'data(fields: ["n"])'],
      ['table: "t"', 'table'],
    ] as const) {
      sandbox.forgetCalls();
      const [one, other] = ['', ', first: 1'].map((more) => `search(${args}${more}) { nodes { ${selection} } }`);
      await ask(`query ($id: ID!) { flexDb(id: $id) { a: ${one} b: ${other} } }`, { variables });
      expect(sandbox.calls(), args).toEqual([DB, SEARCH, SEARCH]);
    }
    sandbox.forgetCalls();
    const unchecked = 'search(sort: { field: "x" }, allowUndefinedFields: true) { nodes { id } }';
    await ask(`query ($id: ID!) { flexDb(id: $id) { ${unchecked} } }`, { variables });
    expect(sandbox.calls()).toEqual([SEARCH]);
  });

  test('of a database that does not exist is an error, and null where the database itself is read', async () => {
    const { execute } = await gatewayOverAnswers({});

    for (const field of ['search', 'records']) {
      expect(await execute(`{ flexDb(id: "FlexDb:7") { ${field} { nodes { id } } } }`)).toMatchObject({
        data: { flexDb: { [field]: null } },
        errors: [{ path: ['flexDb', field], extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'id' }] } }],
      });
    }
    for (const selection of ['id', 'name search { nodes { id } }', 'id ... @defer { name } records { nodes { id } }']) {
      expect(await execute(`{ flexDb(id: "FlexDb:7") { ${selection} } }`)).toMatchObject({
        data: { flexDb: null },
        errors: [],
      });
    }
  });

  test('with a code in place of the id reads the database, because records are named by its id', async () => {
    const { ask, sandbox, db, ids } = await flexShop([{ n: 1 }]);
    const [record] = ids;

    expect(await ask('{ flexDb(id: "FlexDb:shop") { search { nodes { id } } } }')).toEqual({
      flexDb: { search: { nodes: [{ id: `FlexRecord:${db}:${record}` }] } },
    });
    expect(sandbox.calls()).toEqual([DB, SEARCH]);
  });
});

describe('a name that the definition lacks', () => {
  const tables = {
    orders: { fields: { total: 'number', note: 'text' } },
    clients: { fields: { name: 'string' } },
  };

  test('is refused with the known ones before the search', async () => {
    const { execute, ask, sandbox } = await flexShop([], { schema: { tables } });
    const all = 'total, note, id, created_at, updated_at';
    for (const [args, selection, field, names] of [
      ['filter: [{ field: "totl", is: { equals: 1 } }]', 'id', 'filter.0.field', 'total, note'],
      ['filter: [{ field: "name", is: { matches: "*" } }]', 'id', 'filter.0.field', 'total, note'],
      ['filter: [{ field: "__proto__", is: { equals: 1 } }]', 'id', 'filter.0.field', 'total, note'],
      ['in: ["note", "nte"]', 'id', 'in.1', 'total, note'],
      ['sort: { field: "updatedAt" }', 'id', 'sort.field', all],
      ['first: 1', 'data(fields: ["total", "toString"])', 'fields', all],
    ] as const) {
      const search = (more: string) =>
        `{ flexDb(id: "shop") { search(table: "orders", ${args}${more}) { nodes { ${selection} } } } }`;
      sandbox.forgetCalls();
      const { data, errors } = await execute(search(''));
      expect({ data, calls: sandbox.calls() }, args).toEqual({ data: { flexDb: { search: null } }, calls: [DB] });
      const message = expect.stringContaining(`which has ${names}.`);
      const extensions = { code: 'BAD_USER_INPUT', fields: [{ field }] };
      expect(errors, args).toMatchObject([{ path: ['flexDb', 'search'], message, extensions }]);
      await ask(search(', allowUndefinedFields: true'));
    }
  });

  test('is none of those by which all records can be ordered', async () => {
    const { ask } = await flexShop([], { schema: { tables } });
    for (const field of ['id', 'created_at', 'updated_at', 'total']) {
      const search = `search(table: "orders", sort: { field: "${field}" }) { nodes { data(fields: ["${field}"]) } }`;
      await ask(`{ flexDb(id: "shop") { ${search} } }`);
    }
  });

  test.each([
    ['no schema', null],
    ['a schema without fields', { fields: {} }],
    ['a schema of another form', 'odd'],
    ['a schema that is not sent', undefined],
  ])('cannot be told with %s, so every name passes', async (_what, schema) => {
    const { ask } = await gatewayOverAnswers({
      'GET /flex/dbs/shop.json': { id: 7, ...(schema !== undefined && { schema }) },
      'GET /flex/dbs/7.json': { id: 7 },
      'GET /flex/dbs/7/search.json?sort=n&fields=m&limit=20&offset=0': [{ id: 1, m: 1 }],
    });

    const data = await ask('{ flexDb(id: "shop") { search(sort: { field: "n" }) { nodes { data(fields: ["m"]) } } } }');
    expect(data).toEqual({ flexDb: { search: { nodes: [{ data: { m: 1 } }] } } });
  });

  test('is listed with 20 names at most', async () => {
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 'text']));
    const { execute } = await flexShop([], { schema: { fields } });

    expect((await execute('{ flexDb(id: "shop") { search(in: ["x"]) { nodes { id } } } }')).errors).toMatchObject([
      { message: expect.stringMatching(/which has f0, .*, f19 and 10 more\.$/) },
    ]);
  });
});

describe('a cursor of a search is a position', () => {
  const ns = (data: unknown) => [...JSON.stringify(data).matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));

  test.each([
    ['in the default order, an addition between two pages shows a record twice', 'addition', '', [4, 3, 3, 2]],
    ['in the order by created_at, an addition moves no page', 'addition', 'created_at', [1, 2, 3, 4]],
    ['in any order, a deletion before the cursor leaves a record out', 'deletion', 'created_at', [1, 2, 4]],
  ])('%s', async (_name, change, field, expected) => {
    const { ask, makeRecords, db, ids } = await flexShop([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    const [first = ''] = ids;
    const sort = field && `, sort: { field: "${field}" }`;
    const page = async (after: string) =>
      ns(await ask(`{ flexDb(id: "shop") { search(first: 2${sort}${after}) { nodes { data } } } }`));
    const one = await page('');
    if (change === 'addition') makeRecords(db, [{ n: 5 }]);
    else await ask(`mutation { deleteFlexRecord(id: "FlexRecord:${db}:${first}") { __typename } }`);
    expect([...one, ...(await page(', after: "offset:1"'))]).toEqual(expected);
  });
});
