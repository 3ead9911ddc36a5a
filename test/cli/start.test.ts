import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { trivium } from './trivium.ts';

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : '');
}

const PORTS = { PORT: '0', SANDBOX_PORT: '0' };

/** The port of another program, in a setting. */
const TAKEN = 'taken';

test.each<[what: string, run: typeof inProcess, args: string[], env: Record<string, string>, message: RegExp]>([
  ['a port that is taken', trivium, ['serve'], { ...PORTS, PORT: TAKEN }, /^Port \d+ is taken: set PORT /],
  ['METRICS_PORT', inProcess, ['serve'], { ...PORTS, METRICS_PORT: TAKEN }, /^Port \d+ is taken: set METRICS_PORT /],
  ['the address of another machine', inProcess, ['serve'], { ...PORTS, HOST: '192.0.2.1' }, /HOST/],
  ['a name without address', inProcess, ['serve'], { ...PORTS, HOST: `${'x'.repeat(64)}.invalid` }, /HOST/],
  [
    'a host of the sandbox that is no address of this machine',
    inProcess,
    ['sandbox', '--port', '0', '--host', '192.0.2.1'],
    {},
    /^--host is no address of this machine \(EADDRNOTAVAIL\)\.\n$/,
  ],
  [
    'a data file without a folder',
    inProcess,
    ['sandbox', '--port', '0', '--data', 'no/such/folder/x.db'],
    {},
    /--data/,
  ],
  ['a folder as data file', inProcess, ['sandbox', '--port', '0', '--data', tmpdir()], {}, /--data/],
])(
  'what cannot be opened is one line on standard error, and exit code 2: %s',
  async (_what, run, args, env, message) => {
    const port = await takenPort();
    const given = Object.entries(env).map(([name, value]) => [name, value === TAKEN ? port : value]);
    const { code, stdout, stderr } = await run(args, { env: Object.fromEntries(given) });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(message);
    if (Object.values(env).includes(TAKEN)) expect(stderr).toContain(port);
  },
);
