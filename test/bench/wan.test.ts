import { gunzipSync } from 'node:zlib';
import { Client } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wanTables } from '../../bench/page/wan.ts';
import { asking, timeJourneys } from '../../bench/parts/wan.ts';
import { directJourneys } from '../../bench/wan/direct.ts';
import { type Ask, gatewayJourneys, JOURNEYS, plainJourneys } from '../../bench/wan/journeys.ts';
import { Link, type LinkOptions } from '../../bench/wan/link.ts';
import { startWanUpstream } from '../../bench/wan/upstream.ts';
import { gatewayOver } from '../support/gateway.ts';

// What one user waits for over a network: the upstream behind a slow link, and the journeys that are timed.

const NEAR = { rttMs: 1, mbit: 100_000 };
const LIST = '/app/clients.json';
/** Timers end up to a millisecond early. */
const EARLY_MS = 2;

async function upstreamOver(link: LinkOptions) {
  const upstream = await startWanUpstream(link);
  onTestFinished(() => upstream.stop());
  /** Reads on a connection of its own. */
  const connection = () => {
    const client = new Client(upstream.origin);
    onTestFinished(() => client.destroy());
    return async (path: string, headers: Record<string, string> = {}) => {
      const began = performance.now();
      const { statusCode, headers: received, body } = await client.request({ method: 'GET', path, headers });
      const bytes = Buffer.from(await body.arrayBuffer());
      return { status: statusCode, headers: received, bytes, ms: performance.now() - began };
    };
  };
  return { upstream, connection, get: connection() };
}

test('an answer is compressed for who asks, and 304 for who knows it until a client changes', async () => {
  const { upstream, get } = await upstreamOver(NEAR);
  const plain = await get(LIST);
  const packed = await get(LIST, { 'accept-encoding': 'gzip' });

  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  expect(upstream.counts()).toEqual({ calls: 2, bytes: plain.bytes.length + packed.bytes.length });

  const known = { 'if-none-match': String(plain.headers['etag']) };
  expect(await get(LIST, known)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });

  const name = upstream.changeClient();
  const changed = await get(LIST, known);
  expect(changed.status).toBe(200);
  expect(JSON.parse(changed.bytes.toString())).toMatchObject({ length: 2000, 6: { id: 7, name } });
  expect(JSON.parse((await get('/app/clients/7.json')).bytes.toString())).toMatchObject({ id: 7, name });
  expect(await get('/app/nothing.json')).toMatchObject({ status: 404 });
});

test('a request waits for a round trip, on a new connection for three, and a body for the bandwidth', async () => {
  const trips = vi.spyOn(Link.prototype, 'roundTrip');
  onTestFinished(() => void trips.mockRestore());
  const { get } = await upstreamOver({ rttMs: 100, mbit: 100 });
  const first = await get('/app/clients/1.json');
  const second = await get('/app/clients/1.json');
  const list = await get(LIST);

  expect(trips.mock.calls).toEqual([[true], [false], [false]]); // whether the connection is new
  expect(first.ms).toBeGreaterThan(300 - EARLY_MS);
  expect(second.ms).toBeGreaterThan(100 - EARLY_MS);
  const onItsWayMs = (list.bytes.length * 8) / 100_000;
  expect(list.ms).toBeGreaterThan(100 + onItsWayMs - EARLY_MS);
});

test('bodies that are sent at the same time share the bandwidth', async () => {
  const { connection } = await upstreamOver({ rttMs: 1, mbit: 100 });
  const lists = await Promise.all([connection()(LIST), connection()(LIST)]);

  const [{ bytes }] = lists;
  const onTheirWayMs = (2 * bytes.length * 8) / 100_000;
  expect(Math.max(...lists.map(({ ms }) => ms))).toBeGreaterThan(onTheirWayMs - EARLY_MS);
  // Neither waits until the other has come: that would be half of the time, and one may be sent some time before the other.
  expect(Math.min(...lists.map(({ ms }) => ms))).toBeGreaterThan(0.6 * onTheirWayMs);
});

