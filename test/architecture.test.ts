import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, onTestFinished, test } from 'vitest';

type Files = Readonly<Record<string, string>>;

const project = resolve(import.meta.dirname, '..');
const rules = await extractOptions(join(project, '.dependency-cruiser.cjs'));

/** A small house in which every rule is kept. */
const sound: Files = {
  'package.json': JSON.stringify({
    dependencies: { graphql: '*', '@pothos/core': '*' },
    devDependencies: { tsx: '*' },
  }),
  'node_modules/graphql/index.js': '',
  'node_modules/@pothos/core/index.js': '',
  'node_modules/tsx/index.js': '',
  'node_modules/stray/index.js': '',
  'src/main.ts': `import './cli/serve.ts';`,
  'src/cli/serve.ts': `import '../sandbox/server.ts'; import '../server/server.ts';`,
  'src/server/server.ts': `import '../schema.ts'; import './plugins/limits.ts';`,
  'src/server/plugins/limits.ts': `import 'graphql'; import '../../execution/plan.ts';`,
  'src/schema.ts': `import './links/deal-tasks.ts';`,
  'src/builder.ts': `import '@pothos/core'; import './graphql/ids.ts';`,
  'src/graphql/ids.ts': `import 'graphql';`,
  'src/execution/plan.ts': `import 'graphql';`,
  'src/lists/filters.ts': `import '../builder.ts'; import '../http/formats/leaves.ts';`,
  'src/http/formats/leaves.ts': '',
  'src/http/transport/path.ts': '',
  'src/http/session/session.ts': `import '../transport/path.ts'; import '../formats/leaves.ts';`,
  'src/crm/deals.ts': `import '../lists/filters.ts'; import './contacts.ts'; import './source.ts';`,
  'src/crm/contacts.ts': `import '../builder.ts';`,
  'src/crm/source.ts': `import '../http/session/session.ts'; import './wire.ts';`,
  'src/crm/wire.ts': '',
  'src/flex/records.ts': `import '../builder.ts';`,
  'src/links/deal-tasks.ts': `import '../crm/deals.ts'; import '../flex/records.ts';`,
  'src/sandbox/server.ts': `import './store.ts';`,
  'src/sandbox/store.ts': '',
  'test/support/sandbox.ts': `import 'tsx'; import '../../src/sandbox/server.ts';`,
};

