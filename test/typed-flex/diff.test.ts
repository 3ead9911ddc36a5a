import { describe, expect, test } from 'vitest';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { schema } from '../../src/apis/schema.ts';
import { definitionDifferences } from '../../src/typed-flex/changes/definition-differences.ts';
import { diffSnapshots } from '../../src/typed-flex/changes/diff.ts';
import { snapshotOf } from './snapshots.ts';

const tasks = { fields: { title: { type: 'string', required: true }, done: 'boolean' }, indexed_fields: ['title'] };

const tracker: FlexDbRecord = { id: '1', name: 'Tasks', code: 'tracker', schema: { tables: { tasks } } };

const create = { allowed_fields: ['message'], default_values: { author: 'canary-1' }, auto_fields: { ip: '{ip}' } };

const guestbook: FlexDbRecord = {
  id: '2',
  code: 'guestbook',
  schema: { fields: { message: 'text', author: 'string' } },
  public_methods: { list: true, create },
};

/** The guest book with these methods. */
const methods = (public_methods: object) => ({ ...guestbook, public_methods });

const differences = (before: readonly FlexDbRecord[], after: readonly FlexDbRecord[]) =>
  definitionDifferences(snapshotOf(before).databases, snapshotOf(after).databases);

describe('each difference of definitions is a line', () => {
  const withTasks = (table: object) => ({ ...tracker, schema: { tables: { tasks: { ...tasks, ...table } } } });
  const fields = (more: object) => withTasks({ fields: { ...tasks.fields, ...more } });
  test.each<readonly [FlexDbRecord, readonly string[]]>([
    [{ ...tracker, name: 'New' }, []],
    [withTasks({ fields: { done: { type: 'boolean', required: false }, title: tasks.fields.title } }), []],
    [fields({ due_at: 'date' }), ['field tasks.due_at is new: date']],
    [fields({ 'due at': { type: 'date', required: true } }), ['field tasks["due at"] is new: date, required']],
    [withTasks({ fields: { title: tasks.fields.title } }), ['field tasks.done is gone']],
    [fields({ done: 'text' }), ['field tasks.done has the type text, had boolean']],
    [fields({ done: {} }), ['field tasks.done has the type none, had boolean']],
    [fields({ done: { type: 'boolean', required: true } }), ['field tasks.done is required now']],
    [fields({ title: 'string' }), ['field tasks.title is not required any more']],
    [withTasks({ indexed_fields: [] }), ['field tasks.title is not indexed any more']],
    [
      withTasks({ indexed_fields: undefined, indexes: { idx_str_2: 'title' } }),
      ['field tasks.title is indexed in "idx_str_2", was in "idx_str_1"'],
    ],
    [{ ...tracker, schema: { tables: { tasks, people: tasks } } }, ['table people is new']],
    [{ ...tracker, schema: { tables: { people: tasks } } }, ['table tasks is gone', 'table people is new']],
    [{ ...tracker, schema: tasks }, ['it has one table without a name now']],
    [{ ...tracker, code: 'work' }, ['its code is "work" now']],
    [{ ...tracker, id: '9' }, ['another database has the code now']],
    [{ ...tracker, schema: null }, ['it is gone, or has no fields any more']],
  ])('of %j: %j', (after, lines) => {
    expect(differences([tracker], [after])).toEqual(lines.map((line) => `tracker: ${line}`));
  });

  test.each<readonly [FlexDbRecord, readonly string[]]>([
    [{ ...guestbook, schema: { fields: { message: 'text' } } }, ['field author is gone']],
    [{ ...guestbook, schema: { tables: { tasks } } }, ['it has tables with names now']],
    [
      { ...guestbook, schema: { ...Object(guestbook.schema), indexed_fields: ['author'] } },
      ['field author is indexed now, in "idx_str_1"'],
    ],
    [methods({ create, get: true }), ['public method list is off now', 'public method get is on now']],
    [
      methods({
        list: { scope_by: 'ip' },
        create: { ...create, allowed_fields: ['author', 'message'], auto_fields: {} },
      }),
      [
        'public method list: scope_by is "ip", was not set',
        'public method create: allowed_fields is ["author", "message"], was ["message"]',
        'public method create: auto_fields is [], was ["ip"]',
      ],
    ],
    [
      methods({ list: true, create: true }),
      [
        'public method create: allowed_fields is not set, was ["message"]',
        'public method create: default_values is not set, was ["author"]',
        'public method create: auto_fields is not set, was ["ip"]',
      ],
    ],
    [methods({ list: true, create: { ...create, default_values: { author: 'canary-2' } } }), []],
  ])('of %j, without tables: %j', (after, lines) => {
    expect(differences([guestbook], [after])).toEqual(lines.map((line) => `guestbook: ${line}`));
  });

  test('databases that came and went', () => {
    expect(differences([tracker], [guestbook])).toEqual([
      'tracker: it is gone, or has no fields any more',
      'guestbook: it is new',
    ]);
  });

  test('a list of names has a bound, and a name no line break', () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index + 10}\n`);
    const [line] = differences([guestbook], [methods({ list: { allowed_params: names }, create })]);
    expect(line).toMatch(
      /^guestbook: public method list: allowed_params is \["n10\\n", .*"n19\\n", and 2 more\], was not set$/,
    );
  });
});

describe('the report', () => {
  const report = (after: readonly FlexDbRecord[]) => {
    const before = snapshotOf([tracker, guestbook]);
    return diffSnapshots(before, snapshotOf(after, before.names), schema);
  };

  test('is empty when no definition differs', async () => {
    expect(await report([guestbook, tracker])).toEqual({ text: '', isBreaking: false });
  });

  test('groups the changes of the typed and of the anonymous schema, and holds no value of a default', async () => {
    const { text, isBreaking } = await report([
      {
        ...tracker,
        schema: { tables: { tasks: { ...tasks, fields: { ...tasks.fields, done: 'text', żółw: 'text' } } } },
      },
      methods({ list: true, get: true }),
    ]);
    expect(isBreaking).toBe(true);
    expect(text.replaceAll(/^ {4}.*\n/gm, '')).toBe(
      [
        'Definitions:',
        '  tracker: field tasks.done has the type text, had boolean',
        '  tracker: field tasks["żółw"] is new: text',
        '  guestbook: public method create is off now',
        '  guestbook: public method get is on now',
        'GraphQL schema:',
        '  breaking:',
        '  safe:',
        'Anonymous GraphQL schema:',
        '  breaking:',
        '  safe:',
        'Names to write after a pull; without them, these parts have no types:',
        '  names.tracker.tables.tasks.fields["żółw"]: write a name for this field, or null to leave it in `extra`: its name upstream has characters beyond printable ASCII.',
        '',
      ].join('\n'),
    );
    expect(text).toContain("    TrackerTask.done: Field 'TrackerTask.done' changed type from 'Boolean' to 'String'\n");
    expect(text).toContain("    PublicGuestbook.get: Field 'get' was added to object type 'PublicGuestbook'\n");
    const [typed = '', anonymous = ''] = text.split('Anonymous GraphQL schema');
    expect(typed).toContain('PublicGuestbook.get');
    expect(anonymous).not.toContain('Tracker');
    expect(text).not.toContain('canary');
  });

  test('is not breaking where a definition only grew', async () => {
    const fields = { ...tasks.fields, notes: 'text' };
    const { text, isBreaking } = await report([
      { ...tracker, schema: { tables: { tasks: { ...tasks, fields } } } },
      guestbook,
    ]);
    expect(isBreaking).toBe(false);
    expect(text).toMatch(/^GraphQL schema:\n {2}safe:\n/m);
    expect(text).not.toContain('Anonymous');
  });

  test('knows public methods that are all off, or the first to be on', async () => {
    expect(await report([tracker, methods({})])).toMatchObject({
      isBreaking: true,
      text: expect.stringMatching(/^Anonymous GraphQL schema:\n {2}breaking:/m),
    });
    const { names } = snapshotOf([tracker, guestbook]);
    const first = await diffSnapshots(snapshotOf([tracker]), snapshotOf([tracker, guestbook], names), schema);
    expect(first.isBreaking).toBe(false);
    expect(first.text).toMatch(/^Anonymous GraphQL schema:\n {2}safe:/m);
  });
});
