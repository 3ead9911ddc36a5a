import { expect, test } from 'vitest';
import { read } from './docs/pages.ts';

test('the README has less than 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThan(150);
});
