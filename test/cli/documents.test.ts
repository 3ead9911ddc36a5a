import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { temporaryFolder, trivium } from './trivium.ts';

async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  return folder;
}

const good = { a: '{ apiTokens { name } }', b: '{ __typename }' };
const old = { old: 'query Old { gone }' };

test('documents check says that manifests fit the schema, or which document does not', async () => {
  const cwd = await folderWith({ 'good.json': good, 'old.json': old });
  expect(await trivium(['documents', 'check', 'good.json'], { cwd })).toEqual({
    code: 0,
    stdout: 'All 2 documents fit the schema and the limits.\n',
    stderr: '',
  });
  const paths = ['good.json', 'old.json'].map((name) => join(cwd, name));
  const { code, stdout, stderr } = await inProcess(['documents', 'check', ...paths]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^The manifest "[^"]+old\.json" cannot be used: .*"old" \(Old\) is refused: Cannot query field "gone".*\n$/,
  );
});

test('a start with a manifest that does not fit the schema ends with one line', async () => {
  const cwd = await folderWith({ 'old.json': old });
  const env = { TRUSTED_DOCUMENTS: 'old.json', CRM_URL: 'http://127.0.0.1:9', PORT: '0' };
  const { code, stdout, stderr } = await trivium(['serve'], { cwd, env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^TRUSTED_DOCUMENTS: The manifest "old\.json" cannot be used: .*"old" \(Old\).*\n$/);
});

test('documents push of earlier releases says what to use instead', async () => {
  const { code, stdout, stderr } = await inProcess(['documents', 'push', 'good.json']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^documents push is gone: name the manifest in TRUSTED_DOCUMENTS,.*\n$/);
});
