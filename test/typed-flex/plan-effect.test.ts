import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { DefinitionPlan } from '../../src/apis/flex/plans.ts';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { schema } from '../../src/apis/schema.ts';
import { planEffect } from '../../src/typed-flex/changes/plan-effect.ts';
import { DB, flexShop } from '../flex/support.ts';
import { sharedDemo } from '../support/demo.ts';
import { sharedDemoSnapshot, textFile } from './snapshot-files.ts';
import { snapshotOf } from './snapshots.ts';

const demo = sharedDemo();
const file = sharedDemoSnapshot();

const tasks = {
  fields: { title: { type: 'string', required: true }, done: 'boolean', due_at: 'datetime' },
  indexed_fields: ['title'],
};

const tracker: FlexDbRecord = { id: '1', code: 'tracker', schema: { tables: { tasks } }, public_methods: null };

const other: FlexDbRecord = { id: '2', code: 'other', schema: { fields: { task: 'string' } } };

/** The tracker with other fields of its tasks. */
const withFields = (fields: object) => ({ schema: { tables: { tasks: { ...tasks, fields } } } });

/** What a change of the tracker does, as `BREAKING TrackerTask.done`. */
async function effect(after: Partial<FlexDbRecord>, served?: ReturnType<typeof snapshotOf>) {
  const plan = new DefinitionPlan(tracker, { ...tracker, ...after });
  const { changes, problems } = await planEffect(plan, { schema, snapshot: served });
  return { changes: changes?.map(({ criticality, path }) => `${criticality} ${path}`), problems };
}

const unsafe = (changes?: readonly string[]) => changes?.filter((change) => !change.startsWith('SAFE'));

/** The effect of the plan to create a database with this code. */
async function creation(code: string | null, snapshot?: ReturnType<typeof snapshotOf>) {
  return planEffect(new DefinitionPlan(undefined, { code, schema: other.schema }), { schema, snapshot });
}

describe('the changes of the GraphQL schema that a plan would cause', () => {
  test('a definition as it was changes nothing', async () => {
    expect(await effect({ name: 'New' })).toEqual({ changes: [], problems: [] });
  });

  const people = { fields: { name: 'string' } };
  test.each<[string, Partial<FlexDbRecord>, string[]]>([
    [
      'a field that is gone',
      withFields({ title: tasks.fields.title, due_at: 'datetime' }),
      ['TrackerTask.done', 'TrackerTaskSort.DONE'],
    ],
    ['another type of a field', withFields({ ...tasks.fields, done: 'integer' }), ['TrackerTask.done']],
    ['a table that is gone', { schema: { tables: { people } } }, ['Tracker.tasks', 'TrackerTask']],
    ['a definition that is gone', { schema: null }, ['Query.tracker']],
  ])('%s is breaking wherever it was', async (_what, after, paths) => {
    const { changes } = await effect(after);
    expect(changes).toEqual(expect.arrayContaining(paths.map((path) => `BREAKING ${path}`)));
  });

  test.each<[string, Partial<FlexDbRecord>, string[]]>([
    ['a new field that is not required', withFields({ ...tasks.fields, notes: 'text' }), ['TrackerTask.notes']],
    ['a new table', { schema: { tables: { tasks, people } } }, ['Tracker.people', 'TrackerPerson']],
    // Only a description tells of an index.
    [
      'an index that is gone',
      { schema: { tables: { tasks: { ...tasks, indexed_fields: [] } } } },
      ['TrackerTaskSort.TITLE'],
    ],
  ])('%s is safe', async (_what, after, paths) => {
    const { changes } = await effect(after);
    expect(changes).toEqual(expect.arrayContaining(paths.map((path) => `SAFE ${path}`)));
    expect(unsafe(changes)).toEqual([]);
  });

  test.each([
    ['BigInt', 'n', 'integer'],
    ['TextMatch', 'title', 'string'],
  ])(
    'the last or first field that takes %s changes that type, unless another database has it',
    async (type, name, of) => {
      const [without, withIt] = [{ fields: { done: 'boolean' } }, { fields: { done: 'boolean', [name]: of } }];
      const own = (database: object) => ({ id: '1', code: 'tracker', schema: database });
      const others = [[], [{ id: '2', code: 'other', schema: without }], [{ id: '2', code: 'other', schema: withIt }]];
      for (const [before, after] of [
        [withIt, without],
        [without, withIt],
      ]) {
        const told: boolean[] = [];
        for (const more of others) {
          const plan = new DefinitionPlan(own(before ?? {}), own(after ?? {}));
          const { changes } = await planEffect(plan, { schema, snapshot: snapshotOf([own(before ?? {}), ...more]) });
          expect(changes?.map(({ path }) => path)).toContain(`TrackerRow.${name}`);
          told.push(changes?.some(({ path }) => path === type) ?? false);
        }
        expect(told).toEqual([true, true, false]);
      }
    },
  );

  test('another code keeps the names', async () => {
    const { changes, problems } = await effect({ code: 'work' }, snapshotOf([tracker]));
    expect(problems).toEqual([]);
    expect(unsafe(changes)).toEqual([]);
  });

  test('a creation is safe', async () => {
    const { changes } = await creation('new', snapshotOf([tracker]));
    expect(changes?.map(({ path }) => path)).toEqual(expect.arrayContaining(['Query.new', 'New', 'NewRow']));
    expect(new Set(changes?.map(({ criticality }) => criticality))).toEqual(new Set(['SAFE']));
  });
});

