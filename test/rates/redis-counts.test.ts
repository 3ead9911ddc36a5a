import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { createLog } from '../../src/observe/log.ts';
import { RedisCounts } from '../../src/edge/rate-limits/redis-counts.ts';
import { SharedStore } from '../../src/redis/shared-store.ts';
import { settingsOf, stubRedis } from '../redis/stub-redis.ts';

/** Counts in a Redis that answers so to the script. */
async function countsOver(reply: string) {
  const redis = await stubRedis(([name]) => (name?.startsWith('eval') ? reply : '+OK\r\n'));
  const config = { ...readConfig({}), ...settingsOf(redis) };
  const address = config.REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const log = createLog('silent', { write: () => {} });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log, timeoutMs: config.REDIS_TIMEOUT_MS });
  onTestFinished(() => store.close());
  return { counts: new RedisCounts(store), redis };
}

test('each key is one command, with a name of its own and an end', async () => {
  const { counts, redis } = await countsOver('*2\r\n:7\r\n:1500\r\n');
  const seven = { used: 7, msLeft: 1_500 };
  expect(await counts.count(['one', 'two'])).toEqual([seven, seven]);
  const sent = redis.commands.filter((command) => command[3]?.startsWith('trivium:rate:'));
  expect(sent.map((command) => command.slice(2, 6))).toEqual([
    ['1', 'trivium:rate:one', '1', '60'],
    ['1', 'trivium:rate:two', '1', '60'],
  ]);
});

test.each([
  ['no list', '+OK\r\n'],
  ['nothing', '$-1\r\n'],
  ['an empty list', '*0\r\n'],
  ['texts', '*2\r\n$3\r\nabc\r\n$3\r\ndef\r\n'],
  ['a negative count', '*2\r\n:-7\r\n:1500\r\n'],
  ['a count beyond all numbers', '*2\r\n:90071992547409930\r\n:1500\r\n'],
  ['a window without an end', '*2\r\n:7\r\n:-1\r\n'],
  ['a window of a year', '*2\r\n:7\r\n:31536000000\r\n'],
  ['an error', '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n'],
])('a Redis that answers %s has counted nothing', async (_name, reply) => {
  const { counts } = await countsOver(reply);
  expect(await counts.count(['one'])).toBeUndefined();
});
