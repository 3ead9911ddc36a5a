import { gunzipSync } from 'node:zlib';
import { Client } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { wanTables } from '../../bench/page/wan.ts';
import { asking, timeJourneys } from '../../bench/parts/wan.ts';
import { directJourneys } from '../../bench/wan/direct.ts';
import { type Ask, gatewayJourneys, JOURNEYS, plainJourneys } from '../../bench/wan/journeys.ts';
import { Link } from '../../bench/wan/link.ts';
import { startWanUpstream, type WanUpstream } from '../../bench/wan/upstream.ts';
import { gatewayOver } from '../support/gateway.ts';

// What one user waits for over a network: the upstream behind a slow link, and the journeys that are timed.

const NEAR = { rttMs: 1, mbit: 100_000 };
const LIST = '/app/clients.json';

let upstream: WanUpstream;

beforeAll(async () => {
  upstream = await startWanUpstream(NEAR);
});

afterAll(() => upstream.stop());

/** Reads on a connection of its own. */
function reader() {
  const client = new Client(upstream.origin);
  onTestFinished(() => client.destroy());
  return async (path: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: received, body } = await client.request({ method: 'GET', path, headers });
    return { status: statusCode, headers: received, bytes: Buffer.from(await body.arrayBuffer()) };
  };
}

test('an answer is compressed for who asks, and 304 for who knows it until a client changes', async () => {
  upstream.reset();
  const get = reader();
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

/** A link of 100 ms and 100 Mbit/s whose time passes only where it waits. */
function simulated() {
  let now = 0;
  const sleep = async (ms: number) => void (now += ms);
  return { link: new Link({ rttMs: 100, mbit: 100 }, { now: () => now, sleep }), passed: () => now };
}

test('a request waits for a round trip, and for three on a new connection', async () => {
  const { link, passed } = simulated();
  await link.roundTrip(true);
  expect(passed()).toBe(300);
  await link.roundTrip(false);
  expect(passed()).toBe(400);

  const trips = vi.spyOn(Link.prototype, 'roundTrip');
  onTestFinished(() => void trips.mockRestore());
  const get = reader();
  for (const path of ['/app/clients/1.json', '/app/clients/1.json', LIST]) await get(path);
  expect(trips.mock.calls).toEqual([[true], [false], [false]]); // whether the connection is new
});

test('a body waits for the bandwidth, and bodies that are sent at the same time share it, piece by piece', async () => {
  const { link, passed } = simulated();
  const body = Buffer.alloc(16 * 16_384);
  const written: string[] = [];
  const send = (name: string) => link.send(body, () => void written.push(name));
  await send('-');
  expect(passed()).toBeCloseTo(body.length / 12_500);

  written.length = 0;
  await Promise.all([send('a'), send('b')]);
  expect(passed()).toBeCloseTo((3 * body.length) / 12_500);
  expect(written.join('')).toMatch(/^(?:ab){16}$/);
});

test('direct reads a list once for ten pages, and nothing that has not changed', async () => {
  const direct = directJourneys(upstream.origin, upstream.clients);
  onTestFinished(direct.stop);
  const rows = await timeJourneys([{ name: 'direct', ...direct }], upstream, 0);

  expect(rows.map(({ journey }) => journey)).toEqual(JOURNEYS);
  expect(rows.map(({ calls }) => calls)).toEqual([1, 1, 1, 1, 1, 1, 21, 1]);
  expect(rows.map(({ bytes }) => bytes > 0)).toEqual([true, false, false, true, true, false, true, true]);
});

test('the gateway makes each journey', async () => {
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
