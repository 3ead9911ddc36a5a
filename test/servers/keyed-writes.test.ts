import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { keyedGateway, keepingUpstream } from '../idempotency/support.ts';
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
