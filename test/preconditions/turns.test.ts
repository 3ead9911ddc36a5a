import { expect, test } from 'vitest';
import type { Turn } from '../../src/calls/preconditions/record-turns.ts';
import { recordAt } from '../../src/calls/preconditions/precondition.ts';
import { path } from '../../src/calls/transport/path.ts';
import { LocalTurns } from '../../src/calls/preconditions/local-turns.ts';
import { stoppedClock } from '../support/clock.ts';
import { heldTimers } from '../support/deadlines.ts';
import { fakeSession, jsonAnswer } from '../support/fake-upstream.ts';
import { clientGatewayOver, timeOf, TIMES } from './client-upstream.ts';

// Writes with `ifUpdatedAt` of one record take turns within a gateway.

const BUSY =
  /^Nothing was changed: other writes with `ifUpdatedAt` change this record.*the time of the operation is over\./;

/** The times of operations in milliseconds, each another one. The test ends a wait and a lease, so none of them passes. */
const WAIT_MS = 150_000;
const WRITE_MS = 160_000;
/** The deadlines of the read, the write and the read that verifies it, and a second. */
const LEASE_MS = 2 * TIMES.UPSTREAM_TIMEOUT_MS + 3_000;

/** Holds the waits for a turn and its lease. */
function heldTurns() {
  stoppedClock();
  const held = [WAIT_MS, LEASE_MS, TIMES.OPERATION_TIMEOUT_MS];
  const { open, come } = heldTimers((_reach, ms) => held.includes(ms));
  return { openAre: async (count: number) => await expect.poll(open).toBe(count), come };
}

test('writes of one record take turns in the order in which they came, and those of another record do not wait', async () => {
  const { upstream, change } = await clientGatewayOver();
  const held = upstream.holdNext('PUT');
  const ends: string[] = [];
  const noting = async (name: string) => {
    const changed = await change(name, timeOf(0));
    ends.push(name);
    return changed.result;
  };
  const first = noting('first');
  const go = await held;
  const secondRead = upstream.holdNext('GET');
  const second = noting('second');
  (await secondRead)();
  expect((await change('other', timeOf(0), { id: '2' })).result).toMatchObject({ name: 'other' });
  const thirdRead = upstream.holdNext('GET');
  const third = noting('third');
  (await thirdRead)();
  expect((await change('other', timeOf(1), { id: '2' })).result).toMatchObject({ name: 'other' });
  const other = ['GET', 'PUT'];
  expect(upstream.calls()).toEqual(['GET', 'PUT', 'GET', ...other, 'GET', ...other]); // the second and the third have read
  go();
  expect(await first).toMatchObject({ __typename: 'Client' });
  const conflict = { __typename: 'ConflictError', current: { name: 'first', updatedAt: timeOf(3) } };
  expect([await second, await third]).toEqual([conflict, conflict]);
  expect(ends).toEqual(['first', 'second', 'third']);
});

test('writes without ifUpdatedAt, and those of other fields of the operation, do not wait', async () => {
  const { upstream, change } = await clientGatewayOver();
  const held = upstream.holdNext('PUT');
  const first = change('first', timeOf(0));
  const go = await held;
  expect((await change('past it', undefined)).result).toMatchObject({ name: 'past it' });
  go();
  await first;
});

test('a write waits for its turn within the time of its operation, and is refused then', async () => {
  const { openAre, come } = heldTurns();
  const { upstream, change } = await clientGatewayOver();
  const held = upstream.holdNext('PUT');
  const first = change('first', timeOf(0));
  const go = await held;
  const second = change('second', timeOf(0), { timeoutMs: WAIT_MS });
  await openAre(1);
  come(WAIT_MS);
  expect(await second).toMatchObject({
    error: {
      message: expect.stringMatching(BUSY),
      extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'REFUSED', retryAfter: 1 },
    },
  });
  go();
  expect((await first).result).toMatchObject({ name: 'first' });
  expect(upstream.calls()).toEqual(['GET', 'PUT', 'GET']); // the second has read before it waited
});

test('after an unknown outcome the turn is held until its lease ends, which is after the deadline of the write', async () => {
  const { openAre, come } = heldTurns();
  const { upstream, change } = await clientGatewayOver();
  upstream.answerNext('PUT', (_request, response) => void response.destroy());
  expect(await change('late', timeOf(0), { timeoutMs: WRITE_MS })).toMatchObject({ outcome: 'UNKNOWN' });
  await openAre(1); // the lease
  const before = upstream.calls().length;
  const second = change('second', timeOf(0), { timeoutMs: WAIT_MS });
  await openAre(2);
  come(WAIT_MS);
  expect(await second).toMatchObject({ error: { message: expect.stringMatching(BUSY) }, outcome: 'REFUSED' });
  const third = change('third', timeOf(0));
  await openAre(2);
  expect(upstream.calls().slice(before)).toEqual(['GET', 'GET']);
  Object.assign(upstream.clientOf('1'), { name: 'late', updated_at: timeOf(1) }); // the write arrives after all
  come(LEASE_MS);
  expect((await third).result).toMatchObject({ __typename: 'ConflictError', current: { name: 'late' } });
  expect(upstream.calls().slice(before)).toEqual(['GET', 'GET', 'GET']); // the third also in its turn
});

