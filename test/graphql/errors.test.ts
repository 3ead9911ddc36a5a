import { expect, test } from 'vitest';
import { accountGateway, gatewayOverAnswers } from '../account/support.ts';

const create = 'mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { __typename } }';

test.each(['{ apiTokens {', '', '{ apiToken(id: "1) { id } }', 'query }'])(
  'the text %j is a syntax error',
  async (query) => {
    const { execute, sandbox } = await accountGateway();

    const { data, errors } = await execute(query);

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }]);
    expect(sandbox.calls()).toEqual([]);
  },
);

test.each([
  '{ nothing }',
  '{ apiToken { id } }',
  '{ apiTokens }',
  '{ apiTokens(scope: EVERYBODY) { id } }',
  '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
  'query ($id: ID!) { apiTokens { id } }',
  'mutation { createApiToken(input: { name: 1 }) { __typename } }',
  'mutation { createApiToken(input: { expiresAt: "soon" }) { __typename } }',
])('%s is not valid', async (query) => {
  const { execute, sandbox } = await accountGateway();

  const { data, errors } = await execute(query);

  expect(data).toBeUndefined();
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(errors.map(() => 'GRAPHQL_VALIDATION_FAILED'));
  expect(errors).not.toHaveLength(0);
  expect(sandbox.calls()).toEqual([]);
});

test('there are no subscriptions', async () => {
  const { execute } = await accountGateway();

  const { data, errors } = await execute('subscription { apiTokens { id } }');

  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

test.each([
  [{}, 'Variable "$input"'],
  [{ input: null }, 'Variable "$input"'],
  [{ input: { name: 1 } }, '"input.name"'],
  [{ input: { privileges: ['todo', {}] } }, '"input.privileges[1]"'],
  [{ input: { nmae: 'Shop' } }, '"nmae"'],
  [{ input: { kind: 'ROBOT' } }, '"input.kind"'],
  [{ input: { expiresAt: '2026-02-30' } }, '"input.expiresAt"'],
])('the variables %j are bad input, and the message says where: %s', async (variables, where) => {
  const { execute, sandbox } = await accountGateway();

  const { data, errors } = await execute(create, { variables });

  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ message: expect.stringContaining(where), extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(sandbox.calls()).toEqual([]);
});

test.each([null, 'two words'])('without a credential that can be read, nothing is called: %j', async (token) => {
  const { execute, sandbox } = await accountGateway();

  const { data, errors } = await execute('{ apiTokens { id } displayedDashboard { context layout { key } } }', {
    token,
  });

  expect(data).toEqual({ apiTokens: null, displayedDashboard: { context: 'MAIN', layout: null } });
  const error = { message: expect.stringContaining('Authorization: Bearer'), extensions: { code: 'UNAUTHENTICATED' } };
  expect(errors).toMatchObject([error, error]);
  expect(sandbox.calls()).toEqual([]);
});

test('a refused credential is UNAUTHENTICATED in a mutation too, not a member of its result', async () => {
  const { execute } = await accountGateway();

  const { data, errors } = await execute(create, { variables: { input: {} }, token: 'stale' });

  expect(data).toEqual({ createApiToken: null });
  expect(errors).toMatchObject([
    {
      path: ['createApiToken'],
      extensions: {
        code: 'UNAUTHENTICATED',
        outcome: 'REFUSED',
        upstream: { api: 'account', endpoint: 'POST /account/api_tokens.json', status: 401 },
      },
    },
  ]);
});

test('a field that fails costs itself: the others have their data', async () => {
  const { execute } = await gatewayOverAnswers({
    'GET /account/api_tokens.json': { not: 'a list' },
    'GET /toolkit/dashboards.json': [{ id: 1, name: 'Board' }],
  });

  const { data, errors } = await execute('{ apiTokens { id } dashboards { name } }');

  expect(data).toEqual({ apiTokens: null, dashboards: [{ name: 'Board' }] });
  expect(errors).toMatchObject([{ path: ['apiTokens'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

test('a mutation that fails does not keep the next one from running', async () => {
  const { execute, sandbox } = await accountGateway();

  const { data, errors } = await execute(`mutation {
    first: updateApiToken(id: 99, input: { name: "x" }) { __typename }
    second: deleteDashboard(id: "ApiToken:1") { __typename }
    third: deleteForumPost(id: 1) { __typename }
    fourth: createDashboard(input: { name: "Board" }) { ... on Dashboard { name } }
  }`);

  expect(data).toEqual({
    first: { __typename: 'NotFoundError' },
    second: { __typename: 'ValidationError' },
    third: null,
    fourth: { name: 'Board' },
  });
  expect(errors).toMatchObject([{ path: ['third'], extensions: { code: 'UNAUTHENTICATED', outcome: 'REFUSED' } }]);
  expect(sandbox.calls()).toEqual(['PATCH /account/api_tokens/:id.json', 'POST /toolkit/dashboards.json']);
});

/** `count` tokens, each with a kind that the gateway does not know. */
const spoiled = (count: number) => ({
  'GET /account/api_tokens.json': Array.from({ length: count }, (_, index) => ({ id: index + 1, kind: 'robot' })),
});

test('of more than 100 field errors the rest is counted', async () => {
  const { execute } = await gatewayOverAnswers(spoiled(142));

  const { data, errors } = await execute('{ apiTokens { id kind } }');

  expect(data).toMatchObject({ apiTokens: { length: 142, 141: { id: 'ApiToken:142', kind: null } } });
  expect(errors).toHaveLength(101);
  expect(errors[99]).toMatchObject({ path: ['apiTokens', 99, 'kind'] });
  expect(errors[100]).toMatchObject({ message: expect.stringMatching(/^42 /), extensions: { omitted: 42 } });
});

test('100 field errors are all listed', async () => {
  const { execute } = await gatewayOverAnswers(spoiled(100));

  const { errors } = await execute('{ apiTokens { kind } }');

  expect(errors.map(({ path }) => path?.[1])).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('every refusal of a mutation is a MutationError with a message', async () => {
  const { ask, makeToken, user } = await accountGateway();
  await makeToken({ code: 'taken' });

  const data = await ask(
    `mutation {
      invalid: createApiToken(input: { code: "taken" }) { ...refusal }
      forbidden: createApiToken(input: { forAccount: true }) { ...refusal }
      missing: updateApiToken(id: 99, input: { name: "x" }) { ...refusal }
    }
    fragment refusal on MutationError { __typename message }`,
    { token: user().token },
  );

  const message = expect.stringMatching(/\S/);
  expect(data).toEqual({
    invalid: { __typename: 'ValidationError', message },
    forbidden: { __typename: 'ForbiddenError', message },
    missing: { __typename: 'NotFoundError', message },
  });
});
