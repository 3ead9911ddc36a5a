import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { pull } from '../../src/typed-flex/changes/pull.ts';
import { namedModel } from '../../src/typed-flex/model/named-model.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { readSnapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { snapshotOf } from './snapshots.ts';

const SEED = 17;

test('definitions with unknown keys give a model, once each name that a pull leaves open is written', () => {
  for (const database of randomDatabases(SEED, 40, { unknownKeys: true })) {
    const { databases } = modelOf(readSnapshot(snapshotText(namedSnapshotOf([database]))), schema);
    expect(databases[0]?.tables).not.toHaveLength(0);
  }
});

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
