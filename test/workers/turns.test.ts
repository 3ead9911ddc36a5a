import { Worker } from 'node:cluster';
import { expect, test, vi } from 'vitest';
import { takeTurnsFor } from '../../src/workers/turns.ts';
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
function fakeWorker() {
  const worker = new Worker();
  const told: unknown[] = [];
  vi.spyOn(worker, 'isConnected').mockReturnValue(true);
  vi.spyOn(worker, 'send').mockImplementation((message) => told.push(message) > 0);
  takeTurnsFor(worker);
  const takeTurn = (number: number) => worker.emit('message', { takeTurn: number, record: 'a client', ...TIMES });
  return { told, takeTurn, end: () => worker.emit('exit', null, 'SIGKILL') };
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
