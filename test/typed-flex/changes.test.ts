import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schemaChanges } from '../../src/typed-flex/changes/changes.ts';

const schema = `
  type Query { tasks(orderBy: Sort = ID, first: Int = 20): [Task] }
  type Task { id: ID! title: String "Not indexed: slower." done: Boolean state: State }
  enum State { OPEN DONE }
  enum Sort { ID TITLE }
  input CreateTask { title: String! done: Boolean }
  union Result = Task | Refusal
  type Refusal { message: String }
`;

/** The changes as `BREAKING Task.title`. */
async function changes(before: string, after: string): Promise<string[]> {
  const found = await schemaChanges(buildSchema(before), buildSchema(after));
  return found.map(({ criticality, path }) => `${criticality} ${path}`);
}

describe('a change of a schema is judged by what it does to an operation that a client has', () => {
  test.each([
    ['nothing', 'Task', 'Task', []],
    ['a field is gone', 'title: String "Not', '"Not', ['BREAKING Task.title']],
    ['a field has another type', 'done: Boolean state', 'done: String state', ['BREAKING Task.done']],
    ['a field is new', 'state: State', 'state: State due(zone: String! = "UTC"): State', ['SAFE Task.due']],
    ['a field may be null', 'id: ID!', 'id: ID', ['BREAKING Task.id']],
    ['a description is another', 'Not indexed: slower.', 'Indexed.', ['SAFE Task.done']],
    ['a required input is new', 'done: Boolean }', 'done: Boolean state: State! }', ['BREAKING CreateTask.state']],
    ['an optional input is new', 'done: Boolean }', 'done: Boolean state: State }', ['SAFE CreateTask.state']],
    ['an input becomes required', 'done: Boolean }', 'done: Boolean! }', ['BREAKING CreateTask.done']],
    ['an input becomes optional', 'title: String!', 'title: String', ['SAFE CreateTask.title']],
    ['a default is another', 'Sort = ID', 'Sort = TITLE', ['BREAKING Query.tasks.orderBy']],
    ['a returned value is new', 'OPEN DONE', 'OPEN DONE LATE', ['DANGEROUS State.LATE']],
    ['a value that is only taken is new', 'ID TITLE', 'ID TITLE DONE', ['SAFE Sort.DONE']],
    ['a value is gone', 'ID TITLE', 'ID', ['BREAKING Sort.TITLE']],
    ['a result has another member', 'Task | Refusal', 'Task | Refusal | Query', ['DANGEROUS Result']],
    ['a type is gone', 'union Result = Task | Refusal', '', ['BREAKING Result']],
  ])('%s', async (_change, before, after, expected) => {
    expect(await changes(schema, schema.replace(before, after))).toEqual(expected);
  });

  test('a new type is one change, without its parts', async () => {
    const added =
      '"New" type Label { "Its text" text(short: Boolean! = true): String } input By { id: ID! } enum In { A }';
    expect(await changes(schema, schema + added)).toEqual(['SAFE By', 'SAFE In', 'SAFE Label']);
  });

  test('a type that comes with a field of the same path as another is told apart', async () => {
    const after = schema.replace('type Refusal { message: String }', 'type Refusal { code: String }');
    expect(await changes(schema, after)).toEqual(['BREAKING Refusal.message', 'SAFE Refusal.code']);
  });

  test('a root type that is gone has the path of the schema', async () => {
    const mutation = 'type Mutation { create: Task }';
    expect(await changes(schema + mutation, schema)).toEqual(['BREAKING Mutation', 'BREAKING schema']);
  });
});

test('the worst changes come first, those of one criticality by path', async () => {
  const after = schema
    .replace('title: String "Not', 'z: ID "Not')
    .replace('OPEN DONE', 'DONE LATE')
    .replace('ID TITLE', 'ID A');
  expect(await changes(schema, after)).toEqual([
    'BREAKING Sort.TITLE',
    'BREAKING State.OPEN',
    'BREAKING Task.title',
    'DANGEROUS State.LATE',
    'SAFE Sort.A',
    'SAFE Task.z',
  ]);
});
