import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { SnapshotError } from '../../src/typed-flex/snapshot/snapshot-error.ts';
import { FIELDS, reading } from './good-snapshot.ts';
import { snapshotOf } from './snapshots.ts';

test('the good snapshot is one', () => {
  expect(reading()().databases.map(({ typeName }) => typeName)).toEqual(['Tracker', 'Notes']);
});

describe('a name in a snapshot', () => {
  test.each<[string, [string, string], string]>([
    ['is empty', ['"title": "title"', '"title": ""'], `${FIELDS}.title: write a name for this field, or null`],
    [
      'is no name of GraphQL',
      ['"title": "title"', '"title": "my-title"'],
      `${FIELDS}.title: "my-title" is no name in GraphQL`,
    ],
    ['has letters beyond ASCII', ['"turtle"', '"żółw"'], 'names.f2.table.fields["żółw"]: "żółw" is no name in GraphQL'],
    [
      'has a letter that shows nothing',
      ['"title": "title"', '"title": "ti\u200dtle"'],
      String.raw`${FIELDS}.title: "ti\u200dtle" is no name in GraphQL: write letters of ASCII, digits and _, and no digit first.`,
    ],
    [
      'begins with two underscores',
      ['"title": "title"', '"title": "__title"'],
      `${FIELDS}.title: "__title" begins with __`,
    ],
    [
      'is too long',
      ['"title": "title"', `"title": "${'t'.repeat(101)}"`],
      `${FIELDS}.title: takes a name of 100 characters`,
    ],
    ['is a number', ['"title": "title"', '"title": 7'], `${FIELDS}.title: takes a name`],
    [
      'is that of a field of the same table',
      ['"title": "title"', '"title": "done"'],
      `the field "done" is that of ${FIELDS}.title`,
    ],
    ...['id', 'upstreamId', 'createdAt', 'updatedAt', 'extra'].map((name): [string, [string, string], string] => [
      `is that of a field of all records, ${name}`,
      ['"title": "title"', `"title": "${name}"`],
      `${FIELDS}.title: the field "${name}" is reserved: write another name.`,
    ]),
    [
      'is a value of all orders',
      ['"title": "title"', '"title": {"name": "t", "enum": "CREATED_AT"}'],
      'the enum value "CREATED_AT" is reserved',
    ],
    [
      'is a literal',
      ['"title": "title"', '"title": {"name": "t", "enum": "null"}'],
      'the enum value "null" is reserved',
    ],
    [
      'is a value of another field',
      ['"title": "title"', '"title": {"name": "t", "enum": "DONE"}'],
      'the enum value "DONE" is that of',
    ],
    [
      'is a field of Query',
      ['"query": "tracker"', '"query": "clients"'],
      'names.tracker.query: the field of Query "clients" is reserved',
    ],
    [
      'is another field of Query',
      ['"query": "notes"', '"query": "tracker"'],
      'names.f2.query: the field of Query "tracker" is that of names.tracker.query',
    ],
    [
      'of records begins with no capital letter',
      ['"type": "Note"', '"type": "note"'],
      'names.f2.table.type: "note" begins with no capital letter, by which ids are known: write another name.',
    ],
    [
      'of records of no table begins with no capital letter',
      ['"untabled": "', '"untabled": "_'],
      'begins with no capital letter',
    ],
    ['is a type', ['"type": "Tracker"', '"type": "Client"'], 'names.tracker.type: the type "Client" is reserved'],
    ['is a built-in type', ['"type": "Tracker"', '"type": "Int"'], 'names.tracker.type: the type "Int" is reserved'],
    [
      'is a root',
      ['"type": "Tracker"', '"type": "Subscription"'],
      'names.tracker.type: the type "Subscription" is reserved',
    ],
    [
      'makes a type that is there',
      ['"type": "Note"', '"type": "Search"'],
      'names.f2.table.type: the type "SearchConnection", made of "Search", is reserved',
    ],
    [
      'makes a mutation that is there',
      ['"type": "Note"', '"type": "Clients"'],
      'names.f2.table.type: the field of Mutation "createClients", made of "Clients", is reserved',
    ],
    [
      'is a type that another makes',
      ['"type": "Notes"', '"type": "TrackerTaskFilter"'],
      'names.f2.type: the type "TrackerTaskFilter" is that of names.tracker.tables.tasks.type',
    ],
    [
      'is another type of the database',
      ['"untabled": "TrackerUntabled"', '"untabled": "Tracker"'],
      'names.tracker.untabled: the type "Tracker" is that of names.tracker.type',
    ],
    [
      'is another field of the database',
      ['"list": "people"', '"list": "tasks"'],
      'names.tracker.tables.people.list: the field of its database "tasks" is that of',
    ],
    [
      'is the field of the null table',
      ['"list": "people"', '"list": "untabled"'],
      'the field of its database "untabled" is reserved',
    ],
    [
      'is a public type',
      ['"type": "Notes"', '"type": "PublicTracker"'],
      'names.f2.type: the type "PublicTracker" is that of names.tracker.public.type',
    ],
    [
      'is that of a public field of another table',
      ['"name": "name"', '"name": "title"'],
      'names.tracker.tables.people.fields.name: the field of PublicTrackerRow "title" is that of',
    ],
  ])('that %s ends the start', (_name, replacement, message) => {
    expect(reading(replacement)).toThrow(SnapshotError);
    expect(reading(replacement)).toThrow(message);
  });

  test('that is a type of another API is one problem, whatever else is made of it', () => {
    expect(reading(['"type": "Note"', '"type": "Client"'])).toThrow(
      /^names\.f2\.table\.type: the type "Client" is reserved: write another name\.$/,
    );
  });

  test('that is null leaves the field to extra', () => {
    const [, notes] = reading(['"turtle"', 'null'])().databases;
    expect(notes?.tables[0]?.fields.map(({ name }) => name)).toEqual(['message']);
  });

  test('problems are told together, up to 20', () => {
    expect(reading(['"title": "title"', '"title": ""'], ['"query": "notes"', '"query": "clients"'])).toThrow(
      /title.*\n.*clients/,
    );
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`поле ${index}`, 'string']));
    const many = () => modelOf(snapshotOf([{ id: 'f3', code: 'many', schema: { fields } }]), schema);
    expect(many).toThrow(
      /^(?:names\.many\.table\.fields\["поле \d+"\]: write a name for this field, [^\n]+\n){20}… and 30 more\.$/,
    );
  });
});

