import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Writes more than a pipe takes, then a line. Says when that line has left its batch. */
const WRITES = `
  const { standardError } = await import('./src/observe/log.ts');
  const lines = await standardError(false);
  lines.write('x'.repeat(1_000_000) + String.fromCharCode(10));
  lines.write('the last line' + String.fromCharCode(10));
  setTimeout(() => process.stdout.write('ready'), 200); // a line waits 50 ms at most
  process.stdin.resume();
`;

test('lines that come while the reader of the log is slow are not kept until another one comes', async () => {
  const cwd = resolve(import.meta.dirname, '../..');
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', WRITES], { cwd });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  let last = '';
  for await (const chunk of child.stderr) {
    last = `${last}${String(chunk)}`.slice(-20);
    if (last.includes('the last line')) break;
  }
  expect(last).toContain('the last line');
});
