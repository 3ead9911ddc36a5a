import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { valuesIn } from '../metrics/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { settingsOf, stubRedis } from './stub-redis.ts';

test('/ready tells the state of Redis, and stays ready without it', async () => {
  const redis = await stubRedis();
  const { url, logs } = await gatewayOver('http://127.0.0.1:9', settingsOf(redis));
  const ready = async () => {
    const response = await fetch(`${url}/ready`);
    return { code: response.status, ...(await response.json()) };
  };
  expect(await ready()).toMatchObject({ code: 200, redis: 'ok' });
  await redis.stop();
  await expect.poll(ready).toMatchObject({ code: 200, redis: 'away', redisReason: 'ECONNREFUSED' });
  await stubRedis(undefined, redis.port);
  await expect.poll(ready).toMatchObject({ code: 200, redis: 'ok' });
  expect(logs.join('')).not.toContain('canary');
});

test('/ready and the metrics tell that Redis refuses commands, and why', async () => {
  const redis = await stubRedis();
  const {
    url,
    metrics: own,
    logs,
  } = await gatewayOver('http://127.0.0.1:9', { ...settingsOf(redis), METRICS_PORT: 0 });
  const state = async () => {
    const ready: unknown = await (await fetch(`${url}/ready`)).json();
    const metrics = valuesIn(await own(), ['trivium_redis_']);
    return { ready, metrics };
  };
  expect((await state()).metrics).toEqual({ trivium_redis_available: 1 });
  redis.answer = () => '-NOPERM user canary has no permissions\r\n';
  redis.dropConnections();
  await expect.poll(state).toMatchObject({
    ready: { redis: 'refusing', redisReason: 'NOPERM' },
    metrics: {
      trivium_redis_available: 0,
      'trivium_redis_unavailable{state="refusing",reason="NOPERM"}': 1,
    },
  });
  redis.answer = () => '+OK\r\n';
  await expect.poll(async () => (await state()).metrics).toEqual({ trivium_redis_available: 1 });
  expect(logs.join('')).not.toContain('canary');
});

// The commands by which a gateway finds out that it talks to a Redis Cluster differ with its slots.
test.each([
  "-CROSSSLOT Keys in request don't hash to the same slot",
  '-MOVED 3999 10.0.0.9:6381',
  '-CLUSTERDOWN Hash slot not served',
  '-ERR SELECT is not allowed in cluster mode',
])('a Redis that answers %j at the start ends it; the message names the setting and no address', async (answer) => {
  const names = answer.includes('SELECT') ? ['select'] : ['mset', 'eval', 'evalsha', 'mget'];
  const redis = await stubRedis(([name = '']) => (names.includes(name) ? `${answer}\r\n` : '+OK\r\n'));
  const started = gatewayOver('http://127.0.0.1:9', { ...settingsOf(redis) });
  await expect(started).rejects.toThrow(ConfigError);
  await expect(started).rejects.toThrow(/^REDIS_URL names a Redis Cluster, [^\d]*$/);
});

test('a Redis Cluster that is found later ends nothing', async () => {
  const redis = await stubRedis();
  await redis.stop();
  const { url } = await gatewayOver('http://127.0.0.1:9', settingsOf(redis));
  await stubRedis(([name]) => (name === 'eval' ? '-CROSSSLOT Keys\r\n' : '+OK\r\n'), redis.port);
  const ready = async () => (await fetch(`${url}/ready`)).json();
  await expect.poll(ready).toMatchObject({ redis: 'refusing', redisReason: 'CROSSSLOT' });
});

test('a gateway starts without its Redis', async () => {
  const redis = await stubRedis();
  await redis.stop();
  const { url } = await gatewayOver('http://127.0.0.1:9', settingsOf(redis));
  expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ redis: 'away' });
});

test('without REDIS_URL nothing is said of it', async () => {
  const { url } = await gatewayOver('http://127.0.0.1:9');
  expect(await (await fetch(`${url}/ready`)).json()).not.toHaveProperty('redis');
});
