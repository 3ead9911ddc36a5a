import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// `Gateway.reset`: what was learned before does not show after it, so that one gateway serves many tests.

const CLIENT = '{ client(id: 1) { name } }';
const UPDATE = 'mutation { updateClient(id: 1, input: { name: "Ada" }) { ... on Client { name } } }';
const ada = says('{"id":1,"name":"Ada"}');

type Row = [what: string, times: number, query: string, answer: typeof ada, settings: Partial<Config>];

test.each<Row>([
  ['a cached response', 1, CLIENT, ada, { CRM_CACHE_TTL_MS: 60_000 }],
  ['a pause', 1, CLIENT, says('{}', { status: 429, headers: { 'retry-after': '30' } }), {}],
  ['an open breaker', 10, CLIENT, says('{}', { status: 503 }), {}],
  ['the receipt of a write', 1, UPDATE, ada, {}],
])('%s is forgotten: the upstream is called again', async (_what, times, query, answer, settings) => {
  const upstream = await stubUpstream(answer);
  const { execute, reset } = await gatewayOver(
    upstream.url,
    { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true', ...settings },
    'token',
  );
  const ask = () => execute(query, query === UPDATE ? { headers: { 'idempotency-key': 'key' } } : {});
  const method = query === UPDATE ? 'PUT' : 'GET'; // a repeated write reads its record
  const calls = () => upstream.received.filter((call) => call.startsWith(method)).length;
  for (let time = 0; time < times; time += 1) await ask();
  await ask();
  expect(calls()).toBe(times);

  await reset();
  await ask();
  expect(calls()).toBe(times + 1);
});

test('calls under way are cancelled', async () => {
  let held: ServerResponse | undefined;
  const upstream = await stubUpstream((_request, response) => void (held = response));
  const { execute, reset } = await gatewayOver(upstream.url, {}, 'token');
  const reading = execute('{ apiTokens { name } }');
  await expect.poll(() => held).toBeDefined();

  await reset();
  expect(await reading).toMatchObject({ data: { apiTokens: null }, errors: [{ path: ['apiTokens'] }] });
});
