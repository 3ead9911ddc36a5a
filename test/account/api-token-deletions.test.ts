import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { accountGateway } from './support.ts';

const READ = 'GET /account/api_tokens/:id.json';
const DELETE = 'DELETE /account/api_tokens/:id.json';

const deletion = `mutation ($id: ID!) {
  deleteApiToken(id: $id) {
    __typename
    ... on ApiTokenDeletion { deletedId deleted apiToken { id name code } }
  }
}`;

test('a deletion reads the token, then deletes it', async () => {
  const { execute, sandbox, call, makeToken, admin } = await accountGateway();
  const { id } = await makeToken({ name: 'Shop' });

  const { data } = await execute(deletion, { variables: { id } });

  expect(data).toEqual({
    deleteApiToken: {
      __typename: 'ApiTokenDeletion',
      deletedId: `ApiToken:${id}`,
      deleted: true,
      apiToken: null,
    },
  });
  expect(sandbox.calls()).toEqual([READ, DELETE]);
  expect((await call('GET', `/account/api_tokens/${id}.json`, admin)).status).toBe(404);
});

test('a token of the whole account is not deleted: `deleted` is false, and the token still works', async () => {
  const { execute, sandbox, makeToken } = await accountGateway();
  const { id, token } = await makeToken({ name: 'Shop', code: 'shop', for_account: true });

  const { data } = await execute(deletion, { variables: { id: `ApiToken:${id}` } });

  expect(data).toEqual({
    deleteApiToken: {
      __typename: 'ApiTokenDeletion',
      deletedId: null,
      deleted: false,
      apiToken: { id: `ApiToken:${id}`, name: 'Shop', code: 'shop' },
    },
  });
  expect(sandbox.calls()).toEqual([READ, DELETE]);
  const { data: still } = await execute('query ($id: ID!) { apiToken(id: $id) { name } }', {
    variables: { id },
    token,
  });
  expect(still).toEqual({ apiToken: { name: 'Shop' } });
});

test('a token that deletes itself gets `deleted: true`', async () => {
  const { execute, ask, sandbox, makeToken } = await accountGateway();
  const { id, token } = await makeToken({});

  const data = await ask(deletion, { variables: { id }, token });

  expect(data).toMatchObject({ deleteApiToken: { deleted: true, apiToken: null } });
  expect(sandbox.calls()).toEqual([READ, DELETE]);
  expect((await execute('{ apiTokens { id } }', { token })).errors).toMatchObject([
    { extensions: { code: 'UNAUTHENTICATED' } },
  ]);
});

test.each([
  ['exists', 200, false],
  ['does not exist', 404, true],
  ["is the caller's own and is refused", 401, true],
])('a token without `for_account` is read again after its deletion: it %s', async (_name, status, gone) => {
  let deleted = false;
  const upstream = await stubUpstream(({ method }, response) => {
    if (method === 'DELETE') deleted = true;
    response.writeHead(deleted && method === 'GET' ? status : 200).end('{"id":7}');
  });
  const { ask } = await gatewayOver(upstream.url, {}, 'token');

  expect(await ask(deletion, { variables: { id: 7 } })).toMatchObject({ deleteApiToken: { deleted: gone } });
  const token = '/account/api_tokens/7.json';
  expect(upstream.received).toEqual([`GET ${token}`, `DELETE ${token}`, `GET ${token}`]);
});
