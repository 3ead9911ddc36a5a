import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createLog, terminalLines } from '../src/observe/log.ts';
import { entry } from './cli/trivium.ts';

/** The lines that a log writes for people. */
async function shown(write: (log: ReturnType<typeof createLog>) => void): Promise<string> {
  const format = await terminalLines({ colors: false });
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(format(line)) }));
  return lines.join('');
}

test('a line for people has the time, the level, the message and the fields, and no process', async () => {
  const line = await shown((log) => log.info({ operation: 'Tokens', ms: 12, errors: {} }, 'operation'));
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: operation \{"operation":"Tokens","ms":12,"errors":\{\}\}\n$/);
});

test('secrets are redacted in it, too', async () => {
  const line = await shown((log) => log.warn({ headers: { authorization: 'canary' }, token: 'canary' }, 'odd'));
  expect(line).toContain('[redacted]');
  expect(line).not.toContain('canary');
});

test('a text cannot control the terminal', async () => {
  const line = await shown((log) => log.error({ stack: 'Error: \u001b[2J\u009b1m\r\n\tat x' }, 'bad \u0007'));
  expect(line).toContain('bad \ufffd');
  expect(line.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

/** Starts the gateway in a pseudo terminal, with a setting that it warns of, and returns what it shows until the warning. */
async function inTerminal(env: Readonly<Record<string, string>>): Promise<string> {
  const command = `'${process.execPath}' '${entry}' serve`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      TERM: 'xterm',
      PORT: '0',
      ACCOUNT_URL: 'http://127.0.0.1:1',
      CORS_ORIGIN: 'canary',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Its terminal ends with it, which ends the gateway. It is not waited for: `script` itself may miss the end of its child.
  onTestFinished(() => void child.kill('SIGKILL'));
  let seen = '';
  for await (const [chunk] of on(child.stdout, 'data')) {
    seen += String(chunk);
    if (seen.includes('no setting') && seen.includes('/graphql')) break;
  }
  return seen;
}

test('in a terminal the log has lines for people', async () => {
  const output = await inTerminal({ NO_COLOR: '1' });
  expect(output).toMatch(/\[\d\d:\d\d:\d\d\.\d{3}\] WARN: CORS_ORIGIN is no setting/);
  expect(output).not.toMatch(/\{"level":\d/);
  expect(output).not.toContain('canary');
});
