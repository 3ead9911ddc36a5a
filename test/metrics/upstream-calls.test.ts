import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver } from '../support/gateway.ts';
import { clientsUpTo, gatewayOverCrm, saysJson } from '../support/stub-crm.ts';
import { DEAD_ADDRESS, heldUpstream, rawUpstream, says, stubUpstream, wholeAnswer } from '../support/stub-upstream.ts';
import { METERED, served } from './support.ts';

const demo = sharedDemo();

const CLIENTS = '{ clients { totalCount } }';

test('calls are counted by API, method, template and status, and their bytes and times are measured', async () => {
  const over = await demo({ ...METERED, BATCH_READS: 'by-id' });
  await over.execute('{ deal(id: 1) { name } client(id: 1) { name } }');
  await over.execute('{ deal(id: 987654) { name } }');
  await over.execute('mutation { deleteDeal(id: 987654) { __typename } }');
  const body = await (await fetch(`${over.sandbox.urls.crm}/app/deals/1.json?api_token=demo-admin`)).text();
  const { values, scrape } = await served(over);

  const deal = 'api="crm",method="GET",endpoint="/app/deals/:id.json"';
  const client = 'api="crm",method="GET",endpoint="/app/clients/:id.json"';
  const write = 'api="crm",method="DELETE",endpoint="/app/deals/:id.json"';
  expect(await values('trivium_upstream_calls_total')).toEqual({
    [`trivium_upstream_calls_total{${deal},status="200"}`]: 1,
    [`trivium_upstream_calls_total{${deal},status="404"}`]: 1,
    [`trivium_upstream_calls_total{${client},status="200"}`]: 1,
    [`trivium_upstream_calls_total{${write},status="404"}`]: 1,
  });
  expect(await values('trivium_upstream_call_duration_seconds_count')).toEqual({
    [`trivium_upstream_call_duration_seconds_count{${deal}}`]: 2,
    [`trivium_upstream_call_duration_seconds_count{${client}}`]: 1,
    [`trivium_upstream_call_duration_seconds_count{${write}}`]: 1,
  });
  const missing = Buffer.byteLength('{"error":"not_found"}');
  expect(await values(`trivium_upstream_received_bytes_total{${deal}}`)).toEqual({
    [`trivium_upstream_received_bytes_total{${deal}}`]: Buffer.byteLength(body) + missing,
  });
  expect(await values('trivium_upstream_queue_duration_seconds_count')).toEqual({
    'trivium_upstream_queue_duration_seconds_count{api="account"}': 0,
    'trivium_upstream_queue_duration_seconds_count{api="flex"}': 0,
    'trivium_upstream_queue_duration_seconds_count{api="crm"}': 4,
    'trivium_upstream_queue_duration_seconds_count{api="forum"}': 0,
  });
  expect(await scrape()).not.toMatch(/987654|demo-admin/);
});

test('a batch is counted by the choice between a list and reads by id', async () => {
  const posts = '{ posts(first: 3) { nodes { client { name } } } }';
  for (const [BATCH_READS, choice, other] of [
    ['list', 'list', 'by_id'],
    ['by-id', 'by_id', 'list'],
  ] as const) {
    const over = await gatewayOverCrm({ posts: 3 }, { ...METERED, BATCH_READS });
    await over.execute(posts);
    await over.execute(posts);
    const { values } = await served(over);
    expect(await values('trivium_upstream_batches_total')).toEqual({
      [`trivium_upstream_batches_total{api="crm",list="/app/clients.json",choice="${choice}"}`]: 2,
      [`trivium_upstream_batches_total{api="crm",list="/app/clients.json",choice="${other}"}`]: 0,
    });
  }
});

test('reads are counted by whether their answer was kept, with the memory that is used', async () => {
  const over = await gatewayOverCrm({ posts: 3 }, { ...METERED, CRM_CACHE_TTL_MS: 60_000 });
  const { values } = await served(over);
  for (let read = 0; read < 3; read += 1) await over.execute('{ posts { totalCount } }');
  expect(await values('trivium_answer_cache_reads_total')).toMatchObject({
    'trivium_answer_cache_reads_total{api="crm",outcome="hit"}': 2,
    'trivium_answer_cache_reads_total{api="crm",outcome="revalidated"}': 0,
    'trivium_answer_cache_reads_total{api="crm",outcome="miss"}': 1,
  });
  const bytes = await values('trivium_answer_cache_bytes');
  expect(bytes['trivium_answer_cache_bytes{api="crm"}']).toBeGreaterThan(400);
  await over.execute('mutation { deleteClient(id: 1) { __typename } }');
  await over.execute('{ posts { totalCount } }');
  expect(await values('trivium_answer_cache_dropped_total')).toMatchObject({
    'trivium_answer_cache_dropped_total{api="crm"}': 1,
  });
});

