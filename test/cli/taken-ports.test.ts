import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { inProcess } from './in-process.ts';

/** Takes a port. Undefined where another program has it. */
async function taken(port: number): Promise<Server | undefined> {
  const server = createServer();
  const failed = once(server, 'error').then(() => undefined);
  server.listen(port, '127.0.0.1');
  const listening = once(server, 'listening').then(() => server);
  onTestFinished(() => void server.close());
  return Promise.race([listening, failed]);
}

/** Two ports in a row, both taken. */
async function twoPorts(): Promise<readonly [port: number, first: Server, second: Server]> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const first = await taken(0);
    const address = first?.address();
    if (!first || typeof address !== 'object' || !address) continue;
    const second = await taken(address.port + 1);
    if (second) return [address.port, first, second];
  }
  throw new Error('No two ports in a row are free.');
}

const free = async (server: Server) => new Promise((resolve) => void server.close(resolve));

test.each([
  ['serve', (port: number) => ({ args: ['serve'], env: { PORT: '0', SANDBOX_PORT: String(port) } }), 'SANDBOX_PORT'],
  ['sandbox', (port: number) => ({ args: ['sandbox', '--port', String(port)], env: {} }), '--port'],
])('%s names each port of the sandbox that is taken, and the setting', async (_name, commandAt, setting) => {
  const [port, first, second] = await twoPorts();
  const { args, env } = commandAt(port);
  const needs = `the sandbox needs ${setting}, ${port}, and for its forum the next one. Set ${setting} to another one, or to 0.`;
  expect(await inProcess(args, { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: `Ports ${port} and ${port + 1} are taken: ${needs}\n`,
  });
  await free(first);
  expect((await inProcess(args, { env })).stderr).toBe(`Port ${port + 1} is taken: ${needs}\n`);
  const again = await taken(port);
  expect(again).toBeDefined();
  await free(second);
  expect((await inProcess(args, { env })).stderr).toBe(`Port ${port} is taken: ${needs}\n`);
});
