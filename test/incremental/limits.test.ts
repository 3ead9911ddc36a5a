import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { type Asked, ask, merged, next, type Part, partsOf, rest } from '../support/parts.ts';

const TOKENS = 'GET /account/api_tokens.json';
const ACCOUNT_TOKENS = 'GET /account/api_tokens.json?for_account=yes';
const DASHBOARDS = 'GET /toolkit/dashboards.json';
const layout = [{ id: 'kpi-1', key: 'kpi', config: { limit: '5' } }];
const six = [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `t${id}`, privileges: ['a', 'b', 'c'], layout }));

/** A gateway over lists of six, where five parts may be kept for later. */
async function keepingFive() {
  const over = await gatewayOverAnswers(
    { [TOKENS]: six, [ACCOUNT_TOKENS]: six, [DASHBOARDS]: six },
    { MAX_PAGE_SIZE: 5 },
  );
  const errors = async (query: string, asked?: Asked) => {
    const response = await ask(over.url, query, asked);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const parts = isJson ? undefined : partsOf(response);
    const first: Part = parts ? await next(parts) : await response.json();
    const all = [first, ...(parts ? await rest(parts) : [])].flatMap((part) => part.errors ?? []);
    return all.map(({ message, path, extensions }) => `${extensions['code']} ${path?.join('.')} ${message}`);
  };
  return { ...over, errors };
}

describe('an operation keeps no more than MAX_PAGE_SIZE parts for later', () => {
  const TOO_MANY = expect.stringMatching(
    /^QUERY_LIMIT_EXCEEDED .* MAX_PAGE_SIZE \(5\) .* without `@defer` and `@stream`/,
  );

  test.each([
    ['rows of a list', '{ apiTokens @stream { name } }'],
    [
      'rows of two lists',
      '{ apiTokens @stream(initialCount: 3) { name } more: apiTokens @stream(initialCount: 3) { name } }',
    ],
    ['rows below rows', '{ apiTokens @stream(initialCount: 5) { privileges @stream(initialCount: 2) } }'],
    ['fragments of what rows lead to', '{ dashboards { layout { config { ... @defer { limit } } } } }'],
    ['fragments of rows', '{ apiTokens { name ... @defer { upstreamId } } }'],
    [
      'fragments on the type of an object, and on an interface of it',
      `{ nodes(ids: ["ApiToken:1", "ApiToken:2"]) {
        ... on ApiToken { ...A @defer ...A @defer } ... on Node { ... @defer { id } }
      } } fragment A on ApiToken { name }`,
    ],
    [
      'a fragment that is spread for two types',
      `{ nodes(ids: ["ApiToken:1", "ApiToken:2"]) { ... on Client { ...A } ... on ApiToken { ...A ... @defer { name } } } }
        fragment A on Node { ... @defer { id } ... @defer { __typename } }`,
    ],
    [
      'fragments of fragments',
      '{ ... @defer { apiTokens @stream(initialCount: 3) { ...A @defer } } } fragment A on ApiToken { name ... @defer { upstreamId } }',
    ],
  ])('%s', async (_name, query) => {
    const { errors } = await keepingFive();
    expect(await errors(query)).toContainEqual(TOO_MANY);
  });

  test.each([
    ['rows that come at once do not count', '{ apiTokens @stream(initialCount: 1) { name } }'],
    ['nor do fragments that are not deferred', '{ apiTokens { ... @defer(if: false) { name } ... { upstreamId } } }'],
    [
      'nor does what is left out',
      '{ apiTokens @include(if: false) @stream { name } apiTokens { ... @skip(if: true) @defer { name } } }',
    ],
    [
      'of fragments on several types an object has those of its own',
      `query { nodes(ids: ["ApiToken:1", "ApiToken:2"]) {
        ... on ApiToken { ...A @defer ...A @defer } ... on Client { id ... @defer { name } ... @defer { id } } ... on Node { ... on Deal @defer { id } }
      } } fragment A on ApiToken { name }`,
    ],
    ['a fragment of the operation counts for nothing', `{ ${'... @defer { apiTokens { name } }'.repeat(9)} }`],
  ])('%s', async (_name, query) => {
    const { errors } = await keepingFive();
    expect(await errors(query)).toEqual([]);
    expect(await errors(query)).toEqual([]);
  });

  test('a field that is refused costs no other', async () => {
    const { url } = await keepingFive();
    const parts = partsOf(
      await ask(url, '{ apiTokens @stream { name } dashboards @stream(initialCount: 1) { upstreamId } }'),
    );
    expect(await merged(parts)).toEqual({
      apiTokens: null,
      dashboards: six.map(({ id }) => ({ upstreamId: `${id}` })),
    });
  });

  test('rows that are refused before they have failed fail nobody else', async () => {
    const { errors } = await keepingFive();
    // A rejection that nobody handles ends the process; here it fails the run.
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) @stream { id } }';
    expect(await errors(query, { variables: { ids: Array(6).fill('ApiToken:none') } })).toEqual([TOO_MANY]);
    expect(await errors('{ apiTokens { name } }')).toEqual([]);
  });

  test('an operation that is answered as a whole is not limited', async () => {
    const { errors } = await keepingFive();
    const query = '{ apiTokens @stream { name ... @defer { privileges @stream } } }';
    expect(await errors(query, { headers: { accept: 'application/json' } })).toEqual([]);
  });
});

