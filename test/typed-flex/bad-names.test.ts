import { describe, expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { SnapshotError } from '../../src/typed-flex/snapshot/snapshot-error.ts';
import { clientId, FIELDS, instead, reading, type Replacement, title } from './good-snapshot.ts';
import { snapshotOf } from './snapshots.ts';

test('the good snapshot is one', () => {
  expect(reading()().databases.map(({ typeName }) => typeName)).toEqual(['Tracker', 'Notes']);
});

describe('a name in a snapshot', () => {
  test.each<readonly [Replacement, string]>([
    [title(''), `${FIELDS}.title: write a name for this field, or null`],
    [title('my-title'), `${FIELDS}.title: "my-title" is no name in GraphQL`],
    [instead('żółw', 'turtle', 'żółw'), 'names.f2.table.fields["żółw"]: "żółw" is no name in GraphQL'],
    [
      title('ti\u200dtle'), // it shows nothing
      String.raw`${FIELDS}.title: "ti\u200dtle" is no name in GraphQL: write letters of ASCII, digits and _, and no digit first.`,
    ],
    [title('__title'), `${FIELDS}.title: "__title" begins with __`],
    [title('t'.repeat(101)), `${FIELDS}.title: takes a name of 100 characters`],
    [title(7), `${FIELDS}.title: takes a name`],
    [title('done'), `the field "done" is that of ${FIELDS}.title`],
    ...['id', 'upstreamId', 'createdAt', 'updatedAt', 'extra'].map<[Replacement, string]>((name) => [
      title(name),
      `${FIELDS}.title: the field "${name}" is reserved: write another name.`,
    ]),
    [title({ name: 't', enum: 'CREATED_AT' }), 'the enum value "CREATED_AT" is reserved'],
    [title({ name: 't', enum: 'null' }), 'the enum value "null" is reserved'],
    [title({ name: 't', enum: 'DONE' }), 'the enum value "DONE" is that of'],
    [instead('query', 'tracker', 'clients'), 'names.tracker.query: the field of Query "clients" is reserved'],
    [
      instead('query', 'notes', 'tracker'),
      'names.f2.query: the field of Query "tracker" is that of names.tracker.query',
    ],
    [
      instead('type', 'Note', 'note'),
      'names.f2.table.type: "note" begins with no capital letter, by which ids are known: write another name.',
    ],
    [instead('untabled', 'TrackerUntabled', '_TrackerUntabled'), 'begins with no capital letter'],
    [instead('type', 'Tracker', 'Client'), 'names.tracker.type: the type "Client" is reserved'],
    [instead('type', 'Tracker', 'Int'), 'names.tracker.type: the type "Int" is reserved'],
    [instead('type', 'Tracker', 'Subscription'), 'names.tracker.type: the type "Subscription" is reserved'],
    [
      instead('type', 'Note', 'Search'),
      'names.f2.table.type: the type "SearchConnection", made of "Search", is reserved',
    ],
    [
      instead('type', 'Note', 'Clients'),
      'names.f2.table.type: the field of Mutation "createClients", made of "Clients", is reserved',
    ],
    [
      instead('type', 'Notes', 'TrackerTaskFilter'),
      'names.f2.type: the type "TrackerTaskFilter" is that of names.tracker.tables.tasks.type',
    ],
    [
      instead('untabled', 'TrackerUntabled', 'Tracker'),
      'names.tracker.untabled: the type "Tracker" is that of names.tracker.type',
    ],
    [
      instead('list', 'people', 'tasks'),
      'names.tracker.tables.people.list: the field of its database "tasks" is that of',
    ],
    [instead('list', 'people', 'untabled'), 'the field of its database "untabled" is reserved'],
    [instead('list', 'people', 'id'), 'names.tracker.tables.people.list: the field of its database "id" is reserved'],
    [instead('one', 'person', 'id'), 'names.tracker.tables.people.one: the field of its database "id" is reserved'],
    [instead('list', 'rows', 'id'), 'names.f2.table.list: the field of its database "id" is reserved'],
    [
      instead('type', 'Notes', 'PublicTracker'),
      'names.f2.type: the type "PublicTracker" is that of names.tracker.public.type',
    ],
    [
      instead('name', 'name', 'title'),
      'names.tracker.tables.people.fields.name: the field of PublicTrackerRow "title" is that of',
    ],
  ])('%j ends the start: %s', (replacement, message) => {
    expect(reading(replacement)).toThrow(SnapshotError);
    expect(reading(replacement)).toThrow(message);
  });

  test('that is a type of another API is one problem, whatever else is made of it', () => {
    expect(reading(instead('type', 'Note', 'Client'))).toThrow(
      /^names\.f2\.table\.type: the type "Client" is reserved: write another name\.$/,
    );
  });

  test('that is null leaves the field to extra', () => {
    const [, notes] = reading(instead('żółw', 'turtle', null))().databases;
    expect(notes?.tables[0]?.fields.map(({ name }) => name)).toEqual(['message']);
  });

  test('problems are told together, up to 20', () => {
    expect(reading(title(''), instead('query', 'notes', 'clients'))).toThrow(/title.*\n.*clients/);
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`поле ${index}`, 'string']));
    const many = () => modelOf(snapshotOf([{ id: 'f3', code: 'many', schema: { fields } }]), schema);
    expect(many).toThrow(
      /^(?:names\.many\.table\.fields\["поле \d+"\]: write a name for this field, [^\n]+\n){20}… and 30 more\.$/,
    );
  });
});

describe('a reference in a snapshot', () => {
  test('may be to a record of another API, or of any table', () => {
    const [tracker] = reading(clientId({ name: 'client', references: 'Client', as: 'trackerTasks' }))().databases;
    expect(tracker?.tables[0]?.fields[1]?.references).toEqual({ typeName: 'Client', reverseField: 'trackerTasks' });
    expect(reading(clientId({ name: 'note', references: 'Note', as: 'tasks' }))).not.toThrow();
  });

  test.each([
    [
      { name: 'client', references: 'Nothing' },
      '"Nothing" cannot be referred to: write Client, Contact, Deal, Post, or',
    ],
    [{ name: 'client', references: 'Query' }, '"Query" cannot be referred to'],
    [{ name: 'client', references: 'constructor' }, '"constructor" cannot be referred to'],
    [{ name: 'client', references: 'Client', as: 'name' }, 'client_id.as: the field of Client "name" is reserved'],
    [{ name: 'note', references: 'Note', as: 'turtle' }, 'the field of Note "turtle" is reserved'],
    [{ name: 'client', as: 'tasks' }, '`as` needs `references`'],
    [{ name: 'client', reference: 'Client' }, `${FIELDS}.client_id: "reference" is no key of it: remove it.`],
  ])('%j ends the start: %s', (entry, message) => {
    expect(reading(clientId(entry))).toThrow(SnapshotError);
    expect(reading(clientId(entry))).toThrow(message);
  });

  test('of a field that holds no id ends the start', () => {
    expect(reading(instead('done', 'done', { name: 'd', references: 'Client' }))).toThrow(
      'a field of the type boolean holds no id',
    );
  });
});
