import { change, forbidden, invalid, missing, written } from './mutations.ts';
import { lost, MEMBER, type Scenario } from './support.ts';

const TOKEN = 'id name code active expiresAt expired kind kindText integrationAppCode forAccount privileges';
const newToken = (input: string, selection: string) =>
  written('createApiToken', `input: ${input}`, 'CreatedApiToken', selection);
const changedToken = (args: string) => written('updateApiToken', args, 'ApiToken', TOKEN);
const deletedToken = (id: string) =>
  written('deleteApiToken', `id: "${id}"`, 'ApiTokenDeletion', 'deleted deletedId apiToken { name }');

const lostToken = lost('createApiToken.token', 'the raw value of the token is lost, and cannot be read again.');

const SIX = [0, 1, 2, 3, 4, 5];
const privileges = SIX.map((at) => `apiTokens.${at}.privileges`);

/** API tokens. The sandbox begins with those of the user and of the member, 1 and 2. */
export const apiTokens: Scenario = {
  steps: {
    'a new token with the fields that were sent': {
      query: newToken('{ name: "A", privileges: ["todo"] }', 'apiToken { name privileges }'),
      data: { createApiToken: { apiToken: { name: 'A', privileges: ['todo'] } } },
      calls: 2,
      differs: { unread: { calls: 1 } },
    },
    'a new token with its id and raw value': {
      query: newToken('{ name: "B" }', 'token apiToken { id name }'),
      data: { createApiToken: { token: 'secret', apiToken: { id: 'ApiToken:4' } } },
      calls: 1,
      differs: {
        unread: {
          data: { 'createApiToken.token': null, 'createApiToken.apiToken': null },
          errors: [lost('createApiToken.apiToken.id'), lostToken],
        },
      },
    },
    'a new token with its raw value alone': {
      query: newToken('{ name: "C" }', 'token'),
      calls: 1,
      differs: { unread: { data: { 'createApiToken.token': null }, errors: [lostToken] } },
    },
    'a new token with a code is found by it': {
      query: newToken('{ name: "D", code: "d", expiresAt: "2099-01-02" }', `token apiToken { ${TOKEN} tokenInfo }`),
      calls: 2,
      differs: {
        unread: { data: { 'createApiToken.token': null }, errors: [lostToken] },
        lean: {
          data: { 'createApiToken.apiToken.privileges': null },
          notSent: ['createApiToken.apiToken.integrationAppCode', 'createApiToken.apiToken.privileges'],
        },
      },
    },
    'a code that is taken': invalid('createApiToken', 'input: { code: "d" }', 'code has already been taken'),
    'a token of the account without the permission': forbidden('createApiToken', 'input: { forAccount: true }'),
    'a token of the account': { query: newToken('{ name: "E", forAccount: true }', 'apiToken { name }'), calls: 1 },
    'the tokens of the caller': {
      query: `{ apiTokens { ${TOKEN} tokenInfo upstreamId } }`,
      calls: 1,
      differs: {
        lean: {
          data: { 'apiTokens.4.code': null, ...Object.fromEntries(privileges.map((path) => [path, null])) },
          notSent: [
            ...privileges,
            ...SIX.map((at) => `apiTokens.${at}.code`),
            ...['apiTokens.0.expired', 'apiTokens.0.expiresAt', 'apiTokens.0.name'],
            ...['apiTokens.1.integrationAppCode', 'apiTokens.3.integrationAppCode'],
          ].toSorted(),
          calls: 7,
        },
      },
    },
    'the tokens of the account': {
      query: `{ apiTokens(scope: ACCOUNT) { ${TOKEN} } }`,
      calls: 1,
      differs: {
        lean: {
          data: { 'apiTokens.0.privileges': null },
          notSent: ['apiTokens.0.code', 'apiTokens.0.integrationAppCode', 'apiTokens.0.privileges'],
          calls: 2,
        },
      },
    },
    'the tokens of the account without the permission': {
      query: '{ apiTokens(scope: ACCOUNT) { id } }',
      token: MEMBER,
      calls: 1,
      errors: [{ path: 'apiTokens', message: 'The account API does not allow this to the caller.', code: 'FORBIDDEN' }],
    },
    'one token': {
      query: `{ apiToken(id: "ApiToken:6") { ${TOKEN} tokenInfo } }`,
      calls: 1,
      differs: {
        lean: {
          data: { 'apiToken.code': null, 'apiToken.privileges': null },
          notSent: ['apiToken.code', 'apiToken.integrationAppCode', 'apiToken.privileges'],
        },
      },
    },
    'a token that is missing': { query: '{ apiToken(id: 99) { name } }', data: { apiToken: null }, calls: 1 },
    'an id of another type': {
      query: '{ apiToken(id: "Client:1") { name } }',
      calls: 0,
      errors: [
        {
          path: 'apiToken',
          message: 'Expected an id of the type ApiToken, got one of Client.',
          code: 'BAD_USER_INPUT',
        },
      ],
    },
    'a change with fields that were sent': change(
      'updateApiToken',
      'id: 6, input: { name: "F" }',
      'ApiToken',
      'id name',
    ),
    'a change with all fields': {
      query: changedToken('id: 6, input: { name: "G", kind: WEB }'),
      calls: 1,
      differs: {
        unread: { calls: 2 },
        lean: {
          data: { 'updateApiToken.code': null, 'updateApiToken.privileges': null },
          notSent: ['updateApiToken.code', 'updateApiToken.privileges'],
          calls: 2,
        },
      },
    },
    'a change of a token that is missing': missing('updateApiToken', 'id: 99, input: { name: "F" }'),
    'a change that clears the expiry': {
      query: changedToken('id: 6, input: { code: "d", expiresAt: null }'),
      calls: 1,
      differs: {
        unread: { calls: 2 },
        lean: { data: { 'updateApiToken.privileges': null }, notSent: ['updateApiToken.privileges'], calls: 2 },
      },
    },
    'a change that is refused before the call': {
      ...invalid('updateApiToken', 'id: 6, input: { active: null }'),
      calls: 0,
    },
    'a change to the code of another token': invalid(
      'updateApiToken',
      'id: 5, input: { code: "d" }',
      'code has already been taken',
    ),
    'a deletion': { query: deletedToken('ApiToken:6'), calls: 2 },
    'a deletion again': missing('deleteApiToken', 'id: "ApiToken:6"'),
    'a deletion of a token of the account': { query: deletedToken('7'), calls: 2 },
  },
};
