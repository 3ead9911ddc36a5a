import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as errors from '../../src/errors.ts';
import { read, unpadded } from './pages.ts';

test('docs/errors.md names every code that an error can have', () => {
  const page = unpadded(read('docs/errors.md'));

  for (const Failure of Object.values(errors)) {
    if (!(Failure.prototype instanceof errors.GatewayError)) continue;
    const { code } = Reflect.construct(Failure, ['', { code: 'UPSTREAM_BAD_RESPONSE' }]); // some have the code of a failure
    expect(page).toContain(`| \`${code}\` |`);
  }
});

test('docs/errors.md names every code that the server writes', () => {
  const page = unpadded(read('docs/errors.md'));
  const files = ['src/edge', 'src/operation'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const sources = files.filter((file) => file.endsWith('.ts')).map(read);
  const codes = sources.flatMap((source) => [...source.matchAll(/\bcode: '([A-Z_]+)'/g)]);
  expect(codes.length).toBeGreaterThan(10);
  for (const [, code] of codes) expect(page).toContain(`| \`${code}\` |`);
});
