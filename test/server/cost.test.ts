import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, left, next, partsOf } from '../support/parts.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// MAX_COST: an operation that costs more is refused before any upstream call, on every way to the gateway. A caller sees the
// cost of its operation in `extensions.cost`, when it sends X-Trivium-Cost: 1.

const CLIENTS = says('[{"id":1,"name":"Ada"}]');
const QUERY = '{ clients(first: 10) { nodes { id name } } }'; // costs 11
const SIZED = 'query Q($n: Int) { clients(first: $n) { nodes { id name } } }';
const DATA = { clients: { nodes: [{ id: 'Client:1', name: 'Ada' }] } };

interface Sent {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly errors?: readonly { readonly message: string }[];
}

/** Sends an operation. @returns the body of the response */
type Send = (url: string, query: string, sent?: Sent) => Promise<Answer>;

const HEADERS = { 'content-type': 'application/json', 'x-crm-token': 'token', authorization: 'Bearer token' };

const post: Send = async (url, query, { headers, ...parameters } = {}) => {
  const body = JSON.stringify({ query, ...parameters });
  return (await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body })).json();
};

/** The ways of an operation to the gateway: the first is answered without Yoga's layer of fetch requests. */
const WAYS: Readonly<Record<string, Send>> = {
  'a POST': async (url, query, sent) => post(`${url}/graphql`, query, sent),
  'a POST that Yoga answers': async (url, query, sent) => post(`${url}/graphql?through=yoga`, query, sent),
  'a GET': async (url, query, { headers, variables, operationName } = {}) => {
    const given = { query, operationName, variables: variables && JSON.stringify(variables) };
    const parameters = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const all = { headers: { ...HEADERS, ...headers } };
    return (await fetch(`${url}/graphql?${new URLSearchParams(parameters)}`, all)).json();
  },
};

async function crm(settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(CLIENTS);
  const { url, logs } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings });
  return { url, logs, calls: upstream.received };
}

/** An error of an operation that costs more than the limit. */
const refused = (requested: number, limit: number) => ({
  message: expect.stringContaining(`The operation exceeds MAX_COST: ${requested}, and ${limit} is the limit.`),
  extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
});

describe.each(Object.entries(WAYS))('%s', (_way, send) => {
  test('is refused beyond MAX_COST, before any upstream call', async () => {
    const { url, calls } = await crm({ MAX_COST: 10 });
    for (const _time of ['first', 'second']) {
      const body = await send(url, QUERY);
      expect(body).toMatchObject({ errors: [refused(11, 10)] });
      expect(body).not.toHaveProperty('data');
    }
    expect(calls).toEqual([]);
  });

  test('is answered at MAX_COST', async () => {
    const { url } = await crm({ MAX_COST: 11 });
    expect(await send(url, QUERY)).toEqual({ data: DATA });
  });

  test('is refused for the variables of one request, and answered for those of the next', async () => {
    const { url, calls } = await crm({ MAX_COST: 11 });
    const answer = async (variables: Sent['variables']) => send(url, SIZED, variables && { variables });
    expect(await answer({ n: 10 })).toEqual({ data: DATA });
    expect(calls).toHaveLength(1);
    expect(await answer({ n: 11 })).toMatchObject({ errors: [refused(12, 11)] });
    expect(await answer({ n: null })).toMatchObject({ errors: [refused(21, 11)] });
    expect(await answer({})).toMatchObject({ errors: [refused(21, 11)] });
    expect(await answer(undefined)).toMatchObject({ errors: [refused(21, 11)] });
    expect(calls).toHaveLength(1);
    expect(await answer({ n: 1 })).toEqual({ data: DATA });
  });

  test('gets the error of GraphQL for a variable that does not fit', async () => {
    const { url, calls } = await crm({ MAX_COST: 100 });
    for (const n of ['1000', 1.5, true, [1000], { n: 1000 }]) {
      const message = expect.stringMatching(/^Variable "\$n" got an invalid value/);
      const { errors } = await send(url, SIZED, { variables: { n } });
      expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    }
    expect(calls).toEqual([]);
  });

  test('costs what the operation costs that is asked for', async () => {
    const { url } = await crm({ MAX_COST: 11 });
    const query = `query A ${QUERY} query B { clients(first: 1000) { nodes { id name } } }`;
    expect(await send(url, query, { operationName: 'A' })).toEqual({ data: DATA });
    expect(await send(url, query, { operationName: 'B' })).toMatchObject({
      errors: [refused(1001, 11)],
    });
  });
});

