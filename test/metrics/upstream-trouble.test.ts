import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { type Config, settings } from '../../src/config.ts';
import { stoppedClock } from '../support/clock.ts';
import { heldTimers } from '../support/deadlines.ts';
import { gatewayOver, type TestGateway } from '../support/gateway.ts';
import { gatewayOverCrm, saysJson } from '../support/stub-crm.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';
import { METERED, namesIn, served } from './support.ts';

// The metrics and the settings of "Which metric, which setting" in docs/operations.md, tried in each of its situations.

const XML = { 'content-type': 'application/xml' };
const CLIENTS = '{ clients { totalCount } }';
const CLIENTS_OF_POSTS = '{ posts(first: 10) { nodes { client { name } } } }';

/** Reads the sum of the series that begin so. */
async function metered<G extends TestGateway>(gateway: G) {
  const { values } = await served(gateway);
  const sum = async (series: string) => Object.values(await values(series)).reduce((total, value) => total + value, 0);
  return { ...gateway, values, sum };
}

/** A gateway over a CRM that answers so. */
async function over(answer: RequestListener, settings: Partial<Config> = {}) {
  const { url } = await stubUpstream(answer);
  return metered(
    await gatewayOver(url, { ...METERED, CRM_URL: new URL(url), SHARE_READS: 'false', ...settings }, 'token'),
  );
}

async function inTurn({ execute }: TestGateway, times: number): Promise<void> {
  for (let calls = 0; calls < times; calls += 1) await execute(CLIENTS);
}

test.each([
  ['calls wait for a connection', { UPSTREAM_CONNECTIONS: 1 }, 2, 0],
  ['more connections end the wait', { UPSTREAM_CONNECTIONS: 3 }, 0, 0],
  ['a shorter queue refuses calls at once', { UPSTREAM_CONNECTIONS: 1, UPSTREAM_QUEUE: 1 }, 1, 1],
] as const)('slow: %s', async (_name, settings, waiting, refused) => {
  const held: (() => void)[] = [];
  let isSlow = true;
  const gateway = await over((request, response) => {
    const answer = () => saysJson({ id: 1 })(request, response);
    if (isSlow) held.push(answer);
    else answer();
  }, settings);
  const answers = [1, 2, 3].map((id) => gateway.execute(`{ deal(id: ${id}) { id } }`));
  const refusedCalls =
    'trivium_upstream_calls_total{api="crm",method="GET",endpoint="/app/deals/:id.json",status="not_called"}';
  await expect.poll(() => gateway.sum('trivium_upstream_calls_in_flight{api="crm"}')).toBe(3 - refused);
  await expect.poll(() => held.length).toBe(3 - refused - waiting);
  expect(await gateway.sum('trivium_upstream_calls_waiting{api="crm"}')).toBe(waiting);
  expect(await gateway.sum(refusedCalls)).toBe(refused);

  isSlow = false;
  for (const answer of held) answer();
  await Promise.all(answers);
  expect(await gateway.sum('trivium_upstream_call_duration_seconds_sum{api="crm"')).toBeGreaterThan(0);
  expect(await gateway.sum('trivium_upstream_queue_duration_seconds_count{api="crm"')).toBe(3);
});

test('slow: a shorter UPSTREAM_TIMEOUT_MS ends calls that hang', async () => {
  const { pass } = stoppedClock();
  const { open, come } = heldTimers((_reach, ms) => ms === 2_500);
  let calls = 0;
  const gateway = await over(() => void (calls += 1), { UPSTREAM_TIMEOUT_MS: 2_500 });
  const hanging = gateway.execute(CLIENTS);
  await expect.poll(() => [open(), calls]).toEqual([1, 1]); // its duration begins when it is sent
  pass(2_500);
  come(2_500);
  await hanging;
  expect(await gateway.sum('trivium_operation_errors_total{code="UPSTREAM_TIMEOUT"}')).toBe(1);
  expect(await gateway.sum('trivium_upstream_call_duration_seconds_sum{api="crm"')).toBe(2.5);
});

test('down: calls fail until the API is called no more, and the address is what to look at', async () => {
  const settings = { ...METERED, CRM_URL: new URL(DEAD_ADDRESS) };
  const gateway = await metered(await gatewayOver(DEAD_ADDRESS, settings, 'token'));
  await inTurn(gateway, 12);
  expect(await gateway.sum('trivium_upstream_breaker_open{api="crm"}')).toBe(1);
  expect(await gateway.sum('trivium_upstream_breaker_changes_total{api="crm",scope="api",state="open"}')).toBe(1);
  expect(await gateway.sum('trivium_upstream_calls_total{api="crm"')).toBe(12);
  expect(await gateway.sum('trivium_operation_errors_total{code="UPSTREAM_UNAVAILABLE"}')).toBe(12);

  const well = await over(saysJson([]));
  await inTurn(well, 12);
  expect(await well.sum('trivium_upstream_breaker_open{api="crm"}')).toBe(0);
  expect(await well.sum('trivium_operation_errors_total{code="UPSTREAM_UNAVAILABLE"}')).toBe(0);
});

