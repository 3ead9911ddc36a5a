import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, trivium } from './trivium.ts';

const LINE = /^[^\n]+\n$/;

describe('what cannot be opened is one line on standard error, and exit code 2', () => {
  const takenPort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    return String(typeof address === 'object' ? address?.port : '');
  };

  test.each([
    ['PORT', { PORT: 'taken', SANDBOX_PORT: '0' }, /PORT/],
    ['PORT, with several workers', { PORT: 'taken', SANDBOX_PORT: '0', WORKERS: '3' }, /PORT/],
    ['METRICS_PORT', { PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: 'taken' }, /is taken: set METRICS_PORT /],
  ])('a port that is taken: %s', async (_name, env, message) => {
    const port = await takenPort();
    const ports = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === 'taken' ? port : value]),
    );
    const { code, stdout, stderr } = await trivium(['serve'], { env: ports });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toContain(port);
    expect(stderr).toMatch(message);
  });

  test('a port that is taken: SANDBOX_PORT', async () => {
    const port = await takenPort();
    const { code, stdout, stderr } = await trivium(['serve'], { env: { PORT: '0', SANDBOX_PORT: port } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toMatch(/^Ports? .* taken: .*Set SANDBOX_PORT to another one, or to 0\.\n$/);
    expect(stderr.replace(/ and \d+ /, '')).toContain(port); // another test may have the forum's, too
  });

  test('a port that is taken, of the sandbox alone: it has a flag for that', async () => {
    const port = await takenPort();
    const { code, stdout, stderr } = await trivium(['sandbox', '--port', port]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toMatch(/--port/);
  });

  test('a host of the sandbox that is no address of this machine', async () => {
    const { code, stdout, stderr } = await trivium(['sandbox', '--port', '0', '--host', '192.0.2.1']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: '--host is no address of this machine (EADDRNOTAVAIL).\n',
    });
  });

  test.each([
    ['an address of another machine', '192.0.2.1'],
    ['a name that does not resolve', `${'x'.repeat(64)}.invalid`],
  ])('a HOST to listen on that is %s', async (_name, HOST) => {
    const { code, stdout, stderr } = await trivium(['serve'], { env: { PORT: '0', SANDBOX_PORT: '0', HOST } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toMatch(/HOST/);
  });

  test.each([
    ['in a folder that is not there', 'no/such/folder/data.db'],
    ['that is a folder', '.'],
  ])('a data file %s', async (_name, file) => {
    const { code, stdout, stderr } = await trivium(['sandbox', '--port', '0', '--data', file], {
      cwd: await temporaryFolder(),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toMatch(/--data/);
  });
});
