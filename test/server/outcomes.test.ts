import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask } from '../support/parts.ts';
import { saysJson } from '../support/stub-crm.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { sendRaw } from './wire.ts';

// `extensions.outcome` of every error of a mutation, over HTTP.

const outcomes = (errors: readonly { extensions: Readonly<Record<string, unknown>> }[]) =>
  errors.map(({ extensions }) => extensions['outcome']);

describe('an error before a mutation is executed is REFUSED', () => {
  test.each([
    ['a syntax error', 'mutation { deleteDashboard(id: 1 { __typename } }', {}],
    ['an unknown field', 'mutation { paint { __typename } }', {}],
    ['a variable of another type', 'mutation ($id: ID!) { deleteDashboard(id: $id) { __typename } }', { id: {} }],
    ['a variable that is missing', 'mutation ($id: ID!) { deleteDashboard(id: $id) { __typename } }', {}],
  ])('%s', async (_name, query, variables) => {
    const { execute, received } = await gatewayOverAnswers({});
    const { errors } = await execute(query, { variables });
    expect(errors).not.toEqual([]);
    expect(new Set(outcomes(errors))).toEqual(new Set(['REFUSED']));
    expect(received).toEqual([]);
  });

  test('a mutation by GET', async () => {
    const { url, received } = await gatewayOverAnswers({});
    const query = encodeURIComponent('mutation { deleteDashboard(id: 1) { __typename } }');
    const response = await fetch(`${url}/graphql?query=${query}`, { headers: { accept: 'application/json' } });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { outcome: 'REFUSED' } }] });
    expect(received).toEqual([]);
  });

  test('without a credential', async () => {
    const { execute, received } = await gatewayOverAnswers({});
    const { errors } = await execute('mutation { deleteDashboard(id: 1) { __typename } }', { token: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', outcome: 'REFUSED' } }]);
    expect(received).toEqual([]);
  });
});

describe('a request that is refused before its document is read is REFUSED, whatever is in it', () => {
  const json = { 'content-type': 'application/json' };
  const post = (headers: object, body = '{"query":"{ __typename }"}') => ({
    method: 'POST',
    headers: { ...json, ...headers },
    body,
  });

  test.each([
    [400, 'a key that is none', '/graphql', post({ 'idempotency-key': 'a b' })],
    [400, 'a time that is none', '/graphql', post({ 'x-trivium-timeout-ms': 'abc' })],
    [400, 'a body that is not JSON', '/graphql', post({}, '{ __typename }')],
    [400, 'a GET with variables that are not JSON', '/graphql?query={__typename}&variables={', {}],
    [400, 'a query that is not a text', '/graphql', post({ accept: 'application/json' }, '{"query":5}')],
    [404, 'another path', '/graph', post({})],
    [405, 'another method', '/graphql', { method: 'PUT', headers: json, body: '{}' }],
    [405, 'a POST to a page', '/schema.graphql', post({})],
    [406, 'an Accept header that no response fits', '/graphql', post({ accept: 'text/html' })],
    [413, 'a body that is too large', '/graphql', post({}, JSON.stringify({ query: '#'.repeat(2_000) }))],
    [413, 'a GET with too many values', `/graphql?variables=[${'0,'.repeat(200)}0]`, {}],
    [415, 'a body of another type', '/graphql', post({ 'content-type': 'text/plain' })],
    [415, 'a compressed body', '/graphql', post({ 'content-encoding': 'gzip' })],
    [422, 'no document', '/graphql', post({ accept: 'application/graphql-response+json' }, '{}')],
    [431, 'headers that are too large', '/graphql', post({ 'x-large': 'x'.repeat(20_000) })],
  ])('%i: %s', async (status, _name, path, sent) => {
    const { url, received } = await gatewayOverAnswers({}, { MAX_REQUEST_BYTES: 1_000, MAX_REQUEST_VALUES: 100 });
    const response = await fetch(url + path, sent);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { outcome: 'REFUSED' } }] });
    expect(received).toEqual([]);
  });

  const HEAD = ['POST /graphql HTTP/1.1', 'Host: gateway', 'Content-Type: application/json'];

  test.each([
    ['a line that is not HTTP', ['nonsense']],
    ['a chunk that is not one', [...HEAD, 'Transfer-Encoding: chunked', '', 'nonsense']],
  ])('400: %s', async (_name, lines) => {
    const { url } = await gatewayOverAnswers({});
    const answer = await sendRaw(url, lines);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/"outcome":"REFUSED"\}\}\]\}$/);
  });

  test('408: a body that does not arrive', async () => {
    const { url } = await gatewayOverAnswers({}, { RECEIVE_TIMEOUT_MS: 100 });
    const answer = await sendRaw(url, [...HEAD, 'Content-Length: 100']);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"outcome":"REFUSED"/);
  });

  test('what follows a write that is under way is refused without a word: it would be the answer to the write', async () => {
    const held = await stubUpstream(() => {});
    const { url } = await gatewayOver(held.url, { RECEIVE_TIMEOUT_MS: 200 }, 'token');
    const body = JSON.stringify({ query: 'mutation { deleteDashboard(id: 1) { __typename } }' });
    const write = [...HEAD, 'Authorization: Bearer token', `Content-Length: ${body.length}`, '', body];
    for (const next of ['nonsense', `${HEAD.join('\r\n')}\r\nContent-Length: 100`]) {
      expect(await sendRaw(url, [`${write.join('\r\n')}${next}`])).toBe('');
    }
  });
});

