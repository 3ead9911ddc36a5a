import { expect } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { readSnapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { snapshotOf } from './snapshots.ts';

const good = snapshotOf([
  {
    id: 'f1',
    code: 'tracker',
    schema: {
      tables: {
        tasks: { fields: { title: { type: 'string', required: true }, client_id: 'integer', done: 'boolean' } },
        people: { fields: { name: 'string' } },
      },
    },
    public_methods: { list: true },
  },
  { id: 'f2', code: null, schema: { fields: { message: 'text', żółw: 'string' } } },
]);

const names = {
  tracker: good.names['tracker'],
  f2: {
    query: 'notes',
    type: 'Notes',
    table: { type: 'Note', list: 'rows', one: 'row', fields: { message: 'message', żółw: 'turtle' } },
  },
};

/** A snapshot that can be served. */
export const text = snapshotText({ ...good, names: { ...names, tracker: names.tracker ?? { query: '', type: '' } } });

export type Replacement = readonly [from: string, to: string];

/** Replaces the value of a key that has this one. */
export const instead = (key: string, value: string, other: unknown): Replacement => [
  `"${key}": "${value}"`,
  `"${key}": ${JSON.stringify(other)}`,
];

/** Replaces what the fields that tests change have as their entries. */
export const title = (other: unknown) => instead('title', 'title', other);
export const clientId = (other: unknown) => instead('client_id', 'clientId', other);

/** Makes a model of the text after each replacement. */
export function reading(...replacements: readonly Replacement[]) {
  let edited = text;
  for (const [from, to] of replacements) {
    expect(edited).toContain(from);
    edited = edited.replace(from, to);
  }
  return () => modelOf(readSnapshot(edited), schema);
}

/** The entry of the fields that tests change. */
export const FIELDS = 'names.tracker.tables.tasks.fields';
