import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { pull } from '../../src/typed-flex/changes/pull.ts';
import { namedModel } from '../../src/typed-flex/model/named-model.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { snapshotOf } from './snapshots.ts';

const SEED = 17;

test('names that a pull makes have no problem but that they are empty', () => {
  for (const database of randomDatabases(SEED, 40)) {
    const { problems } = namedModel(snapshotOf([database]), schema);
    expect(problems.filter(({ problem }) => !problem.startsWith('write a name for this '))).toEqual([]);
  }
});

test('a pull of what was pulled before changes nothing', () => {
  for (const database of randomDatabases(SEED + 2, 30)) {
    const previous = namedSnapshotOf([database]);
    const { snapshot, changes, openNames } = pull([database], { previous, base: schema });
    expect(snapshotText(snapshot)).toBe(snapshotText(previous));
    expect([...changes, ...openNames]).toEqual([]);
  }
});

test('unknown keys of a definition are not in a snapshot', () => {
  expect(snapshotText(snapshotOf(randomDatabases(SEED, 50, { unknownKeys: true })))).not.toContain('canary-value');
});
