import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/trivium.ts';
import { script } from './script.ts';

/** A project without a dependency, in `examples`. */
async function example(root: string, name: string, test: string, engine = '*'): Promise<void> {
  const folder = join(root, 'examples', name);
  const engines = { node: engine };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, engines, scripts: { test: 'sh test.sh' } }));
  await writeFile(join(folder, 'test.sh'), test);
  const lock = { name, lockfileVersion: 3, requires: true, packages: { '': { name, engines } } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

const NPM = { npm_config_audit: 'false', npm_config_update_notifier: 'false' };

const examples = (root: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) =>
  script('examples.ts', root, { npm_config_cache: join(root, 'cache'), ...NPM, ...env }, args);

/** Installs nothing, and runs the script: npm itself takes half a second for each. */
const QUICK_NPM = `#!/bin/sh
[ "$1" != run ] || exec sh "$2.sh"
`;

async function examplesQuickly(root: string, ...args: readonly string[]) {
  const folder = join(root, 'bin');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'npm'), QUICK_NPM, { mode: 0o755 });
  return examples(root, { PATH: `${folder}${delimiter}${process.env['PATH']}` }, args);
}

/** A command that ends once the other example of two has begun, too. */
const meets = (own: string, other: string) =>
  `touch ../${own}.begun; until [ -e ../${other}.begun ]; do sleep 0.01; done`;

test('every project of examples is tested in turn, and what it says is shown', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'examples/shared'), { recursive: true });
  await example(root, 'relay', 'echo tested-second');
  await example(root, 'codegen', 'echo tested-first');

  const { code, stdout } = await examplesQuickly(root);
  expect(stdout).toMatch(/^tested-first$[^]*^tested-second$[^]*^All 2 examples hold\.\n$/m);
  expect(code).toBe(0);
});

test('the kits, which examples install, are tested before them, and none after kits that fail', async () => {
  const root = await temporaryFolder();
  await example(root, 'relay', 'echo tested-second');
  await example(root, '../kits', 'echo tested-first');
  expect((await examplesQuickly(root, '--at-once', '2')).stdout).toMatch(/^tested-first$[^]*^tested-second$/m);

  await example(root, '../kits', 'exit 3');
  const { code, stdout } = await examplesQuickly(root, '--at-once', '2');
  expect(stdout).toMatch(/^kits fails\.\n$/m);
  expect(stdout).not.toContain('tested-second');
  expect(code).toBe(1);
});

test('the first that fails ends it', async () => {
  const root = await temporaryFolder();
  await example(root, 'codegen', 'exit 3');
  await example(root, 'relay', 'echo tested-second');

  const { code, stdout } = await examplesQuickly(root);
  expect(stdout).toMatch(/^examples.codegen fails\.\n$/m);
  expect(stdout).not.toContain('relay');
  expect(code).toBe(1);
});

test('with --script those that have it are installed, and run it', async () => {
  const root = await temporaryFolder();
  await example(root, 'codegen', 'echo tested');
  await example(root, 'relay', 'echo tested');
  const scripts = { test: 'sh test.sh', sequences: 'sh sequences.sh' };
  await writeFile(join(root, 'examples/relay/package.json'), JSON.stringify({ name: 'relay', scripts }));
  await writeFile(join(root, 'examples/relay/sequences.sh'), 'echo drawn');

  const { code, stdout } = await examplesQuickly(root, '--script', 'sequences');
  expect(stdout).toMatch(/^drawn$[^]*^All 1 examples hold\.\n$/m);
  expect(stdout).not.toMatch(/tested|codegen/);
  expect(code).toBe(0);
});

test('npm installs and tests one, and not one that this Node is too old for', async () => {
  const root = await temporaryFolder();
  await example(root, 'codegen', 'echo tested-first', '>=999');
  const { code, stdout } = await examples(root);
  expect(stdout).not.toContain('tested-first');
  expect(code).toBe(1);

  await example(root, 'codegen', 'echo tested-first');
  expect((await examples(root)).stdout).toMatch(/^tested-first$/m);
});

test('with --at-once 2 two are tested side by side, and what each says is shown together', async () => {
  const root = await temporaryFolder();
  await example(root, 'codegen', `echo begin-codegen && ${meets('codegen', 'relay')} && echo end-codegen`);
  await example(root, 'relay', `echo begin-relay && ${meets('relay', 'codegen')} && echo end-relay`);

  const { code, stdout } = await examplesQuickly(root, '--at-once', '2');
  expect(stdout).toMatch(/^begin-codegen\nend-codegen$/m);
  expect(stdout).toMatch(/^begin-relay\nend-relay$/m);
  expect(code).toBe(0);
});

test('with --at-once 2 none begins after one that failed', async () => {
  const root = await temporaryFolder();
  await example(root, 'codegen', 'exit 3');
  await example(root, 'relay', 'exit 3');
  await example(root, 'urql', 'echo tested-third');

  const { code, stdout } = await examplesQuickly(root, '--at-once', '2');
  expect(stdout).toMatch(/^examples.(codegen|relay) and examples.(codegen|relay) fail\.\n$/m);
  expect(stdout).not.toContain('urql');
  expect(code).toBe(1);
});
