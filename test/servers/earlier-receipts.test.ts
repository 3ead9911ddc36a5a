import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ReceiptNames, type WriteName } from '../../src/idempotency/receipt-names.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { keyedGateway, type KeyedAnswer } from '../idempotency/support.ts';
import { startRedis } from './support.ts';

// Receipts that the version before has left in Redis: its keys had one operation each, and its places were paths in the response.

const HASH_SECRET = 'a secret of at least 32 characters';
const CREATE = 'mutation ($name: String) { createClient(input: { name: $name }) { ... on Client { id } } }';

/** A gateway over a Redis in which the version before has left a receipt of `CREATE`, and nothing of its end. */
async function overEarlier(receipt: (now: number) => string) {
  const { url } = await startRedis();
  const config = readConfig({ REDIS_URL: url, HASH_SECRET });
  const { REDIS_URL } = config;
  const gateway = await keyedGateway({ REDIS_URL, HASH_SECRET: config.HASH_SECRET, REDIS_TIMEOUT_MS: 5_000 });
  gateway.upstream.add('clients', { name: 'Ada' });
  const names = new ReceiptNames(keyedHash(config));
  const nameOf = (key: string, more: object = {}): WriteName =>
    names
      .of(key, {
        writes: () => [{ path: 'createClient', field: 'createClient', arguments: '{name:"Ada"}' }],
        document: CREATE,
        name: undefined,
        variables: { name: 'Ada' },
        network: '127.0.0.1',
      })
      .of({
        ...{ api: 'crm', credential: 'token', place: 'createClient', number: 1 },
        ...{ target: 'POST /app/clients.json\n/app/clients.json', isNew: true, alike: 'Ada', ...more },
      });
  const redis = new Redis(url);
  onTestFinished(() => redis.disconnect());
  const { earlier, key } = nameOf('k');
  const hash = `trivium:receipt:${keyedHash(config)(key)}`;
  await redis.hset(hash, { operation: earlier.operation, [`at ${earlier.place}`]: receipt(Date.now()) });
  return { ...gateway, redis, hash };
}

const told = ({ errors, extensions }: KeyedAnswer) =>
  errors[0] ? errors[0].extensions['code'] : extensions?.['idempotency'];

const DAY_MS = 86_400_000;
const applied = (now: number) => `A x.1 ${now} ${now} ${now + DAY_MS} - - =1`;
const open = (now: number) => `O x.1 ${now} ${now + 60_000} ${now + DAY_MS} - - `;
const unknown = (now: number) => `U x.1 ${now} ${now} ${now + DAY_MS} ${now - 5_000} ${now + 60_000} `;

test('the same document is answered by the receipt that the version before has left', async () => {
  const { under, upstream } = await overEarlier(applied);
  const answer = await under('k')(CREATE, { name: 'Ada' });
  expect(answer).toMatchObject({ data: { createClient: { id: 'Client:1' } } });
  expect(told(answer)).toEqual({ createClient: 'REPLAYED' });
  expect(upstream.writes).toEqual([]);
});

test('a write under way, or without an end, in the version before is not sent again, and a proof is kept', async () => {
  const waiting = await overEarlier(open);
  const early = await waiting.under('k', { 'x-trivium-timeout-ms': '300' })(CREATE, { name: 'Ada' });
  expect(told(early)).toBe('IDEMPOTENCY_IN_PROGRESS');
  expect(waiting.upstream.writes).toEqual([]);

  const { under, upstream } = await overEarlier(unknown);
  expect(told(await under('k')(CREATE, { name: 'Ada' }))).toEqual({ createClient: 'RECONCILED' });
  expect(told(await under('k')(CREATE, { name: 'Ada' }))).toEqual({ createClient: 'REPLAYED' });
  expect(upstream.writes).toEqual([]);
});

test.each([
  ['in another spelling', CREATE.replace('($name', ' Other ($name'), { name: 'Ada' }],
  ['with other variables', CREATE, { name: 'Bob' }],
  ['another one', 'mutation { createDeal(input: { name: "x" }) { __typename } }', {}],
])('anything else under such a key is refused: the same write %s', async (_which, query, variables) => {
  const { under, upstream } = await overEarlier(applied);
  const answer = await under('k')(query, variables);
  expect(told(answer)).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(upstream.writes).toEqual([]);
});

test('a write of the document that the version before did not send is refused, too', async () => {
  const { under, upstream, redis, hash } = await overEarlier(applied);
  const operation = (await redis.hget(hash, 'operation')) ?? '';
  await redis.del(hash);
  await redis.hset(hash, { operation, 'at elsewhere': open(Date.now()) });
  const answer = await under('k')(CREATE, { name: 'Ada' });
  expect(answer.errors[0]?.message).toContain('which is under way');
  expect(upstream.writes).toEqual([]);
});

test('the version before refuses a key that this one has used: its operation is that of no document', async () => {
  const { under, redis, hash } = await overEarlier(applied);
  await redis.del(hash);
  expect(told(await under('k')(CREATE, { name: 'Ada' }))).toEqual({ createClient: 'FIRST' });
  expect(await redis.hget(hash, 'operation')).toBe('writes'); // that version has hashes of 22 characters there
});

test('the end of a write of this version leaves the receipts of the version before as they are', async () => {
  const { under, upstream, redis, hash } = await overEarlier(applied);
  const earlier = await redis.hgetall(hash);
  await redis.del(hash);
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(CREATE, { name: 'Ada' });
  await arrival;
  await redis.del(hash); // Redis loses the receipt, and a gateway of the version before is asked under the same key
  await redis.hset(hash, earlier);
  upstream.release();
  expect(told(await first)).toEqual({ createClient: 'FIRST' });
  expect(await redis.hgetall(hash)).toEqual(earlier);
});
