import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../cli/trivium.ts';
import { read } from '../docs/pages.ts';

const bill = z.object({ components: z.array(z.object({ name: z.string(), version: z.string() })) });

test('the bill of materials has each package that the bundle holds modules of, in its version', async () => {
  const file = join(await temporaryFolder(), 'bill.json');
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/ship/sbom.ts', file], { stdio: 'pipe' });
  const listed = bill.parse(JSON.parse(readFileSync(file, 'utf8'))).components;

  const maps = readdirSync('dist').filter((name) => name.endsWith('.map'));
  const modules = maps.flatMap((name): string[] => JSON.parse(read(`dist/${name}`)).sources);
  const folders = modules
    .filter((path) => path.includes('/node_modules/'))
    .map((path) => {
      const parts = path.replace('../', '').split('/');
      const at = parts.lastIndexOf('node_modules') + 1;
      return parts.slice(0, parts[at]?.startsWith('@') ? at + 2 : at + 1).join('/');
    });
  const held = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(read(`${folder}/package.json`));
    return `${name}@${version}`;
  });

  expect(held.length).toBeGreaterThan(50);
  expect(held.filter((each) => !listed.some(({ name, version }) => each === `${name}@${version}`))).toEqual([]);
  expect(listed.map(({ name }) => name)).not.toContain('vitest');
});