test('a read that joins a call is counted as shared, and the call once', async () => {
  const held = await heldUpstream(saysJson([]), '/app/clients.json');
  const over = await gatewayOver(held.url, { ...METERED, CRM_URL: new URL(held.url) }, 'token');
  const { values } = await served(over);
  const answers = [over.execute(CLIENTS), over.execute(CLIENTS)];
  await expect
    .poll(() => values('trivium_upstream_shared_reads_total{api="crm"}', 'trivium_operations_in_flight'))
    .toEqual({ 'trivium_upstream_shared_reads_total{api="crm"}': 1, trivium_operations_in_flight: 2 });
  expect(await values('trivium_upstream_calls_in_flight{api="crm"}', 'trivium_connections')).toEqual({
    'trivium_upstream_calls_in_flight{api="crm"}': 1,
    trivium_connections: 2,
  });
  await held.answer('/app/clients.json', saysJson(clientsUpTo(2)));
  await Promise.all(answers);

  expect(await values('trivium_upstream_calls_total', 'trivium_upstream_calls_in_flight{api="crm"}')).toEqual({
    'trivium_upstream_calls_total{api="crm",method="GET",endpoint="/app/clients.json",status="200"}': 1,
    'trivium_upstream_calls_in_flight{api="crm"}': 0,
  });
});

test('calls that wait for a connection are seen, and how long they waited', async () => {
  const held = await heldUpstream(saysJson({ id: 2 }), '/app/deals/1.json');
  const settings = { ...METERED, CRM_URL: new URL(held.url), UPSTREAM_CONNECTIONS: 1 };
  const over = await gatewayOver(held.url, settings, 'token');
  const { values } = await served(over);
  const answers = [over.execute('{ deal(id: 1) { id } }')];
  await expect.poll(() => held.received).toHaveLength(1);
  answers.push(over.execute('{ deal(id: 2) { id } }'));
  await expect
    .poll(() => values('trivium_upstream_calls_waiting{api="crm"}', 'trivium_upstream_calls_in_flight{api="crm"}'))
    .toEqual({ 'trivium_upstream_calls_waiting{api="crm"}': 1, 'trivium_upstream_calls_in_flight{api="crm"}': 2 });
  await held.answer('/app/deals/1.json', saysJson({ id: 1 }));
  await Promise.all(answers);

  const waited = 'trivium_upstream_queue_duration_seconds_sum{api="crm"}';
  expect((await values(waited))[waited]).toBeGreaterThan(0.001);
});

test('an API that fails is counted by the reason, until it is called no more', async () => {
  const over = await gatewayOver(DEAD_ADDRESS, { ...METERED, CRM_URL: new URL(DEAD_ADDRESS) }, 'token');
  for (let call = 0; call < 12; call += 1) await over.execute(CLIENTS);
  const { values } = await served(over);
  const endpoint = 'api="crm",method="GET",endpoint="/app/clients.json"';
  expect(
    await values(
      'trivium_upstream_calls_total',
      'trivium_upstream_breaker_open{api="crm"}',
      'trivium_upstream_breaker_changes_total{api="crm",scope="api"',
      'trivium_upstream_call_duration_seconds_count',
    ),
  ).toEqual({
    [`trivium_upstream_calls_total{${endpoint},status="unreachable"}`]: 10,
    [`trivium_upstream_calls_total{${endpoint},status="not_called"}`]: 2,
    'trivium_upstream_breaker_open{api="crm"}': 1,
    'trivium_upstream_breaker_changes_total{api="crm",scope="api",state="open"}': 1,
    'trivium_upstream_breaker_changes_total{api="crm",scope="api",state="closed"}': 0,
  });
});

test('each way in which a call fails has a status of its own, and an upstream cannot invent others', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    (response) => saysJson({ text: 'x'.repeat(1_000) })(response.req, response),
    ...[429, 418, 599, 799].map((status) => (response: ServerResponse) => saysJson({}, status)(response.req, response)),
  ];
  let calls = 0;
  const upstream = await stubUpstream((_request, response) => answers[calls++]?.(response));
  const settings = { ...METERED, CRM_URL: new URL(upstream.url), MAX_RECORD_BYTES: 500 };
  const over = await gatewayOver(upstream.url, settings, 'token');
  for (const id of answers.keys()) await over.execute(`{ deal(id: ${id + 1}) { id } }`);
  const { values } = await served(over);

  const deal = 'api="crm",method="GET",endpoint="/app/deals/:id.json"';
  expect(await values('trivium_upstream_calls_total')).toEqual({
    [`trivium_upstream_calls_total{${deal},status="connection_lost"}`]: 1,
    [`trivium_upstream_calls_total{${deal},status="too_large"}`]: 1,
    [`trivium_upstream_calls_total{${deal},status="429"}`]: 1,
    [`trivium_upstream_calls_total{${deal},status="4xx"}`]: 1,
    [`trivium_upstream_calls_total{${deal},status="5xx"}`]: 1,
    [`trivium_upstream_calls_total{${deal},status="other"}`]: 1,
  });
});

