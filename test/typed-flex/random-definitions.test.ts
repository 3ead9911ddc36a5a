import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { pull } from '../../src/typed-flex/pull.ts';
import { modelOf, namedModel } from '../../src/typed-flex/read-model.ts';
import { readSnapshot, snapshotText } from '../../src/typed-flex/snapshot.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { snapshotOf } from './snapshots.ts';

const SEED = 17;

test('200 random definitions give a model, once each name that a pull leaves open is written', () => {
  const databases = [...randomDatabases(SEED, 100), ...randomDatabases(SEED + 1, 100, { unknownKeys: true })];
  // Each alone: all of them together have more names that collide than any account
  const models = databases.map((database) => modelOf(readSnapshot(snapshotText(namedSnapshotOf([database]))), schema));
  expect(models.every(({ databases: [first] }) => first && first.tables.length > 0)).toBe(true);
});

test('names that a pull makes have no problem but that they are empty', () => {
  for (const database of randomDatabases(SEED, 100)) {
    const { problems } = namedModel(snapshotOf([database]), schema);
    expect(problems.filter(({ text }) => !text.includes(': write a name for this '))).toEqual([]);
  }
});

test('a pull of what was pulled before changes nothing', () => {
  for (const database of randomDatabases(SEED + 2, 40)) {
    const previous = namedSnapshotOf([database]);
    const { snapshot, changes, openNames } = pull([database], { previous, base: schema });
    expect(snapshotText(snapshot)).toBe(snapshotText(previous));
    expect([...changes, ...openNames]).toEqual([]);
  }
});

test('unknown keys of a definition are not in a snapshot', () => {
  expect(snapshotText(snapshotOf(randomDatabases(SEED, 50, { unknownKeys: true })))).not.toContain('canary-value');
});

test('the sandbox takes random definitions', async () => {
  const { call } = await freshSandbox({ demo: true });
  for (const { name, code, schema, public_methods } of randomDatabases(SEED, 15)) {
    const { status, body } = await call('POST', '/flex/dbs.json', {
      token: 'demo-admin',
      body: { db: { name, code, schema, public_methods } },
    });
    expect({ status, body }).toMatchObject({ status: 201 });
  }
});
