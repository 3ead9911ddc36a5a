import { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PlanExecution } from '../../src/execution/plan-execution.ts';
import { CredentialState } from '../../src/calls/credential-states.ts';
import { OperationMemory, ReadQueue } from '../../src/calls/operation-reads.ts';
import { SharedCalls } from '../../src/calls/shared-calls.ts';
import { Call } from '../../src/calls/transport/call.ts';
import { Breaker } from '../../src/calls/transport/breaker.ts';
import { ConnectionQueue } from '../../src/calls/transport/connection-pool.ts';
import { Turns } from '../../src/calls/transport/turns.ts';
import { Upstream } from '../../src/calls/transport/upstream.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { Reads } from '../../src/calls/reads.ts';
import { CallBudget } from '../../src/calls/transport/call-budget.ts';
import { WriteLedger } from '../../src/calls/write-ledger.ts';
import { Writer } from '../../src/calls/writer.ts';
import { WindowCounts } from '../../src/edge/rate-limits/rates.ts';
import { Connections } from '../../src/edge/connections.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { FastPath } from '../../src/edge/fast-path.ts';
import { PageOrigins } from '../../src/edge/origins.ts';
import { Overload } from '../../src/edge/overload/overload.ts';
import { Pages } from '../../src/edge/pages/pages.ts';
import { OperationRun } from '../../src/operation/run-operation.ts';
import { RateLimits } from '../../src/edge/rate-limits/rate-limits.ts';
import { ResponseSize } from '../../src/operation/responses/written-results.ts';
import { Shutdown } from '../../src/edge/shutdown.ts';
import { Upstreams } from '../../src/apis/upstreams.ts';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

// A defect at any step of a request, on any way, is an answer or a closed connection, and a line of the log. The next
// request is served. An error or a rejection that nobody handled would fail the run of these tests.

const READ = '{ clients(first: 3) { nodes { name } } }';
const WRITE = 'mutation { createClient(input: { name: "Ada" }) { __typename } }';
const DEFERRED = '{ __typename ... @defer { clients(first: 3) { nodes { name } } } }';

async function gatewayOfClients() {
  const upstream = await stubUpstream((request, response) =>
    saysJson(request.method === 'GET' ? [{ id: 1, name: 'Ada' }] : { id: 2, name: 'Ada' })(request, response),
  );
  const settings = { CRM_URL: new URL(upstream.url), RATE_LIMIT: 1_000, UPSTREAM_TIMEOUT_MS: 1_000, METRICS_PORT: 0 };
  return gatewayOver(upstream.url, settings, 'token');
}

type Send = (url: string) => Promise<Response>;

const HEADERS = { authorization: 'Bearer token', 'content-type': 'application/json', 'x-requested-with': 'test' };

const post =
  (query: string, headers: Readonly<Record<string, string>> = {}): Send =>
  async (url) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ query }),
    });

const ways: readonly (readonly [way: string, send: Send])[] = [
  ['direct', post(READ)],
  ['direct, with cost and trace', post(READ, { 'x-trivium-cost': '1', 'x-trivium-trace': '1' })],
  ['a mutation', post(WRITE)],
  ['GET', async (url) => fetch(`${url}/graphql?query=${encodeURIComponent(READ)}`, { headers: HEADERS })],
  ['parts', post(DEFERRED, { accept: 'multipart/mixed' })],
  ['events', post(DEFERRED, { accept: 'text/event-stream' })],
  ['a page', async (url) => fetch(`${url}/schema.graphql`)],
];

