import { expect, test } from 'vitest';
import { FirstNames } from '../../src/observe/metrics/first-names.ts';
import { manifestFile, send } from '../documents/support.ts';
import { stoppedClock } from '../support/clock.ts';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { METERED, served } from './support.ts';

const demo = sharedDemo();

const ONE_DEAL = '{ deals(first: 1) { nodes { id } } }';

test('operations are counted by name, type and outcome, and their times by name and type', async () => {
  const over = await demo(METERED);
  await over.execute(`query Deals ${ONE_DEAL}`);
  await over.execute(`query Deals ${ONE_DEAL}`);
  await over.execute(ONE_DEAL);
  await over.execute(`query Deals ${ONE_DEAL}`, { token: null });
  await over.execute('query Two { __typename deals(first: 1) { nodes { id } } }', { token: null });
  await over.execute('query Wrong($first: Int!) { deals(first: $first) { nodes { id } } }', {
    variables: { first: 'one' },
  });
  await over.execute('mutation Delete { deleteDeal(id: "999999") { __typename } }');
  const { values } = await served(over);

  expect(await values('trivium_operations_total')).toEqual({
    'trivium_operations_total{operation="Deals",type="query",outcome="ok"}': 2,
    'trivium_operations_total{operation="anonymous",type="query",outcome="ok"}': 1,
    'trivium_operations_total{operation="Deals",type="query",outcome="failed"}': 1,
    'trivium_operations_total{operation="Two",type="query",outcome="partial"}': 1,
    'trivium_operations_total{operation="Wrong",type="query",outcome="failed"}': 1,
    'trivium_operations_total{operation="Delete",type="mutation",outcome="ok"}': 1,
  });
  expect(await values('trivium_operation_duration_seconds_count')).toEqual({
    'trivium_operation_duration_seconds_count{operation="Deals",type="query"}': 3,
    'trivium_operation_duration_seconds_count{operation="anonymous",type="query"}': 1,
    'trivium_operation_duration_seconds_count{operation="Two",type="query"}': 1,
    'trivium_operation_duration_seconds_count{operation="Wrong",type="query"}': 1,
    'trivium_operation_duration_seconds_count{operation="Delete",type="mutation"}': 1,
  });
  expect(await values('trivium_operation_errors_total')).toEqual({
    'trivium_operation_errors_total{code="UNAUTHENTICATED"}': 2,
    'trivium_operation_errors_total{code="BAD_USER_INPUT"}': 1,
  });
  expect(await values('trivium_operations_in_flight', 'trivium_requests_')).toEqual({
    trivium_operations_in_flight: 0,
    'trivium_requests_total{status="200"}': 7,
    trivium_requests_waiting: 0,
    trivium_requests_shed_total: 0,
  });
});

test('errors are counted that an answer has: neither those beyond the first hundred, nor those of callers that have left', async () => {
  const upstream = await stubUpstream(says('{}', { status: 401 }));
  const over = await gatewayOver(upstream.url, { ...METERED, MAX_ALIASES: 150 }, 'token');
  const fields = Array.from({ length: 150 }, (_none, at) => `d${at}: deleteDashboard(id: ${at}) { __typename }`);
  const { errors } = await over.execute(`mutation { ${fields.join(' ')} }`);
  expect(errors).toHaveLength(101);
  const { values } = await served(over);
  expect(await values('trivium_operation_errors_total')).toEqual({
    'trivium_operation_errors_total{code="UNAUTHENTICATED"}': 101,
  });
});

test('a caller that has left counts as one error', async () => {
  const upstream = await stubUpstream(() => {});
  const over = await gatewayOver(upstream.url, METERED, 'token');
  const leaving = new AbortController();
  const body = JSON.stringify({
    query: '{ a: dashboard(id: 1) { name } b: dashboard(id: 2) { name } apiTokens { name } }',
  });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
  const left = fetch(`${over.url}/graphql`, { method: 'POST', headers, body, signal: leaving.signal }).catch(
    () => 'left',
  );
  await expect.poll(() => upstream.received.length).toBe(3);
  leaving.abort();
  await left;
  const { values } = await served(over);
  await expect
    .poll(() => values('trivium_operation_errors_total'))
    .toEqual({ 'trivium_operation_errors_total{code="CALLER_GONE"}': 1 });
});

