import { describe, expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { readSnapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { snapshotOf } from './snapshots.ts';

const tracker = {
  id: 'f0e1',
  name: 'Project tracker',
  code: 'tracker',
  schema: {
    tables: {
      tasks: {
        fields: { title: { type: 'string', required: true }, priority: 'integer', due_at: 'datetime', place: 'geo' },
        indexes: { idx_str_1: 'title', idx_time_1: 'due_at' },
      },
    },
  },
};

const guestbook = {
  id: 'f0e2',
  code: 'guestbook',
  schema: { fields: { message: { type: 'text', required: true }, author: 'string' }, indexed_fields: ['author'] },
  public_methods: {
    list: true,
    create: { allowed_fields: ['message'], default_values: { author: 'canary' }, auto_fields: { ip: '{ip}' } },
  },
};

const modelFrom = (...databases: Parameters<typeof snapshotOf>[0]) =>
  modelOf(readSnapshot(snapshotText(snapshotOf(databases))), schema);

describe('a model', () => {
  test('gives tables and fields the names of the mapping', () => {
    const [database] = modelFrom(tracker).databases;
    expect(database).toMatchObject({
      id: 'f0e1',
      key: 'tracker',
      queryField: 'tracker',
      typeName: 'Tracker',
      untabledTypeName: 'TrackerUntabled',
      publicMethods: undefined,
      tables: [{ name: 'tasks', typeName: 'TrackerTask', listField: 'tasks', oneField: 'task' }],
    });
    expect(database?.tables[0]?.fields).toMatchObject([
      {
        name: 'title',
        graphqlName: 'title',
        enumValue: 'TITLE',
        type: 'string',
        required: true,
        indexColumn: 'idx_str_1',
      },
      { name: 'priority', graphqlName: 'priority', type: 'integer', required: false, indexColumn: null },
      { name: 'due_at', graphqlName: 'dueAt', enumValue: 'DUE_AT', type: 'datetime', indexColumn: 'idx_time_1' },
      { name: 'place', graphqlName: 'place', type: 'json' },
    ]);
  });

  test('has public methods with the names of their options, and no value of a default', () => {
    const [database] = modelFrom(guestbook).databases;
    expect(database?.publicMethods).toMatchObject({
      code: 'guestbook',
      queryField: 'publicGuestbook',
      typeName: 'PublicGuestbook',
      rowTypeName: 'PublicGuestbookRow',
      tables: [],
      fields: [{ name: 'message' }, { name: 'author', indexColumn: 'idx_str_1' }],
    });
    expect(database?.publicMethods?.methods.get('create')).toEqual({
      allowed_fields: ['message'],
      default_values: ['author'],
      auto_fields: ['ip'],
    });
    expect(snapshotText(snapshotOf([guestbook]))).not.toContain('canary');
  });

  test('has public fields of all tables, which methods do not tell apart', () => {
    const tables = {
      tasks: { fields: { title: { type: 'string', required: true }, size: 'integer' }, indexed_fields: ['title'] },
      notes: { fields: { size: 'text', body: 'text' } },
    };
    const publicMethods = modelFrom({ ...tracker, schema: { tables }, public_methods: { get: true } }).databases[0]
      ?.publicMethods;
    expect(publicMethods?.tables).toEqual([
      { name: 'tasks', enumValue: 'TASKS' },
      { name: 'notes', enumValue: 'NOTES' },
    ]);
    expect(publicMethods?.fields).toMatchObject([
      { name: 'title', type: 'string', required: false, indexColumn: null },
      { name: 'size', type: 'json' },
      { name: 'body', type: 'text' },
    ]);
  });

  test.each([
    [
      'all that are defined, where a method reads',
      { list: true, create: { allowed_fields: ['message'] } },
      ['message', 'author'],
    ],
    ['all that are defined, where a method takes any', { update: true }, ['message', 'author']],
    ['those of its options, where each method only writes', { create: { allowed_fields: ['message'] } }, ['message']],
    ['none, where records can be deleted only', { delete: true }, []],
  ])('has public fields: %s', (_name, public_methods, names) => {
    const { publicMethods } = modelFrom({ ...guestbook, public_methods }).databases[0] ?? {};
    expect(publicMethods?.fields.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['are off', { ...guestbook, public_methods: { list: false, get: null } }],
    ['have no code to be called by', { ...guestbook, code: null }],
  ])('has no public methods where they %s', (_name, database) => {
    const answered = {
      query: 'book',
      type: 'Book',
      table: { type: 'Entry', list: 'rows', one: 'row', fields: { message: 'message', author: 'author' } },
    };
    const snapshot = snapshotOf([database], { guestbook: answered, f0e2: answered });
    expect(modelOf(snapshot, schema).databases[0]?.publicMethods).toBeUndefined();
  });
});