test('each field of a mutation has the outcome of its own write', async () => {
  const upstream = await stubUpstream((request, response) => {
    const status = request.url?.includes('/dashboards/1') ? 503 : 401;
    says('{}', { status })(request, response);
  });
  const { execute } = await gatewayOver(upstream.url, {}, 'token');
  const { errors } = await execute(
    'mutation { a: deleteDashboard(id: 1) { __typename } b: deleteDashboard(id: 2) { __typename } }',
  );
  expect(errors).toMatchObject([
    { path: ['a'], extensions: { outcome: 'UNKNOWN' } },
    { path: ['b'], extensions: { outcome: 'REFUSED' } },
  ]);
});

/** An upstream that changes records, and cannot read them. @returns its address */
async function unreadable(): Promise<string> {
  const { url } = await stubUpstream((request, response) => {
    (request.method === 'PATCH' ? saysJson({ id: 7 }) : saysJson({}, 503))(request, response);
  });
  return url;
}

test('a failed read inside a payload is APPLIED', async () => {
  const { execute } = await gatewayOver(await unreadable(), {}, 'token');
  const { data, errors } = await execute(
    'mutation { updateDashboard(id: 7, input: { name: "x" }) { ... on Dashboard { id name editable } } }',
  );
  expect(data).toEqual({ updateDashboard: { id: 'Dashboard:7', name: 'x', editable: null } });
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/^The change was made, but the record cannot be read\. /),
      path: ['updateDashboard', 'editable'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'APPLIED' },
    },
  ]);
});

