import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver } from '../support/gateway.ts';
import { manifestFile, NOWHERE, send, WAYS } from './support.ts';

// Manifests are read again on SIGHUP.

const OLD = 'query Old { __typename }';
const NEW = 'query New { __typename }';
const only = { TRUSTED_DOCUMENTS_ONLY: 'true' } as const;
const hasType = { status: 200, data: { __typename: 'Query' } };
const notListed = { codes: ['PERSISTED_QUERY_NOT_IN_LIST'] };

const demo = sharedDemo();

test('a new manifest takes the place of the old one, for each way in', async () => {
  const file = await manifestFile({ old: OLD });
  const { url, logs, renew } = await gatewayOver(NOWHERE, { TRUSTED_DOCUMENTS: [file], ...only });
  expect(await send(url, 'POST', { documentId: 'new' })).toMatchObject(notListed);
  await writeFile(file, JSON.stringify({ new: NEW }));
  await renew();
  for (const way of WAYS) {
    expect(await send(url, way, { documentId: 'new' })).toMatchObject(hasType);
    expect(await send(url, way, { documentId: 'old' })).toMatchObject(notListed);
  }
  expect(logs.join('')).toContain('"msg":"trusted documents were read again"');
  expect(logs.join('')).not.toContain('certificates');
});

test('the folder of a mounted volume is a symbolic link, which moves to the next version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-volume-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [before, after] = [await manifestFile({ old: OLD }), await manifestFile({ new: NEW })];
  const [link, next] = [join(folder, 'documents.json'), join(folder, 'next.json')];
  await symlink(before, link);
  const { url, renew } = await gatewayOver(NOWHERE, { TRUSTED_DOCUMENTS: [link], ...only });
  await symlink(after, next);
  await rename(next, link);
  await renew();
  expect(await send(url, 'POST', { documentId: 'new' })).toMatchObject(hasType);
});

test.each<[name: string, content: unknown, reason: RegExp]>([
  ['that is not JSON', '{"new": canary', /it is not JSON/],
  ['with a document that does not fit the schema', { new: '{ gone }' }, /"new" is refused: Cannot query field "gone"/],
  ['without documents', {}, /it has no documents/],
])('a manifest %s changes nothing, and one line of the log names it', async (_name, content, reason) => {
  const file = await manifestFile({ old: OLD });
  const { url, logs, renew } = await gatewayOver(NOWHERE, { TRUSTED_DOCUMENTS: [file], ...only });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  await renew();
  expect(await send(url, 'POST', { documentId: 'old' })).toMatchObject(hasType);
  const errors = logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
  const msg = 'trusted documents cannot be read again: the old ones stay';
  expect(errors).toMatchObject([{ msg, reason: expect.stringMatching(reason) }]);
  expect(errors[0].reason).toContain(`TRUSTED_DOCUMENTS: The manifest ${JSON.stringify(file)}`);
  expect(logs.join('')).not.toContain('canary');
});

test('an operation that has begun ends with the document of the old manifest', async () => {
  const file = await manifestFile({ tokens: 'query Tokens { apiTokens { name } }' });
  const { url, logs, renew, sandbox } = await demo({ TRUSTED_DOCUMENTS: [file], ...only });
  await writeFile(file, JSON.stringify({ new: NEW }));
  const answered = send(url, 'POST', { documentId: 'tokens' });
  await expect.poll(() => sandbox.calls()).not.toEqual([]);
  await renew();
  expect(await answered).toMatchObject({ status: 200, data: { apiTokens: expect.any(Array) } });
  expect(await send(url, 'POST', { documentId: 'tokens' })).toMatchObject(notListed);
  expect(logs.join('')).toContain('"documentId":"tokens"');
});

test('the last of several signals wins', async () => {
  const file = await manifestFile({ old: OLD });
  const { url, renew } = await gatewayOver(NOWHERE, { TRUSTED_DOCUMENTS: [file], ...only });
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`d${index}`, `{ a${index}: __typename }`]),
  );
  await writeFile(file, JSON.stringify(many));
  const first = renew();
  await writeFile(file, JSON.stringify({ new: NEW }));
  await Promise.all([first, renew()]);
  expect(await send(url, 'POST', { documentId: 'new' })).toMatchObject(hasType);
  expect(await send(url, 'POST', { documentId: 'd0' })).toMatchObject(notListed);
});
