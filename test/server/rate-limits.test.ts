import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { networkOf } from '../../src/edge/request.ts';
import { settingsOf, stubRedis } from '../redis/stub-redis.ts';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver, type TestGateway } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';

const MANY = 1_000_000;

function over(settings: Partial<Config>) {
  return gatewayOver(DEAD_ADDRESS, { TRUST_PROXY: 1, ...settings });
}

/** Sends one operation, from an address of its own unless the headers say another one. */
async function send({ url }: TestGateway, headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress(), ...headers },
    body: '{"query":"{ __typename }"}',
    ...init,
  });
  await response.arrayBuffer();
  return response.status;
}

let addresses = 0;
const nextAddress = () => `10.0.0.${addresses++}`;

async function statuses(gateway: TestGateway, headers: readonly Readonly<Record<string, string>>[]) {
  const all: number[] = [];
  for (const each of headers) all.push(await send(gateway, each));
  return all;
}

test('an operation beyond the limit is refused with 429, in words that name the limit, and was not run', async () => {
  const clock = stoppedClock();
  const gateway = await over({ RATE_LIMIT: 2, CORS_ORIGINS: ['https://app.example'] });
  const headers = { 'x-forwarded-for': '203.0.113.7', origin: 'https://app.example', 'x-request-id': 'one' };
  const execute = () => gateway.execute('mutation { deleteDeal(id: "1") { __typename } }', { headers });
  expect([(await execute()).status, (await execute()).status]).toEqual([200, 200]);
  clock.pass(48_500);
  const { status, headers: received, errors } = await execute();
  expect(status).toBe(429);
  const message =
    'This address has sent its 2 operations of this minute (RATE_LIMIT). This one was not run: send it again in 12 s.';
  expect(errors).toEqual([{ message, extensions: { code: 'RATE_LIMITED', retryAfter: 12, outcome: 'REFUSED' } }]);
  expect(Object.fromEntries(received)).toMatchObject({
    'retry-after': '12',
    'cache-control': 'private, no-store',
    'x-request-id': 'one',
    'access-control-allow-origin': 'https://app.example',
    'access-control-expose-headers': expect.stringContaining('Retry-After'),
  });
  clock.pass(11_499);
  expect((await execute()).status).toBe(429);
  clock.pass(1);
  expect((await execute()).status).toBe(200); // refused operations were not counted
  await expect.poll(() => gateway.logs.join('')).toContain('"refused":2,"msg":"callers exceed RATE_LIMIT"');
});

test('observers are told of a refused operation', async () => {
  const refused: unknown[] = [];
  const operations = { begin: () => undefined, refuse: (errors: unknown) => void refused.push(errors) };
  const gateway = await gatewayOver(DEAD_ADDRESS, { RATE_LIMIT: 1 }, '', [{ operations }]);
  expect([await send(gateway), await send(gateway)]).toEqual([200, 429]);
  expect(refused).toEqual([{ RATE_LIMITED: 1 }]);
});

test('a query by GET is counted and refused', async () => {
  const gateway = await over({ RATE_LIMIT: 1 });
  const get = () => fetch(`${gateway.url}/graphql?query=%7B__typename%7D`);
  expect((await get()).status).toBe(200);
  const refused = await get();
  expect(refused.status).toBe(429);
  expect((await refused.json()).errors[0].extensions).toEqual({
    code: 'RATE_LIMITED',
    retryAfter: 60,
    outcome: 'REFUSED',
  });
});

describe('each credential has the limit, however it is written and whatever its address is', () => {
  const login = (text: string) => Buffer.from(text).toString('base64');

  test.each<[string, readonly Readonly<Record<string, string>>[]]>([
    ['a bearer token', [{ authorization: 'Bearer token' }, { authorization: 'bearer   token ' }]],
    ['one token in two headers', [{ authorization: 'Bearer token' }, { 'x-crm-token': 'token' }]],
    [
      'a login',
      [
        { 'x-forum-authorization': `Basic ${login('ada:secret')}` },
        { 'x-forum-authorization': `basic ${login('ada:secret').replace(/=+$/, '')}` },
      ],
    ],
    [
      'a token beside invented ones',
      [
        { authorization: 'Bearer token', 'x-crm-token': 'invented-1' },
        { authorization: 'Bearer token', 'x-crm-token': 'invented-2' },
      ],
    ],
  ])('%s', async (_name, [one = {}, other = {}]) => {
    const gateway = await over({ RATE_LIMIT: 2 });
    expect(await statuses(gateway, [one, other, one, other])).toEqual([200, 200, 429, 429]);
    expect(await send(gateway, { authorization: 'Bearer other' })).toBe(200);
  });

  test('a request that carries one credential in two headers counts once', async () => {
    const gateway = await over({ RATE_LIMIT: 2 });
    const both = { authorization: 'Bearer token', 'x-crm-token': 'token' };
    expect(await statuses(gateway, [both, both, both])).toEqual([200, 200, 429]);
  });
});

