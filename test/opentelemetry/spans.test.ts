import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream, says, wholeAnswer } from '../support/stub-upstream.ts';
import { testCollector } from './collector.ts';
import { crmAnswer, DEALS, DEALS_BODY, overCrm, spanNamed, tracedBy, tree } from './support.ts';

const UNSET = { code: 0 };
const ERROR = { code: 2 };

test('an operation, the fields that called upstreams and their calls are spans', async () => {
  const collector = await testCollector();
  const { execute, logs } = await overCrm(tracedBy(collector));

  await execute(DEALS);

  const spans = await collector.received(6);
  expect(tree(spans)).toEqual([
    {
      'SERVER query': [
        { 'INTERNAL Query.deals': [{ 'CLIENT GET /app/deals.json': [] }] },
        {
          'INTERNAL Deal.client': [
            { 'CLIENT GET /app/clients/:id.json': [] },
            { 'CLIENT GET /app/clients/:id.json': [] },
          ],
        },
      ],
    },
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(JSON.parse(logs.at(-1) ?? '')).toMatchObject({ operation: 'Deals', traceId: spans[0]?.traceId });
});

test('a span lasts as long as what it stands for', async () => {
  const collector = await testCollector();
  const { execute } = await overCrm(tracedBy(collector));
  const before = Date.now();

  await execute(DEALS);

  const spans = await collector.received(6);
  const [operation, field] = [spanNamed(spans, 'query'), spanNamed(spans, 'Deal.client')];
  const calls = spans.filter(({ parentSpanId }) => parentSpanId === field.spanId);
  expect(operation.startTimeUnixNano).toBeGreaterThanOrEqual((before - 1) * 1e6);
  expect(operation.endTimeUnixNano).toBeLessThanOrEqual((Date.now() + 1) * 1e6);
  expect(field.endTimeUnixNano).toBe(Math.max(...calls.map(({ endTimeUnixNano }) => endTimeUnixNano)));
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(endTimeUnixNano).toBeGreaterThanOrEqual(startTimeUnixNano);
    expect(startTimeUnixNano).toBeGreaterThanOrEqual(operation.startTimeUnixNano);
    expect(endTimeUnixNano).toBeLessThanOrEqual(operation.endTimeUnixNano);
  }
});

test('spans have the attributes of the conventions', async () => {
  const collector = await testCollector();
  const { execute, upstream } = await overCrm(tracedBy(collector));

  await execute(DEALS);

  const spans = await collector.received(6);
  const attributesOf = (name: string) => Object.fromEntries(spanNamed(spans, name).attributes);
  expect(attributesOf('query')).toEqual({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Deals',
    'trivium.upstream_calls': 3,
    'trivium.errors': 0,
  });
  expect(attributesOf('Deal.client')).toEqual({
    'trivium.field.parent_type': 'Deal',
    'trivium.field.name': 'client',
  });
  expect(attributesOf('GET /app/deals.json')).toEqual({
    'trivium.api': 'crm',
    'trivium.queue_ms': expect.any(Number),
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.response.body.size': Buffer.byteLength(DEALS_BODY),
    'url.template': '/app/deals.json',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(upstream.url).port),
  });
});

test('an operation in parts is one span, which ends with its last part', async () => {
  const collector = await testCollector();
  const { url } = await overCrm(tracedBy(collector));

  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'multipart/mixed', 'x-crm-token': 'token' },
    body: JSON.stringify({ query: '{ deals { nodes { name ... @defer { client { name } } } } }' }),
  });
  await response.text();

  const spans = await collector.received(6);
  const operation = spanNamed(spans, 'query');
  expect(operation.attributes.get('trivium.upstream_calls')).toBe(3);
  expect(tree(spans)).toMatchObject([{ 'SERVER query': [{ 'INTERNAL Query.deals': [{}] }, {}] }]);
});

