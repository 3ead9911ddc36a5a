import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

/** Operations whose errors have suggestions, and the name that each suggests. */
const misspelt: readonly (readonly [name: string, query: string, variables: object, suggested: string])[] = [
  ['a field', '{ apiTokenz { name } }', {}, '"apiTokens"'],
  ['an argument', '{ apiToken(idd: 1) { name } }', {}, '"id"'],
  ['a field of a type behind an interface', '{ node(id: "x") { title } }', {}, '"ForumPost"'],
  ['a type', '{ node(id: "x") { ... on Clientt { id } } }', {}, '"Client"'],
  ['an argument of a directive', '{ apiTokens @skip(iff: true) { name } }', {}, '"if"'],
  ['an enum value', '{ clients(filter: { kinds: [BUYERS] }) { totalCount } }', {}, '"BUYER"'],
  ['an input field', '{ clients(filter: { kindz: [BUYER] }) { totalCount } }', {}, '"kinds"'],
  [
    'an enum value in a variable',
    'query ($kinds: [ClientKind!]) { clients(filter: { kinds: $kinds }) { totalCount } }',
    { kinds: ['BUYERS'] },
    '"BUYER"',
  ],
  [
    'an input field in a variable',
    'query ($filter: ClientFilter) { clients(filter: $filter) { totalCount } }',
    { filter: { kindz: ['BUYER'] } },
    '"kinds"',
  ],
  [
    'an input field in a variable of an operation in parts',
    'query ($filter: ClientFilter) { __typename ... @defer { clients(filter: $filter) { totalCount } } }',
    { filter: { kindz: ['BUYER'] } },
    '"kinds"',
  ],
];

async function answer(NODE_ENV: string, query: string, variables: object, accept = 'application/json') {
  const upstream = await stubUpstream(says('[]'));
  const { url } = await gatewayOver(upstream.url, { NODE_ENV });
  const headers = { 'content-type': 'application/json', accept };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  return response.text();
}

describe.each(misspelt)('a misspelt name: %s', (_name, query, variables, suggested) => {
  test.each(['application/json', 'multipart/mixed'])('has no suggestion in production, %s', async (accept) => {
    const text = await answer('production', query, variables, accept);
    expect(text).toMatch(/"code":"(GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)"/);
    expect(text).not.toMatch(/did you mean|expected one of/i);
  });

  test('has one in development', async () => {
    const { errors } = JSON.parse(await answer('', query, variables));
    expect(errors[0].message).toContain('Did you mean');
    expect(errors[0].message).toContain(suggested);
  });
});

test('in production a limit holds, and an operation within it is answered', async () => {
  const upstream = await stubUpstream(says('[]'));
  const { url } = await gatewayOver(upstream.url, { NODE_ENV: 'production', MAX_ALIASES: 1 });
  const ask = async (query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };
  expect(await ask('{ tokens: apiTokens { name } }')).toEqual({ data: { tokens: [] } });
  expect(await ask('{ a: apiTokens { name } b: apiTokens { name } }')).toMatchObject({
    errors: [{ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }],
  });
});
