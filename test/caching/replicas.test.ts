import { expect, test } from 'vitest';
import { settingsOf, type Reply, stubRedis } from '../redis/stub-redis.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Several gateways with REDIS_URL learn from each other what a write has made stale.

const CLIENT = '{ client(id: 1) { name } deals { totalCount } }';
const RENAME = 'mutation { updateClient(id: 1, input: { name: "New" }) { __typename } }';

const bulk = (text: string | undefined) => (text === undefined ? '$-1\r\n' : `$${text.length}\r\n${text}\r\n`);

/** Answers of a Redis that has the commands MGET and MSET. */
function memory(stored = new Map<string, string>()): Reply {
  return ([name = '', ...given]) => {
    if (name.toLowerCase() === 'mget')
      return `*${given.length}\r\n${given.map((key) => bulk(stored.get(key))).join('')}`;
    if (name.toLowerCase() === 'mset') {
      for (let at = 0; at < given.length; at += 2) stored.set(given[at] ?? '', given[at + 1] ?? '');
    }
    return '+OK\r\n';
  };
}

/** Two gateways over one CRM and one Redis. */
async function replicas(reply = memory()) {
  const redis = await stubRedis(reply);
  const upstream = await stubUpstream((request, response) =>
    says(request.url?.includes('clients/1') ? '{"id":1,"name":"Ada"}' : '[]')(request, response),
  );
  const settings = { CRM_URL: new URL(upstream.url), CRM_CACHE_TTL_MS: 60_000, ...settingsOf(redis) };
  const [one, other] = [await gatewayOver(upstream.url, settings), await gatewayOver(upstream.url, settings)];
  const callsOf = async ({ execute }: typeof one, query = CLIENT) => {
    const before = upstream.received.length;
    const { errors } = await execute(query, { headers: { 'x-crm-token': 'token' } });
    expect(errors).toEqual([]);
    return upstream.received.slice(before).map((call) => call.split('?', 1)[0]);
  };
  /** Reads until the answers are kept: the first operation of all finds no generations in Redis. */
  const warmUp = async (gateway: typeof one) => {
    await callsOf(gateway);
    await callsOf(gateway);
    expect(await callsOf(gateway)).toEqual([]);
  };
  return { redis, one, other, callsOf, warmUp };
}

const commandsOf = (commands: readonly string[][], name: string) =>
  commands.filter(([command]) => command?.toLowerCase() === name);

test('a write through one gateway is seen by the next read through another', async () => {
  const { one, other, callsOf, warmUp } = await replicas();
  await warmUp(one);
  await warmUp(other);
  await callsOf(one, RENAME);
  expect((await callsOf(other)).sort()).toEqual(['GET /app/clients/1.json', 'GET /app/deals.json']);
  expect(await callsOf(other)).toEqual([]);
  await callsOf(other, 'mutation { updateContactList(id: 1, name: "x") { __typename } }');
  expect(await callsOf(one)).toHaveLength(2); // those that the first write made stale
  expect(await callsOf(one)).toEqual([]);
});

test('an operation asks Redis once, a write tells it twice, and neither tells it anything of the caller', async () => {
  const { redis, one, callsOf, warmUp } = await replicas();
  await warmUp(one);
  redis.commands.length = 0;
  await callsOf(one);
  expect(redis.commands.map(([name]) => name?.toLowerCase())).toEqual(['mget']);
  redis.commands.length = 0;
  await callsOf(one, RENAME);
  expect(redis.commands.map(([name]) => name?.toLowerCase())).toEqual(['mset', 'mset']);
  for (const [, key] of redis.commands) expect(key).toMatch(/^trivium:generation:[\w-]+=*$/);
  expect(redis.commands.flat().join()).not.toMatch(/token|clients/);
});

test('while Redis is away nothing is taken from the cache, and again once it answers', async () => {
  const { redis, one, callsOf, warmUp } = await replicas();
  await warmUp(one);
  await redis.stop();
  expect(await callsOf(one)).toHaveLength(2);
  expect(await callsOf(one)).toHaveLength(2);
  await stubRedis(memory(), redis.port);
  await expect.poll(() => callsOf(one)).toEqual([]);
});

test('a Redis that has lost the generations brings no old answer back', async () => {
  const stored = new Map<string, string>();
  const { one, other, callsOf, warmUp } = await replicas(memory(stored));
  await warmUp(one);
  await callsOf(other, RENAME);
  stored.clear();
  expect(await callsOf(one)).toHaveLength(2);
  expect(await callsOf(one)).toHaveLength(2);
  expect(await callsOf(one)).toEqual([]);
});

test('texts that are no generation are not taken for one', async () => {
  const stored = new Map<string, string>();
  const { one, callsOf, warmUp } = await replicas(memory(stored));
  await warmUp(one);
  for (const key of stored.keys()) stored.set(key, 'x'.repeat(65));
  expect(await callsOf(one)).toHaveLength(2);
});

test.each(['$-1', ':7', '$10\r\n0123456789', '+OK'])(
  'an answer that is no list, %j, keeps nobody from reading',
  async (answer) => {
    const { one, callsOf } = await replicas(([name = '']) =>
      name.toLowerCase() === 'mget' ? `${answer}\r\n` : '+OK\r\n',
    );
    expect(await callsOf(one)).toHaveLength(2);
    expect(await callsOf(one)).toHaveLength(2);
  },
);

test('a write that could not be told to Redis is told once it answers', async () => {
  const { redis, one, callsOf, warmUp } = await replicas();
  await warmUp(one);
  await redis.stop();
  await callsOf(one, RENAME);
  const back = await stubRedis(memory(), redis.port);
  await expect.poll(() => commandsOf(back.commands, 'mset').length).toBeGreaterThan(0);
});
