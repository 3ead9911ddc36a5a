import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, onTestFinished, test } from 'vitest';
import { type Files, sound, violations } from './support/houses.ts';

const project = resolve(import.meta.dirname, '..');
const rules = await extractOptions(join(project, '.dependency-cruiser.cjs'));

test('every file of the project keeps the rules', async () => {
  const { modules, reports } = await cruised(project);

  expect(reports).toEqual([]);
  expect(modules).toEqual(expect.arrayContaining(await sources()));
});

test('a sound tree breaks none', async () => {
  expect((await cruised(await tree(sound))).reports).toEqual([]);
});

test.each(treesOf(violations))('%s: %s', async (rule, report, broken) => {
  broken.reports ??= (await cruised(await tree({ ...sound, ...broken.planted }))).reports;
  expect(broken.reports).toContain(`${rule}: ${report}`);
});

test('no rule goes untested', () => {
  const names = rules.ruleSet?.forbidden?.map(({ name }) => name);
  expect(new Set(violations.map(([rule]) => rule))).toEqual(new Set(names));
});

test('every folder of the sources begins with a README of about five lines', async () => {
  for (const folder of new Set((await sources()).map((file) => dirname(file)))) {
    const readme = await readFile(join(project, folder, 'README.md'), 'utf8').catch(() => '');
    const lines = readme.split('\n').filter((line) => line.trim() !== '');
    expect(lines.length, `${folder}/README.md`).toBeGreaterThanOrEqual(3);
    expect(lines.length, `${folder}/README.md`).toBeLessThanOrEqual(folder === 'src' ? 30 : 12);
  }
});

test('the linter finds patterns that are made of a text', async () => {
  const root = await tree({
    'src/formats/json.ts': [
      `const known = 'a'; const Pattern = RegExp; let unknown = known;`,
      `export const literals = () => [new RegExp(known), RegExp(known.concat('b')), new RegExp(/a/u, 'g')];`,
      'export const one = (text: string) => { unknown = text; return new RegExp(unknown); };',
      `export const two = (text: string) => RegExp(text.concat('b'));`,
      'export const three = (text: string) => new Pattern(text);',
    ].join('\n'),
  });

  expect(await linted(root)).toEqual(Array(3).fill('src/formats/json.ts: patterns(no-dynamic)'));
});

test('npm run patterns finds slow patterns that the linter does not', async () => {
  const root = await tree({
    'src/formats/leaves.ts': 'export const page = /^(?:<!--[^]*?-->)*<html/;',
    'src/calls/transport/path.ts': String.raw`const word = '\\w+'; export const words = new RegExp([word, word, '$'].join(''));`,
    'src/formats/json.ts': String.raw`export const word = /^\w+(?:\s\w+)*$/;`,
  });

  expect(await linted(root, '.oxlintrc.patterns.json')).toEqual([
    'src/calls/transport/path.ts: patterns(linear-time)',
    'src/formats/leaves.ts: patterns(linear-time)',
  ]);
});

test('nothing but config.ts gets at the environment by a way that the linter does not know', async () => {
  const readers = [];
  for (const file of await sources()) {
    const source = (await readFile(join(project, file), 'utf8')).replace(/^#!.*/, '');
    if (/\benv\b|= *process\b(?!\.)/.test(source)) readers.push(file);
  }
  expect(readers).toEqual(['src/config.ts']);
});

/** A tree that breaks rules, and what was reported of it. */
interface Planted {
  readonly planted: Record<string, string>;
  reports?: string[];
}

/**
 * The tree of each violation. Those that no other can cause or hide share trees: what they report is an import of the
 * planted file itself.
 */
function treesOf(all: typeof violations) {
  const shared: Planted[] = [];
  return all.map(([rule, report, planted]) => {
    const [from = ''] = report.split(' → ');
    const isOwn = rule === 'no-cycle' || !(from in planted);
    const fits = shared.find((other) => Object.keys(planted).every((file) => !(file in other.planted)));
    const own: Planted = (isOwn ? undefined : fits) ?? { planted: {} };
    if (!isOwn && !fits) shared.push(own);
    Object.assign(own.planted, planted);
    return [rule, report, own] as const;
  });
}

/** Every file that is shipped, as `src/main.ts`. */
async function sources(): Promise<string[]> {
  const files = await readdir(join(project, 'src'), { recursive: true });
  return files.filter((file) => file.endsWith('.ts')).map((file) => `src/${file.replaceAll('\\', '/')}`);
}

/** A temporary folder with these files. */
async function tree(files: Files): Promise<string> {
  // dependency-cruiser resolves links: a temporary folder behind one would be another folder to it.
  const root = await mkdtemp(join(await realpath(tmpdir()), 'trivium-architecture-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [file, source] of Object.entries(files)) {
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, source);
  }
  return root;
}

async function cruised(baseDir: string): Promise<{ modules: string[]; reports: string[] }> {
  const folders = ['src', 'test', 'scripts', 'bench'].filter((folder) => existsSync(join(baseDir, folder)));
  const { output } = await cruise(folders, { ...rules, baseDir });
  if (typeof output === 'string') throw new Error(output);
  return {
    modules: output.modules.map(({ source }) => source),
    reports: output.summary.violations.map(
      ({ rule, from, to }) => `${rule.name}: ${from === to ? from : `${from} → ${to}`}`,
    ),
  };
}

/** What the linter reports on `src`, sorted: `src/main.ts: node(no-process-env)`. */
async function linted(root: string, config = '.oxlintrc.json'): Promise<string[]> {
  await mkdir(join(root, 'scripts/lint'), { recursive: true });
  for (const file of [config, 'scripts/lint/patterns.js']) await copyFile(join(project, file), join(root, file));
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'), 'junction');
  const oxlint = join(project, 'node_modules/oxlint/bin/oxlint');
  const options = ['--config', config, '--format', 'unix', 'src'];
  const { stdout } = spawnSync(process.execPath, [oxlint, ...options], { cwd: root });
  const reports = [...String(stdout).matchAll(/^(\S+?):\d+:\d+: .*\[Error\/(.+)\]$/gm)];
  return reports.map(([, file, rule]) => `${file}: ${rule}`).sort();
}
