import { describe, expect, test } from 'vitest';
import { expectFailure, expectHealthy, gatewayMeeting, TOKENS, wellBehaved } from '../support/failures.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Answers whose status is a refusal or a failure of the upstream itself.

const LIST = 'GET /account/api_tokens.json';
const RENAME = `mutation {
  updateApiToken(id: 1, input: { name: "x" }) {
    __typename
    ... on MutationError { message }
    ... on ValidationError { fields { field messages } }
  }
}`;

const refusing = (status: number, body = '', headers: Record<string, string> = {}) => says(body, { status, headers });

describe('a status becomes the code of an error', () => {
  test.each([
    [400, 'BAD_USER_INPUT', /refused the input/],
    [401, 'UNAUTHENTICATED', /Authorization/],
    [403, 'FORBIDDEN', /does not allow/],
    [
      404,
      'UPSTREAM_BAD_RESPONSE',
      /^The account API has nothing at GET \/account\/api_tokens\.json: .* ACCOUNT_URL may be wrong\.$/,
    ],
    [405, 'UPSTREAM_BAD_RESPONSE', /status 405/],
    [409, 'UPSTREAM_BAD_RESPONSE', /^The record has changed, or another one is in the way\.$/],
    [418, 'UPSTREAM_BAD_RESPONSE', /status 418/],
    [422, 'BAD_USER_INPUT', /refused the input/],
    [429, 'UPSTREAM_RATE_LIMITED', /slow down/],
    [500, 'UPSTREAM_UNAVAILABLE', /status 500/],
    [503, 'UPSTREAM_UNAVAILABLE', /status 503/],
    [599, 'UPSTREAM_UNAVAILABLE', /status 599/],
  ])('%d', async (status, code, message) => {
    for (const body of ['', '{}', 'null', '<html><a href="http://127.0.0.1/">x</a></html>', '{"status":500', '[]']) {
      const { execute, upstream } = await gatewayMeeting(refusing(status, body));
      expectFailure(await execute(TOKENS), { code, message, endpoint: LIST, status });
      expect(upstream.received).toEqual([LIST]);
      await expectHealthy(execute);
    }
  });
});

test.each([301, 302, 303, 307, 308])('a redirect (%d) is not followed, wherever it leads', async (status) => {
  const elsewhere = await stubUpstream(wellBehaved);
  for (const location of [`${elsewhere.url}/account/api_tokens.json`, '/login']) {
    const { execute, upstream } = await gatewayMeeting(refusing(status, '', { location }));
    const expected = { code: 'UPSTREAM_BAD_RESPONSE', message: /redirect.*ACCOUNT_URL/, endpoint: LIST, status };
    expectFailure(await execute(TOKENS), expected);
    expect(upstream.received).toEqual([LIST]);
    await expectHealthy(execute);
  }
  expect(elsewhere.received).toEqual([]);
});

test.each([
  ['120', 60],
  ['0', 0],
  ['soon', undefined],
])('429 with Retry-After: %s says to wait %s seconds', async (retryAfter, seconds) => {
  const { execute } = await gatewayMeeting(refusing(429, '', { 'retry-after': retryAfter }));
  expect((await execute(TOKENS)).errors[0]?.extensions['retryAfter']).toBe(seconds);
});

