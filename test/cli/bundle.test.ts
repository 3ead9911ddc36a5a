import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { textFile } from '../typed-flex/snapshot-files.ts';
import { snapshotOf } from '../typed-flex/snapshots.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { entry, running, temporaryFolder } from './trivium.ts';

const bundle = dirname(entry);

/** The names of the files of the bundle that a start of the gateway loads. */
async function loadedFiles(settings: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const folder = await temporaryFolder();
  const env = { ...settings, NODE_V8_COVERAGE: folder, PORT: '0', ACCOUNT_URL: DEAD_ADDRESS };
  const gateway = await running(['serve'], /http\S+\/graphql/, { env });
  gateway.signal('SIGTERM');
  await gateway.ended;
  const [file = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, file), 'utf8'));
  const urls: string[] = result.map(({ url }: { url: string }) => url);
  return urls.filter((url) => url.includes('/dist/')).map((url) => basename(url));
}

test('a start loads eight files at most, and no types of databases', async () => {
  const files = await loadedFiles();
  expect(files).toEqual(expect.arrayContaining(['main.js', 'gateway.js']));
  expect(files.length).toBeLessThanOrEqual(8);
  expect(files).not.toContain('typed-flex.js');
});

test('a start with types of databases loads ten files at most', async () => {
  const file = await textFile(
    snapshotText(snapshotOf([{ id: '1', code: 'notes', schema: { fields: { title: 'string' } } }])),
  );
  const files = await loadedFiles({ FLEX_SCHEMA: file });
  expect(files).toEqual(expect.arrayContaining(['gateway.js', 'typed-flex.js']));
  expect(files.length).toBeLessThanOrEqual(10);
});

test('no file has a character that V8 keeps in two bytes', async () => {
  const names = (await readdir(bundle)).filter((name) => name.endsWith('.js'));
  expect(names).toContain('gateway.js');
  for (const name of names) {
    const text = await readFile(join(bundle, name), 'utf8');
    expect(/.{0,40}[\u0100-\uffff].{0,20}/.exec(text)?.[0], name).toBeUndefined();
  }
});
