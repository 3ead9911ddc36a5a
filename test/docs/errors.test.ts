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
  const files = readdirSync('src/edge', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const codes = files.flatMap((file) => [...read(`src/edge/${file}`).matchAll(/\bcode: '([A-Z_]+)'/g)]);
  expect(codes.length).toBeGreaterThan(10);
  for (const [, code] of codes) expect(page).toContain(`| \`${code}\` |`);
});
