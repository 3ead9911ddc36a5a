import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { servedSchema } from '../../src/schema/served-schema.ts';
import { testConfig } from '../support/gateway.ts';
import { inProcess } from './in-process.ts';
import { entry, temporaryFolder, trivium } from './trivium.ts';

const committed = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');

test('schema prints what is committed, to the letter', async () => {
  const { code, stdout, stderr } = await trivium(['schema'], { cwd: await temporaryFolder() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(committed);
});

test('schema --subgraph prints what the subgraph tells a router', async () => {
  const { code, stdout, stderr } = await inProcess(['schema', '--subgraph']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const served = await servedSchema(testConfig());
  expect(stdout).toBe(served.subgraph().sdl);
});

test('a reader of the schema may close the pipe before its end', async () => {
  const script = `set -o pipefail; "${process.execPath}" "${entry}" schema --subgraph | head -n 1`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script]); // rejects for an exit code
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^schema @link[^\n]*\n$/);
});

test('schema --check says nothing where the file is the same, and fails where it is not', async () => {
  const cwd = await temporaryFolder();
  const check = async (content: string) => {
    await writeFile(join(cwd, 'schema.graphql'), content);
    return trivium(['schema', '--check'], { cwd });
  };
  expect(await check(committed)).toEqual({ code: 0, stdout: '', stderr: '' });
  const failed = { code: 1, stdout: '', stderr: expect.stringMatching(/^schema\.graphql .*npm run schema.*\n$/) };
  expect(await check(committed.replace('scalar DateTime', 'scalar DateTimes'))).toEqual(failed);
  expect(await check(committed.trimEnd())).toEqual(failed);
});

test('schema --check fails in words where there is no file', async () => {
  const { code, stdout, stderr } = await trivium(['schema', '--check'], { cwd: await temporaryFolder() });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^schema\.graphql [^\n]+\n$/);
});
