import { lost, MEMBER, REFUSAL, type Scenario } from './support.ts';

const TOKEN = 'id name code active expiresAt expired kind kindText integrationAppCode forAccount privileges';
const newToken = (input: string, selection: string) =>
  `mutation { createApiToken(input: ${input}) { ${REFUSAL} ... on CreatedApiToken { ${selection} } } }`;
const changedToken = (args: string, selection = TOKEN) =>
  `mutation { updateApiToken(${args}) { ${REFUSAL} ... on ApiToken { ${selection} } } }`;
const deletedToken = (id: string) => `mutation {
  deleteApiToken(id: "${id}") { ${REFUSAL} ... on ApiTokenDeletion { deleted deletedId apiToken { name } } }
}`;

const lostToken = lost('createApiToken.token', 'the raw value of the token is lost, and cannot be read again.');

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
      differs: {
        unread: {
          data: { 'createApiToken.token': null },
          errors: [lostToken],
        },
      },
    },
    'a new token with a code is found by it': {
      query: newToken('{ name: "D", code: "d", expiresAt: "2099-01-02" }', `token apiToken { ${TOKEN} tokenInfo }`),
      calls: 2,
      differs: {
        unread: {
          data: { 'createApiToken.token': null },
          errors: [lostToken],
        },
        lean: {
          data: { 'createApiToken.apiToken.privileges': null },
          notSent: ['createApiToken.apiToken.integrationAppCode', 'createApiToken.apiToken.privileges'],
        },
      },
    },
    'a code that is taken': {
      query: newToken('{ code: "d" }', 'token'),
      calls: 1,
      refused: ['ValidationError'],
      differs: { 'bare:refused-200': { data: { 'createApiToken.message': 'code has already been taken' } } },
    },
    'a token of the account without the permission': {
      query: newToken('{ forAccount: true }', 'token'),
      token: MEMBER,
      calls: 1,
      refused: ['ForbiddenError'],
      differs: {
        'bare:refused-200': {
          data: {
            'createApiToken.__typename': 'ValidationError',
            'createApiToken.message': 'forbidden',
            'createApiToken.fields': [],
          },
        },
      },
    },
    'a token of the account': { query: newToken('{ name: "E", forAccount: true }', 'apiToken { name }'), calls: 1 },
    'the tokens of the caller': {
      query: `{ apiTokens { ${TOKEN} tokenInfo upstreamId } }`,
      calls: 1,
      differs: {
        lean: {
          data: {
            'apiTokens.4.code': null,
            ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((at) => [`apiTokens.${at}.privileges`, null])),
          },
          notSent: [
            'apiTokens.0.code',
            'apiTokens.0.expired',
            'apiTokens.0.expiresAt',
            'apiTokens.0.name',
            'apiTokens.0.privileges',
            'apiTokens.1.code',
            'apiTokens.1.integrationAppCode',
            'apiTokens.1.privileges',
            'apiTokens.2.code',
            'apiTokens.2.privileges',
            'apiTokens.3.code',
            'apiTokens.3.integrationAppCode',
            'apiTokens.3.privileges',
            'apiTokens.4.code',
            'apiTokens.4.privileges',
            'apiTokens.5.code',
            'apiTokens.5.privileges',
          ],
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
      errors: [
        {
          path: 'apiTokens',
          message: 'The account API does not allow this to the caller.',
          code: 'FORBIDDEN',
        },
      ],
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
    'a change with fields that were sent': {
      query: changedToken('id: 6, input: { name: "F" }', 'id name'),
      calls: 1,
      differs: { unread: { calls: 2 } },
    },
    'a change with all fields': {
      query: changedToken('id: 6, input: { name: "G", kind: WEB }'),
      calls: 1,
      differs: {
        unread: { notSent: ['updateApiToken.integrationAppCode'], calls: 2 },
        lean: {
          data: { 'updateApiToken.code': null, 'updateApiToken.privileges': null },
          notSent: ['updateApiToken.code', 'updateApiToken.privileges'],
          calls: 2,
        },
      },
    },
    'a change of a token that is missing': {
      query: changedToken('id: 99, input: { name: "F" }'),
      calls: 1,
      refused: ['NotFoundError'],
    },
    'a change that clears the expiry': {
      query: changedToken('id: 6, input: { code: "d", expiresAt: null }'),
      calls: 1,
      differs: {
        unread: { notSent: ['updateApiToken.integrationAppCode'], calls: 2 },
        lean: { data: { 'updateApiToken.privileges': null }, notSent: ['updateApiToken.privileges'], calls: 2 },
      },
    },
    'a change that is refused before the call': {
      query: changedToken('id: 6, input: { active: null }'),
      calls: 0,
      refused: ['ValidationError'],
    },
    'a change to the code of another token': {
      query: changedToken('id: 5, input: { code: "d" }'),
      calls: 1,
      refused: ['ValidationError'],
      differs: { 'bare:refused-200': { data: { 'updateApiToken.message': 'code has already been taken' } } },
    },
    'a deletion': { query: deletedToken('ApiToken:6'), calls: 2 },
    'a deletion again': { query: deletedToken('ApiToken:6'), calls: 1, refused: ['NotFoundError'] },
    'a deletion of a token of the account': { query: deletedToken('7'), calls: 2 },
  },
};
