import { describe, expect, test } from 'vitest';
import { crmGateway, crmOver, fieldsOf, REFUSAL, refused } from './support.ts';

const create = `mutation ($input: CreateAccountInput!) {
  createAccount(input: $input) { ${REFUSAL} ... on CreatedAccount { prefix login email url apiToken } }
}`;
const PASSWORD = 'correct horse battery';
const user = { login: 'Ada', email: 'ada@example.com', password: PASSWORD };

/** Creates an account over an upstream with this response. */
async function created(response: unknown, prefix = 'x') {
  const { execute, calls, logs } = await crmOver({ 'POST /app/account.json': response });
  const { data, errors } = await execute(create, { variables: { input: { prefix, user } } });
  return { data, errors, calls, logs };
}

describe('createAccount', () => {
  test('sends an account and its user, and returns the account as upstream created it', async () => {
    const { ask, sandbox, bodies } = await crmGateway();

    const input = { prefix: 'New Shop', initialModule: 'crm', fromPartner: 'friend', user };
    expect(await ask(create, { variables: { input } })).toEqual({
      createAccount: {
        __typename: 'CreatedAccount',
        ...{ prefix: 'newshop', login: 'ada', email: 'ada@example.com', url: 'https://newshop.crm.example' },
        apiToken: expect.stringMatching(/.{20}/),
      },
    });
    expect(sandbox.calls()).toEqual(['POST /app/account.json']);
    const account = { prefix: 'New Shop', initial_module: 'crm', from_partner: 'friend' };
    expect(bodies()).toEqual([{ api_token: '…', account, user: { ...user, password: '…' } }]);
  });

  test('a field that is left out or null is not sent', async () => {
    const { execute, sent } = await crmOver({ 'POST /app/account.json': {} });

    await execute(create, { variables: { input: { prefix: 'x', user } } });
    await execute(create, { variables: { input: { prefix: 'x', initialModule: null, fromPartner: null, user } } });

    expect(sent.map((body) => JSON.parse(body))).toEqual([
      { api_token: 'secret', account: { prefix: 'x' }, user },
      { api_token: 'secret', account: { prefix: 'x' }, user },
    ]);
  });

  test.each([
    ['errors', { id: 5, prefix: 'x', login: 'L', api_token: 'raw', errors: { prefix: ['was changed'] } }],
    ['errors, without an id', { prefix: 'x', login: 'L', api_token: 'raw', errors: ['x'] }],
    ['a status, in its keys', { status: 'invalid', account: { prefix: 'x' }, user: { login: 'L', api_token: 'raw' } }],
  ])('hands the token out beside %s', async (_name, response) => {
    const { data } = await created(response);
    expect(data).toMatchObject({ createAccount: { prefix: 'x', login: 'L', apiToken: 'raw' } });
  });

  test.each([
    [{ account: { prefix: null }, prefix: 'x', login: 'L' }],
    [{ account: { prefix: 'x' }, user: { login: '' }, login: 'L' }],
  ])('takes a value from where there is one: %j', async (response) => {
    const { data } = await created(response, 'y');
    expect(data).toMatchObject({ createAccount: { prefix: 'x', login: 'L' } });
  });

  test.each([
    ['the request', { api_token: 'secret', account: { prefix: 'x' }, user: { login: user.login } }],
    ['the token of a partner', { prefix: 'x', login: user.login, partner: { api_token: 'another' } }],
  ])('hands no other token out: an answer with %s has none', async (_name, response) => {
    expect(await created(response)).toMatchObject({
      data: { createAccount: { prefix: 'x', login: user.login, apiToken: null } },
      errors: [],
    });
  });

  test.each([
    [{ errors: { prefix: ['is taken'] } }],
    [{ id: null, api_token: 'raw', prefix: 'x', errors: ['x'] }],
    [{ api_token: 'secret', account: { prefix: 'x' }, errors: ['x'] }],
    [{ user: { errors: { login: ['is taken'] } } }],
  ])('is refused by %j', async (response) => {
    const { data } = await created(response);
    expect(data).toMatchObject({ createAccount: { __typename: 'ValidationError' } });
  });

  test('marks the response `no-store`, whichever fields are selected', async () => {
    const { execute } = await crmGateway();
    const { headers } = await execute(
      'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename } }',
      { variables: { input: { prefix: 'x', user } } },
    );
    expect(headers.get('cache-control')).toMatch(/no-store/);
  });

  test.each([
    { account: { prefix: 'shop', url: 'https://shop.example' }, user: { login: 'ada' }, api_token: 'raw/shop' },
    { account: { prefix: 'shop', url: 'https://shop.example', api_token: 'raw/shop' }, user: { id: 3, login: 'ada' } },
    { prefix: 'shop', url: 'https://shop.example', user: { login: 'ada', api_token: 'raw/shop' } },
    { data: { x: { api_token: 'raw/shop' } }, prefix: 'shop', login: 'ada', url: 'https://shop.example' },
  ])('reads its values where they stand: %j', async (response) => {
    const told = { prefix: 'shop', login: 'ada', url: 'https://shop.example', apiToken: 'raw/shop' };
    expect(await created(response)).toMatchObject({
      data: { createAccount: { __typename: 'CreatedAccount', ...told, email: user.email } },
      errors: [],
    });
  });

  test('a url that upstream does not send is null without an error: no document names it', async () => {
    const { data, errors } = await created({ account: { prefix: 'shop' }, user: { login: 'ada' } });
    expect(data).toMatchObject({ createAccount: { prefix: 'shop', login: 'ada', url: null, apiToken: null } });
    expect(errors).toEqual([]);
  });

  test.each([
    [{ login: ['x'], initial_module: ['x'], from_partner: ['x'] }, ['user.login', 'initialModule', 'fromPartner']],
    [{ 'user.login': ['x'], 'user.password': ['x'], email: ['x'] }, ['user.login', 'user.password', 'user.email']],
    [{ 'account.prefix': ['x'], 'account.initial_module': ['x'] }, ['prefix', 'initialModule']],
    [
      { account: { prefix: ['x'], from_partner: ['x'] }, user: { login: ['x'] } },
      ['prefix', 'fromPartner', 'user.login'],
    ],
    [{ account: ['x'], user: ['x'] }, ['account', 'user']],
  ])('a refusal of %j names %j, below the key `errors` or at the top', async (errors, paths) => {
    for (const body of [{ errors }, errors]) {
      const { data } = await created(refused(422, body));
      expect(fieldsOf(data), JSON.stringify(body)).toEqual(paths);
    }
  });

  test('the password is in no answer, no error and no log', async () => {
    const replies = [
      { login: 'ada', password: PASSWORD },
      refused(422, { errors: { password: [`${PASSWORD} is too short`] } }),
      refused(403, { error: `no ${PASSWORD}` }),
      refused(500, { error: PASSWORD }),
      refused(418, { error: PASSWORD }),
    ];
    for (const reply of replies) {
      const { data, errors, logs } = await created(reply);
      expect(JSON.stringify([data, errors, logs])).not.toContain(PASSWORD);
    }
  });

  test('a password that is no text is refused without being shown', async () => {
    const { execute, sandbox } = await crmGateway();
    const result = await execute(`mutation {
      createAccount(input: { prefix: "x", user: { login: "x", email: "x", password: [${JSON.stringify(PASSWORD)}] } }) {
        __typename
      }
    }`);
    expect(result.errors).toMatchObject([{ message: 'Expected a text.' }]);
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
    expect(sandbox.calls()).toEqual([]);
  });
});