/** What breaks a rule, by the rule's name: the report that is expected, and the files that are planted for it. */
const violations: readonly [rule: string, report: string, planted: Files][] = [
  [
    'upstream-knows-no-graphql',
    'src/http/transport/path.ts → node_modules/graphql/index.js',
    { 'src/http/transport/path.ts': `import 'graphql';` },
  ],
  [
    'upstream-knows-no-graphql',
    'src/crm/wire.ts → node_modules/@pothos/core/index.js',
    { 'src/crm/wire.ts': `import type { SchemaTypes } from '@pothos/core';` },
  ],
  [
    'upstream-knows-no-graphql',
    'src/crm/source.ts → src/builder.ts',
    { 'src/crm/wire.ts': `import './detour.ts';`, 'src/crm/detour.ts': `import '../builder.ts';` },
  ],
  [
    'upstream-knows-no-graphql',
    'src/http/transport/path.ts → src/graphql/ids.ts',
    { 'src/http/transport/path.ts': `import '../../graphql/ids.ts';` },
  ],
  [
    'slices-stay-apart',
    'src/flex/records.ts → src/crm/wire.ts',
    { 'src/flex/records.ts': `import type { DealRecord } from '../crm/wire.ts';` },
  ],
  [
    'slices-stay-apart',
    'src/flex/records.ts → src/links/searches.ts',
    { 'src/flex/records.ts': `import '../links/searches.ts';`, 'src/links/searches.ts': '' },
  ],
  [
    'execution-knows-no-schema',
    'src/execution/plan.ts → src/builder.ts',
    { 'src/execution/plan.ts': `import '../builder.ts';` },
  ],
  [
    'common-code-knows-no-slice',
    'src/graphql/ids.ts → src/crm/wire.ts',
    { 'src/graphql/ids.ts': `import type { DealRecord } from '../crm/wire.ts';` },
  ],
  [
    'common-code-knows-no-slice',
    'src/lists/filters.ts → src/crm/wire.ts',
    { 'src/builder.ts': `import './context.ts';`, 'src/context.ts': `import type { Deal } from './crm/wire.ts';` },
  ],
  [
    'common-code-knows-no-slice',
    'src/server/plugins/limits.ts → src/crm/wire.ts',
    { 'src/server/plugins/limits.ts': `import '../../crm/wire.ts';` },
  ],
  [
    'http-in-layers',
    'src/http/transport/path.ts → src/http/session/session.ts',
    { 'src/http/transport/path.ts': `import '../session/session.ts';` },
  ],
  [
    'http-in-layers',
    'src/http/formats/leaves.ts → src/http/transport/path.ts',
    { 'src/http/formats/leaves.ts': `import '../transport/path.ts';` },
  ],
  [
    'only-the-server-knows-the-server',
    'src/builder.ts → src/server/plugins/limits.ts',
    { 'src/builder.ts': `import './server/plugins/limits.ts';` },
  ],
  [
    'only-main-knows-the-command-line',
    'src/server/server.ts → src/cli/serve.ts',
    { 'src/server/server.ts': `import '../cli/serve.ts';` },
  ],
  [
    'sandbox-stands-alone',
    'src/sandbox/store.ts → src/http/transport/path.ts',
    { 'src/sandbox/store.ts': `import '../http/transport/path.ts';` },
  ],
  [
    'gateway-needs-no-sandbox',
    'src/crm/deals.ts → src/sandbox/store.ts',
    { 'src/crm/deals.ts': `import '../sandbox/store.ts';` },
  ],
  [
    'no-cycle',
    'src/sandbox/server.ts → src/sandbox/store.ts',
    { 'src/sandbox/store.ts': `import type { Sandbox } from './server.ts';` },
  ],
  [
    'no-cycle',
    'src/crm/contacts.ts → src/crm/deals.ts',
    { 'src/crm/contacts.ts': `import '../builder.ts'; import './deals.ts';` },
  ],
  ['no-orphan', 'src/forgotten.ts', { 'src/forgotten.ts': '' }],
  ['no-unresolved-import', 'src/crm/wire.ts → ./missing.ts', { 'src/crm/wire.ts': `import './missing.ts';` }],
  [
    'product-needs-no-tooling',
    'src/schema.ts → test/support/limits.ts',
    { 'src/schema.ts': `import '../test/support/limits.ts';`, 'test/support/limits.ts': '' },
  ],
  [
    'examples-stand-alone',
    'test/support/sandbox.ts → examples/relay/client.ts',
    { 'test/support/sandbox.ts': `import '../../examples/relay/client.ts';`, 'examples/relay/client.ts': '' },
  ],
  [
    'product-imports-dependencies-only',
    'src/crm/wire.ts → node_modules/tsx/index.js',
    { 'src/crm/wire.ts': `import 'tsx';` },
  ],
  [
    'product-imports-dependencies-only',
    'src/crm/wire.ts → node_modules/stray/index.js',
    { 'src/crm/wire.ts': `import 'stray';` },
  ],
];

// It reads and follows every file: seconds on an idle machine, more than the usual limit on a busy one.
test('every file of the project keeps the rules', { timeout: 60_000 }, async () => {
  const { modules, reports } = await cruised(project);

  expect(reports).toEqual([]);
  expect(modules).toEqual(expect.arrayContaining(await sources()));
});

test('a sound house breaks none', async () => {
  expect((await cruised(await tree(sound))).reports).toEqual([]);
});

