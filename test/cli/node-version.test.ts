import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ended, entry } from './trivium.ts';

/** Runs the command line under this Node, which calls itself another version. */
async function under(version: string) {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return ended(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(fake)}`, entry, '--version']);
}

test('an older Node is one line on standard error, and exit code 2', async () => {
  expect(await under('18.20.8')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'trivium needs Node 20.19 or newer; this is 18.20.8\n',
  });
  expect(await under('20.19.0')).toMatchObject({ code: 0, stderr: '' });
});

test('the entry loads no other file before it looks at the version', () => {
  const code = readFileSync(entry, 'utf8');
  expect(code).not.toMatch(/^\s*import\s*["'{*\w]|\bfrom\s*["']/m);
  expect(code).toMatch(/await import\(/);
});

describe('a version is too old', () => {
  test.each(['12.22.12', '18.20.8', '20.0.0', '20.18.3', '0.12.0'])('%s', async (version) => {
    expect(await under(version)).toMatchObject({ code: 2, stderr: expect.stringContaining(version) });
  });

  test.each(['20.19.0', '20.20.1', '21.0.0', '22.12.0', '24.1.0', '100.0.0'])('or new enough: %s', async (version) => {
    expect(await under(version)).toMatchObject({ code: 0, stderr: '' });
  });
});
