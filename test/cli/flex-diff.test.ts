import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDiff, runPull } from '../../src/cli/flex-commands.ts';
import { readConfig } from '../../src/config.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { printed } from './printed.ts';
import { inProcess } from './in-process.ts';
import { temporaryFolder, trivium } from './trivium.ts';

const API_TOKEN = 'demo-admin';

/** The snapshot of the demo data in a file, and the sandbox that it is of. */
async function pulled() {
  const { sandbox, call } = await freshSandbox({ demo: true });
  const folder = await temporaryFolder();
  const file = join(folder, 'flex.schema.json');
  const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN };
  const config = readConfig({ ...env, FLEX_SCHEMA: file });
  const text = printed();
  await runPull({}, config);
  text();
  sandbox.forgetCalls();
  return {
    ...{ sandbox, folder, file, env, text },
    diff: (db?: readonly string[]) => runDiff({ db }, config),
    replace: (code: string, old_string: string, new_string: string) =>
      call('PATCH', `/flex/dbs/${code}/replace.json`, {
        token: API_TOKEN,
        body: { field: 'schema', old_string, new_string },
      }),
  };
}

describe('flex diff', () => {
  test('exits with 0 when nothing changed, or nothing that breaks an operation', async () => {
    const { diff, file, replace, text } = await pulled();
    expect(await diff()).toBe(0);
    expect(text()).toBe(`${file}: no definition has changed.\n`);
    await replace('tracker', '"notes":"text"', '"notes":"text","hint":"text"');
    expect(await diff()).toBe(0);
    expect(text()).toMatch(/^Definitions:\n {2}tracker: field tasks.hint is new: text\nGraphQL schema:\n {2}safe:\n/);
    await replace('guestbook', '"rating":"integer"', '"rating":"text"');
    expect(await diff(['tracker'])).toBe(0);
  });

  test('exits with 1 for a breaking change, reads what a pull reads, and writes nothing', async () => {
    const { sandbox, folder, file, env, replace } = await pulled();
    const before = await readFile(file, 'utf8');
    await replace('guestbook', '"rating":"integer"', '"rating":"text"');
    sandbox.forgetCalls();
    const { code, stdout, stderr } = await trivium(['flex', 'diff'], { cwd: folder, env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^ {2}guestbook: field rating has the type text, had integer$/m);
    expect(stdout).toMatch(/^Anonymous GraphQL schema:\n {2}breaking:\n/m);
    expect(stdout).not.toMatch(/demo-admin|Anonymous(?! GraphQL)/); // the token, and the value of a default
    expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('exits with 2 when a database cannot be compared, and compares the others', async () => {
    const { file, text } = await pulled();
    const { databases } = JSON.parse(await readFile(file, 'utf8'));
    const rows = Object.values(databases).map((database) => ({ ...Object(database), schema: 7 }));
    const upstream = await stubUpstream(says(JSON.stringify(rows)));
    expect(await runDiff({}, readConfig({ FLEX_URL: upstream.url, API_TOKEN }), file)).toBe(2);
    expect(text()).toMatch(/: no definition has changed\.\n(\w+: its schema cannot be read\..*\n){3}$/);
  });

  test('refuses a file that it cannot compare before any call', async () => {
    const { sandbox, env, folder } = await pulled();
    const file = join(folder, 'other.json');
    await expect(runDiff({}, readConfig(env), file)).rejects.toThrow('does not exist: `trivium flex pull` writes it.');
    await writeFile(file, '{}');
    await expect(runDiff({}, readConfig(env), file)).rejects.toThrow('other.json: version: takes 1');
    await expect(runDiff({ out: file }, readConfig(env), file)).rejects.toThrow('writes no file: write --flex-schema');
    const twice = runDiff({ 'flex-schema': file }, readConfig(env), 'x.json');
    await expect(twice).rejects.toThrow('The snapshot is given twice: leave out "x.json", or --flex-schema.');
    expect(sandbox.calls()).toEqual([]);
  });

  test('takes its file as other commands do', async () => {
    const { env, file } = await pulled();
    const { code, stdout } = await inProcess(['flex', 'diff', '--flex-schema', file], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}: no definition has changed.\n` });
  });

  test.each([
    ['that is thrown', `throw new Error('broken')`],
    ['that nobody catches', `process.nextTick(() => { throw new Error('broken'); })`],
  ])('exits with 2 after an error of its own %s', async (_name, code) => {
    const { env, folder: cwd } = await pulled();
    const source = `process.stdout.write = () => { ${code}; }`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(source)}`;
    const ended = await trivium(['flex', 'diff'], { cwd, env: { ...env, NODE_OPTIONS } });
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^Error: broken\n +at /) });
  });

  test('refuses another account', async () => {
    const { sandbox, file } = await pulled();
    const account = sandbox.store.createAccount({ modules: [] }).id;
    const { token } = sandbox.store.createUser({ account, permissions: [] });
    const config = readConfig({ FLEX_URL: sandbox.urls.flex, API_TOKEN: token });
    await expect(runDiff({}, config, file)).rejects.toThrow('is it another account');
    await expect(runDiff({}, config, file)).rejects.not.toThrow(token);
  });
});
