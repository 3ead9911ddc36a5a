import { describe, expect, test } from 'vitest';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { schema as base } from '../../src/apis/schema.ts';
import { pull } from '../../src/typed-flex/changes/pull.ts';
import { readReplaceable, readSnapshot, type Snapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';

const fields = { title: { type: 'string', required: true }, due_at: 'datetime' };
const tracker: FlexDbRecord = { id: 'f1', name: 'Tracker', code: 'tracker', schema: { tables: { tasks: { fields } } } };
const products: FlexDbRecord = { id: 'f2', name: 'Products', code: 'products', schema: { fields: { sku: 'string' } } };

const pulled = (databases: readonly FlexDbRecord[], previous?: Snapshot, only?: readonly string[]) =>
  pull(databases, { previous, only, base });

/** The snapshot after someone has edited its text. */
const edited = (snapshot: Snapshot, from: string, to: string) => {
  const text = snapshotText(snapshot);
  expect(text).toContain(from);
  return readReplaceable(text.replace(from, to));
};

const first = () => pulled([tracker, products]).snapshot;

describe('a pull', () => {
  test('writes definitions and names, in the order of their keys', () => {
    const { snapshot, changes, failures, openNames } = pulled([tracker, products]);
    expect(Object.keys(snapshot.databases)).toEqual(['products', 'tracker']);
    expect(readSnapshot(snapshotText(snapshot))).toEqual(snapshot);
    expect({ changes, failures, openNames }).toEqual({
      changes: ['products is new.', 'tracker is new.'],
      failures: [],
      openNames: [],
    });
  });

  test('changes nothing where nothing has changed, whatever the order of keys upstream', () => {
    const shuffled = {
      ...tracker,
      schema: { tables: { tasks: { fields: { due_at: 'datetime', title: fields.title } } } },
    };
    const { snapshot, changes } = pulled([products, shuffled], first());
    expect(snapshotText(snapshot)).toBe(snapshotText(first()));
    expect(changes).toEqual([]);
  });

  test('keeps names that were edited, and takes new fields', () => {
    const before = edited(first(), '"due_at": "dueAt"', '"due_at": {"name": "deadline", "enum": "UNTIL"}');
    const tables = { tasks: { fields: { ...fields, due_at: 'date', done_at: 'date' } } };
    const { snapshot, changes } = pulled([{ ...tracker, schema: { tables } }, products], before);
    expect(snapshot.names['tracker']?.tables?.['tasks']?.fields).toEqual({
      title: 'title',
      due_at: { name: 'deadline', enum: 'UNTIL' },
      done_at: 'doneAt',
    });
    expect(changes).toEqual(['tracker has another definition.']);
  });

  test('drops the names of fields and tables that are gone, and says so', () => {
    const now = { ...tracker, schema: { tables: { tasks: { fields: { title: 'string' } } } } };
    expect(pulled([now, products], first()).changes).toEqual([
      'tracker has another definition.',
      'names.tracker.tables.tasks.fields.due_at is dropped: the table has no such field any more.',
    ]);
    const other = { ...tracker, schema: { tables: { notes: { fields } } } };
    expect(pulled([other, products], first()).changes).toContain(
      'names.tracker.tables.tasks is dropped: the database has no such table any more.',
    );
  });

  test('drops the names of public methods that are off, and says so', () => {
    const before = pulled([tracker, { ...products, public_methods: { list: true } }]).snapshot;
    expect(pulled([tracker, products], before).changes).toEqual([
      'products has another definition.',
      'names.products.public is dropped: no public method is on.',
    ]);
  });

  test('leaves fields and tables with the name __proto__ out, and takes other names of objects', () => {
    const schema: unknown = JSON.parse(
      '{"fields": {"__proto__": "string", "constructor": "text", "toString": "text"}}',
    );
    const { snapshot, openNames } = pulled([{ ...products, schema, code: 'constructor' }]);
    expect(snapshot.names['constructor']?.table?.fields).toEqual({ constructor: 'constructor', toString: 'toString' });
    expect(openNames).toEqual([]);
    expect(readSnapshot(snapshotText(snapshot))).toEqual(snapshot);
    const { failures } = pulled([{ ...tracker, code: '__proto__' }, products]);
    expect(failures).toEqual(['__proto__: a database of this code cannot have types.']);
  });

  test('leaves out a name that no text in UTF-8 can hold', () => {
    const half = '\ud800';
    const schema = { tables: { tasks: { fields: { title: 'string', [half]: 'string' } }, [half]: { fields } } };
    const { snapshot } = pulled([{ ...tracker, schema }]);
    expect(snapshot.databases['tracker']?.schema).toEqual({ tables: { tasks: { fields: { title: 'string' } } } });
    const { failures } = pulled([{ ...tracker, code: half }, products]);
    expect(failures).toEqual(['["\\ud800"]: a database of this code cannot have types.']);
  });

  test.each([
    [
      'thousands of fields',
      { fields: Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`f${at}`, 'text'])) },
    ],
    [
      'hundreds of tables',
      { tables: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`t${at}`, { fields }])) },
    ],
  ])('leaves a database with %s out, and says so', (_name, schema) => {
    const { snapshot, failures } = pulled([{ ...tracker, schema }, products]);
    expect(Object.keys(snapshot.databases)).toEqual(['products']);
    expect(failures).toEqual([
      expect.stringMatching(/^tracker: it has \d+ (?:fields|tables), and \d+ can have types\.$/),
    ]);
  });

  test('leaves the second of two databases with one code out, and says so', () => {
    const { snapshot, failures } = pulled([tracker, { ...products, code: 'tracker' }]);
    expect(snapshot.databases['tracker']?.id).toBe('f1');
    expect(failures).toEqual([
      'tracker: the database with the id "f1" has this key, too: give one of them another code.',
    ]);
  });

  test('shows no character of a name that steers a terminal', () => {
    const { openNames } = pulled([{ ...products, schema: { fields: { 'a\u001b[2J\u009b1A\u202e\n': 'text' } } }]);
    expect(openNames).toEqual([
      expect.stringContaining(String.raw`names.products.table.fields["a\u001b[2J\u009b1A\u202e\n"]: write a name `),
    ]);
    expect(openNames[0]).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('keeps the names of a database whose code has changed', () => {
    const before = edited(first(), '"type": "TrackerTask"', '"type": "Job"');
    const { snapshot, changes } = pulled([{ ...tracker, code: 'jobs' }, products], before);
    expect(snapshot.names['jobs']?.tables?.['tasks']?.type).toBe('Job');
    expect(changes).toEqual(['jobs was tracker: its names are kept.']);
  });

  test('drops a database that is gone, or has no fields any more', () => {
    const gone = ['tracker has no definition any more: its names are dropped.'];
    expect(pulled([products], first()).changes).toEqual(gone);
    expect(pulled([products, { ...tracker, schema: null }], first()).changes).toEqual(gone);
  });

  test('keeps a database whose schema cannot be read as it was, and says why', () => {
    const { snapshot, failures } = pulled([{ ...tracker, schema: { fields: 'canary' } }, products], first());
    expect(snapshot).toEqual(first());
    expect(failures).toEqual(['tracker: its schema cannot be read. Expected the fields of a schema to be an object.']);
  });

  test('keeps databases without fields out: they stay untyped', () => {
    const untyped = [undefined, null, {}, { fields: {} }, { tables: {} }].map((schema, index) => ({
      id: `u${index}`,
      code: `untyped${index}`,
      schema,
    }));
    expect(Object.keys(pulled([...untyped, products]).snapshot.databases)).toEqual(['products']);
  });

  test('replaces a definition that was changed by hand', () => {
    const before = edited(first(), '"due_at": "datetime"', '"due_at": 7');
    const { snapshot, changes } = pulled([tracker, products], before);
    expect(snapshot).toEqual(first());
    expect(changes).toEqual(['tracker had a definition that was changed by hand.']);
  });
});

