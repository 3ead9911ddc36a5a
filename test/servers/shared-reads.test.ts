import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { dice } from '../support/dice.ts';
import { gatewayOver, type TestGateway } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { startRedis } from './support.ts';

// Two gateways over one Redis and one upstream, whose reads take long: no read shows what was there before a write that was
// acknowledged when it began. CHECK_OPERATIONS=10000 CHECK_DELAY_MS=3000 is the long form.

const OPERATIONS = Number(process.env['CHECK_OPERATIONS'] ?? 1_500);
const MAX_DELAY_MS = Number(process.env['CHECK_DELAY_MS'] ?? 300);
const AT_ONCE = 150;
const CLIENTS = 3;

/** A CRM whose clients are named by the number of their writes. A read shows the moment of its arrival, and takes long. */
async function versionedCrm(random: () => number) {
  const versions = new Map<string, number>();
  let reads = 0;
  const upstream = await stubUpstream((request, response) => {
    const id = /clients\/(\d+)\.json/.exec(request.url ?? '')?.[1] ?? '';
    const isRead = request.method === 'GET';
    const version = (versions.get(id) ?? 0) + (isRead ? 0 : 1);
    versions.set(id, version);
    if (isRead) reads += 1;
    request.resume();
    const longest = isRead ? MAX_DELAY_MS : 20;
    void delay(longest * random() ** 3).then(() =>
      saysJson({ id: Number(id), name: String(version) })(request, response),
    );
  });
  return { url: upstream.url, readCalls: () => reads };
}

async function check(cacheTtlMs: number) {
  const { roll } = dice(cacheTtlMs + 7);
  const random = () => roll(1_000) / 1_000;
  const crm = await versionedCrm(random);
  const { url } = await startRedis();
  const { REDIS_URL, HASH_SECRET } = readConfig({ REDIS_URL: url, HASH_SECRET: 'a secret of at least 32 characters' });
  const settings = {
    ...{ CRM_URL: new URL(crm.url), REDIS_URL, HASH_SECRET, CRM_CACHE_TTL_MS: cacheTtlMs },
    REDIS_TIMEOUT_MS: 5_000, // a write that could not be told to Redis in time is another test
  };
  const gateways = [await gatewayOver(crm.url, settings), await gatewayOver(crm.url, settings)];
  const pick = (): TestGateway => gateways[random() < 0.5 ? 0 : 1] ?? expect.unreachable();
  const acknowledged = new Map<string, number>();
  const stale: string[] = [];
  let [left, reads] = [OPERATIONS, 0];
  const send = async (query: string) => {
    const { data, errors } = await pick().execute(query, { headers: { 'x-crm-token': 'token' } });
    expect(errors).toEqual([]);
    return Number(Object(data).client.name);
  };
  const caller = async () => {
    for (; left > 0; left--) {
      const id = String(1 + Math.floor(random() * CLIENTS));
      const floor = acknowledged.get(id) ?? 0;
      if (random() < 0.1) {
        const version = await send(
          `mutation { client: updateClient(id: ${id}, input: { name: "x" }) { ... on Client { name } } }`,
        );
        acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0));
      } else {
        reads += 1;
        const version = await send(`{ client(id: ${id}) { name } }`);
        if (version < floor) stale.push(`client ${id}: ${version} after ${floor}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return { stale, reads, readCalls: crm.readCalls() };
}

test.each([1, 60_000])(
  'with answers that are kept for %i ms no read is older than an acknowledged write, and reads share calls',
  { timeout: 300_000 },
  async (ttlMs) => {
    const { stale, reads, readCalls } = await check(ttlMs);
    expect(stale).toEqual([]);
    expect(readCalls).toBeLessThan(0.9 * reads);
  },
);

test('without kept answers no read shares a call of another one', { timeout: 300_000 }, async () => {
  const { stale, reads, readCalls } = await check(0);
  expect(stale).toEqual([]);
  expect(readCalls).toBe(reads);
});
