// The commit whose schema has to be kept, by git.
import { spawnSync } from 'node:child_process';
import type { Texts } from './changes.ts';

export interface Base {
  /** For people: `v1.2.0`, `the parent commit 1a2b3c4`. */
  readonly name: string;
  readonly texts: Texts;
}

/** Why there is no base, in words. */
export interface NoBase {
  readonly reason: string;
}

/** Where git runs. Default: this folder, with the environment of this process. */
export interface Place {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The last tag, or else the parent commit (of a merge: the first). A commit that bears the last tag itself is compared
 * with what came before it, so that a release is held to the one before; what is changed on top of it, with the tag.
 * Any failure of git that is not one of the reasons is thrown.
 */
export function findBase(place: Place = {}): Base | NoBase {
  const reason = noHistory(place);
  if (reason !== undefined) return { reason };

  const git = gitAt(place);
  const commitOf = (revision: string) => git('rev-list', '--max-count=1', revision).trim();
  const released = lastTag(git, 'HEAD');
  const isChanged = () => git('status', '--porcelain', '--', 'schema.graphql') !== '';
  if (released !== undefined && (commitOf(released) !== commitOf('HEAD') || isChanged())) {
    return textsOf(git, released, released);
  }
  const shallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
  const [, parent] = git('rev-list', '--parents', '--max-count=1', 'HEAD').trim().split(' ');
  if (parent === undefined) {
    const unfetched = 'this shallow clone has nothing before HEAD; `git fetch --unshallow --tags` brings it.';
    return { reason: shallow ? unfetched : 'HEAD is the first commit.' };
  }
  const before = lastTag(git, parent);
  if (before !== undefined) return textsOf(git, before, before);
  const name = `the parent commit ${parent.slice(0, 7)}`;
  return textsOf(git, parent, shallow ? `${name} (a tag may be missing: this clone is shallow)` : name);
}

function noHistory(place: Place): string | undefined {
  const { error, stderr } = run(place, 'log', '--max-count=1', '--format=');
  if (error && 'code' in error && error.code === 'ENOENT') return 'git is not installed.';
  if (stderr.startsWith('fatal: not a git repository')) return 'this is no git repository.';
  if (/^fatal: your current branch '.*' does not have any commits yet/.test(stderr)) return 'there is no commit yet.';
  return undefined;
}

function lastTag(git: Git, commit: string): string | undefined {
  if (git('tag', '--merged', commit) === '') return undefined;
  return git('describe', '--tags', '--abbrev=0', commit).trim();
}

function textsOf(git: Git, revision: string, name: string): Base | NoBase {
  const texts = ['schema.graphql', 'CHANGELOG.md', 'docs/decisions/'];
  const files = git('ls-tree', '-r', '-z', '--name-only', revision, ...texts).split('\0');
  if (!files.includes('schema.graphql')) return { reason: `${name} has no schema.graphql.` };
  // `./`: the project need not be at the top of its repository.
  const read = (file: string) => (files.includes(file) ? git('cat-file', 'blob', `${revision}:./${file}`) : '');
  const decisions = files.filter((file) => file.startsWith('docs/decisions/'));
  return {
    name,
    texts: {
      schema: read('schema.graphql'),
      decisions: decisions.map(read).join('\n\n'),
      changelog: read('CHANGELOG.md'),
    },
  };
}

type Git = (...args: string[]) => string;

function gitAt(place: Place): Git {
  return (...args) => {
    const { error, status, stdout, stderr } = run(place, ...args);
    if (error) throw error;
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr.trim()}`);
    return stdout;
  };
}

function run({ cwd, env = process.env }: Place, ...args: string[]) {
  // In English, for its words are read.
  const options = { encoding: 'utf8', maxBuffer: Infinity, env: { ...env, LC_ALL: 'C' } } as const;
  return spawnSync('git', args, { ...options, ...(cwd !== undefined && { cwd }) });
}
