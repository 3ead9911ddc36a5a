import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runPull } from '../../src/cli/flex-commands.ts';
import { readConfig } from '../../src/config.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { printed } from './printed.ts';
import { inProcess } from './in-process.ts';
import { temporaryFolder, trivium } from './trivium.ts';

const API_TOKEN = 'demo-admin';

test('flex pull writes the definitions of an account and their names, and keeps what was edited', async () => {
  const { sandbox } = await freshSandbox({ demo: true });
  const cwd = await temporaryFolder();
  const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN, FLEX_SCHEMA: 'types.json' };
  const file = join(cwd, 'types.json');
  expect(await trivium(['flex', 'pull', '--out', 'types.json'], { cwd, env })).toEqual({
    code: 0,
    stdout: [
      'types.json: 3 databases with 24 fields.',
      '  guestbook is new.',
      '  products is new.',
      '  tracker is new.',
      'Hint: errors of mutations have fields of the same name as names.guestbook.table.fields.message. Beside `... on MutationError` ' +
        'give such a field an alias, `text: message`, or write another name.',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
  const text = await readFile(file, 'utf8');
  expect(text).not.toMatch(/demo-admin|Anonymous/); // the token, and the value of a default
  const edited = text.replace('"due_at": "dueAt"', '"due_at": "deadline"').replace('"TrackerPerson"', '""');
  await writeFile(file, edited);
  expect(await trivium(['flex', 'pull', '--db', 'tracker', '--db', 'products'], { cwd, env })).toEqual({
    code: 0,
    stdout: 'types.json: 3 databases with 24 fields.\n',
    stderr: '',
  });
  expect(await readFile(file, 'utf8')).toBe(edited.replace('"type": ""', '"type": "TrackerPerson"'));
  expect(await readdir(cwd)).toEqual(['types.json']); // no temporary file
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'an upstream says how to start one',
    {},
    /^flex needs the address [^\n]*: set FLEX_URL or ACCOUNT_URL, and API_TOKEN\. [^\n]*trivium sandbox[^\n]*\n$/,
  ],
  ['an upstream, and without a file for PUBLIC', { PUBLIC: 'true' }, /^flex needs the address /],
  [
    'the address of the flex API names it alone',
    { API_TOKEN, CRM_URL: 'http://127.0.0.1:9' },
    /^flex needs [^\n]*: set FLEX_URL or ACCOUNT_URL\. /,
  ],
  ['a token names it', { ACCOUNT_URL: 'http://127.0.0.1:9', CRM_TOKEN: 'token' }, /^flex needs API_TOKEN, [^\n]*\n$/],
])('flex without %s', async (_name, env, words) => {
  const { code, stdout, stderr } = await inProcess(['flex', 'pull'], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(words);
});

/** Pulls from an upstream into a file of a folder, in this process. */
async function pulling(url: string, { file = 'flex.json', token = 'token' } = {}) {
  const folder = await temporaryFolder();
  const text = printed();
  const out = join(folder, file);
  const run = () => runPull({ out }, readConfig({ FLEX_URL: url, API_TOKEN: token }));
  return { run, folder, out, lines: () => text().trimEnd().split('\n') };
}

const table = { fields: { sku: 'string' } };
const products = { id: 7, name: 'Products', code: 'products', schema: table, public_methods: null };

describe('flex pull', () => {
  test('lists the names that someone has to write', async () => {
    const row = { ...products, code: null, schema: { fields: { żółw: 'string' } } };
    const { run, lines } = await pulling((await stubUpstream(says(JSON.stringify([row])))).url);
    expect(await run()).toBe(0);
    const told = lines();
    expect(told[0]).toMatch(/flex\.json: 1 database with 1 field\.$/);
    expect(told.slice(2)).toEqual([
      'Names to write, then pull again, before a gateway starts with it:',
      '  names.7.query: write a name for this field of Query: the database has no code.',
      '  names.7.type: write a name for this type: the database has no code.',
      '  names.7.table.fields["żółw"]: write a name for this field, or null to leave it in `extra`: its name upstream has characters beyond printable ASCII.',
    ]);
  });

  test('reads a database by its id where the list lacks its schema', async () => {
    const upstream = await stubUpstream((request, response) => {
      const { schema: _schema, ...listed } = products;
      return says(JSON.stringify(request.url === '/flex/dbs.json' ? [listed] : products))(request, response);
    });
    const { run, out } = await pulling(upstream.url);
    await run();
    expect(upstream.received).toEqual(['GET /flex/dbs.json', 'GET /flex/dbs/7.json']);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ databases: { products: { schema: table } } });
  });

  test('tells a schema that cannot be read with exit code 1, and writes the others', async () => {
    const rows = [products, { ...products, id: 8, code: 'odd', schema: 7 }];
    const { run, lines } = await pulling((await stubUpstream(says(JSON.stringify(rows)))).url);
    expect(await run()).toBe(1);
    const told = lines();
    expect(told).toContain('  products is new.');
    expect(told.at(-1)).toMatch(/^odd: its schema cannot be read\./);
  });

  test.each([
    ['a refused token', says('{}', { status: 401 }), /^flex: .*The address in FLEX_URL is right; is API_TOKEN\?$/],
    ['a row that is no database', says('[{}]'), /^flex: .*1 of 1 rows was left out/],
    ['an outage', says('', { status: 503 }), /^flex: .*status 503/],
  ])('writes nothing after %s, and shows no token', async (_name, answer, words) => {
    const { run, folder } = await pulling((await stubUpstream(answer)).url, { token: 'canary-3f9c' });
    await expect(run()).rejects.toThrow(words);
    await expect(run()).rejects.not.toThrow('canary');
    expect(await readdir(folder)).toEqual([]);
  });

  test('names the setting that has the address of a refused token', async () => {
    const { url } = await stubUpstream(says('{}', { status: 401 }));
    const pull = runPull({}, readConfig({ ACCOUNT_URL: url, API_TOKEN }));
    await expect(pull).rejects.toThrow(/ The address in ACCOUNT_URL is right; is API_TOKEN\?$/);
  });

  test('writes through a link, and names a file that is no snapshot', async () => {
    const { run, folder, out } = await pulling((await stubUpstream(says(JSON.stringify([products])))).url);
    await symlink('real.json', out);
    await writeFile(join(folder, 'real.json'), '{}');
    await expect(run()).rejects.toThrow(`${out}: version: takes 1`);
    await writeFile(join(folder, 'real.json'), JSON.stringify({ version: 1, databases: {}, names: {} }));
    await run();
    expect(await readFile(join(folder, 'real.json'), 'utf8')).toContain('products');
    expect((await readdir(folder)).toSorted()).toEqual(['flex.json', 'real.json']);
  });
});
