import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { keyedGateway, keepingUpstream } from '../idempotency/support.ts';
import { serving } from '../cli/trivium.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { startRedis } from './support.ts';

// Writes under a key, over two gateways that share a Redis.

const CREATE =
  'mutation ($name: String) { createClient(input: { name: $name }) { __typename ... on Client { id name } } }';

async function twoGateways() {
  const redis = await startRedis();
  const { REDIS_URL, HASH_SECRET } = readConfig({
    REDIS_URL: redis.url,
    HASH_SECRET: randomBytes(32).toString('hex'),
  });
  const settings = { REDIS_URL, HASH_SECRET, REDIS_TIMEOUT_MS: 2_000 };
  const upstream = await keepingUpstream();
  const [one, two] = [await keyedGateway(settings, upstream), await keyedGateway(settings, upstream)];
  return { redis, upstream, one, two };
}

test('a write is sent once by two gateways, and its record is given again by the other one', async () => {
  const { upstream, one, two } = await twoGateways();
  const first = await one.under('k')(CREATE, { name: 'Ada' });
  const again = await two.under('k')(CREATE, { name: 'Ada' });
  expect(first.extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect(again).toEqual({ ...first, extensions: { idempotency: { createClient: 'REPLAYED' } } });
  expect(upstream.writes).toHaveLength(1);
});

test('a gateway waits for the first attempt of the other one', async () => {
  const { upstream, one, two } = await twoGateways();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = one.under('k')(CREATE, { name: 'Ada' });
  await arrival;
  const early = await two.under('k', { 'x-trivium-timeout-ms': '300' })(CREATE, { name: 'Ada' });
  expect(early.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_IN_PROGRESS', outcome: 'UNKNOWN' } }]);
  const second = two.under('k')(CREATE, { name: 'Ada' });
  upstream.release();
  expect((await first).extensions).toEqual({ idempotency: { createClient: 'FIRST' } });
  expect((await second).extensions).toEqual({ idempotency: { createClient: 'REPLAYED' } });
  expect(upstream.writes).toHaveLength(1);
});

test('a key of another operation is refused by the other gateway', async () => {
  const { upstream, one, two } = await twoGateways();
  await one.under('k')(CREATE, { name: 'Ada' });
  const reused = await two.under('k')(CREATE, { name: 'Bob' });
  expect(reused.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED', outcome: 'REFUSED' } }]);
  expect(upstream.writes).toHaveLength(1);
});

test('an unknown write is reconciled by the other gateway', async () => {
  const { upstream, one, two } = await twoGateways();
  upstream.manners.push('cuts');
  const first = await one.under('k')(CREATE, { name: 'Ada' });
  const again = await two.under('k')(CREATE, { name: 'Ada' });
  const third = await one.under('k')(CREATE, { name: 'Ada' });
  expect(first.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN' } }]);
  expect(again).toMatchObject({
    data: { createClient: { id: 'Client:1', name: 'Ada' } },
    errors: [],
    extensions: { idempotency: { createClient: 'RECONCILED' } },
  });
  expect(third.extensions).toEqual({ idempotency: { createClient: 'REPLAYED' } });
  expect(upstream.writes).toHaveLength(1);
});

test('while Redis is away a write with a key is refused before anything is sent, and says so', async () => {
  const { redis, upstream, one } = await twoGateways();
  await redis.server.end('SIGKILL');
  const answer = await one.under('k')(CREATE, { name: 'Ada' });
  expect(answer.errors).toMatchObject([
    {
      extensions: { code: 'IDEMPOTENCY_UNAVAILABLE', outcome: 'REFUSED' },
      message: expect.stringMatching(/REDIS_URL.*IDEMPOTENCY.*This attempt sent nothing/),
    },
  ]);
  expect(upstream.writes).toEqual([]);
});

test('a document goes on through another process where the first one was killed between two of its writes', async () => {
  const { url: REDIS_URL } = await startRedis();
  const reads = new EventEmitter();
  const writes: string[] = [];
  const upstream = await stubUpstream((request, response) => {
    const { method = '', url = '' } = request;
    if (method !== 'GET') writes.push(`${method} ${url.split('?', 1)[0]}`);
    else if (reads.emit('held')) return; // the read before the second write has no answer while the test waits for it
    says(url.includes('clients') ? '{"id":7,"name":"Ada"}' : '{"id":1,"code":"shop","data":{"a":1}}')(
      request,
      response,
    );
  });
  const apis = { ACCOUNT_URL: upstream.url, FLEX_URL: upstream.url, CRM_URL: upstream.url, CRM_SHARES_TOKEN: 'true' };
  const env = { ...apis, REDIS_URL, HASH_SECRET: 'a secret of at least 32 characters', REDIS_TIMEOUT_MS: '5000' };
  const query = `mutation { createClient(input: { name: "Ada" }) { __typename }
    createFlexRecord(db: "shop", input: { data: { a: 1 } }) { __typename } }`;
  const headers = { authorization: 'Bearer token', 'idempotency-key': 'k' };

  const first = await serving(env);
  const held = once(reads, 'held');
  const lost = first.ask(query, headers).catch((error: unknown) => error);
  await held;
  first.signal('SIGKILL');
  expect(await lost).toBeInstanceOf(Error);
  const second = await serving(env);
  expect(await second.ask(query, headers)).toMatchObject({
    extensions: { idempotency: { createClient: 'REPLAYED', createFlexRecord: 'FIRST' } },
  });
  expect(writes).toEqual(['POST /app/clients.json', 'POST /flex/dbs/1/records.json']);
  await second.end();
});

/** All commands that a Redis gets from now on, with their arguments. */
async function commandsOf(port: number): Promise<() => string> {
  const socket = connect(port, '127.0.0.1');
  let commands = '';
  socket.on('data', (chunk) => (commands += chunk.toString()));
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  onTestFinished(() => void socket.destroy());
  return () => commands;
}

test('Redis gets neither the key nor a value nor a credential as it came', async () => {
  const { redis, upstream, one } = await twoGateways();
  const seen = await commandsOf(redis.port);
  upstream.manners.push('answers', 'cuts', 'refuses');
  for (const key of ['canary-1', 'canary-2', 'canary-3'])
    await one.under(key, { authorization: 'Bearer canary-token' })(CREATE, { name: 'canary-name' });
  expect(upstream.writes).toHaveLength(3);
  expect(seen()).toContain('trivium:');
  expect(seen()).not.toContain('canary');
});
