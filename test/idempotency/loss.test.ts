import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { warnOfLoss } from '../../src/idempotency/redis-receipts.ts';
import { createLog } from '../../src/observe/log.ts';
import { keyedHash, openStore } from '../../src/redis/redis.ts';
import { settingsOf, type StubRedis, stubRedis } from '../redis/stub-redis.ts';

// The warning at the start about a Redis that may lose receipts of writes.

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** The warnings over this Redis. */
async function saidOver(redis: StubRedis) {
  const config = { ...readConfig({}), ...settingsOf(redis), REDIS_TIMEOUT_MS: 5_000 };
  const store = await openStore(config, keyedHash(config), createLog('silent', { write: () => {} }));
  if (!store) throw new Error('There is no store.');
  onTestFinished(() => store.close());
  const lines: { keepsFile?: boolean; evictsNothing?: boolean }[] = [];
  await warnOfLoss({ store, log: createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }) });
  return lines.map(({ keepsFile, evictsNothing }) => ({ keepsFile, evictsNothing }));
}

const answering = (answer: string) => stubRedis(([name = '']) => (name === 'info' ? answer : '+OK\r\n'));

/** As Redis and Valkey write it. */
const info = (file: 0 | 1, max: number, policy: string) =>
  bulk(
    `# Memory\r\nused_memory:1\r\nmaxmemory:${max}\r\nmaxmemory_human:1G\r\nmaxmemory_policy:${policy}\r\n\r\n` +
      `# Persistence\r\nloading:0\r\naof_enabled:${file}\r\naof_rewrite:0\r\n`,
  );

test.each<[name: string, answer: string, said: object[]]>([
  ['that keeps a file and evicts nothing', info(1, 1, 'noeviction'), []],
  ['that keeps a file, and whose memory has no bound', info(1, 0, 'allkeys-lru'), []],
  ['without a file', info(0, 1, 'noeviction'), [{ keepsFile: false, evictsNothing: true }]],
  ['that may evict', info(1, 1, 'allkeys-lru'), [{ keepsFile: true, evictsNothing: false }]],
  ['that may evict keys with a time', info(1, 1, 'volatile-ttl'), [{ keepsFile: true, evictsNothing: false }]],
  ['that forbids INFO', '-NOPERM canary\r\n', [{ keepsFile: false, evictsNothing: false }]],
  ['that answers something else', ':7\r\n', [{ keepsFile: false, evictsNothing: false }]],
])('over a Redis %s', async (_name, answer, said) => {
  expect(await saidOver(await answering(answer))).toEqual(said);
});

test('nothing is said of a Redis that is away', async () => {
  const redis = await stubRedis();
  await redis.stop();
  expect(await saidOver(redis)).toEqual([]);
});