test.each([
  ['{ apiTokens @stream(initialCount: -1) { name } }', {}],
  ['{ apiTokens @stream(initialCount: null) { name } }', {}],
  ['query ($n: Int) { apiTokens @stream(initialCount: $n) { name } }', { n: -1 }],
])('an `initialCount` that is none is refused before anything is called: %s', async (query, variables) => {
  const { errors, received } = await keepingFive();
  expect(await errors(query, { variables })).toEqual([
    'BAD_USER_INPUT apiTokens `initialCount` of `@stream` takes 0 or more.',
  ]);
  expect(received).toEqual([]);
});

describe('a document is refused', () => {
  const CREATE = 'createDashboard(input: { name: "x" }) { ... on Dashboard { id } }';

  test.each([
    ['that defers a mutation', `mutation { ... @defer { ${CREATE} } }`],
    ['that defers a mutation by name', `mutation { ...M @defer } fragment M on Mutation { ${CREATE} }`],
    [
      'that defers a mutation below a fragment',
      `mutation { ...M } fragment M on Mutation { ... @defer { ${CREATE} } }`,
    ],
    ['that streams what is no list', '{ apiTokens { name @stream } }'],
    [
      'that gives two fragments one label',
      '{ ... @defer(label: "a") { apiTokens { name } } ... @defer(label: "a") { dashboards { name } } }',
    ],
    ['that makes a label of a variable', 'query ($l: String) { ... @defer(label: $l) { apiTokens { name } } }'],
  ])('%s', async (_name, query) => {
    const { execute, received } = await keepingFive();
    expect((await execute(query)).errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    expect(received).toEqual([]);
  });

  test('a document with more directives than MAX_DIRECTIVES is refused', async () => {
    const { url } = await gatewayOverAnswers({}, { MAX_DIRECTIVES: 2 });
    const response = await ask(url, '{ ... @defer { apiTokens @stream { name } } ... @defer { dashboards { name } } }');
    expect((await response.json()).errors).toMatchObject([{ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
  });
});

test('where a list is selected twice, the first selection says how it is streamed', async () => {
  const { url } = await keepingFive();
  const parts = partsOf(await ask(url, '{ apiTokens @stream(initialCount: 4) { name } apiTokens { upstreamId } }'));
  expect((await next(parts)).data).toMatchObject({ apiTokens: { length: 4 } });
  expect(await rest(parts)).toMatchObject([{ items: [{ name: 't5', upstreamId: '5' }] }, { items: [{ name: 't6' }] }]);
});

test('the answer to a mutation can be deferred', async () => {
  const upstream = { id: 7, name: 'x', layout: [{ id: 'kpi-1', key: 'kpi' }] };
  const { url, received } = await gatewayOverAnswers({ 'POST /toolkit/dashboards.json': upstream });
  const query = `mutation { createDashboard(input: { name: "x" }) { ... on Dashboard { id ... @defer { name layout @stream { key } } } } }`;
  expect(await merged(partsOf(await ask(url, query)))).toEqual({
    createDashboard: { id: 'Dashboard:7', name: 'x', layout: [{ key: 'kpi' }] },
  });
  expect(received).toEqual(['POST /toolkit/dashboards.json']);
});