test('a long name of an operation is cut, and an anonymous one has none', async () => {
  const collector = await testCollector();
  const { execute } = await overCrm(tracedBy(collector));

  await execute(`query ${'N'.repeat(256)} { __typename }`);
  await execute('{ __typename }');

  const [long, anonymous] = await collector.received(2);
  expect(long?.attributes.get('graphql.operation.name')).toBe('N'.repeat(100));
  expect(anonymous?.attributes.has('graphql.operation.name')).toBe(false);
});

describe('the status of spans', () => {
  const failing = async (answer: Parameters<typeof overCrm>[1], query = DEALS) => {
    const collector = await testCollector();
    const { execute } = await overCrm(tracedBy(collector, { UPSTREAM_TIMEOUT_MS: 300 }), answer);
    await execute(query);
    await expect.poll(() => collector.spans().some(({ kind }) => kind === 'SERVER')).toBe(true);
    return collector.spans();
  };

  test('a status of 500 is an error of the call and of the operation', async () => {
    const spans = await failing(says('{}', { status: 500 }));

    const [operation, call] = [spanNamed(spans, 'query'), spanNamed(spans, 'GET /app/deals.json')];
    expect([call.status, call.attributes.get('error.type')]).toEqual([ERROR, '500']);
    expect([operation.status, operation.attributes.get('error.type')]).toEqual([ERROR, 'UPSTREAM_UNAVAILABLE']);
    expect(operation.attributes.get('trivium.errors')).toBe(1);
  });

  test('a call without a response has the code of the failure', async () => {
    const spans = await failing(() => {});

    const call = spanNamed(spans, 'GET /app/deals.json');
    expect([call.status, call.attributes.get('error.type')]).toEqual([ERROR, 'UPSTREAM_TIMEOUT']);
    expect(call.attributes.has('http.response.status_code')).toBe(false);
  });

  test('an error of the caller is none of the operation', async () => {
    const spans = await failing(says('{"error":"no"}', { status: 401 }));

    const [operation, call] = [spanNamed(spans, 'query'), spanNamed(spans, 'GET /app/deals.json')];
    expect([operation.status, operation.attributes.has('error.type')]).toEqual([UNSET, false]);
    expect(operation.attributes.get('trivium.errors')).toBe(1);
    expect([call.status, call.attributes.get('error.type')]).toEqual([ERROR, '401']);
  });

  test('a record that is missing is an error of its call alone', async () => {
    const spans = await failing(says('{}', { status: 404 }), '{ client(id: "1") { name } }');

    expect(spanNamed(spans, 'GET /app/clients/:id.json').status).toEqual(ERROR);
    expect(spanNamed(spans, 'query').status).toEqual(UNSET);
  });
});

test('a call that was sent once more says so', async () => {
  const collector = await testCollector();
  let requests = 0;
  const upstream = await rawUpstream((socket) => {
    requests += 1;
    if (requests === 2) socket.destroy();
    else socket.write(wholeAnswer('[]'));
  });
  const { execute } = await gatewayOver(upstream.url, tracedBy(collector, { CRM_URL: new URL(upstream.url) }));
  const operation = { headers: { 'x-crm-token': 'token' } };

  await execute('{ deals { nodes { name } } }', operation);
  await execute('{ deals { nodes { name } } }', operation);

  const calls = (await collector.received(6)).filter(({ kind }) => kind === 'CLIENT');
  expect(calls.map(({ attributes }) => attributes.get('http.request.resend_count'))).toEqual([undefined, 1]);
});

test('extensions.trace and spans of one operation do not disturb each other', async () => {
  const collector = await testCollector();
  const { url } = await overCrm(tracedBy(collector, { TRACE: 'true' }), crmAnswer);
  const ask = async (headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-crm-token': 'token', ...headers },
      body: JSON.stringify({ query: DEALS }),
    });
    const { extensions } = await response.json();
    return extensions?.trace.calls.map(({ paths }: { paths: string[] }) => paths);
  };

  expect(await ask({ 'x-trivium-trace': '1' })).toEqual([['deals'], ['deals.nodes.client'], ['deals.nodes.client']]);
  expect(await ask({})).toBeUndefined();
  expect(await collector.received(12)).toHaveLength(12);
});