describe('422 says what is wrong, by field, in each shape that is known to occur', () => {
  const ofField = [{ field: 'integrationAppCode', messages: ['jest już zajęty'] }];
  test.each([
    ['errors by field', { errors: { integration_app_code: ['jest już zajęty'] } }, ofField],
    ['fields at the top', { integration_app_code: ['jest już zajęty'] }, ofField],
    ["inside the record's key", { api_token: { integration_app_code: ['jest już zajęty'] } }, ofField],
    [
      "errors inside the record's key",
      { errors: { api_token: { integration_app_code: ['jest już zajęty'] } } },
      ofField,
    ],
    [
      'errors inside a key that was not sent',
      { errors: { owner: { last_name: ['jest za krótkie'] } } },
      [{ field: 'owner.lastName', messages: ['jest za krótkie'] }],
    ],
    [
      "beside the record's key and inside it",
      { errors: { integration_app_code: ['jest już zajęty'], api_token: { integration_app_code: ['jest zajęty'] } } },
      [{ field: 'integrationAppCode', messages: ['jest już zajęty', 'jest zajęty'] }],
    ],
    ['a text in the place of a list', { errors: { integration_app_code: 'jest już zajęty' } }, ofField],
    ['in the message', { code: 'error', message: { integration_app_code: ['jest już zajęty'] } }, ofField],
    [
      'several fields, several messages',
      { errors: { code: ['is taken', 'is short'], expires_at: ['is past'] } },
      [
        { field: 'code', messages: ['is taken', 'is short'] },
        { field: 'expiresAt', messages: ['is past'] },
      ],
    ],
  ])('%s', async (_name, body, fields) => {
    for (const status of [400, 422]) {
      const { execute } = await gatewayMeeting(refusing(status, JSON.stringify(body)));
      const { data, errors } = await execute(RENAME);
      expect(errors).toEqual([]);
      expect(data).toEqual({
        updateApiToken: { __typename: 'ValidationError', message: expect.stringMatching(/./), fields },
      });
    }
  });

  test('a message alone is shown as it is', async () => {
    const bodies = [
      { code: 'error', message: 'Nie można' },
      { error: 'Nie można' },
      { errors: 'Nie można' },
      [{ message: 'Nie można' }],
      ['Nie można'],
      'Nie można',
    ];
    for (const body of bodies) {
      const { execute } = await gatewayMeeting(refusing(422, JSON.stringify(body)));
      expect((await execute(RENAME)).data).toEqual({
        updateApiToken: { __typename: 'ValidationError', message: 'Nie można', fields: [] },
      });
    }
  });

  test.each([
    [{ title: ["can't be blank"], type: ['is invalid'] }, ['data.title', 'data.type']],
    [{ detail: ["can't be blank"], name: ['is taken'] }, ['data.detail', 'data.name']],
    [{ error: { title: ['is taken'] }, error_description: 'Invalid' }, ['data.title']],
    [{ errors: [{ loc: [{ toString: 1, valueOf: 1 }, 'n'], msg: 'is odd' }] }, ['data.n']],
  ])('fields of flexible data may have the names of such keys: %j', async (body, fields) => {
    const { execute } = await gatewayMeeting(refusing(422, JSON.stringify(body)));
    const { data } = await execute(`mutation {
      updateFlexRecord(id: "FlexRecord:7:1", input: { table: "t", data: { title: "", type: 1, detail: "", name: "", n: 1 } }) {
        ... on ValidationError { fields { field } }
      }
    }`);
    expect(data).toEqual({ updateFlexRecord: { fields: fields.map((field) => ({ field })) } });
  });

  const ofCode = [{ field: 'code', messages: ['is taken'] }];
  /** The common forms, by what is known to write them. */
  test.each<readonly [source: string, body: unknown, message: string, fields?: readonly unknown[]]>([
    ...['field', 'property', 'attribute', 'param', 'path', 'name'].map(
      (key) =>
        [
          `a list of errors with ${key}`,
          { errors: [{ [key]: 'code', message: 'is taken' }] },
          'code: is taken',
        ] as const,
    ),
    [
      'express-validator',
      { errors: [{ type: 'field', msg: 'is taken', path: 'code', location: 'body' }] },
      'code: is taken',
    ],
    [
      'OData',
      { error: { code: 'x', message: 'Bad input', details: [{ code: 'y', target: 'code', message: 'is taken' }] } },
      'Bad input; code: is taken',
    ],
    ['Symfony', { violations: [{ propertyPath: 'code', message: 'is taken' }] }, 'code: is taken'],
    ['errors with a description', { errors: [{ field: 'code', description: 'is taken' }] }, 'code: is taken'],
    ['Spring', [{ codes: ['Unique.code'], defaultMessage: 'is taken', field: 'code' }], 'code: is taken'],
    ['Ajv', { errors: [{ instancePath: '/api_token/code', message: 'is taken' }] }, 'code: is taken'],
    [
      'JSON:API 1.1, error objects',
      {
        errors: [{ status: '422', source: { pointer: '/data/attributes/code' }, title: 'Invalid', detail: 'is taken' }],
      },
      'code: is taken',
    ],
    [
      'JSON:API 1.1, a parameter',
      { errors: [{ source: { parameter: 'code' }, detail: 'is taken' }] },
      'code: is taken',
    ],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'api_token', 'code'], msg: 'is taken', type: 'value_error' }] },
      'code: is taken',
    ],
    ['FastAPI, HTTPException', { detail: 'Nie można' }, 'Nie można', []],
    [
      'RFC 7807, problem+json',
      { type: 'about:blank', title: 'Invalid', 'invalid-params': [{ name: 'code', reason: 'is taken' }] },
      'Invalid; code: is taken',
    ],
    ['RFC 7807, a title alone', { type: 'about:blank', title: 'Nie można', status: 422 }, 'Nie można', []],
    [
      'RFC 9457, problem+json',
      { title: 'Invalid', detail: 'Nie można', errors: [{ pointer: '#/code', detail: 'is taken' }] },
      'Nie można; code: is taken',
    ],
    ['RFC 6749, OAuth', { error: 'invalid_request', error_description: 'Nie można' }, 'Nie można', []],
    ['RFC 6749, without a description', { error: 'invalid_request' }, 'invalid_request', []],
    [
      'Rails, errors.details',
      { code: [{ error: 'taken', value: 'a' }] },
      'code: taken',
      [{ field: 'code', messages: ['taken'] }],
    ],
    [
      'Rails, full_messages beside fields',
      { errors: { full_messages: ['Code is taken'], code: ['is taken'] } },
      'Code is taken',
    ],
    ['Rails, full_messages alone', { errors: { full_messages: ['Nie można'] } }, 'Nie można', []],
    ['full_messages at the top', { full_messages: ['Nie można'] }, 'Nie można', []],
    ['messages', { messages: ['Nie można'] }, 'Nie można', []],
    [
      'messages beside fields',
      { errors: { messages: ['Nie można'], code: ['is taken'] } },
      'Nie można; code: is taken',
    ],
    [
      'Laravel',
      { message: 'The data is invalid.', errors: { code: ['is taken'] } },
      'The data is invalid. code: is taken',
    ],
    ['an error by its class', { errors: [{ name: 'ValidationError', message: 'Nie można' }] }, 'Nie można', []],
    [
      'a field called as a text is',
      { errors: { title: 'is odd' } },
      'title: is odd',
      [{ field: 'title', messages: ['is odd'] }],
    ],
  ])('%s', async (_source, body, message, fields = ofCode) => {
    for (const type of ['application/json', 'application/problem+json']) {
      const { execute } = await gatewayMeeting(refusing(422, JSON.stringify(body), { 'content-type': type }));
      expect((await execute(RENAME)).data).toEqual({
        updateApiToken: { __typename: 'ValidationError', message, fields },
      });
    }
  });

  test('the message names all fields, the first three with what is wrong', async () => {
    const errors = {
      name: ['is bad', 'is short'],
      code: 'is taken',
      expires_at: ['is past'],
      kind: ['is odd'],
      active: ['no'],
    };
    const { execute } = await gatewayMeeting(refusing(422, JSON.stringify({ errors })));
    expect((await execute(RENAME)).data).toMatchObject({
      updateApiToken: {
        message: 'name: is bad, is short; code: is taken; expires at: is past; also kind, active',
        fields: Array.from({ length: 5 }, () => ({})),
      },
    });
  });

  test('in a query it is an error with the same fields', async () => {
    const { execute } = await gatewayMeeting(refusing(422, '{"errors":{"for_account":["is odd"]}}'));
    const { errors } = await execute('{ apiTokens(scope: ACCOUNT) { name } }');
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'forAccount', messages: ['is odd'] }] } },
    ]);
  });

  test.each([
    ['messages that are no texts', { errors: { code: [1, null, {}], name: 'x', kind: [] } }],
    ['a deep nest', { errors: { a: { b: { c: ['x'] } } } }],
    ['nothing of use', { errors: null, message: null, error: 5 }],
  ])('%s do no harm', async (_name, body) => {
    const { execute } = await gatewayMeeting(refusing(422, JSON.stringify(body)));
    const { data, errors } = await execute(RENAME);
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ updateApiToken: { __typename: 'ValidationError', fields: expect.any(Array) } });
  });

  test('20,000 fields are more than is read of a refusal: the status says enough', async () => {
    const errors = Object.fromEntries(Array.from({ length: 20_000 }, (_none, index) => [`f${index}`, ['x']]));
    const { execute } = await gatewayMeeting(refusing(422, JSON.stringify({ errors })));
    expect((await execute(RENAME)).data).toEqual({
      updateApiToken: { __typename: 'ValidationError', message: 'The account API refused the input.', fields: [] },
    });
  });
});

