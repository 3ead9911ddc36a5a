import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// "The raw token value is returned only in the response to POST. It cannot be read later": it is handed out wherever it stands.

const RAW = 'canary-raw-token-value';
const create = `mutation {
  createApiToken(input: { name: "N" }) {
    ... on CreatedApiToken { token apiToken { id name } }
    ... on MutationError { message }
  }
}`;

async function created(text: string, contentType = 'application/json', status = 201) {
  const upstream = await stubUpstream(says(text, { status, headers: { 'content-type': contentType } }));
  const { execute, logs } = await gatewayOver(upstream.url, {}, 'token');
  const result = await execute(create);
  expect(JSON.stringify([result.errors, logs])).not.toContain(RAW);
  return { ...result, calls: upstream.received };
}

describe('the raw value of a new token is handed out', () => {
  test.each([
    ['bare', { id: 7, name: 'N', token: RAW }],
    ['inside its key', { api_token: { id: 7, name: 'N', token: RAW } }],
    ['beside its record', { token: RAW, api_token: { id: 7, name: 'N' } }],
    ['beside errors, though it does not show what was sent', { id: 7, name: 'N', token: RAW, errors: ['x'] }],
    ['beside the token of its owner', { id: 7, name: 'N', owner: { token: 'another' }, token: RAW }],
    ['beside errors that are its own', { id: 7, name: 'n', token: RAW, errors: { name: ['was changed'] } }],
  ])('with its record: %s', async (_name, body) => {
    for (const type of ['application/json', 'text/html; charset=utf-8', 'text/plain']) {
      const { data, errors } = await created(JSON.stringify(body), type);
      expect(errors).toEqual([]);
      expect(data).toMatchObject({ createApiToken: { token: RAW, apiToken: { id: 'ApiToken:7' } } });
    }
  });

  test.each([
    ['without an id', { token: RAW, name: 'N' }],
    ['inside its key without an id', { api_token: { token: RAW } }],
    ['with a null id', { id: null, token: RAW }],
    ['without an id, beside errors and what was sent', { token: RAW, name: 'N', errors: { name: ['is short'] } }],
    ['without an id, beside a status and what was sent', { token: RAW, name: 'N', status: 'invalid' }],
    ['inside another key', { data: { attributes: { id: 7, token: RAW } } }],
  ])('where no record is told: %s', async (_name, body) => {
    for (const type of ['application/json', 'text/html']) {
      const { data, errors, calls } = await created(JSON.stringify(body), type);
      expect(data).toEqual({ createApiToken: { token: RAW, apiToken: null } });
      expect(errors).toMatchObject([
        { path: ['createApiToken', 'apiToken', 'id'], extensions: { outcome: 'APPLIED' } },
      ]);
      expect(calls).toEqual(['POST /account/api_tokens.json']);
    }
  });
});

describe('the raw value of a new token is handed out of JSON that is broken', () => {
  test.each([
    ['by what follows', `{"id":7,"token":"${RAW}"}\n;`],
    ['by its end', `{"id":7,"token" : "${RAW}","name":"N`],
    ['by what is before', `callback({"id":7,"token":"${RAW}"})`],
  ])('%s', async (_name, text) => {
    const { data, errors } = await created(text);
    expect(data).toEqual({ createApiToken: { token: RAW, apiToken: null } });
    expect(errors).toMatchObject([{ path: ['createApiToken', 'apiToken', 'id'], extensions: { outcome: 'APPLIED' } }]);
  });
});

describe('no other token is handed out', () => {
  test.each([
    ['the one of its owner', { id: 7, name: 'N', owner: { token: RAW } }],
    ['the one of another record', { id: 7, name: 'N', sibling: { id: 8, token: RAW } }],
    ["the caller's own", { id: 7, name: 'N', token: 'token' }],
  ])('%s', async (_name, body) => {
    const { data, errors } = await created(JSON.stringify(body));
    expect(data).toMatchObject({ createApiToken: { token: null, apiToken: { id: 'ApiToken:7' } } });
    expect(errors).toMatchObject([{ path: ['createApiToken', 'token'], extensions: { outcome: 'APPLIED' } }]);
  });

  test.each([
    ['two different ones of broken JSON', `{"token":"${RAW}-1"}{"token":"${RAW}-2"}`],
    ["the caller's own of broken JSON", '{"token":"token"};'],
  ])('%s', async (_name, text) => {
    const { data } = await created(text);
    expect(data).toMatchObject({ createApiToken: { token: null } });
  });
});

test.each([
  ['that shows nothing of what was sent', `{"error":"no","token":"${RAW}"}`],
  ['of a record that was not saved', `{"id":null,"error":"no","token":"${RAW}","name":"N"}`],
  ["that repeats the caller's own token", '{"error":"no","token":"token","name":"N"}'],
])('a refusal %s is one, and hands no token out', async (_name, text) => {
  const { data } = await created(text);
  expect(data).toEqual({ createApiToken: { message: 'no' } });
});

test('a value that is lost is an error that does not advise to delete a token', async () => {
  const { errors } = await created('{"id":7,"name":"N"}');
  expect(errors.map(({ message }) => message)).toEqual([
    'The change was made, but the raw value of the token is lost, and cannot be read again.',
  ]);
});
