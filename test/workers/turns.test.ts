import { Worker } from 'node:cluster';
import { expect, test, vi } from 'vitest';
import { Departure } from '../../src/http/transport/departure.ts';
import { PrimaryTurns, takeTurnsFor } from '../../src/workers/turns.ts';
import { stoppedClock } from '../support/clock.ts';
import { heldTimers } from '../support/deadlines.ts';
import { executor } from '../support/gateway.ts';
import { lostByHistory, lostByLog, register, runCallers, untrueEnds } from '../support/lost-updates.ts';
import { runningWorkers, workersIn } from './support.ts';

// Without Redis the workers of a gateway take turns through their primary.

test('callers of two workers lose no update', async () => {
  const { url, log } = await register();
  const gateway = await runningWorkers({ CRM_URL: url });
  const send = executor(new URL(gateway.endpoint).origin, 'token');
  const headers = { 'x-crm-token': 'token', connection: 'close' }; // a new connection goes to the next worker
  const execute: typeof send = async (query, operation = {}) =>
    send(query, { ...operation, headers: { ...operation.headers, ...headers } });
  const history = await runCallers([{ execute }], { callers: 6, changes: 3, isGuarded: true });
  expect(history.filter(({ end }) => end === 'applied')).toHaveLength(18);
  expect([lostByHistory(history), lostByLog(history, log), untrueEnds(history, log)]).toEqual([[], [], []]);
  const { code, stderr } = await gateway.end();
  expect(code).toBe(0);
  expect(workersIn(stderr)).toEqual([1, 2]);
});

const TIMES = { waitMs: 100_000, leaseMs: 200_000 };

/** A worker as its primary sees it. */
function fakeWorker(record = 'a client') {
  const worker = new Worker();
  const told: unknown[] = [];
  vi.spyOn(worker, 'isConnected').mockReturnValue(true);
  vi.spyOn(worker, 'send').mockImplementation((message) => told.push(message) > 0);
  takeTurnsFor(worker);
  const takeTurn = (number: number) => worker.emit('message', { takeTurn: number, record, ...TIMES });
  const leaveTurn = (number: number) => worker.emit('message', { leaveTurn: number, isHeld: false });
  return { told, takeTurn, leaveTurn, end: () => worker.emit('exit', null, 'SIGKILL') };
}

test('the turn of a worker that was killed is held until its lease ends: its write may have arrived', async () => {
  stoppedClock();
  const { come } = heldTimers((_reach, ms) => ms === TIMES.waitMs || ms === TIMES.leaseMs);
  const killed = fakeWorker();
  killed.takeTurn(1);
  await expect.poll(() => killed.told).toEqual([{ turn: 1, waitedMs: 0 }]);
  const other = fakeWorker();
  other.takeTurn(2);
  killed.end();
  come(TIMES.waitMs);
  await expect.poll(() => other.told).toEqual([{ noTurn: 2, reason: 'LATE' }]);
  other.takeTurn(3);
  come(TIMES.leaseMs);
  await expect.poll(() => other.told.at(-1)).toEqual({ turn: 3, waitedMs: 0 });
});

test('a worker whose client disconnects has no place in the queue of its primary any more', async () => {
  const [one, other] = [fakeWorker('another'), fakeWorker('another')];
  one.takeTurn(1);
  other.takeTurn(1);
  other.takeTurn(2);
  other.leaveTurn(1);
  await expect.poll(() => other.told).toEqual([{ noTurn: 1, reason: 'LATE' }]);
  one.leaveTurn(1);
  await expect
    .poll(() => other.told)
    .toEqual([
      { noTurn: 1, reason: 'LATE' },
      { turn: 2, waitedMs: expect.any(Number) },
    ]);
  other.leaveTurn(2);
});

test('a worker that ends leaves the queue of its primary', async () => {
  const [one, ...others] = [fakeWorker('a third'), ...Array.from({ length: 10 }, () => fakeWorker('a third'))];
  one?.takeTurn(0);
  for (const worker of others) for (let number = 1; number <= 10; number++) worker.takeTurn(number);
  for (const worker of others) worker.end(); // they had all places of the queue
  const last = fakeWorker('a third');
  await new Promise(setImmediate);
  last.takeTurn(1);
  one?.leaveTurn(0);
  await expect.poll(() => last.told).toEqual([{ turn: 1, waitedMs: expect.any(Number) }]);
  last.leaveTurn(1);
});

test('a worker tells its primary that a client has disconnected while it waited, and not that of a turn', async () => {
  const sent: object[] = [];
  const worker = new PrimaryTurns({ isConnected: () => true, send: (message: object) => sent.push(message) > 0 });
  const tell = (message: object) => void process.emit('message', message, undefined);
  const [leaving, holding] = [new Departure(), new Departure()];
  const waits = [leaving, holding].map(async (gone) => worker.take('a client', { ...TIMES, gone }));
  const asked = { record: 'a client', ...TIMES };
  expect(sent).toEqual([1, 2].map((takeTurn) => ({ takeTurn, ...asked })));
  leaving.happen();
  expect(sent.slice(2)).toEqual([{ leaveTurn: 1, isHeld: false }]);
  tell({ noTurn: 1, reason: 'LATE' });
  tell({ turn: 2, waitedMs: 1 });
  expect(await Promise.all(waits)).toEqual(['LATE', expect.objectContaining({ endsAt: expect.any(Number) })]);
  holding.happen(); // its write was sent, perhaps
  expect(sent.slice(3)).toEqual([]);
});
