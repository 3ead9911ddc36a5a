import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, next, type Part, partsOf } from '../support/parts.ts';
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

type Send = (url: string, query: string, sent?: Sent) => Promise<Response>;

const HEADERS = { 'content-type': 'application/json', 'x-crm-token': 'token', authorization: 'Bearer token' };

/** The ways of an operation to the gateway: the first is answered without Yoga's layer of fetch requests. */
const WAYS: Readonly<Record<string, Send>> = {
  'a POST': async (url, query, { headers, ...parameters } = {}) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ query, ...parameters }),
    }),
  'a POST that Yoga answers': async (url, query, { headers, ...parameters } = {}) =>
    fetch(`${url}/graphql?through=yoga`, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ query, ...parameters }),
    }),
  'a GET': async (url, query, { headers, variables, operationName } = {}) => {
    const given = { query, operationName, variables: variables && JSON.stringify(variables) };
    const parameters = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(`${url}/graphql?${new URLSearchParams(parameters)}`, { headers: { ...HEADERS, ...headers } });
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
      const body = await (await send(url, QUERY)).json();
      expect(body).toMatchObject({ errors: [refused(11, 10)] });
      expect(body).not.toHaveProperty('data');
    }
    expect(calls).toEqual([]);
  });

  test('is answered at MAX_COST', async () => {
    const { url } = await crm({ MAX_COST: 11 });
    expect(await (await send(url, QUERY)).json()).toEqual({ data: DATA });
  });

  test('is refused for the variables of one request, and answered for those of the next', async () => {
    const { url, calls } = await crm({ MAX_COST: 11 });
    const answer = async (variables: Sent['variables']) => (await send(url, SIZED, variables && { variables })).json();
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
      const { errors } = await (await send(url, SIZED, { variables: { n } })).json();
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
      expect(errors[0].message).toMatch(/^Variable "\$n" got an invalid value/);
    }
    expect(calls).toEqual([]);
  });

  test('costs what the operation costs that is asked for', async () => {
    const { url } = await crm({ MAX_COST: 11 });
    const query = `query A ${QUERY} query B { clients(first: 1000) { nodes { id name } } }`;
    expect(await (await send(url, query, { operationName: 'A' })).json()).toEqual({ data: DATA });
    expect(await (await send(url, query, { operationName: 'B' })).json()).toMatchObject({
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
  const answer = async (ids: readonly string[]) => {
    const body = JSON.stringify({ query, variables: { ids } });
    return (await fetch(`${url}/graphql`, { method: 'POST', headers: HEADERS, body })).json();
  };
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
  const body = JSON.stringify({ query: `{ post(id: 1) { ${nested} } }` });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers: HEADERS, body });
  expect(await response.json()).toMatchObject({ errors: [refused(Number.MAX_SAFE_INTEGER, 200_000)] });
  expect(calls).toEqual([]);
});

test('the log has the refusal', async () => {
  const { url, logs } = await crm({ MAX_COST: 10 });
  const body = JSON.stringify({ query: `query Page ${QUERY}` });
  await fetch(`${url}/graphql`, { method: 'POST', headers: HEADERS, body });
  expect(logs.map((line) => JSON.parse(line))).toMatchObject([
    { operation: 'Page', upstreamCalls: 0, errors: { QUERY_LIMIT_EXCEEDED: 1 } },
  ]);
});

const ASKING = { headers: { 'x-trivium-cost': '1' } };

describe.each(Object.entries(WAYS))('%s with X-Trivium-Cost: 1', (_way, send) => {
  test('shows the cost of an operation that is answered', async () => {
    const { url } = await crm();
    const body = await (await send(url, SIZED, { ...ASKING, variables: { n: 4 } })).json();
    expect(body).toEqual({ data: DATA, extensions: { cost: { requested: 5, limit: 200_000 } } });
  });

  test('of one with errors', async () => {
    const { url } = await crm();
    const query = '{ __typename node(id: "x") { id } }';
    const body = await (await send(url, query, ASKING)).json();
    expect(body).toMatchObject({
      data: { __typename: 'Query', node: null },
      errors: [{ path: ['node'] }],
      extensions: { cost: { requested: 1, limit: 200_000 } },
    });
  });

  test('of one that is refused', async () => {
    const { url } = await crm({ MAX_COST: 10 });
    const body = await (await send(url, QUERY, ASKING)).json();
    expect(body).toMatchObject({ errors: [refused(11, 10)], extensions: { cost: { requested: 11, limit: 10 } } });
  });

  test('of one whose variables do not fit', async () => {
    const { url } = await crm();
    const body = await (await send(url, SIZED, { ...ASKING, variables: { n: 'x' } })).json();
    expect(body).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      extensions: { cost: { requested: 21, limit: 200_000 } },
    });
  });

  test('beside the paths that upstream did not send', async () => {
    const { url } = await crm();
    const headers = { ...ASKING.headers, 'x-trivium-not-sent': '1' };
    expect(await (await send(url, QUERY, { headers })).json()).toEqual({
      data: DATA,
      extensions: { notSent: [], cost: { requested: 11, limit: 200_000 } },
    });
  });

  test('but not for a document that is not valid', async () => {
    const { url } = await crm();
    expect(await (await send(url, '{ nothing }', ASKING)).json()).not.toHaveProperty('extensions');
  });

  test.each(['0', '', 'true', '11', '1, 1'])('but not for the value %j', async (value) => {
    const { url } = await crm();
    const body = await (await send(url, QUERY, { headers: { 'x-trivium-cost': value } })).json();
    expect(body).toEqual({ data: DATA });
  });
});

test('of an answer in parts the first one shows the cost', async () => {
  const { url } = await crm();
  const query = '{ __typename ... @defer { clients(first: 10) { nodes { id name } } } }';
  const parts = partsOf(await ask(url, query, { headers: { ...HEADERS, ...ASKING.headers } }));
  const all: Part[] = [];
  for await (const part of parts) all.push(part);
  expect(all).toMatchObject([{ data: { __typename: 'Query' }, extensions: { cost: { requested: 11 } } }, {}]);
  expect(all.filter((part) => 'extensions' in part)).toHaveLength(1);
  expect(JSON.stringify(all.slice(1))).not.toContain('"cost"');
});
