import { expect, test } from 'vitest';
import { read } from './docs/pages.ts';

test('the README has less than 200 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThan(200);
});