test('an answer in parts is refused, too', async () => {
  const { url, calls } = await crm({ MAX_COST: 10 });
  const query = '{ __typename ... @defer { clients(first: 10) { nodes { id name } } } }';
  const response = await ask(url, query, { headers: HEADERS });
  const parts = response.headers.get('content-type')?.startsWith('multipart/mixed') ? partsOf(response) : undefined;
  expect(parts ? await next(parts) : await response.json()).toMatchObject({ errors: [refused(11, 10)] });
  expect(calls).toEqual([]);
});

test('a mutation that costs too much is REFUSED, and nothing is written', async () => {
  const { url, calls } = await crm({ MAX_COST: 49 });
  const query = 'mutation M($ids: [ID!]!) { deleteClients(ids: $ids) { __typename } }';
  const answer = async (ids: readonly string[]) => post(`${url}/graphql`, query, { variables: { ids } });
  expect(await answer(['1', '2', '3', '4', '5'])).toMatchObject({
    errors: [{ ...refused(50, 49), extensions: { code: 'QUERY_LIMIT_EXCEEDED', outcome: 'REFUSED' } }],
  });
  expect(calls).toEqual([]);
  await answer(['1']);
  expect(calls).toHaveLength(1);
});

test('by default ten lists of 100 in each other are refused', async () => {
  const { url, calls } = await crm({ MAX_DEPTH: 30 });
  const nested = Array.from({ length: 10 }).reduce<string>(
    (inner) => `comments(first: 100) { nodes { ${inner} } }`,
    'id',
  );
  expect(await post(`${url}/graphql`, `{ post(id: 1) { ${nested} } }`)).toMatchObject({
    errors: [refused(Number.MAX_SAFE_INTEGER, 200_000)],
  });
  expect(calls).toEqual([]);
});

test('the log has the refusal', async () => {
  const { url, logs } = await crm({ MAX_COST: 10 });
  await post(`${url}/graphql`, `query Page ${QUERY}`);
  expect(logs.map((line) => JSON.parse(line))).toMatchObject([
    { operation: 'Page', upstreamCalls: 0, errors: { QUERY_LIMIT_EXCEEDED: 1 } },
  ]);
});

const ASKING = { headers: { 'x-trivium-cost': '1' } };

describe.each(Object.entries(WAYS))('%s with X-Trivium-Cost: 1', (_way, send) => {
  const costs = (requested: number, limit = 200_000) => ({ cost: { requested, limit } });

  test('shows the cost of an operation, whatever becomes of it', async () => {
    const { url } = await crm();
    const ask = async (query: string, sent: Sent = {}) => send(url, query, { ...ASKING, ...sent });
    expect(await ask(SIZED, { variables: { n: 4 } })).toEqual({ data: DATA, extensions: costs(5) });
    expect(await ask('{ __typename node(id: "x") { id } }'), 'with errors').toMatchObject({
      data: { __typename: 'Query', node: null },
      errors: [{ path: ['node'] }],
      extensions: costs(1),
    });
    expect(await ask(SIZED, { variables: { n: 'x' } }), 'whose variables do not fit').toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      extensions: costs(21),
    });
    const headers = { ...ASKING.headers, 'x-trivium-not-sent': '1' };
    const beside = { data: DATA, extensions: { notSent: [], ...costs(11) } };
    expect(await ask(QUERY, { headers }), 'beside what upstream did not send').toEqual(beside);
    expect(await ask('{ nothing }'), 'of a document that is not valid').not.toHaveProperty('extensions');
  });

  test('shows that of one that is refused', async () => {
    const { url } = await crm({ MAX_COST: 10 });
    expect(await send(url, QUERY, ASKING)).toMatchObject({ errors: [refused(11, 10)], extensions: costs(11, 10) });
  });

  test('shows none for another value of the header', async () => {
    const { url } = await crm();
    for (const value of ['0', '', 'true', '11', '1, 1']) {
      expect(await send(url, QUERY, { headers: { 'x-trivium-cost': value } }), value).toEqual({ data: DATA });
    }
  });
});

test('of an answer in parts the first one shows the cost', async () => {
  const { url } = await crm();
  const query = '{ __typename ... @defer { clients(first: 10) { nodes { id name } } } }';
  const parts = partsOf(await ask(url, query, { headers: { ...HEADERS, ...ASKING.headers } }));
  const all = await left(parts);
  expect(all).toMatchObject([{ data: { __typename: 'Query' }, extensions: { cost: { requested: 11 } } }, {}]);
  expect(all.filter((part) => 'extensions' in part)).toHaveLength(1);
  expect(JSON.stringify(all.slice(1))).not.toContain('"cost"');
});
