import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshSandbox } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { temporaryFolder, trivium } from './trivium.ts';

const API_TOKEN = 'demo-admin';

test('flex pull writes the definitions of an account and their names, and keeps what was edited', async () => {
  const { sandbox } = await freshSandbox({ demo: true });
  const cwd = await temporaryFolder();
  const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN };
  const file = join(cwd, 'types.json');
  expect(await trivium(['flex', 'pull', '--out', 'types.json'], { cwd, env })).toEqual({
    code: 0,
    stdout: [
      'types.json: 3 databases with 24 fields.',
      '  guestbook is new.',
      '  products is new.',
      '  tracker is new.',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
  const text = await readFile(file, 'utf8');
  expect(text).not.toMatch(/demo-admin|Anonymous/); // the token, and the value of a default
  const edited = text.replace('"due_at": "dueAt"', '"due_at": "deadline"').replace('"TrackerPerson"', '""');
  await writeFile(file, edited);
  const again = await trivium(['flex', 'pull', '--db', 'tracker', '--db', 'products', '--out', 'types.json'], {
    cwd,
    env,
  });
  expect(again).toMatchObject({ code: 0, stdout: 'types.json: 3 databases with 24 fields.\n' });
  expect(await readFile(file, 'utf8')).toBe(edited.replace('"type": ""', '"type": "TrackerPerson"'));
  expect(await readdir(cwd)).toEqual(['types.json']); // no temporary file
});

test('flex pull lists the names that someone has to write', async () => {
  const row = { id: 7, name: 'żółw', code: null, schema: { fields: { żółw: 'string' } }, public_methods: null };
  const upstream = await stubUpstream(says(JSON.stringify([row])));
  const { code, stdout } = await trivium(['flex', 'pull'], {
    cwd: await temporaryFolder(),
    env: { FLEX_URL: upstream.url, API_TOKEN },
  });
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(2)).toEqual([
    'Names to write before a gateway starts with it:',
    '  names.7.query: write a name for this field of Query.',
    '  names.7.type: write a name for this type.',
    '  names.7.table.type: write a name for this type.',
    '  names.7.table.fields["żółw"]: write a name for this field.',
    '',
  ]);
});

test('flex pull without an upstream says how to start one', async () => {
  const { code, stdout, stderr } = await trivium(['flex', 'pull']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^flex needs the address [^\n]*FLEX_URL or ACCOUNT_URL[^\n]*trivium sandbox[^\n]*\n$/);
});

test('flex pull that fails writes nothing, and shows no token', async () => {
  const cwd = await temporaryFolder();
  const { sandbox } = await freshSandbox();
  const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN: 'canary-3f9c' };
  const { code, stdout, stderr } = await trivium(['flex', 'pull'], { cwd, env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^flex: [^\n]*refused[^\n]*is API_TOKEN\?\n$/);
  expect(stderr).not.toContain('canary');
  expect(await readdir(cwd)).toEqual([]);
});
