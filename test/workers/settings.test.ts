import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { workerSettings } from '../../src/workers/primary.ts';

test.each([
  ['128', '2', '64'],
  ['7', '2', '3'],
  ['2', '3', '1'],
])('a bound of %s is divided among %s workers, at least 1 each', (bound, WORKERS, share) => {
  const bounds = { UPSTREAM_CONNECTIONS: bound, MAX_CONNECTIONS: bound, ANSWER_CACHE_BYTES: bound };
  const config = readConfig({ ...bounds, WORKERS, PUBLIC: 'true', FLEX_SCHEMA: 'flex.schema.json' });
  const shares = { UPSTREAM_CONNECTIONS: share, MAX_CONNECTIONS: share, ANSWER_CACHE_BYTES: share };
  expect(workerSettings(config)).toMatchObject({ ...shares, WORKERS, SUBGRAPH: 'false', PUBLIC: 'true' });
});

test('there is one process without WORKERS, and one worker for each core with auto, which workers learn as a number', () => {
  expect(readConfig({}).WORKERS).toBe(1);
  const config = readConfig({ WORKERS: 'auto' });
  expect(config.WORKERS).toBe(availableParallelism());
  expect(readConfig({ WORKERS: 'auto' }, workerSettings(config)).WORKERS).toBe(config.WORKERS);
  expect(workerSettings(config).WORKERS).toMatch(/^\d+$/);
});

test('workers have the HASH_SECRET of the setting, else the same random one', () => {
  const secret = 'a secret of at least 32 characters';
  expect(workerSettings(readConfig({ HASH_SECRET: secret })).HASH_SECRET).toBe(secret);
  const random = workerSettings(readConfig({})).HASH_SECRET;
  expect(random).toMatch(/^[\da-f]{64}$/);
  expect(workerSettings(readConfig({})).HASH_SECRET).not.toBe(random);
});