test('an endpoint that is called no more is counted beside the APIs', async () => {
  const upstream = await stubUpstream(saysJson({}, 500));
  const over = await gatewayOver(upstream.url, { ...METERED, CRM_URL: new URL(upstream.url) }, 'token');
  for (let call = 0; call < 11; call += 1) await over.execute(CLIENTS);
  const { values } = await served(over);
  expect(
    await values(
      'trivium_upstream_breaker_changes_total{api="crm"',
      'trivium_upstream_calls_total',
      'trivium_operation_errors',
    ),
  ).toEqual({
    'trivium_upstream_calls_total{api="crm",method="GET",endpoint="/app/clients.json",status="500"}': 10,
    'trivium_operation_errors_total{code="UPSTREAM_UNAVAILABLE"}': 11,
    'trivium_upstream_breaker_changes_total{api="crm",scope="endpoint",state="open"}': 1,
    'trivium_upstream_breaker_changes_total{api="crm",scope="endpoint",state="closed"}': 0,
    'trivium_upstream_breaker_changes_total{api="crm",scope="api",state="open"}': 0,
    'trivium_upstream_breaker_changes_total{api="crm",scope="api",state="closed"}': 0,
  });
});

test('a call that ends at its deadline is counted as a timeout', async () => {
  const upstream = await stubUpstream(() => {});
  const settings = { ...METERED, CRM_URL: new URL(upstream.url), UPSTREAM_TIMEOUT_MS: 500 };
  const over = await gatewayOver(upstream.url, settings, 'token');
  await over.execute(CLIENTS);
  const { values } = await served(over);
  expect(await values('trivium_upstream_calls_total')).toEqual({
    'trivium_upstream_calls_total{api="crm",method="GET",endpoint="/app/clients.json",status="timeout"}': 1,
  });
});

test('a read that is sent once more is one call and one retry', async () => {
  let calls = 0;
  const upstream = await rawUpstream((socket) => {
    calls += 1;
    if (calls === 1) socket.destroy();
    else socket.write(wholeAnswer('{"id":1}'));
  });
  const over = await gatewayOver(upstream.url, { ...METERED, CRM_URL: new URL(upstream.url) }, 'token');
  await over.execute('{ deal(id: 1) { id } }');
  const { values } = await served(over);

  expect(await values('trivium_upstream_retries_total{api="crm"}', 'trivium_upstream_calls_total')).toEqual({
    'trivium_upstream_retries_total{api="crm"}': 1,
    'trivium_upstream_calls_total{api="crm",method="GET",endpoint="/app/deals/:id.json",status="200"}': 1,
  });
});

test('a caller that leaves is counted, and the call that was given up for it', async () => {
  const upstream = await stubUpstream(() => {});
  const over = await gatewayOver(upstream.url, { ...METERED, CRM_URL: new URL(upstream.url) }, 'token');
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const answer = fetch(`${over.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
    body: JSON.stringify({ query: CLIENTS }),
    signal: leaving.signal,
  }).catch(() => 'left');
  await expect.poll(() => upstream.received).toHaveLength(1);
  leaving.abort();
  expect(await answer).toBe('left');
  const { values } = await served(over);

  await expect
    .poll(() => values('trivium_callers_gone_total', 'trivium_requests_total', 'trivium_operations_'))
    .toEqual({
      trivium_callers_gone_total: 1,
      trivium_operations_in_flight: 0,
      'trivium_operations_total{operation="anonymous",type="query",outcome="failed"}': 1,
    });
  expect(await values('trivium_upstream_calls_total')).toEqual({
    'trivium_upstream_calls_total{api="crm",method="GET",endpoint="/app/clients.json",status="caller_gone"}': 1,
  });
});

test('no path, id, query or text of an upstream or a caller is in the metrics', async () => {
  const canary = 'canary-zyxq'; // no digits: those of a measured time may be any
  const upstream = await stubUpstream(says(JSON.stringify({ error: canary, [canary]: canary }), { status: 500 }));
  const url = new URL(`${upstream.url}/canary-base`);
  const settings = { ...METERED, ACCOUNT_URL: url, CRM_URL: url, FORUM_URL: url };
  const over = await gatewayOver(upstream.url, settings, canary);
  for (const field of ['deal(id: "canary-zyxq") { id }', 'forumPosts(category: "canary-zyxq") { nodes { id } }']) {
    await over.execute(`{ ${field} }`, { headers: { 'x-forum-authorization': `Basic ${btoa('canary-zyxq:canary')}` } });
  }
  const { scrape } = await served(over);

  expect(upstream.received).toEqual([
    expect.stringContaining('/canary-base/app/deals/canary-zyxq.json?'),
    expect.stringContaining('/canary-base/canary-zyxq'),
  ]);
  expect(await scrape()).not.toMatch(/canary|zyxq/);
});