describe('the error that counts the errors beyond the first 100', () => {
  const LIMIT = 100;
  const mutation = (fields: number) =>
    `mutation { ${Array.from({ length: fields }, (_none, at) => `d${at}: deleteDashboard(id: ${at}) { __typename }`).join(' ')} }`;

  test.each([
    ['UNKNOWN', 302], // after ten times 503 the endpoint would not be called any more
    ['REFUSED', 401],
  ])('is %s as the omitted ones are', async (outcome, status) => {
    const upstream = await stubUpstream(saysJson({}, status));
    const { execute } = await gatewayOver(upstream.url, { MAX_ALIASES: LIMIT + 2 }, 'token');
    const { errors } = await execute(mutation(LIMIT + 2));
    expect(errors).toHaveLength(LIMIT + 1);
    expect(errors.at(-1)).toMatchObject({ message: '2 more errors are not listed.', extensions: { outcome } });
  });

  test('is UNKNOWN when one of the omitted ones is', async () => {
    const upstream = await stubUpstream((request, response) => {
      saysJson({}, request.url?.includes(`/dashboards/${LIMIT + 1}.json`) ? 503 : 401)(request, response);
    });
    const { execute } = await gatewayOver(upstream.url, { MAX_ALIASES: LIMIT + 3 }, 'token');
    const { errors } = await execute(mutation(LIMIT + 3));
    expect(errors.at(-1)).toMatchObject({
      message: '3 more errors are not listed.',
      extensions: { outcome: 'UNKNOWN' },
    });
  });

  test('has no outcome in a query', async () => {
    const { execute } = await gatewayOverAnswers({
      'GET /account/api_tokens.json': Array.from({ length: LIMIT + 1 }, (_none, at) => ({ id: at + 1, name: {} })),
    });
    const { errors } = await execute('{ apiTokens { name } }');
    expect(errors).toHaveLength(LIMIT + 1);
    expect(errors.at(-1)?.extensions).not.toHaveProperty('outcome');
  });
});

test.each([
  ['a gateway', 'false'],
  ['a subgraph', 'true'],
] as const)('%s tells the outcome in the parts of @defer, too', async (_name, SUBGRAPH) => {
  const { url } = await gatewayOver(await unreadable(), { SUBGRAPH }, 'token');
  const fields = 'id ... @defer { editable shared }';
  const query = `mutation { updateDashboard(id: 7, input: { name: "x" }) { ... on Dashboard { ${fields} } } }`;
  const parts = await (await ask(url, query)).text();
  expect(parts.match(/"code":"UPSTREAM_UNAVAILABLE"/g)).toHaveLength(2);
  expect(parts.match(/"outcome":"APPLIED"/g)).toHaveLength(2);
});

test.each(['{ apiTokens { id } }', '{ apiTokens { id }', '{ paint }'])('a query has no outcome: %s', async (query) => {
  const { execute } = await gatewayOverAnswers({});
  const { errors } = await execute(query);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions).not.toHaveProperty('outcome');
});

describe('X-Trivium-Not-Sent', () => {
  const LIST = 'GET /account/api_tokens.json';
  const ONE = 'GET /account/api_tokens/1.json';
  const answers = { [LIST]: [{ id: 1, name: 'a' }], [ONE]: { id: 1, name: 'a' } };
  const answerTo = async (query: string, headers: Record<string, string>) => {
    const { url } = await gatewayOverAnswers(answers);
    return (await ask(url, query, { headers: { accept: 'application/json', ...headers } })).text();
  };
  const data = { apiTokens: [{ name: 'a', code: null }] };
  const asking = { 'x-trivium-not-sent': '1' };

  test.each([
    ['lists the paths of values that upstream did not send', 'name code', asking, [['apiTokens', 0, 'code']]],
    ['lists none where every value was sent', 'name', asking, []],
    ['is asked for', 'name code', {}, undefined],
    ['is asked for by the value 1 only', 'name code', { 'x-trivium-not-sent': '0' }, undefined],
  ])('%s', async (_name, fields, headers, notSent) => {
    const answer = JSON.parse(await answerTo(`{ apiTokens { ${fields} } }`, headers));
    expect(answer).toMatchObject({ data: fields === 'name' ? { apiTokens: [{ name: 'a' }] } : data });
    expect(answer.extensions).toEqual(notSent && { notSent });
  });

  test('is told in the part in which the null comes, under @defer', async () => {
    const headers = { ...asking, accept: 'multipart/mixed' };
    const parts = await answerTo('{ apiTokens { name ... @defer { code } } }', headers);
    expect(parts).toContain('"notSent":[["apiTokens",0,"code"]]');
  });
});
