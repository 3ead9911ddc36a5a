import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Turns } from '../../src/calls/transport/turns.ts';
import { createLog } from '../../src/observe/log.ts';
import { Connections } from '../../src/edge/connections.ts';
import { WatchedResponse } from '../../src/edge/http-server.ts';
import { Overload } from '../../src/edge/overload/overload.ts';
import { Shutdown } from '../../src/edge/shutdown.ts';
import { stoppedClock } from '../support/clock.ts';
import { testConfig } from '../support/gateway.ts';

/** Requests before their bodies are read, in a time that the test makes pass: the work on each takes a millisecond. */
function admissions() {
  const clock = stoppedClock();
  const config = testConfig({ MAX_WAIT_MS: 100 });
  const log = createLog('fatal', { write: () => {} });
  const server = createServer();
  const due: (() => void)[] = [];
  const turns = new Turns(
    () => performance.now(),
    (callback) => void due.push(callback),
  );
  const shutdown = new Shutdown(server, new Connections(server, config, log), 0);
  const overload = new Overload(server, shutdown, { turns, config, log, headersFor: () => [] });
  /** Calls `onEnd` with the status of a request, as soon as it is refused or served. */
  const send = (token: string, onEnd: (status: number) => void) => {
    const request = new IncomingMessage(new Socket());
    request.headers = { authorization: `Bearer ${token}` };
    const response = new WatchedResponse(request);
    overload.answer(request, response, () => {
      clock.pass(1);
      onEnd(200);
    });
    if (response.writableEnded) onEnd(response.statusCode);
  };
  /** Lets the event loop turn once: what became due before is called. */
  const turn = () => {
    clock.pass(1);
    for (const callback of due.splice(0)) callback();
  };
  return { send, turn };
}

test('a caller that floods does not take the share of one that asks for little', () => {
  const { send, turn } = admissions();
  const flooding: number[] = [];
  const modest: number[] = [];
  let sent = 0;
  for (let turns = 0; turns < 2_000; turns += 1) {
    // It sends at most 384 at a time, the next ones as soon as it has answers.
    for (const end = sent + 32; sent < end && sent - flooding.length < 384; sent += 1) {
      send('flood', (status) => void flooding.push(status));
    }
    if (turns % 20 === 0) send('modest', (status) => void modest.push(status));
    turn();
  }
  expect(flooding.filter((status) => status === 503).length).toBeGreaterThan(flooding.length / 2);
  const served = modest.slice(-50).filter((status) => status === 200); // its share is known after the first ones
  expect({ served: served.length, of: modest.length }).toEqual({ served: 50, of: 100 });
});
