import { describe, expect, test } from 'vitest';
import { DB, flexShop, SEARCH } from './support.ts';

const fields = {
  name: 'string',
  about: 'text',
  stock: 'integer',
  price: 'number',
  active: 'boolean',
  listed: 'date',
  sold_at: 'datetime',
  opens: 'time',
};
const schema = { fields, indexed_fields: ['name', 'stock', 'listed'] };
const products = [
  {
    name: 'Oak table',
    about: 'solid oak',
    stock: 3,
    price: 99.5,
    active: true,
    listed: '2026-01-01',
    opens: '08:00:00',
  },
  { name: 'Oak chair', about: 'light', stock: 12, price: 20, active: false, listed: '2026-02-01' },
  { name: 'ŁÓDŹ lamp', about: 'table lamp', stock: 7, price: 5, sold_at: '2026-03-01T08:00:00.000Z' },
  { name: 'Bench', about: '100% oak', stock: 7, extra: 'hidden oak' },
];

async function shop() {
  const gateway = await flexShop(products, { schema });
  const found = async (args: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const declared = Object.hasOwn(variables, 'value') ? 'query ($value: JSON)' : 'query';
    const data = await gateway.ask(
      `${declared} { flexDb(id: "shop") { search(${args}) { nodes { data(fields: ["name"]) } } } }`,
      { variables },
    );
    return [...JSON.stringify(data).matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
  };
  return { ...gateway, found };
}

describe('search(query:)', () => {
  test('the phrase is sent as it is, with its wildcards', async () => {
    const { found, sandbox } = await shop();
    for (const [query, names] of [
      ['łódź', ['ŁÓDŹ lamp']],
      ['oak*', ['Oak chair', 'Oak table']],
      ['%a%e%', ['Oak table']],
    ] as const) {
      sandbox.forgetCalls();
      expect(await found(`query: ${JSON.stringify(query)}`), query).toEqual(names);
      expect(sandbox.calls()).toEqual([DB, SEARCH]);
      expect(sandbox.requests.at(-1)?.query).toEqual({ q: query, fields: 'name', limit: '20', offset: '0' });
    }
  });

  test('`in` sets the fields in which the phrase is searched', async () => {
    const { found, sandbox } = await shop();

    expect(await found('query: "oak", in: ["about", "extra"], allowUndefinedFields: true')).toEqual([
      'Bench',
      'Oak table',
    ]);
    expect(sandbox.requests.at(-1)?.query).toMatchObject({ q: 'oak', search_in: 'about,extra' });
    expect(await found('query: "oak", in: ["extra"], allowUndefinedFields: true')).toEqual(['Bench']);
  });
});

describe('search(filter:)', () => {
  const by = (field: string, is: string) =>
    `filter: [{ field: "${field}", is: { ${is} } }], allowUndefinedFields: ${!Object.hasOwn(fields, field)}`;

  test('a value that a field equals is sent as a text, from a literal and from a variable', async () => {
    const { found, sandbox } = await shop();
    for (const [field, value, names] of [
      ['stock', '"7"', ['Bench', 'ŁÓDŹ lamp']],
      ['stock', '7', ['Bench', 'ŁÓDŹ lamp']],
      ['price', '99.5', ['Oak table']],
      ['active', 'true', ['Oak table']],
      ['sold_at', '"2026-03-01T10:00:00+02:00"', ['ŁÓDŹ lamp']],
      ['name', '"Ben"', []],
      ['extra', '"hidden oak"', ['Bench']],
      ['gone', '1', []],
    ] as const) {
      expect(await found(by(field, `equals: ${value}`)), `${field} equals ${value}`).toEqual(names);
      expect(await found(by(field, 'equals: $value'), { value: JSON.parse(value) })).toEqual(names);
      const { query } = sandbox.requests.at(-1) ?? {};
      expect(query).toMatchObject({ [`filter[${field}]`]: String(JSON.parse(value)) });
    }
  });

  test('a pattern that a field matches is sent as it is', async () => {
    const { found } = await shop();
    expect(await found(by('name', 'matches: "*ódź%"'))).toEqual(['ŁÓDŹ lamp']);
    expect(await found(by('extra', 'matches: "HIDDEN*"'))).toEqual(['Bench']);
  });

  test('a record must match the conditions on all fields and the query', async () => {
    const { found, sandbox } = await shop();
    const filter =
      'filter: [{ field: "stock", is: { equals: 7 } }, { field: "about", is: { matches: "*oak" } }], query: "e"';

    expect(await found(filter)).toEqual(['Bench']);
    expect(sandbox.requests.at(-1)?.query).toEqual({
      q: 'e',
      fields: 'name',
      'filter[stock]': '7',
      'filter[about]': '*oak',
      limit: '20',
      offset: '0',
    });
  });

  test('a field may have any name', async () => {
    const search = `query ($field: String!) { flexDb(id: "shop") {
      search(query: "x", in: [$field], filter: [{ field: $field, is: { equals: "x" } }], sort: { field: $field }) {
        nodes { data(fields: [$field]) }
      }
    } }`;
    const names = ['__proto__', 'constructor', 'a b', 'a&b=c', 'a#b', 'zażółć', '%20', "'", 'a.b'];
    const { ask, sandbox } = await flexShop([...names, 'other'].map((field) => Object.fromEntries([[field, 'x']])));
    for (const field of names) {
      sandbox.forgetCalls();
      const found = JSON.stringify(await ask(search, { variables: { field } }));
      expect(found).toBe(`{"flexDb":{"search":{"nodes":[{"data":{${JSON.stringify(field)}:"x"}}]}}}`);
      expect(sandbox.calls()).toEqual([DB, SEARCH]);
      expect(Object.entries(sandbox.requests.at(-1)?.query ?? {})).toContainEqual([`filter[${field}]`, 'x']);
    }
  });

  test('a value that upstream cannot convert is BAD_USER_INPUT', async () => {
    const { execute } = await shop();

    const { data, errors } = await execute(
      `{ flexDb(id: "shop") { search(${by('stock', 'equals: "many"')}) { nodes { id } } } }`,
    );

    expect(data).toEqual({ flexDb: { search: null } });
    expect(errors).toMatchObject([{ path: ['flexDb', 'search'], extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

describe('search(sort:)', () => {
  test('an order is sent with a - where it descends', async () => {
    const { found, sandbox } = await shop();
    for (const [sort, sent, names] of [
      ['{ field: "stock" }', 'stock', ['Oak table', 'ŁÓDŹ lamp', 'Bench', 'Oak chair']],
      ['{ field: "stock", direction: DESC }', '-stock', ['Oak chair', 'Bench', 'ŁÓDŹ lamp', 'Oak table']],
      ['{ field: "about", direction: ASC }', 'about', ['Bench', 'Oak chair', 'Oak table', 'ŁÓDŹ lamp']],
      ['{ field: "created_at", direction: null }', 'created_at', products.map(({ name }) => name)],
    ] as const) {
      expect(await found(`sort: ${sort}`), sort).toEqual(names);
      expect(sandbox.requests.at(-1)?.query).toMatchObject({ sort: sent });
    }
    expect(await found('sort: { field: "; DROP TABLE flex_records" }, allowUndefinedFields: true')).toHaveLength(4);
  });
});

describe('search(table:)', () => {
  const tables = {
    orders: { fields: { n: 'integer' }, indexed_fields: ['n'] },
    clients: { fields: { n: 'integer' } },
  };
  const tracker = async () => {
    const gateway = await flexShop([{ n: 1 }, { n: 2 }], { schema: { tables }, table: 'orders' });
    gateway.makeRecords(gateway.db, [{ n: 1 }], 'clients');
    return gateway;
  };

  test('a search returns records of its table only, and reads their table without a call', async () => {
    const { ask, sandbox } = await tracker();

    const data = await ask(
      '{ flexDb(id: "shop") { search(table: "orders", filter: [{ field: "n", is: { equals: 1 } }]) { nodes { table data } } } }',
    );
    expect(data).toEqual({ flexDb: { search: { nodes: [{ table: 'orders', data: { n: 1 } }] } } });
    expect(sandbox.calls()).toEqual([DB, SEARCH]);
    expect(sandbox.requests.at(-1)?.query).toMatchObject({ table_name: 'orders', 'filter[n]': '1' });
  });

  test('none, or one that is none, is BAD_USER_INPUT with a list of the tables', async () => {
    const { execute } = await tracker();
    const extensions = {
      code: 'BAD_USER_INPUT',
      availableTables: ['orders', 'clients'],
      upstream: { api: 'flex', endpoint: SEARCH, status: 400 },
    };
    for (const args of ['', '(table: "gone")', '(table: "")', '(table: "__proto__")', '(table: "orders\\u0000")']) {
      const { data, errors } = await execute(`{ flexDb(id: "shop") { name search${args} { nodes { id } } } }`);
      expect(data).toEqual({ flexDb: { name: 'Shop', search: null } });
      expect(errors, args).toMatchObject([{ message: expect.stringContaining('table_name'), extensions }]);
    }
  });
});

describe('a row of a search', () => {
  test('a row has the ids, times and database of any record, and its data does not repeat them', async () => {
    const { ask, sandbox, db, ids } = await flexShop([{ n: 1, data: { n: 2 } }], { name: 'Shop' });
    const [record] = ids;

    const data = await ask(
      'query ($db: ID!) { flexDb(id: $db) { search { nodes { id upstreamId table data createdAt updatedAt db { name } } } } }',
      { variables: { db } },
    );

    const stamp = expect.stringMatching(/^\d{4}-.*Z$/);
    const node = {
      id: `FlexRecord:${db}:${record}`,
      upstreamId: record,
      table: null,
      createdAt: stamp,
      updatedAt: stamp,
    };
    expect(data).toEqual({
      flexDb: { search: { nodes: [{ ...node, data: { n: 1, data: { n: 2 } }, db: { name: 'Shop' } }] } },
    });
    expect(sandbox.calls()).toEqual([DB, SEARCH]);
  });

  test('a row lacks data fields named id, created_at or updated_at, which `records` returns', async () => {
    const { ask, ids } = await flexShop([{ id: 'mine', created_at: 'then', n: 1 }]);
    const [record] = ids;

    const data = await ask(
      '{ flexDb(id: "shop") { search { nodes { upstreamId data } } records { nodes { data } } } }',
    );
    expect(data).toEqual({
      flexDb: {
        search: { nodes: [{ upstreamId: record, data: { n: 1 } }] },
        records: { nodes: [{ data: { id: 'mine', created_at: 'then', n: 1 } }] },
      },
    });
  });
});
