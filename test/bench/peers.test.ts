import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(project, file), 'utf8');

test('the lock file of the peers names no registry', () => {
  const lock = read('bench/peers/package-lock.json');

  expect(lock).toContain('"integrity"');
  expect(lock).not.toContain('"resolved"');
});

test('the peers parse and call with the versions of the gateway', () => {
  const ours = JSON.parse(read('package.json'));
  const peers = JSON.parse(read('bench/peers/package.json'));

  for (const name of ['undici', 'fast-xml-parser', 'graphql']) {
    expect(peers.dependencies[name], name).toBe(ours.dependencies[name]);
  }
});
