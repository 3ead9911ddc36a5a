import { expect, test } from 'vitest';
import { accountGateway } from './support.ts';

const SET_FIELD = 'POST /account/set_field.json';
const change = `mutation ($input: SetAccountFieldInput!) {
  setAccountField(input: $input) {
    __typename
    ... on AccountFieldChange { key actionType value }
    ... on ValidationError { fields { field } }
  }
}`;

test('setAccountField sends its parameters in the query, and no body', async () => {
  const { execute, sandbox } = await accountGateway();
  const input = { key: 'account.settings.modules', actionType: 'remove', value: 'crm' };

  const { data } = await execute(change, { variables: { input } });

  expect(data).toEqual({ setAccountField: { __typename: 'AccountFieldChange', ...input } });
  expect(sandbox.calls()).toEqual([SET_FIELD]);
  expect(sandbox.requests).toMatchObject([
    { query: { key: 'account.settings.modules', action_type: 'remove', value: 'crm' }, body: null },
  ]);
  expect(sandbox.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
});

test('enableDashboards adds the module toolkit', async () => {
  const { execute, sandbox } = await accountGateway();

  const { data } = await execute(
    'mutation { enableDashboards { ... on AccountFieldChange { key actionType value } } }',
  );

  const parameters = { key: 'account.settings.modules', value: 'toolkit' };
  expect(data).toEqual({ enableDashboards: { ...parameters, actionType: 'add' } });
  expect(sandbox.calls()).toEqual([SET_FIELD]);
  expect(sandbox.requests).toMatchObject([{ query: { ...parameters, action_type: 'add' }, body: null }]);
});

test('an action that upstream refuses is a ValidationError with the GraphQL name of the field', async () => {
  const { execute } = await accountGateway();
  const input = { key: 'account.settings.modules', actionType: 'paint&value=toolkit', value: 'crm' };

  const { data } = await execute(change, { variables: { input } });

  expect(data).toEqual({ setAccountField: { __typename: 'ValidationError', fields: [{ field: 'actionType' }] } });
});
