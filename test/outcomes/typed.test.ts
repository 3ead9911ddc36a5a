import { expect, test } from 'vitest';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { heldDeadlines } from '../support/deadlines.ts';
import { textFile } from '../typed-flex/snapshot-files.ts';
import { snapshotOf } from '../typed-flex/snapshots.ts';
import { jsonAnswers } from './json-answers.ts';
import { json } from './json-wire.ts';
import type { Mutation } from './mutations.ts';
import { expectedOutcomes, outcomes } from './support.ts';

// The mutations of typed tables write as those of flexible records do.

const schema = { tables: { tasks: { fields: { title: 'string' } } } };
const own = { hasKey: true, isFlexible: true, look: 'in a list' } as const;
const mutations: readonly Mutation[] = [
  { field: 'createShopTask', args: '(input: { title: "N" })', kind: 'create', sendsFields: true, ...own, look: 'none' },
  { field: 'updateShopTask', args: '(id: 11, input: { title: "N" })', kind: 'update', sendsFields: true, ...own },
  { field: 'deleteShopTask', args: '(id: 11)', kind: 'delete', sendsFields: false, ...own },
];

test('each mutation of a typed table has the outcome of the rules, with each answer', async () => {
  const FLEX_SCHEMA = await textFile(snapshotText(snapshotOf([{ id: '7', code: 'shop', schema }])));
  const wire = {
    ...json,
    read: (path: string, fields: object | undefined) =>
      json.read(path, fields && { data: { title: 'old' }, ...fields, table_name: 'tasks' }),
  };
  const found = await outcomes(wire, jsonAnswers, mutations, heldDeadlines(), { FLEX_SCHEMA });
  expect(found).toEqual(expectedOutcomes(jsonAnswers, mutations));
});
