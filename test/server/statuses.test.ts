import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { gateway } from '../support/gateway.ts';

// The statuses of GraphQL over HTTP, of September 2026 for `application/graphql-response+json`, and as they ever were for
// `application/json`. Each request goes both ways: with a length, and in chunks by Yoga.

const GRAPHQL = 'application/graphql-response+json';

async function asker(settings: Parameters<typeof gateway>[0] = {}) {
  const { url, admin } = await gateway(settings);
  return async (accept: string, body: string, isInChunks: boolean) => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', accept };
    const sent = isInChunks ? { body: new Blob([body]).stream(), duplex: 'half' as const } : { body };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, ...sent });
    expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    return { status: response.status, isOk: response.ok, answer: await response.json() };
  };
}

const requests: readonly (readonly [name: string, body: object | string, graphql: number, json: number])[] = [
  ['data alone', { query: '{ __typename }' }, 200, 200],
  ['data beside an error', { query: '{ node(id: "x") { id } __typename }' }, 294, 200],
  ['a mutation that is refused as data', { query: 'mutation { createApiToken(input: {}) { __typename } }' }, 200, 200],
  ['a body that is no JSON', '{ apiTokens { name } }', 400, 400],
  ['a document that is no GraphQL', { query: '{ apiTokens {' }, 400, 200],
  ['a body that is JSON and no request', '[]', 422, 400],
  ['no document', { qeury: '{ __typename }' }, 422, 400],
  ['variables that are a list', { query: '{ __typename }', variables: [7] }, 422, 400],
  ['a field that is not there', { query: '{ nothing }' }, 422, 200],
  ['variables that do not fit', { query: 'query Q($id: ID!) { apiToken(id: $id) { name } }' }, 422, 400],
  ['an operation that is not there', { query: 'query A { __typename }', operationName: 'B' }, 422, 400],
  ['one of several operations, without a name', { query: 'query A { __typename } query B { __typename }' }, 422, 400],
  ['an id of a document, where none are known', { documentId: 'x' }, 422, 200],
  ['a subscription', { query: 'subscription { x }' }, 422, 200],
  ['a document of too many tokens', { query: `{ ${'__typename '.repeat(3_000)} }` }, 422, 200],
  [
    'a document that is too deep',
    { query: '{ node(id: "x") { id ... on Client { deals { nodes { id } } } } }' },
    422,
    200,
  ],
  ['an operation that costs too much', { query: '{ clients(first: 900) { nodes { id } } }' }, 422, 200],
];

describe.each([
  ['with a length', false],
  ['in chunks', true],
])('a request %s', (_way, isInChunks) => {
  test('has the statuses of the text', async () => {
    const ask = await asker({ MAX_COST: 500, MAX_DEPTH: 3 });
    for (const [name, body, graphql, json] of requests) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const [asGraphql, asJson] = [
        await ask(GRAPHQL, text, isInChunks),
        await ask('application/json', text, isInChunks),
      ];
      expect.soft([asGraphql.status, asJson.status], name).toEqual([graphql, json]);
      expect.soft(asGraphql.answer, name).toEqual(asJson.answer);
      expect.soft(asGraphql.isOk, name).toBe('data' in asGraphql.answer);
    }
  });

  test('whose data are null as a whole was executed: a partial success, as the text has it', async () => {
    const ask = await asker({ MAX_RESPONSE_BYTES: 10 });
    const body = JSON.stringify({ query: '{ apiTokens { name } }' });
    expect(await ask(GRAPHQL, body, isInChunks)).toMatchObject({ status: 294, answer: { data: null } });
    expect(await ask('application/json', body, isInChunks)).toMatchObject({ status: 200, answer: { data: null } });
  });
});

test('a defect before the operation is executed is a 500 by Yoga, too', async () => {
  const ask = await asker();
  const defect = vi.spyOn(OperationCosts.prototype, 'of').mockImplementation(() => {
    throw new TypeError('odd');
  });
  onTestFinished(() => defect.mockRestore());
  const body = JSON.stringify({ query: '{ __typename }' });
  const answer = { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] };
  expect(await ask(GRAPHQL, body, true)).toMatchObject({ status: 500, answer });
  expect(await ask('application/json', body, true)).toMatchObject({ status: 200, answer });
});

test.each([
  ['GraphQL itself', '{ apiTokens { name } }', 'application/json'],
  ['GraphQL itself, with its own type', '{ apiTokens { name } }', 'application/graphql'],
  ['nothing', '', 'application/json'],
])('who sends %s is shown a right body', async (_name, body, type) => {
  const { url } = await gateway();
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': type }, body });
  const { errors } = await response.json();
  const [, example = ''] = /such as (\{.*?\}"\})/.exec(errors[0].message) ?? [];
  const again = { method: 'POST', headers: { 'content-type': 'application/json' }, body: example };
  expect(await (await fetch(`${url}/graphql`, again)).json()).toEqual({ data: { __typename: 'Query' } });
});

test('a subscription is told to poll', async () => {
  const { execute } = await gateway();
  const { errors } = await execute('subscription { clientChanged { id } }');
  expect(errors).toMatchObject([
    { message: expect.stringMatching(/Poll instead/), locations: [{ line: 1, column: 1 }] },
  ]);
});
