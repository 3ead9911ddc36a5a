import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { obstacles, releasesOf } from '../../scripts/ship/releases.ts';
import { read } from '../docs/pages.ts';

// `npm run package:check` installs the package into an empty folder, and uses it there; `npm run sbom` checks its bill of
// materials.

const manifest = z
  .object({
    version: z.string(),
    bin: z.record(z.string(), z.string()),
    exports: z.record(z.string(), z.string()),
    scripts: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read('package.json')));

const listing = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }));

function packedFiles(): string[] {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
    encoding: 'utf8',
  });
  return listing.parse(JSON.parse(printed)).flatMap(({ files }) => files.map(({ path }) => path));
}

test('the package holds what runs, the schema and its history, and nothing of how it is made', () => {
  const files = packedFiles();
  const folders = new Set(files.map((path) => path.split('/', 1).join('')));
  expect([...folders].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
    'schema.graphql',
  ]);
  expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
  for (const file of [...Object.values(manifest.bin), ...Object.values(manifest.exports)])
    expect(files).toContain(file.replace(/^\.\//, ''));
});

test('an installation runs no script: npm runs prepare and prepublishOnly for the project alone', () => {
  for (const name of ['preinstall', 'install', 'postinstall', 'prepack'])
    expect(manifest.scripts[name]).toBeUndefined();
});

describe('releases', () => {
  const page = '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- More.\n\n## 0.1.0 (2026-11-30)\n';

  test('the version is that of the newest release, or of the first one to come', () => {
    const [newest] = releasesOf(read('CHANGELOG.md'));
    expect(manifest.version).toBe(newest?.version ?? '0.1.0');
  });

  test('they have a version and a date, newest first', () => {
    expect(releasesOf(page).map(({ version }) => version)).toEqual(['0.2.0', '0.1.0']);
    expect(() => releasesOf('## 0.9.0 (2026-12-01)\n## 0.10.0 (2026-12-01)')).toThrow('0.9.0 is above 0.10.0');
    expect(() => releasesOf('## 1.0')).toThrow('"## 1.0" is no release');
    expect(() => releasesOf('## 0.1.0 (2026-11-30)\n## Unreleased')).toThrow('"## Unreleased" is no release');
  });

  test('a version is published with its release at the top, nothing unreleased, and a repository', () => {
    const repository = { type: 'git', url: 'https://git.example/trivium.git' };
    expect(obstacles({ version: '0.2.0', repository }, page)).toEqual([]);
    expect(obstacles({ version: '0.3.0', repository }, page)).toEqual([expect.stringContaining('no release 0.3.0')]);
    expect(obstacles({ version: '0.2.0' }, page)).toEqual([expect.stringContaining('no repository')]);
    const unreleased = page.replace('Unreleased\n', 'Unreleased\n\n- New.\n');
    expect(obstacles({ version: '0.2.0', repository }, unreleased)).toEqual([expect.stringContaining('not released')]);
  });
});
