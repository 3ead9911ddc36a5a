import cluster, { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/process/log.ts';
import { runWorkers } from '../../src/workers/primary.ts';
import { stoppedClock } from '../support/clock.ts';

/** Runs two workers that are no processes. A worker of theirs listens, and ends, when the test says so. */
function fakeWorkers() {
  const { pass } = stoppedClock();
  const started: { kill: () => void }[] = [];
  const forking = vi.spyOn(cluster, 'fork').mockImplementation(() => {
    const kill = () => worker.emit('exit', null, 'SIGKILL');
    const worker = Object.assign(new Worker(), { process: Object.assign(new EventEmitter(), { pid: 1, kill }) });
    vi.spyOn(worker, 'isConnected').mockReturnValue(true);
    vi.spyOn(worker, 'send').mockImplementation(kill); // it is told to end
    started.push({ kill });
    setImmediate(() => worker.emit('message', { listening: 'http://gateway.example' }));
    return worker;
  });
  const setting = vi.spyOn(cluster, 'setupPrimary').mockReturnValue();
  onTestFinished(() => {
    forking.mockRestore();
    setting.mockRestore();
  });
  const lines: string[] = [];
  const none = () => {};
  const exitCode = runWorkers({
    ...{ count: 2, args: (number) => [String(number)], environment: {}, shutdownTimeoutMs: 0, end: new Promise(none) },
    ...{ onListening: none, onRunning: none, log: createLog('info', { write: (line) => lines.push(line) }) },
  });
  const listening = () => lines.filter((line) => line.includes('worker listens')).length;
  return { started, lines, pass, exitCode, listening };
}

test('a worker that ended right after its start five times in a row ends the gateway with one line and exit code 1', async () => {
  const { started, lines, pass, exitCode, listening } = fakeWorkers();
  for (const [index, steadyMs] of [0, 5_000, 0, 0, 0, 0, 0].entries()) {
    await expect.poll(listening).toBe(index + 2);
    pass(steadyMs); // one that has listened for five seconds has not ended early
    started.at(-1)?.kill();
  }
  expect(await exitCode).toBe(1);
  expect(lines.filter((line) => line.includes('worker ended"'))).toHaveLength(7);
  expect(lines.filter((line) => line.includes('"level":60'))).toEqual([
    expect.stringMatching(/"worker":2,"earlyEnds":5,"msg":"worker ended too often right after its start"/),
  ]);
});