describe('the names of a plan', () => {
  test('are those of the snapshot that is served', async () => {
    const served = snapshotOf([tracker, other]);
    const { tables } = served.names['tracker'] ?? {};
    Object.assign(tables?.['tasks'] ?? {}, { type: 'Chore', fields: { title: 'title', done: 'isDone', due_at: null } });

    const { changes } = await effect(withFields({ title: tasks.fields.title, notes: 'text' }), served);

    expect(changes).toEqual(expect.arrayContaining(['BREAKING Chore.isDone', 'SAFE Chore.notes']));
    expect(changes?.join('\n')).not.toMatch(/dueAt|DUE_AT|TrackerTask|Other/);
  });

  test('that cannot be made are problems with what to write, and leave the field out', async () => {
    const { changes, problems } = await effect(
      withFields({ ...tasks.fields, żółw: 'string', 'due at': 'date', notes: 'text' }),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^names\.tracker\.tables\.tasks\.fields\["żółw"\]: write a name/),
      expect.stringMatching(/^names\.tracker\.tables\.tasks\.fields\["due at"\]: write a name/),
    ]);
    expect(changes).toContain('SAFE TrackerTask.notes');
    expect(unsafe(changes)).toEqual([]);
  });

  test('of tables and databases that cannot be made leave these out', async () => {
    const tables = await effect({ schema: { tables: { tasks, 日本: { fields: { name: 'string' } } } } });
    expect(tables.changes).toEqual([]);
    expect(tables.problems).toContainEqual(
      expect.stringMatching(/^names\.tracker\.tables\["日本"\]\.type: write a name/),
    );
  });

  test.each([
    ['reserved', 'clients', 'query'],
    ['taken by another database', 'Other', 'type'],
  ])('that are %s leave a new database out', async (_why, code, name) => {
    const { changes, problems } = await creation(code, snapshotOf([tracker, other]));
    expect(changes).toEqual([]);
    expect(problems).toContainEqual(expect.stringContaining(`names.${code}.${name}: write a name`));
  });

  test('of records that others refer to change these, too', async () => {
    const served = snapshotOf([tracker, other]);
    const { table } = served.names['other'] ?? {};
    Object.assign(table?.fields ?? {}, { task: { name: 'task', references: 'TrackerTask', as: 'others' } });

    const grown = await effect(withFields({ ...tasks.fields, notes: 'text' }), served);
    expect(grown).toEqual({ changes: expect.not.arrayContaining([expect.stringContaining('Other')]), problems: [] });
    const { changes, problems } = await effect({ schema: null }, served);
    expect(changes).toContain('BREAKING OtherRow.task');
    expect(problems).toEqual([expect.stringMatching(/^names\.other\.table\.fields\.task: .*TrackerTask/)]);
  });

  test('of a new database without a code are to be written under its id', async () => {
    const { changes, problems } = await creation(null);
    expect(changes).toEqual([]);
    expect(problems).toContainEqual(expect.stringMatching(/^names\["<id>"\]\.query: write a name/));
  });
});

