import { setImmediate as immediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { createLog } from '../../src/observe/log.ts';
import { AWAY, SharedStore } from '../../src/redis/shared-store.ts';
import { startRedis } from './support.ts';

/** @param timeoutMs long, where no answer is to be late: other work may keep the machine busy */
async function openStore(REDIS_URL: string, timeoutMs = 30_000) {
  const logs: string[] = [];
  const config = readConfig({ REDIS_URL, HASH_SECRET: 'a secret of at least 32 characters' });
  const address = config.REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const log = createLog('info', { write: (line) => void logs.push(JSON.parse(line).redis) });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log, timeoutMs });
  onTestFinished(() => store.close());
  return { store, logs, count: () => store.run((redis) => redis.incr(store.key('test', 'count'))) };
}

test('Redis starts, and ends with the signal', async () => {
  const { server } = await startRedis();
  await server.end('SIGTERM');
  expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
});

test('two stores share what they write', async () => {
  const { url } = await startRedis();
  const [one, other] = [await openStore(url), await openStore(`${url}/0`)];
  expect([await one.count(), await other.count(), await one.count()]).toEqual([1, 2, 3]);
});

test('a Redis that stops costs three times the time of an action, and is used again when it goes on', async () => {
  const { url, server } = await startRedis();
  const { store, logs, count } = await openStore(url, 500);
  expect(await count()).toBe(1);
  server.signal('SIGSTOP');
  let late = 0;
  for (; store.state === 'ok'; late++) expect(await count()).toBe(AWAY);
  expect(late).toBe(3); // one late answer may be chance
  const others = Promise.all(Array.from({ length: 100 }, count));
  expect(await Promise.race([others, immediate('waits')])).toEqual(Array.from({ length: 100 }, () => AWAY));
  server.signal('SIGCONT');
  await expect.poll(() => store.state).toBe('ok');
  expect(await count()).toBeGreaterThan(1); // it may have read what was sent while it stood still
  expect(logs).toEqual(['ok', 'away', 'ok']);
});

test('a Redis that is killed is away at once, and is used again after its restart', async () => {
  const { url, port, server } = await startRedis();
  const { store, logs, count } = await openStore(url);
  expect(await count()).toBe(1);
  await server.end('SIGKILL');
  expect(await count()).toBe(AWAY);
  expect(store.state).toBe('away');
  await startRedis(port);
  await expect.poll(() => store.state).toBe('ok');
  expect(await count()).toBe(1); // it kept nothing
  expect(logs).toEqual(['ok', 'away', 'ok']);
});