test('after a write that was refused, or found to be applied, the next turn begins at once', async () => {
  const { upstream, change } = await clientGatewayOver();
  upstream.answerNext('PUT', (_request, response) => void response.writeHead(422).end('{"errors":{"name":["bad"]}}'));
  expect((await change('refused', timeOf(0))).result).toMatchObject({ __typename: 'ValidationError' });
  upstream.answerNext('PUT', (_request, response, go) => {
    go();
    response.destroy();
  });
  expect((await change('cut', timeOf(0))).result).toMatchObject({ name: 'cut' }); // the record was read, and shows it
  // A turn that was held would end after the test.
  expect((await change('next', timeOf(1))).result).toMatchObject({ name: 'next' });
});

/** A write of client 7 that finds it unchanged, in a turn that the test makes. */
function writeIn(turn: Turn, onTake: (session: ReturnType<typeof fakeSession>) => void = () => {}) {
  const turns = {
    isBusy: () => false,
    take: async () => {
      onTake(fake);
      return turn;
    },
  };
  const fake = fakeSession(() => jsonAnswer({ id: 7, updated_at: timeOf(0) }), { turns });
  const { session, upstream, options } = fake;
  const request = { path: path`/app/clients/7.json` };
  const ifUnchanged = { updatedAt: timeOf(0), shown: (current: object) => current };
  const precondition = recordAt(session.reads, request, ifUnchanged);
  const writing = session.writes.record('PUT', { request, sent: { name: 'x' }, id: '7', precondition });
  return { writing, upstream, outcome: () => options.operation.writes.outcome };
}

function turnOf(ms: number) {
  const ended: string[] = [];
  const turn = {
    endsAt: performance.now() + ms,
    end: () => void ended.push('end'),
    hold: () => void ended.push('hold'),
  };
  return { turn, ended };
}

test('a caller that has left while it waited leaves its turn to the next, and nothing is sent', async () => {
  const { turn, ended } = turnOf(60_000);
  const { writing, upstream, outcome } = writeIn(turn, ({ options }) => options.operation.gone.happen());
  await expect(writing).rejects.toThrow('The caller has closed the connection.');
  expect({ calls: upstream.calls, outcome: outcome(), ended }).toEqual({
    calls: [],
    outcome: 'REFUSED',
    ended: ['end'],
  });
});

test('a write whose turn may end before its deadline is not sent: the process stood still', async () => {
  const { turn, ended } = turnOf(900); // the deadline is a second
  const { writing, upstream, outcome } = writeIn(turn);
  await expect(writing).rejects.toThrow('Nothing was changed: the record was read too late.');
  expect({ calls: upstream.calls, outcome: outcome(), ended }).toEqual({
    calls: ['GET /app/clients/7.json'],
    outcome: 'REFUSED',
    ended: ['end'],
  });
});

const times = { waitMs: 10_000, leaseMs: 10_000 };

test('turns and those who wait for them are bounded, by record and in all', async () => {
  const turns = new LocalTurns((text) => text);
  const first = await turns.take('record', times);
  const waiting = Array.from({ length: 100 }, async () => turns.take('record', times));
  expect(await turns.take('record', times)).toBe('FULL');
  const others = await Promise.all(
    Array.from({ length: 9_899 }, async (_none, index) => turns.take(`${index}`, times)),
  );
  expect(others).not.toContain('FULL');
  expect(await turns.take('one more', times)).toBe('FULL');
  if (typeof first === 'string') throw new Error(first);
  first.end();
  for (const next of waiting) {
    const turn = await next;
    if (typeof turn === 'string') throw new Error(turn);
    turn.end();
  }
  expect(await turns.take('one more', times)).not.toBe('FULL');
});

test('a turn that is held, and those who wait for it, keep no process from ending', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const turns = new LocalTurns((text) => text);
  const turn = await turns.take('record', { ...times, leaseMs: 20 });
  const next = turns.take('record', times);
  if (typeof turn === 'string') throw new Error(turn);
  turn.hold();
  expect(timers()).toBe(before);
  const alive = setInterval(() => {}, 1_000);
  expect(await next).toMatchObject({ endsAt: expect.any(Number) });
  clearInterval(alive);
});

test('who waits in vain leaves the queue', async () => {
  const turns = new LocalTurns((text) => text);
  const turn = await turns.take('record', times);
  const alive = setInterval(() => {}, 1_000);
  expect(await turns.take('record', { ...times, waitMs: 5 })).toBe('LATE');
  clearInterval(alive);
  if (typeof turn === 'string') throw new Error(turn);
  turn.end();
  expect(await turns.take('record', { ...times, waitMs: 0 })).not.toBe('LATE');
});
