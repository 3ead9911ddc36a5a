import { expect, onTestFinished, test } from 'vitest';
import type { NoTurn, RecordTurns, Turn } from '../../src/calls/preconditions/record-turns.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { LocalTurns } from '../../src/calls/preconditions/local-turns.ts';
import { RedisTurns } from '../../src/calls/preconditions/redis-turns.ts';
import { createLog } from '../../src/observe/log.ts';
import { keyedHash, openStore } from '../../src/redis/redis.ts';
import { heldTimers } from '../support/deadlines.ts';
import { type Reply, settingsOf, type StubRedis, stubRedis } from '../redis/stub-redis.ts';
import { testConfig } from '../support/gateway.ts';
import { clientGatewayOver, timeOf } from './client-upstream.ts';
import { turnsRedis } from './turns-redis.ts';

// Who finds the turn of a record busy reads the record before the wait: the queue is of those who may read it.

const FLOOD = 150; // more than may wait for one record

const LEASE_MS = 600_000;

const UNAUTHENTICATED = {
  error: { extensions: { code: 'UNAUTHENTICATED' } },
  outcome: 'REFUSED',
};

test('invented credentials get 401 at once while another one has the turn, and keep out nobody', async () => {
  const { upstream, change } = await clientGatewayOver();
  const invented = (number: number) => change('x', timeOf(0), { token: `invented${number}` });
  const inTurn = upstream.holdNext('GET');
  const first = invented(0);
  const go = await inTurn;
  const flood = await Promise.all(Array.from({ length: FLOOD }, async (_none, index) => invented(index + 1)));
  for (const refused of flood) expect(refused).toMatchObject(UNAUTHENTICATED);
  const beforeTurn = upstream.holdNext('GET');
  const valid = change('new', timeOf(0));
  (await beforeTurn)();
  go();
  expect(await first).toMatchObject(UNAUTHENTICATED);
  expect((await valid).result).toEqual({ __typename: 'Client', name: 'new' });
  expect(upstream.calls()).toEqual([...Array.from({ length: FLOOD + 1 }, () => 'GET'), 'GET', 'GET', 'PUT']);
});

test('of a burst on a free record one invented credential has the turn, and the others do not queue', async () => {
  const { upstream, change } = await clientGatewayOver({ UPSTREAM_CONNECTIONS: FLOOD + 1 });
  const reads = Array.from({ length: FLOOD + 1 }, async () => upstream.holdNext('GET'));
  const flood = Array.from({ length: FLOOD }, async (_none, index) =>
    change('x', timeOf(0), { token: `invented${index}` }),
  );
  const valid = change('new', timeOf(0));
  for (const read of await Promise.all(reads)) read(); // all are under way at once
  for (const refused of flood) expect(await refused).toMatchObject(UNAUTHENTICATED);
  expect((await valid).result).toEqual({ __typename: 'Client', name: 'new' });
});

/** The first write of client 1 has the turn until `end`, which refuses it. */
async function busyUpstream() {
  const { upstream, change } = await clientGatewayOver();
  const held = new Promise<() => void>((resolve) => {
    upstream.answerNext('PUT', (_request, response) => {
      resolve(() => void response.writeHead(422).end('{"errors":{"name":["bad"]}}'));
    });
  });
  const first = change('first', timeOf(0));
  const refuse = await held;
  const end = async () => {
    refuse();
    expect((await first).result).toMatchObject({ __typename: 'ValidationError' });
  };
  return { upstream, change, end };
}

test('a conflict is told while another one has the turn, without a wait', async () => {
  const { upstream, change, end } = await busyUpstream();
  Object.assign(upstream.clientOf('1'), { name: 'past the gateway', updated_at: timeOf(7) });
  const current = { name: 'past the gateway', updatedAt: timeOf(7) };
  expect(await change('late', timeOf(0))).toMatchObject({
    result: { __typename: 'ConflictError', current },
  });
  expect(upstream.calls()).toEqual(['GET', 'PUT', 'GET']);
  await end();
});