test('a receipt is asked once for each write, and not by a mutation that fails before it', async () => {
  const upstream = await stubUpstream(says('{"id":1,"name":"Ada"}'));
  const settings = { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true', IDEMPOTENCY: 'memory' } as const;
  const over = await gatewayOver(upstream.url, { ...METERED, ...settings }, 'token');
  for (const [at, input] of ['', '', 'name: "Ada"', 'name: "Bob"'].entries()) {
    const headers = { 'idempotency-key': `key-${at}` };
    await over.execute(`mutation { updateClient(id: 1, input: { ${input} }) { __typename } }`, { headers });
  }
  const { values } = await served(over);
  expect(await values('trivium_receipts_asked_total{state="new"}')).toEqual({
    'trivium_receipts_asked_total{state="new"}': 2,
  });
  expect(upstream.received).toHaveLength(2);
});

test('operations that are refused before their execution are counted by the code', async () => {
  const over = await demo(METERED);
  await over.execute('query Refused { nothing nowhere }');
  await over.execute('query Broken {');
  const { values } = await served(over);

  expect(await values('trivium_operations_refused_total', 'trivium_operations_total')).toEqual({
    'trivium_operations_refused_total{code="GRAPHQL_VALIDATION_FAILED"}': 2,
    'trivium_operations_refused_total{code="GRAPHQL_PARSE_FAILED"}': 1,
  });
});

test('the time of an operation is that until its response', async () => {
  const { takes } = stoppedClock();
  const { url } = await stubUpstream(takes(1_500, says('[]')));
  const over = await gatewayOver(url, { ...METERED, CRM_URL: new URL(url) }, 'token');
  await over.execute(`query Deals ${ONE_DEAL}`);
  const { values } = await served(over);
  expect(await values('trivium_operation_duration_seconds')).toMatchObject({
    'trivium_operation_duration_seconds_sum{operation="Deals",type="query"}': 1.5,
    'trivium_operation_duration_seconds_bucket{le="1",operation="Deals",type="query"}': 0,
    'trivium_operation_duration_seconds_bucket{le="+Inf",operation="Deals",type="query"}': 1,
  });
});

test('the first 50 names have series of their own, all others share one', async () => {
  const over = await demo(METERED);
  await over.execute(`query ${'x'.repeat(256)} { __typename }`);
  await over.execute('query Ünïcode { __typename }'); // no name in GraphQL: it is refused
  await over.execute('query __proto__ { __typename }');
  await over.execute('query constructor { __typename }');
  for (let number = 1; number <= 51; number += 1) await over.execute(`query Hostile${number} { __typename }`);
  const { values } = await served(over);

  const counted = await values('trivium_operations_total');
  expect(Object.keys(counted)).toHaveLength(51);
  expect(counted).toMatchObject({
    'trivium_operations_total{operation="__proto__",type="query",outcome="ok"}': 1,
    'trivium_operations_total{operation="constructor",type="query",outcome="ok"}': 1,
    'trivium_operations_total{operation="Hostile48",type="query",outcome="ok"}': 1,
    'trivium_operations_total{operation="other",type="query",outcome="ok"}': 1 + 3,
  });
});

test('names of trusted documents have series beside those of the first 50 names', async () => {
  const TRUSTED_DOCUMENTS = [await manifestFile({ late: 'query Trusted { __typename }' })];
  const over = await demo({ ...METERED, TRUSTED_DOCUMENTS });
  for (let number = 1; number <= 51; number += 1) await over.execute(`query Other${number} { __typename }`);
  for (const way of ['POST', 'GET'] as const) await send(over.url, way, { documentId: 'late' });
  const { values } = await served(over);

  expect(await values('trivium_operations_total')).toMatchObject({
    'trivium_operations_total{operation="Other50",type="query",outcome="ok"}': 1,
    'trivium_operations_total{operation="other",type="query",outcome="ok"}': 1,
    'trivium_operations_total{operation="Trusted",type="query",outcome="ok"}': 2,
  });
});

test('of 10,000 names 50 are kept, and none that is long', () => {
  const names = new FirstNames(50);
  const labels = new Set<string>();
  for (let number = 0; number < 10_000; number += 1) labels.add(names.labelOf(`${number}${'ż'.repeat(100)}`));
  for (let number = 0; number < 10_000; number += 1) labels.add(names.labelOf(`ż${number}`));

  expect([...labels].filter((label) => label !== 'other')).toHaveLength(50);
  expect(labels).toContain('ż49');
  expect(labels).not.toContain('ż50');
});