describe('a definition that cannot have types has no known changes', () => {
  test('a malformed one', async () => {
    expect(await effect({ schema: { tables: [] } })).toEqual({
      changes: undefined,
      problems: [expect.stringMatching(/^tracker: its schema cannot be read/)],
    });
  });

  test('one of thousands of fields; and the list of problems has a bound', async () => {
    const fields = (count: number, name: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 'string']));
    expect(await effect(withFields(fields(3000, 'f')))).toEqual({
      changes: undefined,
      problems: [expect.stringMatching(/^tracker: it has 3000 fields/)],
    });
    const { changes, problems } = await effect(withFields(fields(900, 'ż')));
    expect(changes).toContain('BREAKING TrackerTask.done');
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('… and 880 more.');
  });
});

test('a dry run answers the changes of the schema without a further call', async () => {
  const { execute, sandbox } = await flexShop([], { code: 'tracker', schema: tracker.schema });
  const answer = await execute(`mutation {
    replaceInFlexDb(id: "tracker", dryRun: true, input: { field: SCHEMA, oldString: "boolean", newString: "text" }) {
      ... on FlexDbPlan { graphqlChanges { criticality total problems changes { criticality path message } } }
    }
  }`);
  expect(answer).toMatchObject({
    errors: [],
    data: { replaceInFlexDb: { graphqlChanges: { criticality: 'BREAKING', problems: [] } } },
  });
  const message = "Field 'TrackerTask.done' changed type from 'Boolean' to 'String'";
  const { changes, total } = Object(answer.data).replaceInFlexDb.graphqlChanges;
  expect(changes).toContainEqual({ criticality: 'BREAKING', path: 'TrackerTask.done', message });
  expect(changes).toHaveLength(total);
  expect(sandbox.calls()).toEqual([DB]);
});

test('a dry run of a gateway with FLEX_SCHEMA compares the names that it serves', async () => {
  const text = (await readFile(file(), 'utf8')).replace('"due_at": "dueAt"', '"due_at": "deadline"');
  const { execute } = await demo({ FLEX_SCHEMA: await textFile(text) });
  const { data } = await execute(`mutation {
    replaceInFlexDb(id: "tracker", dryRun: true, input: { field: SCHEMA, oldString: "datetime", newString: "date", replaceAll: true }) {
      ... on FlexDbPlan { graphqlChanges { problems changes { path message } } }
    }
  }`);
  const message = "Field 'TrackerTask.deadline' changed type from 'DateTime' to 'Date'";
  expect(Object(data).replaceInFlexDb.graphqlChanges).toEqual({
    problems: [],
    changes: expect.arrayContaining([{ path: 'TrackerTask.deadline', message }]),
  });
});

test('the list of changes has a bound, and its total has none', async () => {
  const fields = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, 'string']));
  const { execute } = await flexShop([], { code: 'wide', schema: { fields } });
  const { data } = await execute(`mutation {
    updateFlexDb(id: "wide", dryRun: true, input: { schema: { table: { fields: [{ name: "a", type: TEXT }] } } }) {
      ... on FlexDbPlan { graphqlChanges { total changes { criticality } } }
    }
  }`);
  const { changes, total } = Object(data).updateFlexDb.graphqlChanges;
  expect(changes).toHaveLength(1000);
  expect(total).toBeGreaterThan(1000);
});

test('an operation asks for the changes of ten plans at most, however often it selects those of one', async () => {
  const { execute } = await flexShop([], { code: 'tracker', schema: tracker.schema });
  const plans = Array.from(
    { length: 11 },
    (_, index) =>
      `p${index}: updateFlexDb(id: "tracker", dryRun: true, input: { name: "New" }) {
        ... on FlexDbPlan { a: graphqlChanges { total } b: graphqlChanges { total } }
      }`,
  );
  const { data, errors } = await execute(`mutation { ${plans.join(' ')} }`);
  const none = { total: 0 };
  expect(data).toMatchObject({ p0: { a: none, b: none }, p9: { a: none, b: none }, p10: { a: null, b: null } });
  expect(errors).toMatchObject(
    ['a', 'b'].map((field) => ({ path: ['p10', field], extensions: { code: 'QUERY_LIMIT_EXCEEDED' } })),
  );
});
