import { expect, test } from 'vitest';
import * as errors from '../../src/http/errors.ts';
import { read, unpadded } from './pages.ts';

test('docs/errors.md names every code that an error can have', () => {
  const page = unpadded(read('docs/errors.md'));

  for (const Failure of Object.values(errors)) {
    if (!(Failure.prototype instanceof errors.GatewayError)) continue;
    const { code } = Reflect.construct(Failure, ['', { code: 'UPSTREAM_BAD_RESPONSE' }]); // some have the code of a failure
    expect(page).toContain(`| \`${code}\` |`);
  }
});
