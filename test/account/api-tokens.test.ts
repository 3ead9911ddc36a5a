import { expect, test } from 'vitest';
import { accountGateway } from './support.ts';

const LIST = 'GET /account/api_tokens.json';
const CREATE = 'POST /account/api_tokens.json';
const UPDATE = 'PATCH /account/api_tokens/:id.json';

const create = `mutation ($input: CreateApiTokenInput!) {
  createApiToken(input: $input) {
    __typename
    ... on CreatedApiToken { token apiToken { id name kind active expiresAt forAccount integrationAppCode } }
    ... on ValidationError { fields { field } }
    ... on ForbiddenError { message }
  }
}`;
const update = `mutation ($id: ID!, $input: UpdateApiTokenInput!) {
  updateApiToken(id: $id, input: $input) {
    __typename
    ... on ApiToken { id name code active expiresAt privileges integrationAppCode }
    ... on ValidationError { fields { field messages } }
  }
}`;

test('createApiToken returns the raw value in a response with `no-store`', async () => {
  const { execute, sandbox, call } = await accountGateway();

  const created = await execute(
    'mutation { createApiToken(input: { name: "Shop" }) { __typename ... on CreatedApiToken { token apiToken { id name } } } }',
  );

  expect(created.data).toEqual({
    createApiToken: {
      __typename: 'CreatedApiToken',
      token: expect.any(String),
      apiToken: { id: 'ApiToken:2', name: 'Shop' },
    },
  });
  expect(created.headers.get('cache-control')).toMatch(/no-store/);
  expect(sandbox.calls()).toEqual([CREATE]);

  const [, token = ''] = /"token":"([^"]+)"/.exec(JSON.stringify(created.data)) ?? [];
  expect((await call('GET', '/account/api_tokens/2.json', { token })).status).toBe(200);
  const later = await execute('{ apiToken(id: 2) { id name code tokenInfo } apiTokens { tokenInfo } }');
  expect(later.errors).toEqual([]);
  expect(JSON.stringify(later)).not.toContain(token);
});

test("apiTokens lists the caller's own tokens, with every field", async () => {
  const { execute, sandbox, makeToken, user } = await accountGateway();
  await makeToken({
    name: 'Shop',
    code: 'shop',
    integration_app_code: 'sync',
    for_account: true,
    expires_at: '2999-01-31',
    privileges: ['todo'],
    kind: 'web_token',
    active: false,
  });
  await makeToken({ name: 'Not mine' }, user().token);

  const { data } = await execute(`{ apiTokens {
    __typename id upstreamId name code active expired expiresAt kind integrationAppCode forAccount privileges tokenInfo
  } }`);

  expect(data).toEqual({
    apiTokens: [
      expect.objectContaining({ id: 'ApiToken:1', name: null, privileges: [], active: true, kind: 'API' }),
      {
        __typename: 'ApiToken',
        id: 'ApiToken:2',
        upstreamId: '2',
        name: 'Shop',
        code: 'shop',
        active: false,
        expired: false,
        expiresAt: '2999-01-31',
        kind: 'WEB',
        integrationAppCode: 'sync',
        forAccount: true,
        privileges: ['todo'],
        tokenInfo: expect.stringMatching(/^.{1,4}….{1,4}$/),
      },
    ],
  });
  expect(sandbox.calls()).toEqual([LIST]);
});

test('scope ACCOUNT lists the tokens of the whole account', async () => {
  const { execute, sandbox, makeToken } = await accountGateway();
  await makeToken({ name: 'Shop', for_account: true });

  const { data } = await execute('{ apiTokens(scope: ACCOUNT) { name forAccount } }');

  expect(data).toEqual({ apiTokens: [{ name: 'Shop', forAccount: true }] });
  expect(sandbox.calls()).toEqual([`${LIST}?for_account=yes`]);
});

test('createApiToken sends every given field by its upstream name', async () => {
  const { execute, bodies } = await accountGateway();

  const expiry = '2999-01-31T10:00:00+02:00';
  const shown = {
    name: 'Shop',
    active: false,
    expiresAt: expiry,
    kind: 'WEB',
    integrationAppCode: 'sync',
    forAccount: true,
  };

  const { data } = await execute(create, { variables: { input: { ...shown, code: 'shop', privileges: ['todo'] } } });

  const api_token = {
    name: 'Shop',
    code: 'shop',
    active: false,
    expires_at: expiry,
    kind: 'web_token',
    integration_app_code: 'sync',
    for_account: true,
    privileges: ['todo'],
  };
  expect(bodies()).toEqual([{ api_token }]);
  expect(data).toMatchObject({ createApiToken: { apiToken: shown } });
});

test('the kind API is sent as an empty text, as the API documents it', async () => {
  const { execute, bodies } = await accountGateway();

  const { data } = await execute(create, { variables: { input: { kind: 'API' } } });

  expect(bodies()).toEqual([{ api_token: { kind: '' } }]);
  expect(data).toMatchObject({ createApiToken: { apiToken: { kind: 'API' } } });
});

test('a field that is left out of the input is not sent', async () => {
  const { execute, bodies, makeToken } = await accountGateway();
  const { id } = await makeToken({ name: 'Shop', code: 'shop', privileges: ['todo'] });

  await execute(create, { variables: { input: {} } });
  const { data } = await execute(update, { variables: { id, input: { name: 'Till' } } });

  expect(bodies()).toEqual([{ api_token: {} }, { api_token: { name: 'Till' } }]);
  expect(data).toMatchObject({ updateApiToken: { name: 'Till', code: 'shop', privileges: ['todo'] } });
});

test('null is sent as null and an empty list as an empty list, so that expiry and privileges can be cleared', async () => {
  const { execute, sandbox, bodies, makeToken } = await accountGateway();
  const { id } = await makeToken({ code: 'shop', expires_at: '2999-01-31', privileges: ['todo'] });

  const { data } = await execute(update, {
    variables: { id: `ApiToken:${id}`, input: { expiresAt: null, privileges: [], code: null } },
  });

  expect(bodies()).toEqual([{ api_token: { expires_at: null, privileges: [], code: null } }]);
  expect(data).toMatchObject({ updateApiToken: { expiresAt: null, privileges: [], code: null } });
  expect(sandbox.calls()).toEqual([UPDATE]);
});

test.each([
  ['code', 'code'],
  ['integrationAppCode', 'integration_app_code'],
])('a duplicate %s is a ValidationError of that field', async (field, wireName) => {
  const { execute, makeToken } = await accountGateway();
  await makeToken({ [wireName]: 'taken' });
  const { id } = await makeToken({});

  const created = await execute(create, { variables: { input: { [field]: 'taken' } } });
  const updated = await execute(update, { variables: { id, input: { [field]: 'taken' } } });

  const refusal = { __typename: 'ValidationError', fields: [expect.objectContaining({ field })] };
  expect(created.data).toEqual({ createApiToken: refusal });
  expect(updated.data).toEqual({ updateApiToken: refusal });
  expect(JSON.stringify(updated.data)).toContain('has already been taken');
});
