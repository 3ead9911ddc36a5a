import { expect, onTestFinished, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { openReceipts } from '../../src/idempotency/open.ts';
import { RedisReceipts } from '../../src/idempotency/redis-receipts.ts';
import { MemoryReceipts } from '../../src/idempotency/memory-receipts.ts';
import { createLog } from '../../src/observe/log.ts';
import { keyedHash, openStore } from '../../src/redis/redis.ts';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { settingsOf, stubRedis } from '../redis/stub-redis.ts';

async function opened(settings: Partial<Config>) {
  const config = { ...readConfig({}), ...settings };
  const log = createLog('silent', { write: () => {} });
  const store = await openStore(config, keyedHash(config), log);
  const open = await openReceipts(config, store, log);
  onTestFinished(async () => {
    await open?.close();
    await store?.close();
  });
  return open;
}

test('auto is Redis with REDIS_URL, else memory', async () => {
  const redis = settingsOf(await stubRedis());
  expect(await opened({})).toBeInstanceOf(MemoryReceipts);
  expect(await opened(redis)).toBeInstanceOf(RedisReceipts);
  expect(await opened({ IDEMPOTENCY: 'memory', ...redis })).toBeInstanceOf(MemoryReceipts);
  expect(await opened({ IDEMPOTENCY: 'redis', ...redis })).toBeInstanceOf(RedisReceipts);
  expect(await opened({ IDEMPOTENCY: 'off', ...redis })).toBeUndefined();
});

test('a gateway over Redis warns at its start of what may be lost, and one in memory asks nothing', async () => {
  const redis = await stubRedis();
  const { logs } = await gatewayOver(DEAD_ADDRESS, settingsOf(redis));
  await expect.poll(() => logs.join('')).toContain('redis may lose receipts of writes');
  const other = await stubRedis();
  await gatewayOver(DEAD_ADDRESS, { ...settingsOf(other), IDEMPOTENCY: 'memory' });
  expect(other.commands.filter(([name]) => name === 'info')).toEqual([]);
});

test('metrics tell how many receipts are kept, and no figures where there are none', async () => {
  const figures = async (settings: Partial<Config>) => {
    const { metrics } = await gatewayOver(DEAD_ADDRESS, { METRICS_PORT: 0, ...settings });
    return (await metrics()).split('\n').filter((line) => line.startsWith('trivium_receipts'));
  };
  expect(await figures({})).toEqual([
    'trivium_receipts 0',
    ...['new', 'open', 'applied', 'unknown', 'reused', 'full', 'away'].map(
      (state) => `trivium_receipts_asked_total{state="${state}"} 0`,
    ),
  ]);
  expect(await figures({ IDEMPOTENCY: 'off' })).toEqual([]);
});
