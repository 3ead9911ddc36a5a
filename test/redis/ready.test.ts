import { expect, test } from 'vitest';
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
  await expect.poll(ready).toMatchObject({ code: 200, redis: 'away' });
  await stubRedis(undefined, redis.port);
  await expect.poll(ready).toMatchObject({ code: 200, redis: 'ok' });
  expect(logs.join('')).not.toContain('canary');
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
