import { expect, test } from 'vitest';
import { camelCased } from '../../src/errors.ts';

test.each([
  ['name', 'name'],
  ['post_code', 'postCode'],
  ['line_2', 'line2'],
  ['a__b', 'aB'],
  ['_a', 'A'],
  ['a_', 'a_'],
  ['a__', 'a__'],
  ['a_B', 'a_B'],
  ['a__-_b_c', 'a__-BC'],
])('%s is spelt %s in GraphQL', (name, spelt) => {
  expect(camelCased(name)).toBe(spelt);
});

test('a name of underscores is read once', () => {
  const name = '_'.repeat(1_000_000);
  expect(camelCased(name)).toBe(name);
});
