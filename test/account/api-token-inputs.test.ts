import { expect, test } from 'vitest';
import { accountGateway } from './support.ts';

const update = `mutation ($id: ID!, $input: UpdateApiTokenInput!) {
  updateApiToken(id: $id, input: $input) {
    __typename
    ... on ApiToken { expiresAt }
    ... on ValidationError { fields { field } }
  }
}`;

test('an empty text clears the expiry, as the document says', async () => {
  const { execute, bodies, makeToken } = await accountGateway();
  const { id } = await makeToken({ expires_at: '2999-01-31' });

  const { data } = await execute(update, { variables: { id, input: { expiresAt: '' } } });
  const literal = await execute(
    'mutation { createApiToken(input: { expiresAt: "" }) { ... on CreatedApiToken { apiToken { expiresAt expired } } } }',
  );

  expect(data).toMatchObject({ updateApiToken: { expiresAt: null } });
  expect(literal.data).toEqual({ createApiToken: { apiToken: { expiresAt: null, expired: false } } });
  expect(bodies()).toEqual([{ api_token: { expires_at: '' } }, { api_token: { expires_at: '' } }]);
});

test('`active: null` is refused in a change: it would switch the token on', async () => {
  const { execute, sandbox, makeToken } = await accountGateway();
  const { id } = await makeToken({ active: false });

  const { data } = await execute(update, { variables: { id, input: { active: null } } });

  expect(data).toMatchObject({ updateApiToken: { __typename: 'ValidationError', fields: [{ field: 'active' }] } });
  expect(sandbox.calls()).toEqual([]);
});
