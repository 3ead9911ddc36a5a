import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { OperationRun } from '../../src/operation/run-operation.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { json } from './json-wire.ts';
import { jsonMutations, type Mutation, rootField, xmlMutations } from './mutations.ts';

// Every mutation of the schema, failing at each point after its first write: `extensions.outcome` is that of its writes.

const MUTATIONS = [...jsonMutations, ...xmlMutations];
const FORUM = 'Basic dXNlcjpwYXNz';
const OLD = { name: 'old', title: 'old', data: { name: 'old' }, table_name: null };

/** A gateway over an upstream that applies every write, and delays the responses to those that `isHeld` selects. */
async function writingGateway(settings: Partial<Config> = {}, isHeld = (_number: number) => false) {
  const held: ServerResponse[] = [];
  let writes = 0;
  const upstream = await stubUpstream((request, response) => {
    const path = request.url ?? '';
    const isXml = request.headers['content-type']?.includes('xml') === true;
    void text(request).then((body) => {
      if (request.method === 'GET' || path.endsWith('/get'))
        return response.writeHead(200, { 'content-type': json.type }).end(json.read(path, OLD));
      writes += 1;
      if (isHeld(writes)) return held.push(response);
      if (isXml) return response.writeHead(200, { 'content-type': 'application/xml' }).end('<post><id>11</id></post>');
      const { key, fields } = json.written(path, body);
      return response
        .writeHead(200, { 'content-type': json.type })
        .end(JSON.stringify({ [key]: { id: 11, ...fields } }));
    });
  });
  const url = new URL(upstream.url);
  const gateway = await gatewayOver(upstream.url, {
    ...{ FLEX_URL: url, CRM_URL: url, FORUM_URL: url, CRM_SHARES_TOKEN: 'true' },
    ...settings,
  });
  const runWith = (more: Readonly<Record<string, string>>, ...mutations: readonly Mutation[]) => {
    const fields = mutations.map((mutation, index) => `f${index}: ${rootField(mutation, 'code')}`);
    const headers = { 'x-forum-authorization': FORUM, ...more };
    return gateway.execute(`mutation { ${fields.join(' ')} }`, { token: 'token', headers });
  };
  const run = (...mutations: readonly Mutation[]) => runWith({}, ...mutations);
  return { ...gateway, run, runWith, held: () => held.length, writes: () => writes };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof writingGateway>>['run']>>;

const toldOf = ({ errors }: Answer) => errors.map(({ extensions }) => extensions['outcome']);

/** Runs every mutation. Returns the `extensions.outcome` of its errors by field name. */
async function eachTold(run: (mutation: Mutation) => Promise<Answer>) {
  const told = MUTATIONS.map(async (mutation) => [mutation.field, toldOf(await run(mutation))] as const);
  return Object.fromEntries(await Promise.all(told));
}

const expectedOf = (...outcomes: readonly string[]) =>
  Object.fromEntries(MUTATIONS.map(({ field }) => [field, outcomes]));

const [first, second] = jsonMutations;
const bulk = jsonMutations.find(({ field }) => field === 'createClients');

test('a response beyond MAX_RESPONSE_BYTES', async () => {
  const { run } = await writingGateway({ MAX_RESPONSE_BYTES: 10 });
  expect(await eachTold((mutation) => run(mutation))).toEqual(expectedOf('APPLIED'));
});

test('a response of two fields beyond MAX_RESPONSE_BYTES: the second one is not begun', async () => {
  const { run, writes } = await writingGateway({ MAX_RESPONSE_BYTES: 10 });
  expect(await eachTold((mutation) => run(mutation, mutation))).toEqual(expectedOf('APPLIED', 'REFUSED'));
  expect(writes()).toBe(MUTATIONS.length);
});

test('a response beyond MAX_RESPONSE_BYTES to a repeated request under a key', async () => {
  const { runWith, writes } = await writingGateway({ MAX_RESPONSE_BYTES: 10, IDEMPOTENCY: 'memory' });
  if (!first) throw new Error('There are no mutations.');
  for (let attempts = 0; attempts < 2; attempts += 1)
    expect(toldOf(await runWith({ 'idempotency-key': 'key' }, first))).toEqual(['APPLIED']);
  expect(writes()).toBe(1);
});

test('a defect of the gateway when the response is completed', async () => {
  const { run } = await writingGateway();
  const completing = vi.spyOn(OperationRun.prototype, 'complete').mockImplementation(() => {
    throw new TypeError('planted');
  });
  onTestFinished(() => completing.mockRestore());
  expect(await eachTold((mutation) => run(mutation))).toEqual(expectedOf('APPLIED'));
});

test('the end of the gateway while the write waits for its answer', async () => {
  const { run, held, close } = await writingGateway(
    { SHUTDOWN_TIMEOUT_MS: 0, UPSTREAM_CONNECTIONS: 1_000 },
    () => true,
  );
  const told = eachTold((mutation) => run(mutation));
  await expect.poll(held).toBe(MUTATIONS.length);
  await close();
  expect(await told).toEqual(expectedOf('UNKNOWN'));
});

test('the end of the gateway between two writes: the first one counts, and the second one is not sent any more', async () => {
  const { run, held, writes, metrics, close } = await writingGateway(
    { SHUTDOWN_TIMEOUT_MS: 0, UPSTREAM_CONNECTIONS: 1, METRICS_PORT: 0 },
    (number) => number === 2,
  );
  if (!first || !second) throw new Error('There are no mutations.');
  const applied = run(first, second, second); // its second write waits for its answer
  await expect.poll(held).toBe(1);
  const waiting = run(first); // for the connection
  await expect.poll(metrics).toMatch(/trivium_upstream_calls_waiting\{api="crm"\} 1\n/);
  await close();
  expect(toldOf(await applied)).toEqual(['UNKNOWN']);
  expect(toldOf(await waiting)).toEqual(['REFUSED']);
  expect(writes()).toBe(2);
});

test('an item that is not known among those that were applied', async () => {
  const { run } = await writingGateway({ MAX_RESPONSE_BYTES: 10, UPSTREAM_TIMEOUT_MS: 200 }, (number) => number === 2);
  if (!bulk) throw new Error('There is no bulk mutation.');
  const items = { ...bulk, args: '(inputs: [{ name: "N" }, { name: "N" }, { name: "N" }])' };
  expect(toldOf(await run(items))).toEqual(['UNKNOWN']);
});

test('an item that is refused among those that were applied', async () => {
  const { run } = await writingGateway({ MAX_RESPONSE_BYTES: 10 });
  if (!bulk) throw new Error('There is no bulk mutation.');
  const items = { ...bulk, args: '(inputs: [{ name: "N" }, { name: "" }, { name: "N" }])' };
  expect(toldOf(await run(items))).toEqual(['APPLIED']);
});