test('a write that finds the turn free reads once, and one that waits reads once more, before', async () => {
  const { upstream, change, end } = await busyUpstream();
  const beforeTurn = upstream.holdNext('GET');
  const second = change('second', timeOf(0));
  (await beforeTurn)();
  expect(upstream.calls()).toEqual(['GET', 'PUT', 'GET']);
  await end();
  expect((await second).result).toMatchObject({ name: 'second' });
  expect(upstream.calls()).toEqual(['GET', 'PUT', 'GET', 'GET', 'PUT']);
  expect((await change('third', timeOf(1))).result).toMatchObject({ name: 'third' });
  expect(upstream.calls().slice(5)).toEqual(['GET', 'PUT']);
});

test('a change while a write waits is found by the read in its turn', async () => {
  const { upstream, change, end } = await busyUpstream();
  const beforeTurn = upstream.holdNext('GET');
  const second = change('second', timeOf(0));
  (await beforeTurn)();
  upstream.answerNext('GET', (_request, _response, go) => {
    Object.assign(upstream.clientOf('1'), { name: 'past the gateway', updated_at: timeOf(7) });
    go();
  });
  await end();
  expect((await second).result).toMatchObject({ __typename: 'ConflictError', current: { name: 'past the gateway' } });
});

const redisTurns = async (reply: Reply): Promise<RecordTurns> => turnsOver(await stubRedis(reply));

async function turnsOver(redis: StubRedis): Promise<RecordTurns> {
  const config = testConfig({ ...settingsOf(redis) });
  const store = await openStore(config, keyedHash(config), createLog('silent', { write: () => {} }));
  if (!store) throw new Error('There is no store.');
  onTestFinished(() => store.close());
  return new RedisTurns(store, 60_000);
}

const had = (turn: Turn | NoTurn): Turn => {
  if (typeof turn === 'string') throw new Error(turn);
  return turn;
};

test.each<[string, () => RecordTurns | Promise<RecordTurns>]>([
  ['of a process', () => new LocalTurns((text) => text)],
  ['of a process over Redis', () => redisTurns(turnsRedis())],
])('the turns %s are busy from the call of take until the turn is ended, or its lease is over', async (_name, make) => {
  const turns = await make();
  const take = async (leaseMs = 10_000) => turns.take('record', { waitMs: 10_000, leaseMs });
  expect(turns.isBusy('record')).toBe(false);
  const first = take();
  expect([turns.isBusy('record'), turns.isBusy('other')]).toEqual([true, false]); // in the same turn of the event loop
  const ending = had(await first);
  expect(turns.isBusy('record')).toBe(true);
  ending.end();
  expect(turns.isBusy('record')).toBe(false);
  const { come } = heldTimers((_reach, ms) => ms > LEASE_MS - 1_000 && ms <= LEASE_MS);
  const holding = had(await take(LEASE_MS));
  holding.hold();
  expect(turns.isBusy('record')).toBe(true);
  come(LEASE_MS);
  expect(turns.isBusy('record')).toBe(false);
});

test('a turn that Redis did not give leaves the record free', async () => {
  const turns = await redisTurns(([name]) => (name?.toLowerCase() === 'eval' ? ':7\r\n' : '+OK\r\n'));
  const taking = turns.take('record', { waitMs: 10_000, leaseMs: 10_000 });
  expect(turns.isBusy('record')).toBe(true);
  expect(await taking).toBe('AWAY');
  expect(turns.isBusy('record')).toBe(false);
});

test.each<[string, () => Promise<readonly [RecordTurns, RecordTurns]>]>([
  [
    'of a process',
    async () => {
      const turns = new LocalTurns((text) => text);
      return [turns, turns];
    },
  ],
  [
    'of a process over Redis',
    async () => {
      const turns = await redisTurns(turnsRedis());
      return [turns, turns];
    },
  ],
  [
    'of two processes over Redis',
    async () => {
      const redis = await stubRedis(turnsRedis());
      return [await turnsOver(redis), await turnsOver(redis)];
    },
  ],
])('in the queue %s a client that disconnects has no place any more', async (_name, make) => {
  const [one, other] = await make();
  const times = { waitMs: LEASE_MS, leaseMs: LEASE_MS };
  const first = had(await one.take('record', times));
  const gone = new Departure();
  const waits = [one.take('record', { ...times, gone }), other.take('record', { ...times, gone })];
  const last = other.take('record', times);
  await new Promise(setImmediate);
  gone.happen();
  expect(await Promise.all(waits)).toEqual(['LATE', 'LATE']);
  first.end();
  had(await last).end();
  expect([one.isBusy('record'), other.isBusy('record')]).toEqual([false, false]);
});
