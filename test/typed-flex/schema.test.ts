import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, printSchema, stripIgnoredCharacters, validateSchema } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { readSnapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { typedSchema } from '../../src/typed-flex/typed-schema.ts';
import { definitionIn } from './definitions.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { sharedDemoSnapshot } from './snapshot-files.ts';

const SEED = 17;

const file = sharedDemoSnapshot();
let typed: GraphQLSchema;

beforeAll(async () => {
  typed = typedSchema(schema, modelOf(readSnapshot(await readFile(file(), 'utf8')), schema));
});

test('the types of the demo databases are added to a schema that itself stays as it is', () => {
  const before = printSchema(schema);

  expect(validateSchema(typed)).toEqual([]);
  expect(typedSchema(schema, { databases: [] }).getQueryType()?.getFields()).not.toHaveProperty('tracker');
  expect(printSchema(schema)).toBe(before);
});

test.each([
  { count: 200, unknownKeys: false },
  { count: 60, unknownKeys: true },
])('random definitions become a valid schema: %j', ({ count, unknownKeys }) => {
  const text = snapshotText(namedSnapshotOf(randomDatabases(SEED, count, { unknownKeys })));
  const model = modelOf(readSnapshot(text), schema);

  expect(model.databases.filter(({ tables }) => tables.length > 0)).toHaveLength(count);
  expect(validateSchema(typedSchema(schema, model))).toEqual([]);
});

test.each([
  `type Tracker {
    people(query: String, in: [TrackerPersonField!], filter: TrackerPersonFilter, range: TrackerPersonRange, orderBy: TrackerPersonOrder, first: Int, after: String, offset: Int): TrackerPersonConnection @semanticNonNull
    person(id: ID!): TrackerPerson
    tasks(query: String, in: [TrackerTaskField!], filter: TrackerTaskFilter, range: TrackerTaskRange, orderBy: TrackerTaskOrder, first: Int, after: String, offset: Int): TrackerTaskConnection @semanticNonNull
    task(id: ID!): TrackerTask
    untabled(first: Int, after: String, last: Int, before: String): TrackerUntabledConnection @semanticNonNull
  }`,
  `type TrackerTask implements Node @flexTable(db: "tracker", table: "tasks") {
    id: ID! upstreamId: ID!
    title: String status: String assignee: String priority: BigInt estimate: Decimal done: Boolean
    dueAt: DateTime @flexField(name: "due_at")
    notes: String
    createdAt: DateTime updatedAt: DateTime
    extra: JSONObject
  }`,
  `type TrackerTaskConnection {
    edges: [TrackerTaskEdge] @semanticNonNull(levels: [0, 1]) nodes: [TrackerTask] @semanticNonNull(levels: [0, 1])
    pageInfo: PageInfo!
  }`,
  `type TrackerTaskEdge { cursor: String! node: TrackerTask @semanticNonNull }`,
  `enum TrackerTaskField { TITLE STATUS ASSIGNEE PRIORITY ESTIMATE DONE DUE_AT NOTES }`,
  `enum TrackerTaskSort { ID CREATED_AT UPDATED_AT TITLE STATUS ASSIGNEE PRIORITY ESTIMATE DONE DUE_AT NOTES }`,
  `input TrackerTaskOrder { field: TrackerTaskSort! direction: SortDirection = ASC }`,
  `input TextMatch @oneOf { equals: String matches: String }`,
  `input TrackerTaskFilter {
    title: TextMatch status: TextMatch assignee: TextMatch priority: BigInt estimate: Decimal done: Boolean
    dueAt: DateTime @flexField(name: "due_at")
    notes: TextMatch
  }`,
  `input TrackerTaskRange {
    createdAt: DateTimeBounds updatedAt: DateTimeBounds priority: BigIntBounds estimate: DecimalBounds
    dueAt: DateTimeBounds @flexField(name: "due_at")
  }`,
  `input DecimalBounds { gt: Decimal gte: Decimal lt: Decimal lte: Decimal }`,
  `type TrackerUntabled implements Node { id: ID! upstreamId: ID! data: JSONObject createdAt: DateTime updatedAt: DateTime }`,
  `type GuestbookRow implements Node @flexTable(db: "guestbook") {
    id: ID! upstreamId: ID! message: String author: String rating: BigInt owner: String
    createdAt: DateTime updatedAt: DateTime extra: JSONObject
  }`,
])('the definition of a database becomes %s', (definition) => {
  const [, name = ''] = /^\w+ (\w+)/.exec(definition) ?? [];

  expect(stripIgnoredCharacters(definitionIn(typed, name))).toBe(stripIgnoredCharacters(definition));
});
