import { expect, test } from 'vitest';
import { DB, flexShop } from './support.ts';

const search = `query ($table: String, $query: String, $in: [String!], $filter: [FlexFilter!], $sort: FlexSort, $first: Int, $after: String, $fields: [String!]) {
  flexDb(id: "shop") {
    search(table: $table, query: $query, in: $in, filter: $filter, sort: $sort, first: $first, after: $after) {
      nodes { data(fields: $fields) }
      pageInfo { hasNextPage }
    }
  }
}`;

/** Runs searches of one database. Each gives its result, and its calls and the query of the last one. */
async function shop() {
  const { execute, sandbox } = await flexShop();
  return async (variables: object, query = search) => {
    sandbox.forgetCalls();
    const result = await execute(query, { variables: { ...variables } });
    return { ...result, calls: sandbox.calls(), sent: sandbox.requests.at(-1)?.query };
  };
}

type Rows<Rest extends readonly unknown[] = []> = readonly (readonly [what: string, variables: object, ...Rest])[];

const equals = (value: unknown) => ({ filter: [{ field: 'a', is: { equals: value } }] });
const named = (field: string) => ({ filter: [{ field, is: { equals: 1 } }] });
const many = (count: number) => ({
  filter: Array.from({ length: count }, (_, index) => ({ field: `f${index}`, is: { equals: index } })),
});

test('an argument that upstream’s syntax cannot express is refused before the search, with its path', async () => {
  const rows: Rows<[field: string]> = [
    ['* in an exact value', equals('a*'), 'filter.0.is.equals'],
    ['% in an exact value', equals('100%'), 'filter.0.is.equals'],
    ['a pattern without a wildcard', { filter: [{ field: 'a', is: { matches: 'a' } }] }, 'filter.0.is.matches'],
    ['an exact object', equals({ a: 1 }), 'filter.0.is.equals'],
    ['an exact list', equals([1]), 'filter.0.is.equals'],
    ['a comma in the name of a field to look in', { in: ['a', 'b,c'] }, 'in'],
    ['an empty name to look in', { in: [''] }, 'in'],
    ['a comma in the name of a field to read', { fields: ['a,b'] }, 'fields'],
    ['an empty name to read', { fields: ['a', ''] }, 'fields'],
    ['] in the field of a filter', named('a]'), 'filter.0.field'],
    ['[ in the field of a filter', named('a[b'), 'filter.0.field'],
    ['a filter on no field', named(''), 'filter.0.field'],
    ['a leading - in a sort', { sort: { field: '-a' } }, 'sort.field'],
    ['a leading - in a descending sort', { sort: { field: '-a', direction: 'DESC' } }, 'sort.field'],
    ['a sort by no field', { sort: { field: '' } }, 'sort.field'],
    [
      'a filter given twice',
      {
        filter: [
          { field: 'a', is: { equals: 1 } },
          { field: 'b', is: { equals: 1 } },
          { field: 'a', is: { matches: '*' } },
        ],
      },
      'filter.2.field',
    ],
    ['101 filters', many(101), 'filter'],
    ['10,000 filters', many(10_000), 'filter'],
    ['first beyond MAX_PAGE_SIZE', { first: 1001 }, 'first'],
    ['a cursor that is none', { after: 'abc' }, 'after'],
  ];
  const searched = await shop();
  for (const [what, variables, field] of rows) {
    const { data, errors, calls } = await searched(variables);
    expect({ data, calls }, what).toEqual({ data: { flexDb: { search: null } }, calls: [DB] });
    const extensions = { code: 'BAD_USER_INPUT', fields: [{ field }] };
    const error = { path: ['flexDb', 'search'], message: expect.stringContaining(field), extensions };
    expect(errors, what).toMatchObject([error]);
    expect(errors[0]?.message.length, what).toBeLessThan(200);
  }
});

test('GraphQL refuses a search before any call', async () => {
  const rows: Rows = [
    ['equals null', equals(null)],
    ['equals and matches', { filter: [{ field: 'a', is: { equals: 1, matches: 'a*' } }] }],
    ['neither of them', { filter: [{ field: 'a', is: {} }] }],
    ['matches that is no text', { filter: [{ field: 'a', is: { matches: 5 } }] }],
    ['a filter without a condition', { filter: [{ field: 'a' }] }],
    ['a number beyond 2^53', equals(9_007_199_254_740_992)],
    ['first that is no number', { first: 'all' }],
    ['first of 1.5', { first: 1.5 }],
    ['first beyond 2^31', { first: 2_147_483_648 }],
    ['another direction', { sort: { field: 'a', direction: 'UP' } }],
  ];
  const searched = await shop();
  for (const [what, variables] of rows) {
    const { data, errors, calls } = await searched(variables);
    expect({ data, calls }, what).toEqual({ data: undefined, calls: [] });
    expect(errors[0], what).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  }
});

test('half of a surrogate pair is refused, because a URL cannot hold it', async () => {
  const rows: Rows = [
    ['a query', { query: 'a\ud800' }],
    ['a table', { table: '\udc00' }],
    ['a filter', equals('\ud800')],
    ['the field of a filter', named('\ud800')],
    ['a sort', { sort: { field: '\ud800' } }],
  ];
  const searched = await shop();
  for (const [what, variables] of rows) {
    const { errors, calls } = await searched(variables);
    expect(errors, what).not.toEqual([]);
    for (const { extensions } of errors) expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(calls, what).toEqual([DB]);
  }
});

test('a value is sent unchanged', async () => {
  const rows: Rows<[expected: Readonly<Record<string, string>>]> = [
    ['an exact text that is empty', equals(''), { 'filter[a]': '' }],
    ['0', equals(0), { 'filter[a]': '0' }],
    ['false', equals(false), { 'filter[a]': 'false' }],
    ['a fraction', equals(-1.5), { 'filter[a]': '-1.5' }],
    ['2^53 - 1', equals(9_007_199_254_740_991), { 'filter[a]': '9007199254740991' }],
    ['a comma in a value', equals('a,b'), { 'filter[a]': 'a,b' }],
    ['brackets in a value', equals('[a]'), { 'filter[a]': '[a]' }],
    ['& and = in a value', equals('a&limit=5#x'), { 'filter[a]': 'a&limit=5#x' }],
    ['- within a sort', { sort: { field: 'a-b' } }, { sort: 'a-b' }],
    ['* in a pattern', { filter: [{ field: 'a', is: { matches: '*%' } }] }, { 'filter[a]': '*%' }],
    ['NUL in a query', { query: 'a\0b' }, { q: 'a\0b' }],
  ];
  const searched = await shop();
  for (const [what, variables, expected] of rows) {
    const { errors, sent } = await searched({ first: 5, ...variables });
    expect({ errors, sent }, what).toEqual({ errors: [], sent: { limit: '6', offset: '0', ...expected } });
  }
});

test('100 filters are allowed', async () => {
  const { errors, calls } = await (await shop())(many(100));
  expect({ errors, calls: calls.length }).toEqual({ errors: [], calls: 2 });
});

test('a query that is too long for a URL is a clear error of the search field only', async () => {
  const searched = await shop();
  const long = { query: 'x'.repeat(100_000) };
  const { data, errors, calls } = await searched(long, search.replace('search(', 'name search('));

  expect(data).toEqual({ flexDb: { name: 'Shop', search: null } });
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('status 431'),
    extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream: { status: 431 } },
  });
  expect(calls).toEqual([DB]);
});
