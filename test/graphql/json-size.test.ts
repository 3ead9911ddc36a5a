import { expect, test } from 'vitest';
import { readExactly } from '../../src/graphql/json.ts';
import { leastCpuMs } from '../support/cpu.ts';

// A JSON value is checked at once, so the check of millions of parts has to be quick.

const LIMIT_MS = 300;

test.each([
  ['lists', []],
  ['objects', { a: 1 }],
  ['numbers', 1],
])('half a million %s are checked in less than 300 ms of CPU time', async (_name, part) => {
  const value = { all: Array.from({ length: 500_000 }, () => part) };
  const cost = await leastCpuMs(LIMIT_MS, async () => void readExactly(value));
  expect(cost).toBeLessThan(LIMIT_MS);
});
