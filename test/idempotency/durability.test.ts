import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { logDurability } from '../../src/idempotency/durability.ts';
import { createLog } from '../../src/process/log.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { SharedStore } from '../../src/redis/shared-store.ts';
import { settingsOf, stubRedis } from '../redis/stub-redis.ts';

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const pair = (name: string, value: string) => `*2\r\n${bulk(name)}${bulk(value)}`;

/** What is said at the start over a Redis that answers so to INFO and CONFIG. */
async function saidOver(answers: { persistence?: string; memory?: string; config?: string }) {
  const redis = await stubRedis(([name = '', section = '']) => {
    if (name === 'info') return section === 'memory' ? (answers.memory ?? REFUSED) : (answers.persistence ?? REFUSED);
    return name === 'config' ? (answers.config ?? REFUSED) : '+OK\r\n';
  });
  const config = { ...readConfig({}), ...settingsOf(redis) };
  const address = config.REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const silent = createLog('silent', { write: () => {} });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log: silent, timeoutMs: 5_000 });
  onTestFinished(() => store.close());
  const logs: { msg: string; crashLoses?: string }[] = [];
  const log = createLog('info', { write: (line) => void logs.push(JSON.parse(line)) });
  await logDurability(store, log, new AbortController().signal);
  return logs.map(({ msg, crashLoses }) => [msg, crashLoses].filter(Boolean).join(' '));
}

const REFUSED = "-NOPERM this user has no permissions to run the 'info' command\r\n";

/** As Redis and Valkey write them. */
const persistence = (file: 0 | 1) => bulk(`# Persistence\r\nloading:0\r\naof_enabled:${file}\r\naof_rewrite:0\r\n`);
const memory = (max: number, policy: string) =>
  bulk(`# Memory\r\nused_memory:1\r\nmaxmemory:${max}\r\nmaxmemory_human:1G\r\nmaxmemory_policy:${policy}\r\n`);

const FILE = 'redis keeps receipts of writes in an append-only file';
const NO_FILE = 'redis keeps no append-only file: a crash of it loses receipts of writes, see docs/scale.md';
const EVICTS = 'redis may evict receipts of writes: set maxmemory-policy to noeviction';
const SAYS_NOT = 'redis does not say whether it keeps an append-only file and evicts nothing, see docs/scale.md';

test.each([
  ['always', 'no receipt of a write'],
  ['everysec', 'the receipts of up to a second, or two while its disk is slow'],
  ['no', 'the receipts that the system has not written to the disk yet: those of half a minute, often'],
  ['canary', 'the receipts of up to a second, or two while its disk is slow'],
])('with an append-only file and appendfsync %s the log tells what a crash loses', async (sync, lost) => {
  const config = pair('appendfsync', sync);
  const said = await saidOver({ persistence: persistence(1), memory: memory(1, 'noeviction'), config });
  expect(said).toEqual([`${FILE} ${lost}`]);
});

test('a Redis without an append-only file, or that may evict, is warned of', async () => {
  const policies = ['allkeys-lru', 'volatile-ttl'];
  for (const policy of policies) {
    const said = await saidOver({ persistence: persistence(0), memory: memory(1, policy) });
    expect(said).toEqual([NO_FILE, EVICTS]);
  }
  const unbounded = await saidOver({ persistence: persistence(0), memory: memory(0, 'allkeys-lru') });
  expect(unbounded).toEqual([NO_FILE]); // its memory has no bound
});

test.each<[string, Parameters<typeof saidOver>[0]]>([
  ['forbids INFO and CONFIG', {}],
  ['answers something else', { persistence: '+OK\r\n', memory: ':7\r\n', config: '*-1\r\n' }],
  ['leaves out one of both', { persistence: bulk('aof:1'), memory: memory(1, 'noeviction') }],
])('a Redis that %s is warned of', async (_name, answers) => {
  expect(await saidOver(answers)).toEqual([SAYS_NOT]);
});

test('a Redis that is away is asked again, until the process ends', async () => {
  const closing = new AbortController();
  const log = createLog('info', { write: () => {} });
  let asked = 0;
  const store = await SharedStore.open({
    address: { host: '127.0.0.1', port: 9, tls: false, database: 0, username: undefined, password: undefined },
    ...{ hash: (text) => text, log, timeoutMs: 5 },
  });
  onTestFinished(() => store.close());
  const run: SharedStore['run'] = (action) => {
    asked += 1;
    return store.run(action);
  };
  const logged = logDurability({ run }, log, closing.signal);
  await expect.poll(() => asked).toBe(1);
  closing.abort();
  await logged;
});
