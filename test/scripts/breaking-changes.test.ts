import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
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
    check: (env = {}) => script('breaking-changes/main.ts', root, { ...surroundings(root), ...env }),
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

const kept = { code: 0, stderr: '' };

// Each test starts up to a dozen processes of git, and three of Node.
describe.skipIf(!hasGit)('in a repository', { timeout: 60_000 }, () => {
  test('a breaking change fails until a decision and the changelog name it', async () => {
    const { fields, decide, log, commit, check } = await repository();
    await fields('one');
    await commit();

    const nowhere = await check();
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toMatch(/breaks what clients have from the parent commit [0-9a-f]{7}:/);
    expect(nowhere.stderr).toMatch(/- `Query.two`: .*removed.*\. Missing in docs\/decisions and CHANGELOG\.md\./);
    await decide('`Query.two` goes.');
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringMatching(/Missing in CHANGELOG\.md\./) });
    await log('- `Query.two` comes.\n- `Query.two` goes.');
    expect(await check()).toMatchObject({ ...kept, stdout: expect.stringMatching(/written down: 1\./) });
  });

  test('what is compared is the working tree with the last tag, and not with the parent', async () => {
    const { fields, git, commit, check } = await repository();
    await git('tag', 'v1');
    await fields('one');
    const uncommitted = await check();
    await commit();
    await commit(); // now the parent lacks the field too

    const failed = { code: 1, stderr: expect.stringMatching(/from v1:\n\n- `Query.two`/) };
    expect(uncommitted).toMatchObject(failed);
    expect(await check()).toMatchObject(failed);
  });

  test('a commit that is the last tag is compared with the tag before', async () => {
    const { fields, git, commit, check } = await repository();
    await git('tag', 'v1');
    await fields('one');
    await commit();
    await commit();
    await git('tag', 'v2');

    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringMatching(/from v1:/) });
  });

  test('a merge is compared with the branch that it went into', async () => {
    const { fields, git, commit, check } = await repository();
    await git('checkout', '--quiet', '-b', 'topic');
    await fields('one');
    await commit();
    await commit();
    await git('checkout', '--quiet', 'main');
    await commit();
    await git('merge', '--quiet', '--no-edit', 'topic');

    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringMatching(/- `Query.two`/) });
  });

  test('a failure of git is none to compare with', async () => {
    const { root, check } = await repository();
    await rm(join(root, '.git/objects'), { recursive: true });
    await mkdir(join(root, '.git/objects'));

    expect(await check()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/git .* failed: /),
    });
  });
});

describe.skipIf(!hasGit)('where there is nothing to compare with, it says why and passes', { timeout: 60_000 }, () => {
  const because = (reason: RegExp) => ({ ...kept, stdout: expect.stringMatching(reason) });

  test('no git', async () => {
    const { root, check } = await repository();
    expect(await check({ PATH: join(root, 'docs') })).toMatchObject(because(/^Note: .* git is not installed\.\n$/));
  });

  test('no repository', async () => {
    const { fields, check } = await project();
    await fields('one');
    expect(await check()).toMatchObject(because(/^Note: .* this is no git repository\.\n$/));
  });

  test('no commit, and the first one', async () => {
    const { fields, git, commit, check } = await project();
    await git('init', '--quiet');
    await fields('one');
    expect(await check()).toMatchObject(because(/^Note: .* there is no commit yet\.\n$/));
    await commit();
    expect(await check()).toMatchObject(because(/^Note: .* HEAD is the first commit\.\n$/));
  });

  test('a base without a schema', async () => {
    const { fields, git, commit, check } = await project();
    await git('init', '--quiet');
    await commit();
    await fields('one');
    await commit();
    expect(await check()).toMatchObject(because(/^Note: .* the parent commit [0-9a-f]{7} has no schema\.graphql\.\n$/));
  });

  test('a shallow clone without the parent', async () => {
    const { root: origin } = await repository();
    const { root, git, check } = await project();
    await git('clone', '--quiet', '--depth', '1', pathToFileURL(origin).href, root);
    expect(await check()).toMatchObject(because(/^Note: .* shallow clone .*`git fetch --unshallow --tags`.*\n$/));
  });
});
