import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { seedDocument } from '../../src/sandbox/seed-file/shape.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { running } from '../cli/trivium.ts';
import { fences, read } from './pages.ts';

const page = read('docs/sandbox.md');
const commands = fences(page, 'sh').flatMap((block) => block.trim().split('\n'));

test('the sandbox starts as docs/sandbox.md prints it', async () => {
  const command = commands.find((line) => line.startsWith('node '));
  const [, main, ...args] = command?.split(' ') ?? [];
  expect(main).toBe('dist/main.js');
  const { banner } = await running([...args, '--port', '0'], /calls\n$/);
  expect(banner).toContain('demo-admin');
});

test('every command with curl of docs/sandbox.md is answered with success', async () => {
  const { sandbox } = await freshSandbox({ demo: true });
  const sent = commands.filter((line) => line.startsWith('curl '));
  expect(sent).toHaveLength(10);
  for (const command of sent) {
    const here = command.replace('http://127.0.0.1:4001', sandbox.urls.account).replace('curl', 'curl -sf');
    await promisify(execFile)('bash', ['-c', here]);
  }
  expect(sandbox.calls()).toEqual([]);
});

test('docs/sandbox.md names every list of a seed file', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| .*`(?:id|token)`/gm)].map(([, list]) => list);
  expect(rows.toSorted()).toEqual(Object.keys(seedDocument.shape).toSorted());
});

test.each(
  [...page.matchAll(/^<!-- (examples\/\S+) -->\n+```\w+\n(.*?)^```/gms)].map(([, file = '', code = '']) => ({
    file,
    code,
  })),
)('docs/sandbox.md shows $file as it is', ({ file, code }) => {
  const unindented = (text: string) => text.replaceAll(/^ +/gm, '');
  expect(unindented(readFileSync(file, 'utf8'))).toContain(unindented(code));
});