test('direct reads a list once for ten pages, and nothing that has not changed', async () => {
  const { upstream } = await upstreamOver(NEAR);
  const direct = directJourneys(upstream.origin, upstream.clients);
  onTestFinished(direct.stop);
  const rows = await timeJourneys([{ name: 'direct', ...direct }], upstream, 0);

  expect(rows.map(({ journey }) => journey)).toEqual(JOURNEYS);
  expect(rows.map(({ calls }) => calls)).toEqual([1, 1, 1, 1, 1, 1, 21, 1]);
  expect(rows.map(({ bytes }) => bytes > 0)).toEqual([true, false, false, true, true, false, true, true]);
  for (const { ms } of rows) expect(ms).toBeGreaterThan(0);
});

test('the gateway makes each journey', async () => {
  const { upstream } = await upstreamOver(NEAR);
  const url = new URL(upstream.origin);
  const gateway = await gatewayOver(upstream.origin, { CRM_URL: url, CRM_SHARES_TOKEN: 'true' });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer tok' };
  const journeys = gatewayJourneys(asking(new URL(`${gateway.url}/graphql`), headers));
  const rows = await timeJourneys([{ name: 'gateway', journeys, stop: async () => {} }], upstream, 0);

  expect(rows.map(({ journey }) => journey)).toEqual(JOURNEYS);
  for (const { calls } of rows) expect(calls).toBeGreaterThan(0);
});

const page = (name: string) => Array.from({ length: 20 }, () => ({ name }));
const whole = (name: string) => Array.from({ length: 2000 }, () => ({ name }));

test.each([
  ['the gateway', gatewayJourneys, (name: string) => ({ clients: { nodes: page(name) } })],
  ['a peer', plainJourneys, (name: string) => ({ clients: whole(name) })],
])('old data of %s is not timed', async (_who, journeysOf, dataOf) => {
  const answering =
    (name: string): Ask =>
    async () =>
      dataOf(name);
  const changed = 'the same page, one client changed';

  await expect(journeysOf(answering('Old'))[changed]('New')).rejects.toThrow('No client is New');
  await journeysOf(answering('New'))[changed]('New');
});

test('an operation with errors is not timed, with data or without', async () => {
  const { upstream } = await upstreamOver(NEAR);
  const gateway = await gatewayOver(upstream.origin); // without a CRM
  const ask = asking(new URL(`${gateway.url}/graphql`), { 'content-type': 'application/json' });

  await expect(ask('{ nothing }')).rejects.toThrow('Cannot query field');
  await expect(ask('{ __typename client(id: 9) { name } }')).rejects.toThrow('"errors":');
  expect(await ask('{ __typename }')).toEqual({ __typename: 'Query' });
});

test('a table for each link has a row for each journey and a column for each target', () => {
  const row = { journey: JOURNEYS[0], ms: 41.6, bytes: 272_400, calls: 1 };
  const far = { rttMs: 40, mbit: 50, ...row };
  const near = { rttMs: 5, mbit: 1000, ...row };
  const tables = wanTables([
    { target: 'direct', ...far },
    { target: 'trivium', ...far, ms: 50 },
    { target: 'direct', ...near },
  ]);

  expect(tables.split('\n')).toEqual([
    '### 40 ms and 50 Mbit/s',
    '',
    '| journey | direct | trivium |',
    '| --- | --: | --: |',
    `| ${JOURNEYS[0]} | 42 ms, 272 kB, 1 | 50 ms, 272 kB, 1 |`,
    '',
    '### 5 ms and 1,000 Mbit/s',
    '',
    '| journey | direct |',
    '| --- | --: |',
    `| ${JOURNEYS[0]} | 42 ms, 272 kB, 1 |`,
  ]);
});
