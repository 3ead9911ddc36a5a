import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { createLog } from '../../src/process/log.ts';
import { SharedStore } from '../../src/redis/shared-store.ts';
import { pushDocuments } from '../../src/server/documents/trusted-redis.ts';
import { settingsOf, type StubRedis, stubRedis } from '../redis/stub-redis.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { NOWHERE, type Parameters, send, sha256, type Way, WAYS } from './support.ts';

/** A Redis with no more commands than documents need. */
async function redisOfDocuments(): Promise<{ redis: StubRedis; values: Map<string, string> }> {
  const values = new Map<string, string>();
  const redis = await stubRedis(([name = '', ...args]) => {
    if (name.toLowerCase() === 'mget') return `*${args.length}\r\n${args.map((key) => bulk(values.get(key))).join('')}`;
    for (let at = 0; name.toLowerCase() === 'mset' && at < args.length; at += 2)
      if (!args[at]?.startsWith('trivium:trial:')) values.set(args[at] ?? '', args[at + 1] ?? '');
    return '+OK\r\n';
  });
  return { redis, values };
}

const bulk = (value: string | undefined) =>
  value === undefined ? '$-1\r\n' : `$${Buffer.byteLength(value, 'latin1')}\r\n${value}\r\n`;

const QUERY = 'query Type { __typename }';
const OTHER = 'query Other { __typename }';
const documents = [
  { id: 'type', text: QUERY, file: 'a.json' },
  { id: `sha256:${sha256(OTHER)}`, text: OTHER, file: 'a.json' },
];

async function push(redis: StubRedis, given = documents): Promise<void> {
  const config = testConfig(settingsOf(redis));
  const address = config.REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const log = createLog('silent', { write: () => {} });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log, timeoutMs: config.REDIS_TIMEOUT_MS });
  onTestFinished(() => store.close());
  await pushDocuments(given, store);
}

async function gateway(redis: StubRedis, settings: Partial<Config> = {}) {
  const { url, logs } = await gatewayOver(NOWHERE, {
    ...settingsOf(redis),
    TRUSTED_DOCUMENTS: ['redis'],
    TRUSTED_DOCUMENTS_ONLY: 'true',
    ...settings,
  });
  return { url, logs, ask: (way: Way, parameters: Parameters) => send(url, way, parameters) };
}

const answered = { status: 200, data: { __typename: 'Query' } };
const away = { status: 503, codes: ['PERSISTED_QUERY_UNAVAILABLE'], extensions: { retryAfter: 1 } };

test('documents that were pushed are served by each gateway, by their ids and hashes', async () => {
  const { redis } = await redisOfDocuments();
  const gateways = [await gateway(redis), await gateway(redis)];
  expect(await gateways[0]?.ask('POST', { documentId: 'type' })).toMatchObject({
    codes: ['PERSISTED_QUERY_NOT_IN_LIST'],
  });
  await push(redis);
  for (const { ask, logs } of gateways) {
    const before = logs.length;
    for (const way of WAYS) {
      for (const form of [
        { documentId: 'type' },
        { documentId: `sha256:${sha256(QUERY)}` },
        { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(OTHER) } } },
      ]) {
        expect.soft(await ask(way, form), JSON.stringify(form)).toMatchObject(answered);
      }
    }
    const ids = logs.slice(before).flatMap((line) => JSON.parse(line).documentId ?? []);
    expect(new Set(ids)).toEqual(new Set(['type', `sha256:${sha256(OTHER)}`]));
  }
});

test('a document is read from Redis once', async () => {
  const { redis } = await redisOfDocuments();
  await push(redis);
  const { ask } = await gateway(redis);
  redis.commands.length = 0;
  for (const way of [...WAYS, ...WAYS]) expect(await ask(way, { documentId: 'type' })).toMatchObject(answered);
  expect(redis.commands.filter(([name]) => name?.toLowerCase() === 'mget')).toHaveLength(1);
  expect(await ask('POST', { documentId: 'x'.repeat(1_000) })).toMatchObject({ status: 422 });
  expect(redis.commands.filter(([name]) => name?.toLowerCase() === 'mget')).toHaveLength(1);
});

