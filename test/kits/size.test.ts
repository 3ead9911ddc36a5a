import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const kits = join(import.meta.dirname, '../../kits');
const { exports } = JSON.parse(readFileSync(join(kits, 'package.json'), 'utf8')) as { exports: Record<string, string> };
const names = Object.keys(exports).filter((name) => existsSync(join(kits, `src/${name}.ts`)));

test('the kits of the package are measured', () => {
  expect(names).toEqual(expect.arrayContaining(['./apollo', './testing']));
});

test.each(names)('%s adds less than 3.25 KiB to an app, minified and with gzip', async (name) => {
  const bundle = await rolldown({ input: join(kits, `src/${name}.ts`), external: (id) => !/^[./]/.test(id) });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const size = gzipSync(output.map((file) => ('code' in file ? file.code : '')).join('')).length;
  expect(size).toBeGreaterThan(50);
  expect(size).toBeLessThan(3.25 * 1024);
});