describe('a reference in a snapshot', () => {
  const refers = (entry: string): [string, string] => ['"client_id": "clientId"', `"client_id": ${entry}`];

  test('may be to a record of another API, or of any table', () => {
    const [tracker] = reading(refers('{"name": "client", "references": "Client", "as": "trackerTasks"}'))().databases;
    expect(tracker?.tables[0]?.fields[1]?.references).toEqual({ typeName: 'Client', reverseField: 'trackerTasks' });
    expect(reading(refers('{"name": "note", "references": "Note", "as": "tasks"}'))).not.toThrow();
  });

  test.each([
    [
      'to an unknown type',
      '{"name": "client", "references": "Nothing"}',
      '"Nothing" cannot be referred to: write Client, Contact, Deal, Post, or',
    ],
    ['to a type of no record', '{"name": "client", "references": "Query"}', '"Query" cannot be referred to'],
    ['to a prototype', '{"name": "client", "references": "constructor"}', '"constructor" cannot be referred to'],
    [
      'whose reverse is a field already',
      '{"name": "client", "references": "Client", "as": "name"}',
      'client_id.as: the field of Client "name" is reserved',
    ],
    [
      'whose reverse is a field of the table',
      '{"name": "note", "references": "Note", "as": "turtle"}',
      'the field of Note "turtle" is reserved',
    ],
    ['with a reverse alone', '{"name": "client", "as": "tasks"}', '`as` needs `references`'],
    [
      'with an unknown key',
      '{"name": "client", "reference": "Client"}',
      `${FIELDS}.client_id: "reference" is no key of it: remove it.`,
    ],
  ])('%s ends the start', (_name, entry, message) => {
    expect(reading(refers(entry))).toThrow(SnapshotError);
    expect(reading(refers(entry))).toThrow(message);
  });

  test('of a field that holds no id ends the start', () => {
    expect(reading(['"done": "done"', '"done": {"name": "d", "references": "Client"}'])).toThrow(
      'a field of the type boolean holds no id',
    );
  });
});
