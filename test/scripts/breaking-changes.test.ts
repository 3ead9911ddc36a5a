import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findBase } from '../../scripts/breaking-changes/base.ts';
import { ended, temporaryFolder } from '../cli/trivium.ts';
import { script } from './script.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

/** No setting of the machine, and no repository around the temporary folder. */
const surroundings = (root: string) => ({
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: join(root, 'no-config'),
  GIT_CEILING_DIRECTORIES: join(root, '..'),
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
});

async function project() {
  const root = await temporaryFolder();
  const git = async (...args: string[]) => {
    const result = await ended('git', args, { cwd: root, env: surroundings(root) });
    if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
  };
  const write = async (file: string, text: string) => {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), text);
  };
  return {
    root,
    git,
    /** A schema with these fields in Query. */
    fields: (...names: string[]) =>
      write('schema.graphql', `type Query { ${names.map((name) => `${name}: ID`).join(' ')} }`),
    decide: (text: string) => write('docs/decisions/0001-fields.md', text),
    log: (text: string) => write('CHANGELOG.md', text),
    commit: async () => {
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '--message', 'A change');
    },
    /** What the schema is compared with, or why with nothing. */
    base: (env = {}) => findBase({ cwd: root, env: { PATH: process.env['PATH'], ...surroundings(root), ...env } }),
    /** Runs the script. */
    check: () => script('breaking-changes/main.ts', root, surroundings(root)),
  };
}

/** A repository of two commits, in which Query has the fields `one` and `two`. */
async function repository() {
  const made = await project();
  await made.git('init', '--quiet', '--initial-branch', 'main');
  await made.fields('one');
  await made.log('- `Query.two` comes.');
  await made.commit();
  await made.fields('one', 'two');
  await made.commit();
  return made;
}

const parent = /^the parent commit [0-9a-f]{7}$/;

// Each test starts a dozen processes of git, and the first three one of Node.
describe.skipIf(!hasGit)('in a repository', () => {
  test('a breaking change fails until a decision and the changelog name it', async () => {
    const { fields, decide, log, commit, check } = await repository();
    await fields('one');
    await commit();

    const nowhere = await check();
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toMatch(/breaks what clients have from the parent commit [0-9a-f]{7}:/);
    expect(nowhere.stderr).toMatch(/- `Query.two`: .*removed.*\. Missing in docs\/decisions and CHANGELOG\.md\./);
    await decide('`Query.two` goes.');
    await log('- `Query.two` comes.\n- `Query.two` goes.');
    expect(await check()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/written down: 1\./) });
  });

  test('a failure of git is none to compare with', async () => {
    const { root, check } = await repository();
    await rm(join(root, '.git/objects'), { recursive: true });
    await mkdir(join(root, '.git/objects'));

    const stderr = expect.stringMatching(/git .* failed: /);
    expect(await check()).toMatchObject({ code: 1, stdout: '', stderr });
  });

  test('where there is nothing to compare with, it says why and passes', async () => {
    const { fields, check } = await project();
    await fields('one');
    const stdout = expect.stringMatching(/^Note: .* this is no git repository\.\n$/);
    expect(await check()).toMatchObject({ code: 0, stderr: '', stdout });
  });

  test('what is compared is the working tree with the last tag, and not with the parent', async () => {
    const { fields, git, commit, base } = await repository();
    expect(base()).toMatchObject({ name: expect.stringMatching(parent) });
    await git('tag', 'v1');
    await fields('one');
    expect(base()).toMatchObject({ name: 'v1' });
    await commit();
    await commit(); // now the parent lacks the field too
    expect(base()).toMatchObject({ name: 'v1' });
  });

  test('a commit that is the last tag is compared with the tag before', async () => {
    const { git, commit, base } = await repository();
    await git('tag', 'v1');
    await commit();
    await git('tag', 'v2');
    expect(base()).toMatchObject({ name: 'v1' });
  });

  test('a merge is compared with the branch that it went into', async () => {
    const { fields, git, commit, base } = await repository();
    await git('checkout', '--quiet', '-b', 'topic');
    await fields('one');
    await commit();
    await commit();
    await git('checkout', '--quiet', 'main');
    await commit();
    await git('merge', '--quiet', '--no-edit', 'topic');
    expect(base()).toMatchObject({
      name: expect.stringMatching(parent),
      texts: { schema: expect.stringContaining('two') },
    });
  });
});

describe.skipIf(!hasGit)('why there is nothing to compare with', () => {
  test('no git', async () => {
    const { root, base } = await repository();
    expect(base({ PATH: join(root, 'docs') })).toEqual({ reason: 'git is not installed.' });
  });

  test('no repository', async () => {
    expect((await project()).base()).toEqual({ reason: 'this is no git repository.' });
  });

  test('no commit, and the first one', async () => {
    const { git, commit, base } = await project();
    await git('init', '--quiet');
    expect(base()).toEqual({ reason: 'there is no commit yet.' });
    await commit();
    expect(base()).toEqual({ reason: 'HEAD is the first commit.' });
  });

  test('a base without a schema', async () => {
    const { fields, git, commit, base } = await project();
    await git('init', '--quiet');
    await commit();
    await fields('one');
    await commit();
    expect(base()).toEqual({
      reason: expect.stringMatching(/^the parent commit [0-9a-f]{7} has no schema\.graphql\.$/),
    });
  });

  test('a shallow clone without the parent', async () => {
    const { root: origin } = await repository();
    const { root, git, base } = await project();
    await git('clone', '--quiet', '--depth', '1', pathToFileURL(origin).href, root);
    expect(base()).toEqual({ reason: expect.stringMatching(/shallow clone .*`git fetch --unshallow --tags`/) });
  });
});