/** Each step by its class and method. Some ways do not pass all of them. */
const steps: readonly (readonly [step: string, prototype: object])[] = [
  ['letIn', Connections.prototype],
  ['hold', Shutdown.prototype],
  ['answer', PageOrigins.prototype],
  ['answer', RateLimits.prototype],
  ['count', WindowCounts.prototype],
  ['answer', Overload.prototype],
  ['begin', Turns.prototype],
  ['continue', Turns.prototype],
  ['answer', FastPath.prototype],
  ['answer', Pages.prototype],
  ['context', Upstreams.prototype],
  ['of', OperationCosts.prototype],
  ['run', OperationRun.prototype],
  ['run', PlanExecution.prototype],
  ['surelyHolds', ResponseSize.prototype],
  ['complete', OperationRun.prototype],
  ['end', OperationRun.prototype],
  ['requested', OperationMemory.prototype],
  ['enter', ReadQueue.prototype],
  ['leave', ReadQueue.prototype],
  ['admit', CredentialState.prototype],
  ['join', SharedCalls.prototype],
  ['spend', CallBudget.prototype],
  ['share', CallBudget.prototype],
  ['succeeded', CredentialState.prototype],
  ['begin', WriteLedger.prototype],
  ['open', Upstream.prototype],
  ['answer', Call.prototype],
  ['leave', ConnectionQueue.prototype],
  ['succeed', Breaker.prototype],
  ['list', Reads.prototype],
  ['record', Writer.prototype],
  ['writeHead', ServerResponse.prototype],
  ['write', ServerResponse.prototype],
  ['end', ServerResponse.prototype],
];

/** Makes a method of the gateway throw once. @returns whether it was called */
function planted(prototype: object, method: string): () => boolean {
  const original: unknown = Reflect.get(prototype, method);
  if (typeof original !== 'function') throw new Error(`There is no method ${method}.`);
  let wasCalled = false;
  Reflect.set(prototype, method, function defective(this: unknown, ...given: unknown[]): unknown {
    const isOfStub = this instanceof ServerResponse && this.req.url?.startsWith('/app') === true;
    if (wasCalled || isOfStub) return Reflect.apply(original, this, given);
    wasCalled = true;
    throw new TypeError('planted');
  });
  onTestFinished(() => void Reflect.set(prototype, method, original));
  return () => wasCalled;
}

/** Returns the in-flight gauges that are not 0. */
function inFlight(metrics: string): string[] {
  return metrics.match(/^trivium_\w+_in_flight.* [1-9]\d*$/gm) ?? [];
}

/** The status, or `closed` for a connection that was closed before or in the response. */
async function outcomeOf(sent: Promise<Response>): Promise<number | 'closed'> {
  try {
    const response = await sent;
    await response.text();
    return response.status;
  } catch {
    return 'closed';
  }
}

describe.each(ways)('%s:', (way, send) => {
  test.each(
    steps.map(([method, prototype]) => [`${prototype.constructor.name}.${method}`, prototype, method] as const),
  )('a defect in %s ends nothing but its request', async (_name, prototype, method) => {
    const wasCalled = planted(prototype, method); // before the steps are joined
    const { url, logs, metrics } = await gatewayOfClients();
    const outcome = await outcomeOf(send(url));
    const reported = logs.filter((line) => line.includes('unexpected error'));
    expect([200, 500, 'closed']).toContain(outcome);
    expect(reported).toEqual(wasCalled() ? [expect.stringContaining('TypeError: planted')] : []);
    for (const line of reported) expect(line).not.toContain('Bearer');
    expect((await send(url)).status, way).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await expect.poll(async () => inFlight(await metrics())).toEqual([]);
  });
});

test('a defect that a caller who leaves causes is a line of the log', async () => {
  const upstream = await stubUpstream(() => {}); // never answers
  const { url, logs } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  planted(Departure.prototype, 'happen');
  const connection = openConnection(url);
  connection.socket.write(postOf(READ));
  await expect.poll(() => upstream.received).toHaveLength(1);
  connection.socket.destroy();
  await expect.poll(() => logs.filter((line) => line.includes('TypeError: planted'))).toHaveLength(1);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('a log that cannot be written ends nothing', async () => {
  const { url } = await gatewayOfClients();
  const info = vi.spyOn(OperationRun.prototype, 'end').mockImplementation(() => {
    throw new Error('disk full');
  });
  onTestFinished(() => info.mockRestore());
  expect((await post(READ)(url)).status).toBe(500);
  info.mockRestore();
  expect((await post(READ)(url)).status).toBe(200);
});

test('a mutation that meets a defect tells what became of its writes', async () => {
  const { url } = await gatewayOfClients();
  planted(OperationRun.prototype, 'complete');
  const body: unknown = await (await post(WRITE)(url)).json();
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR', outcome: 'APPLIED' } }] });
});