test('while Redis is away known documents are served, and an unknown id is an error that says when to ask again', async () => {
  const { redis, values } = await redisOfDocuments();
  await push(redis);
  const { url, ask } = await gateway(redis);
  expect(await ask('POST', { documentId: 'type' })).toMatchObject(answered);
  redis.answer = () => undefined; // it hangs
  const unknown = await ask('POST', { documentId: 'new' });
  expect(unknown).toMatchObject(away);
  expect(unknown.headers.get('retry-after')).toBe('1');
  await redis.stop();
  for (const way of WAYS) {
    expect(await ask(way, { documentId: 'type' })).toMatchObject(answered);
    expect(await ask(way, { documentId: 'new' })).toMatchObject(away);
    expect(await send(url, way, { documentId: 'new' }, { accept: 'application/json' })).toMatchObject({ status: 503 });
  }
  const back = await stubRedis(undefined, redis.port);
  back.answer = ([name = '', ...args]) =>
    name.toLowerCase() === 'mget'
      ? `*${args.length}\r\n${args.map((key) => bulk(values.get(key))).join('')}`
      : '+OK\r\n';
  await expect.poll(() => ask('POST', { documentId: `sha256:${sha256(OTHER)}` })).toMatchObject(answered);
});

test('a gateway starts while Redis is away, and executes documents that are sent where others than trusted ones are', async () => {
  const { redis } = await redisOfDocuments();
  await redis.stop();
  const { ask } = await gateway(redis, { TRUSTED_DOCUMENTS_ONLY: 'false' });
  for (const way of WAYS) {
    expect(await ask(way, { query: QUERY })).toMatchObject(answered);
    expect(await ask(way, { query: QUERY, documentId: 'new' })).toMatchObject(answered);
    expect(await ask(way, { query: QUERY, documentId: `sha256:${'0'.repeat(64)}` })).toMatchObject({
      codes: ['PERSISTED_QUERY_MISMATCH'],
    });
    expect(await ask(way, { documentId: 'type' })).toMatchObject(away);
  }
  const closed = await gateway(redis);
  expect(await closed.ask('POST', { query: QUERY, documentId: 'type' })).toMatchObject(away);
});

test('values that were not written by push are no documents', async () => {
  const { redis, values } = await redisOfDocuments();
  await push(redis);
  const [[key = '', good = ''] = [], [, moved = ''] = []] = [...values].filter(([, value]) => value.includes('Type'));
  const { ask } = await gateway(redis);
  const forged = { ...JSON.parse(good), text: '{ __schema { queryType { name } } }' };
  for (const value of [moved, JSON.stringify(forged), good.slice(1), '"x"', 'null', '{"id":1,"text":2,"seal":3}', '']) {
    values.set(key, value);
    for (const other of values.keys()) if (other !== key) values.delete(other);
    expect(await ask('POST', { documentId: 'type' })).toMatchObject({ codes: ['PERSISTED_QUERY_NOT_IN_LIST'] });
  }
  values.set(key, good);
  expect(await ask('POST', { documentId: 'type' })).toMatchObject(answered);
});

test('an answer that is no list is that of a Redis that is away', async () => {
  const redis = await stubRedis(([name = '']) => (name.toLowerCase() === 'mget' ? '$-1\r\n' : '+OK\r\n'));
  const { ask } = await gateway(redis);
  for (const way of WAYS) expect(await ask(way, { documentId: 'type' })).toMatchObject(away);
});

test('while Redis refuses commands an unknown id is an error that says so, without the reason', async () => {
  const { redis } = await redisOfDocuments();
  redis.answer = () => '-NOPERM user canary has no permissions\r\n';
  const { url, ask } = await gateway(redis);
  for (const way of WAYS) expect(await ask(way, { documentId: 'type' })).toMatchObject(away);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documentId: 'type' }),
  });
  const text = await response.text();
  expect(text).toContain('Redis, which has the trusted documents, refuses to read them');
  expect(text).not.toMatch(/NOPERM|canary/);
});

test('push writes no second document by an id, and says when Redis is away', async () => {
  const { redis, values } = await redisOfDocuments();
  const many = Array.from({ length: 50 }, (_, index) => ({
    id: `d${index}`,
    text: `{ a${index}: __typename }`,
    file: 'a',
  }));
  await push(redis, many);
  expect(values.size).toBe(100);
  await push(redis, many); // again
  const other = [{ id: 'd7', text: '{ __typename }', file: 'b' }];
  await expect(push(redis, other)).rejects.toThrow('Redis has another document with the id "d7".');
  const { answer } = redis;
  redis.answer = ([name], socket) => (name === 'eval' ? '-NOPERM canary\r\n' : answer([name ?? ''], socket));
  await expect(push(redis, many)).rejects.toThrow('Redis refuses commands (NOPERM): 0 of 50 documents were written.');
  await redis.stop();
  await expect(push(redis, many)).rejects.toThrow('Redis is away: 0 of 50 documents were written.');
});

test('Redis has no id in clear', async () => {
  const { redis, values } = await redisOfDocuments();
  await push(redis);
  for (const key of values.keys()) expect(key).toMatch(/^trivium:document:[\w-]{22}$/);
});