describe('a pull of some databases', () => {
  test('leaves the others as they are', () => {
    const others = [tracker, { ...products, schema: { fields: { sku: 'integer' } } }];
    expect(pulled(others, first(), ['tracker']).snapshot).toEqual(first());
    expect(pulled(others, undefined, ['f1']).changes).toEqual(['tracker is new.']);
  });

  test.each<[string, FlexDbRecord[], RegExp]>([
    ['is missing', [products], /^--db "tracker": the account has no such database/],
    ['has no fields', [products, { ...tracker, schema: null }], /^--db "tracker": the database has no fields/],
    ['cannot be read', [products, { ...tracker, schema: [] }], /^tracker: its schema cannot be read\./],
  ])('refuses one that %s', (_name, databases, words) => {
    expect(() => pulled(databases, first(), ['tracker'])).toThrow(words);
  });

  test('refuses to lose the names of one that was changed by hand', () => {
    const before = edited(first(), '"due_at": "datetime"', '"due_at": 7');
    expect(() => pulled([tracker, products], before, ['products'])).toThrow(
      'databases.tracker: the definition was changed by hand: pull it, too, or all without --db.',
    );
  });
});

test.each([
  [
    'with databases of the same codes',
    [
      { ...tracker, id: 'x1' },
      { ...products, id: 'x2' },
    ],
  ],
  ['without databases', []],
])('a pull refuses the file of another account, %s', (_name, databases) => {
  expect(() => pulled(databases, first())).toThrow(/is it another account, or another address\?.*--flex-schema/);
});

test('a pull tells a database that was made anew from another account', () => {
  expect(pulled([{ ...tracker, id: 'x1' }, products], first()).changes).toEqual([
    'tracker is another database of this code.',
  ]);
});