test('hostile: answers that cannot be read are counted by their code', async () => {
  const page = await over(says('<html>', { headers: { 'content-type': 'text/html' } }));
  await inTurn(page, 2);
  expect(await page.sum('trivium_operation_errors_total{code="UPSTREAM_BAD_RESPONSE"}')).toBe(2);
});

const filler = 'x'.repeat(500);
test.each([
  ['MAX_LIST_BYTES', CLIENTS, saysJson([{ id: 1, name: filler }])],
  ['MAX_RECORD_BYTES', '{ deal(id: 1) { id } }', saysJson({ id: 1, name: filler })],
  ['MAX_XML_BYTES', '{ forumMe { name } }', says(`<user><name>${filler}</name></user>`, { headers: XML })],
] as const)(
  'hostile: answers that are too large are counted by their status, up to %s',
  async (setting, query, answer) => {
    for (const [bytes, count] of [
      [100, 1],
      [1_000, 0],
    ] as const) {
      const { url } = await stubUpstream(answer);
      const settings = { ...METERED, CRM_URL: new URL(url), FORUM_URL: new URL(url), [setting]: bytes };
      const gateway = await metered(await gatewayOver(url, settings, 'token'));
      const { data } = await gateway.execute(query, { headers: { 'x-forum-authorization': 'Basic ZGVtbzpkZW1v' } });
      expect(JSON.stringify(data).includes('null')).toBe(count === 1);
      const statuses = Object.keys(await gateway.values('trivium_upstream_calls_total'));
      expect(statuses.filter((series) => series.includes('status="too_large"'))).toHaveLength(count);
      expect(await gateway.sum('trivium_operation_errors_total{code="UPSTREAM_BAD_RESPONSE"}')).toBe(count);
      expect(await gateway.sum('trivium_upstream_received_bytes_total')).toBeGreaterThanOrEqual(100);
    }
  },
);

test('rate-limiting: calls are answered 429 until the pause begins, and one list, or a kept answer, asks for less', async () => {
  const limited = await over(says('', { status: 429, headers: { 'retry-after': '30' } }));
  await inTurn(limited, 3);
  expect(await limited.sum('trivium_upstream_calls_total{api="crm"')).toBe(1);
  expect(await limited.sum('trivium_operation_errors_total{code="UPSTREAM_RATE_LIMITED"}')).toBe(3);

  const calls = async (settings: Partial<Config>) => {
    const gateway = await metered(await gatewayOverCrm({ posts: 10 }, { ...METERED, ...settings }));
    for (let times = 0; times < 2; times += 1) await gateway.execute(CLIENTS_OF_POSTS);
    return gateway.sum('trivium_upstream_calls_total{api="crm"');
  };
  expect(await calls({ BATCH_READS: 'by-id' })).toBe(22);
  expect(await calls({ BATCH_READS: 'list' })).toBe(4);
  expect(await calls({ BATCH_READS: 'list', CRM_CACHE_TTL_MS: 60_000 })).toBe(2);
});

test.each([10, 2])('rate-limiting: at most READS_AT_ONCE reads of an operation are under way: %i', async (most) => {
  const held: (() => void)[] = [];
  const one: RequestListener = (request, response) => void held.push(() => saysJson({ id: 1 })(request, response));
  const settings = { ...METERED, BATCH_READS: 'by-id', READS_AT_ONCE: most } as const;
  const gateway = await metered(await gatewayOverCrm({ posts: 10, one }, settings));
  const answer = gateway.execute(CLIENTS_OF_POSTS);
  for (let left = 10; left > 0; left -= most) {
    await expect.poll(() => held.length).toBe(most);
    expect(await gateway.sum('trivium_upstream_calls_in_flight{api="crm"}')).toBe(most);
    for (const release of held.splice(0)) release();
  }
  expect((await answer).status).toBe(200);
});

test('each metric and each setting that the page names exists', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Which metric, which setting');
  const [text = ''] = section.split(/^## /m);
  const named = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
  const metrics = named(/`(trivium_\w+)/g);
  const names = named(/`([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)`/g);
  for (const code of ['UPSTREAM_BAD_RESPONSE', 'UPSTREAM_RATE_LIMITED']) names.delete(code);
  expect(metrics.size).toBeGreaterThan(5);
  expect(names.size).toBeGreaterThan(5);
  const { scrape } = await served(await gatewayOver(DEAD_ADDRESS, METERED));
  expect(namesIn(await scrape())).toEqual(expect.arrayContaining([...metrics]));
  expect(Object.keys(settings)).toEqual(expect.arrayContaining([...names]));
});
