import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/observe/log.ts';
import { Connections } from '../../src/edge/connections.ts';
import { WatchedResponse } from '../../src/edge/http-server.ts';
import { Shutdown } from '../../src/edge/shutdown.ts';
import { testConfig } from '../support/gateway.ts';

// A thread of its own: it goes on while the thread of the server is kept busy.
const CLIENT = `
  const { connect } = require('node:net');
  const { workerData: { port, isSent }, parentPort } = require('node:worker_threads');
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk)).on('error', ({ code }) => (answer += code));
  socket.on('close', () => parentPort.postMessage(answer));
  socket.write('GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n', () => {
    Atomics.store(isSent, 0, 1);
    Atomics.notify(isSent, 0);
  });
`;

test('a client that comes back while the server is too busy to accept it is served, when no other one is connected', async () => {
  const server = createServer({ ServerResponse: WatchedResponse }, (request, response) =>
    connections.letIn(request, response, () => shutdown.hold(request, response, () => void response.end('served'))),
  );
  const connections = new Connections(server, testConfig(), createLog('silent', { write: () => {} }));
  const shutdown = new Shutdown(server, connections, 0); // no grace period: as at the end of one
  onTestFinished(() => void server.close());
  const port = await listening(server);
  get({ port, agent: false }, (response) => response.resume());
  const [socket] = await once(server, 'connection');
  await once(socket, 'close');

  const isSent = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(CLIENT, { eval: true, workerData: { port, isSent } });
  const answer = once(client, 'message');
  expect(Atomics.wait(isSent, 0, 0, 10_000)).not.toBe('timed-out'); // nothing else runs in this thread meanwhile
  await shutdown.begin();
  await shutdown.drain(
    () => ({}),
    () => [],
  );

  expect(await answer).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[^]*served/)]);
});

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return address.port;
}
