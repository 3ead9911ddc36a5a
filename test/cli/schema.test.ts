import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
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

const snapshot = new URL('../../examples/codegen/flex.schema.json', import.meta.url);

test.each([
  ['', []],
  [', with types of tables', ['--flex-schema', fileURLToPath(snapshot)]],
])('schema --subgraph --stubs prints the owner of node: a stub of each entity%s', async (_name, options) => {
  const { code, stdout, stderr } = await inProcess(['schema', '--subgraph', '--stubs', ...options]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const whole = await inProcess(['schema', '--subgraph', ...options]);
  const entities = [...whole.stdout.matchAll(/^type (\w+) implements .*@key\(fields: "id"\)/gm)].map(
    ([, name]) => name,
  );
  expect(entities.includes('TrackerTask')).toBe(options.length > 0);
  const { definitions } = parse(stdout);
  const types = definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);
  expect(types.map(({ name }) => name.value)).toEqual(['Query', ...entities]);
  for (const name of entities)
    expect(stdout).toContain(`\ntype ${name} implements Node @key(fields: "id") {\n  id: ID!\n}\n`);
  expect(stdout).toMatch(/ node\(id: ID!\): Node\n[^]* nodes\(ids: \[ID!\]!\): \[Node\]\n/);
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