describe('a refusal under status 200', () => {
  const refused = '{ __typename ... on MutationError { message } }';
  test.each([
    ['updateApiToken(id: 1, input: { name: "x" })'],
    ['enableDashboards'],
    ['selectDashboard(context: MAIN, selection: { layout: BUILTIN })'],
    ['deleteDashboard(id: 1)'],
    ['deleteClient(id: 1)'],
  ])('is no success of %s', async (field) => {
    const { execute } = await gatewayMeeting(says('{"status":"error","message":"Nie można"}'));
    const { data, errors } = await execute(`mutation { done: ${field} ${refused} }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({ done: { __typename: 'ValidationError', message: 'Nie można' } });
  });

  test.each(['{"status":"error","message":"Nie można"}', '{"error":"Nie można"}', '{"errors":["Nie można"]}'])(
    'is an error of upstream where a list was read that takes no input: %s',
    async (body) => {
      const { execute } = await gatewayMeeting(says(body));
      const message = /^The account API: Expected a list, got a refusal: Nie można$/;
      expectFailure(await execute(TOKENS), { code: 'UPSTREAM_BAD_RESPONSE', message, endpoint: LIST, status: 200 });
    },
  );

  test.each(['{ result: apiToken(id: 1) { name } }', '{ result: apiTokens(scope: ACCOUNT) { name } }'])(
    'may be about the input of %s',
    async (query) => {
      const { execute } = await gatewayMeeting(says('{"status":"error","message":"Nie można"}'));
      const { errors } = await execute(query);
      expect(errors).toMatchObject([{ message: 'Nie można', extensions: { code: 'BAD_USER_INPUT' } }]);
    },
  );
});

describe('what a write meets', () => {
  test.each([
    [403, 'ForbiddenError'],
    [404, 'NotFoundError'],
    [410, 'NotFoundError'],
    [409, 'ConflictError'],
  ])('%d is a member of its result', async (status, __typename) => {
    const { execute } = await gatewayMeeting(refusing(status, '{"error":"nope"}'));
    const { data, errors } = await execute(RENAME);
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ updateApiToken: { __typename } });
  });

  const PATCH = 'PATCH /account/api_tokens/:id.json';
  test.each([
    ['500', refusing(500), 'UPSTREAM_UNAVAILABLE', /status 500/, 500],
    ['503', refusing(503, '<html>'), 'UPSTREAM_UNAVAILABLE', /status 503/, 503],
    ['a redirect', refusing(302, '', { location: '/login' }), 'UPSTREAM_BAD_RESPONSE', /redirect \(302\)/, 302],
    ['HTML', says('<html>'), 'UPSTREAM_BAD_RESPONSE', /HTML/, 200],
  ] as const)('after %s nobody knows whether it happened, and the error says so', async (...row) => {
    const [, answer, code, message, status] = row;
    const { execute, upstream } = await gatewayMeeting(answer);
    const result = await execute(RENAME);
    expectFailure(result, { code, message, endpoint: PATCH, status });
    expect(result.errors[0]?.message).toMatch(/change was made is not known/);
    expect(result.errors[0]?.extensions['outcome']).toBe('UNKNOWN');
    expect(upstream.received).toEqual(['PATCH /account/api_tokens/1.json']);
  });

  test('after 429 it is refused, with the time to wait', async () => {
    const { execute, upstream } = await gatewayMeeting(refusing(429, '', { 'retry-after': '30' }));
    const result = await execute(RENAME);
    expectFailure(result, { code: 'UPSTREAM_RATE_LIMITED', message: /slow down/, endpoint: PATCH, status: 429 });
    expect(result.errors[0]?.message).not.toMatch(/change was made is not known/);
    expect(result.errors[0]?.extensions).toMatchObject({ outcome: 'REFUSED', retryAfter: 30 });
    expect(upstream.received).toEqual(['PATCH /account/api_tokens/1.json']);
  });
});