test.each(violations)('%s: %s', async (rule, report, planted) => {
  expect((await cruised(await tree({ ...sound, ...planted }))).reports).toContain(`${rule}: ${report}`);
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

test('the linter holds what is no direction', async () => {
  const root = await tree({
    'src/config.ts': 'export const port = process.env.PORT;',
    'src/main.ts': 'export const port = process.env.PORT;',
    'src/builder.ts': `import { argv } from 'node:process'; export const first = argv[2];`,
    'src/server.ts': `console.log('Ready');`,
    'src/sandbox/server.ts': Array.from({ length: 301 }, (_, line) => `export const line${line} = ${line};`).join('\n'),
    'src/crm/deals.ts': 'export const Deal = {};',
    'src/crm/dealInput.ts': 'export const DealInput = {};',
    'src/crm/index.ts': `export { Deal } from './deals.ts'; export * from './dealInput.ts';`,
    'src/http/transport/path.ts': String.raw`export const words = /^(\w+\s?)*$/;`,
    'src/http/leaves.ts': String.raw`export const trimmed = (text: string) => text.replace(/\s+$/, '');`,
    'src/http/json.ts': [
      `const known = 'a'; const Pattern = RegExp; let unknown = known;`,
      `export const literals = () => [new RegExp(known), RegExp(known.concat('b')), new RegExp(/a/u, 'g')];`,
      'export const one = (text: string) => { unknown = text; return new RegExp(unknown); };',
      `export const two = (text: string) => RegExp(text.concat('b'));`,
      'export const three = (text: string) => new Pattern(text);',
    ].join('\n'),
    'test/support/sandbox.ts': String.raw`console.log(process.env.CI, /^(\w+\s?)*$/.test(''));`,
  });

  expect(await linted(root)).toEqual([
    'src/builder.ts: eslint(no-restricted-imports)',
    'src/crm/dealInput.ts: unicorn(filename-case)',
    'src/crm/index.ts: oxc(no-barrel-file)',
    'src/http/json.ts: patterns(no-dynamic)',
    'src/http/json.ts: patterns(no-dynamic)',
    'src/http/json.ts: patterns(no-dynamic)',
    'src/http/leaves.ts: regexp(no-super-linear-move)',
    'src/http/transport/path.ts: regexp(no-super-linear-backtracking)',
    'src/main.ts: node(no-process-env)',
    'src/sandbox/server.ts: eslint(max-lines)',
    'src/server.ts: eslint(no-console)',
  ]);
});

test('npm run patterns finds slow patterns that the linter does not', async () => {
  const root = await tree({
    'src/http/leaves.ts': 'export const page = /^(?:<!--[^]*?-->)*<html/;',
    'src/http/transport/path.ts': String.raw`const word = '\\w+'; export const words = new RegExp([word, word, '$'].join(''));`,
    'src/http/json.ts': String.raw`export const word = /^\w+(?:\s\w+)*$/;`,
  });

  expect(await linted(root, '.oxlintrc.patterns.json')).toEqual([
    'src/http/leaves.ts: patterns(linear-time)',
    'src/http/transport/path.ts: patterns(linear-time)',
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

/** What the linter reports on `src` and `test`, sorted: `src/main.ts: node(no-process-env)`. */
async function linted(root: string, config = '.oxlintrc.json'): Promise<string[]> {
  await mkdir(join(root, 'scripts/lint'), { recursive: true });
  for (const file of [config, 'scripts/lint/patterns.js']) await copyFile(join(project, file), join(root, file));
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'), 'junction');
  const oxlint = join(project, 'node_modules/oxlint/bin/oxlint');
  const options = ['--config', config, '--format', 'unix', 'src', 'test'];
  const { stdout } = spawnSync(process.execPath, [oxlint, ...options], { cwd: root });
  const reports = [...String(stdout).matchAll(/^(\S+?):\d+:\d+: .*\[Error\/(.+)\]$/gm)];
  return reports.map(([, file, rule]) => `${file}: ${rule}`).sort();
}