describe('each address has a limit, so that invented credentials do not evade it', () => {
  test('invented credentials of one address share its limit', async () => {
    const gateway = await over({ RATE_LIMIT: 3 });
    const invented = Array.from({ length: 5 }, (_, index) => ({
      authorization: `Bearer invented-${index}`,
      'x-forwarded-for': '203.0.113.7',
    }));
    expect(await statuses(gateway, invented)).toEqual([200, 200, 200, 429, 429]);
    expect(await send(gateway, { 'x-forwarded-for': '203.0.113.8' })).toBe(200);
  });

  test('RATE_LIMIT_ADDRESS gives addresses another limit than credentials, and holds without RATE_LIMIT', async () => {
    const address = { 'x-forwarded-for': '203.0.113.7', authorization: 'Bearer one' };
    const other = { ...address, authorization: 'Bearer two' };
    const both = await over({ RATE_LIMIT: 1, RATE_LIMIT_ADDRESS: 2 });
    expect(await statuses(both, [address, address, other, other])).toEqual([200, 429, 200, 429]);
    const alone = await over({ RATE_LIMIT_ADDRESS: 2 });
    expect(await statuses(alone, [address, address, address])).toEqual([200, 200, 429]);
  });

  test('X-Forwarded-For is an address only behind a proxy that is trusted', async () => {
    const gateway = await over({ RATE_LIMIT: 1, TRUST_PROXY: 0 });
    expect(await statuses(gateway, [{}, {}])).toEqual([200, 429]);
  });

  test('an IPv6 address counts for its network of 64 bits', async () => {
    const gateway = await over({ RATE_LIMIT: 1 });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const same = ['2001:db8:0:1::1', '2001:DB8::1:ffff:0:0:2', '[2001:0db8:0000:0001::3]:443'].map(from);
    expect(await statuses(gateway, [...same, from('2001:db8:0:2::1')])).toEqual([200, 429, 429, 200]);
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1::2:3:4:5:6:7', '1:0:2:3'],
    ['::1:2:3:4:5:198.51.100.1', '0:1:2:3'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('the network of %j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test('what is no operation is free: health, preflights, pages, the schema', async () => {
  const gateway = await over({ RATE_LIMIT: 1, TRUST_PROXY: 0, CORS_ORIGINS: ['https://app.example'] });
  expect(await send(gateway)).toBe(200);
  expect(await send(gateway)).toBe(429);
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const free: readonly [string, RequestInit][] = [
    ['/health', {}],
    ['/ready', {}],
    ['/graphql', { method: 'OPTIONS', headers: preflight }],
    ['/graphql', { method: 'OPTIONS' }],
    ['/graphql', { headers: { accept: 'text/html' } }],
    ['/schema.graphql', {}],
    ['/', { headers: { accept: 'text/html' } }],
  ];
  for (const [path, init] of free) expect((await fetch(gateway.url + path, init)).status, path).toBeLessThan(300);
});

test.each([
  ['a request that Yoga answers', { headers: { accept: 'multipart/mixed' } }],
  ['a body that is not read', { body: 'no JSON at all' }],
  ['a request that is refused for its form', { headers: { 'content-type': 'text/plain' } }],
])('%s counts, too', async (_name, init) => {
  const gateway = await over({ RATE_LIMIT: 1, TRUST_PROXY: 0 });
  expect(await send(gateway, {}, init)).not.toBe(429);
  expect(await send(gateway)).toBe(429);
});

test('concurrent operations are not more than the limit', async () => {
  const gateway = await over({ RATE_LIMIT: 20, RATE_LIMIT_ADDRESS: MANY });
  const headers = { authorization: 'Bearer token' };
  const all = await Promise.all(Array.from({ length: 50 }, () => send(gateway, headers)));
  expect(all.filter((status) => status === 200)).toHaveLength(20);
});

describe('with Redis', () => {
  /** Answers the script as Redis does. */
  const counter = () => {
    const counts = new Map<string, number>();
    return (command: readonly string[]) => {
      if (!command[0]?.startsWith('eval')) return '+OK\r\n';
      const key = command[3] ?? '';
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return `*2\r\n:${counts.get(key)}\r\n:60000\r\n`;
    };
  };
  const token = { authorization: 'Bearer canary-token', 'x-forwarded-for': '203.0.113.7' };

  test('gateways share the counts, and Redis is not asked once a limit is known to be used up', async () => {
    const redis = await stubRedis(counter());
    const settings = { RATE_LIMIT: 3, RATE_LIMIT_ADDRESS: MANY, ...settingsOf(redis) };
    const [one, other] = [await over(settings), await over(settings)];
    expect([...(await statuses(one, [token, token])), ...(await statuses(other, [token]))]).toEqual([200, 200, 200]);
    expect([...(await statuses(one, [token])), ...(await statuses(other, [token]))]).toEqual([429, 429]);
    const asked = redis.commands.length;
    expect([...(await statuses(one, [token])), ...(await statuses(other, [token]))]).toEqual([429, 429]);
    expect(redis.commands).toHaveLength(asked);
    const sent = redis.commands.flat().join(' ');
    expect(sent).toMatch(/trivium:rate:[\w-]{22} /);
    expect(sent).not.toMatch(/canary-token|203\.0\.113\.7/);
  });

  test('without it each process goes on with what it knows, and counts by itself', async () => {
    const redis = await stubRedis(counter());
    const gateway = await over({ RATE_LIMIT: 3, RATE_LIMIT_ADDRESS: MANY, ...settingsOf(redis) });
    expect(await statuses(gateway, [token, token])).toEqual([200, 200]);
    await redis.stop();
    expect(await statuses(gateway, [token, token, token])).toEqual([200, 429, 429]);
    expect(await send(gateway, { authorization: 'Bearer other' })).toBe(200);
  });
});
