import { parse, print, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { publicSchema } from '../../src/typed-flex/public/public-schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { readSnapshot } from '../../src/typed-flex/snapshot/snapshot.ts';
import { typedSchema } from '../../src/typed-flex/typed-schema.ts';
import { definitionIn } from './definitions.ts';
import { bookModel, bookSchema, several } from './public-support.ts';
import { snapshotOf } from './snapshots.ts';

const ALL = { list: true, get: true, search: true, create: true, update: true, delete: true };

/** Expects a type of the anonymous schema of a database with these public methods. */
function expectType(definition: string, public_methods: object, of?: object) {
  const [, name = ''] = /^\w+ (\w+)/.exec(definition) ?? [];
  const made = bookSchema(public_methods, of);
  expect(validateSchema(made)).toEqual([]);
  expect(definitionIn(made, name)).toBe(print(parse(definition)));
}

const expectNoType = (name: string, public_methods: object, of?: object) =>
  expect(bookSchema(public_methods, of).getType(name)).toBeUndefined();

describe('a database with public methods', () => {
  test('has a query field that is never null, and mutations', () => {
    expectType('type Query { publicBook: PublicBook! }', ALL);
    expectType(
      `type Mutation {
        createPublicBookRow(input: CreatePublicBookRowInput!): CreatePublicBookRowResult @semanticNonNull
        updatePublicBookRow(id: ID!, input: UpdatePublicBookRowInput!): UpdatePublicBookRowResult @semanticNonNull
        deletePublicBookRow(id: ID!): DeletePublicBookRowResult @semanticNonNull
      }`,
      ALL,
    );
  });

  test('has the fields of all methods that read', () => {
    expectType(
      `type PublicBook {
        id: ID!
        list(first: Int, after: String, offset: Int): PublicBookRowConnection @semanticNonNull
        get(id: ID!): PublicBookRow
        search(query: String, orderBy: PublicBookRowOrder, first: Int, after: String, offset: Int): PublicBookRowConnection @semanticNonNull
      }`,
      ALL,
    );
  });

  test('has rows that are no nodes, with the fields of the definition', () => {
    expectType(
      `type PublicBookRow {
        id: ID! upstreamId: ID!
        message: String author: String sentAt: DateTime @flexField(name: "sent_at") rank: BigInt
        createdAt: DateTime updatedAt: DateTime extra: JSONObject
      }`,
      ALL,
    );
  });

  test('has orders by the fields of a record', () => {
    expectType('input PublicBookRowOrder { field: PublicBookRowSort! direction: SortDirection = ASC }', ALL);
    expectType('enum PublicBookRowSort { ID CREATED_AT UPDATED_AT MESSAGE AUTHOR SENT_AT RANK }', ALL);
  });

  test('has results that are success or a refusal', () => {
    const refusals = 'ValidationError | ForbiddenError | NotFoundError | ConflictError';
    expectType(`union CreatePublicBookRowResult = PublicBookRow | ${refusals}`, ALL);
    expectType(`union UpdatePublicBookRowResult = PublicBookRow | ${refusals}`, ALL);
    expectType(`union DeletePublicBookRowResult = DeletedNode | ${refusals}`, ALL);
  });

  test('has the same types beside those of the other APIs', () => {
    const typed = typedSchema(schema, bookModel(ALL));
    const anonymous = bookSchema(ALL);
    expect(validateSchema(typed)).toEqual([]);
    const names = Object.keys(anonymous.getTypeMap()).filter((name) => name.includes('Public'));
    expect(names).toHaveLength(11);
    for (const name of names) expect(definitionIn(typed, name)).toBe(definitionIn(anonymous, name));
    expect(Object.keys(typed.getMutationType()?.getFields() ?? {})).toContain('createPublicBookRow');
  });
});

test('a field that refers to a record is its id for anonymous callers', () => {
  const definition = { fields: { client_id: 'integer', message: 'text' } };
  const snapshot = snapshotOf([{ id: '7', code: 'book', schema: definition, public_methods: { list: true } }]);
  const names = snapshot.names['book'];
  const fields = { message: 'message', client_id: { name: 'client', references: 'Client', as: 'bookRows' } };
  const joined = { ...names, table: { ...names?.table, fields } };
  const model = modelOf(readSnapshot(JSON.stringify({ ...snapshot, names: { book: joined } })), schema);

  const made = publicSchema(schema, model);
  expect(validateSchema(made)).toEqual([]);
  expect(made.getType('Client')).toBeUndefined();
  expect(definitionIn(made, 'PublicBookRow')).toContain('client: BigInt @flexField(name: "client_id")');
});

describe('a method that is off', () => {
  test.each([
    [
      'list',
      'type PublicBook { id: ID! list(first: Int, after: String, offset: Int): PublicBookRowConnection @semanticNonNull }',
    ],
    ['get', 'type PublicBook { id: ID! get(id: ID!): PublicBookRow }'],
    [
      'create',
      'type Mutation { createPublicBookRow(input: CreatePublicBookRowInput!): CreatePublicBookRowResult @semanticNonNull }',
    ],
    ['delete', 'type Mutation { deletePublicBookRow(id: ID!): DeletePublicBookRowResult @semanticNonNull }'],
  ])('has no field beside %s', (method, definition) => {
    expectType(definition, { [method]: true });
  });

  test('takes the types with it that no other method needs', () => {
    expectNoType('Mutation', { list: true });
    expectNoType('PublicBookRowOrder', { list: true, get: true });
    expectNoType('PublicBookRowConnection', { get: true });
    expectNoType('PublicBookRow', { delete: true });
    expectType('type PublicBook { id: ID! }', { delete: true });
  });

  test('takes the fields with it that no other method shows or takes', () => {
    const options = { allowed_fields: ['message'], auto_fields: { author: '{ip}' } };
    const row = 'id: ID! upstreamId: ID! message: String author: String createdAt: DateTime updatedAt: DateTime';
    expectType(`type PublicBookRow { ${row} extra: JSONObject }`, { create: options });
  });

  test('leaves no schema when all are', () => {
    expect(() => bookSchema({})).toThrow('no database has a public method');
    expect(() => bookSchema({ list: false, create: null })).toThrow('no database has a public method');
  });
});

describe('the input of a method', () => {
  test('has the allowed fields less the automatic ones', () => {
    const create = { allowed_fields: ['author', 'rank', 'sent_at'], auto_fields: { sent_at: '{ip}' } };
    expectType('input CreatePublicBookRowInput { author: String rank: BigInt }', { create });
    expectType('input UpdatePublicBookRowInput { rank: BigInt }', { create, update: { allowed_fields: ['rank'] } });
  });

  test('requires the required fields but those with a default value', () => {
    const allowed_fields = ['author', 'rank'];
    const options = { allowed_fields, required_fields: ['author', 'rank'], default_values: { rank: 7 } };
    expectType('input CreatePublicBookRowInput { author: String! rank: BigInt }', { create: options });
    expectType('input UpdatePublicBookRowInput { author: String! rank: BigInt }', { update: options });
  });

  test('of create requires those of the definition, which validates the records of its only table', () => {
    const options = { allowed_fields: ['message', 'rank'] };
    expectType('input CreatePublicBookRowInput { message: String! rank: BigInt }', { create: options });
    expectType('input UpdatePublicBookRowInput { message: String rank: BigInt }', { update: options });
    const withDefault = { ...options, default_values: { message: 'Hello' } };
    expectType('input CreatePublicBookRowInput { message: String rank: BigInt }', { create: withDefault });
    expectType('input CreatePublicBookRowInput { place: String }', { create: { allowed_fields: ['place'] } }, several);
  });

  test('has all fields and other keys where nothing restricts them', () => {
    const fields = 'author: String sentAt: DateTime @flexField(name: "sent_at") rank: BigInt extra: JSONObject';
    expectType(`input CreatePublicBookRowInput { message: String! ${fields} }`, { create: true });
    expectType(`input UpdatePublicBookRowInput { message: String ${fields} }`, { update: true });
  });

  test('has other keys where allowed ones are no fields', () => {
    const create = { allowed_fields: ['rank', 'nick'] };
    expectType('input CreatePublicBookRowInput { rank: BigInt extra: JSONObject }', { create });
  });

  test('is absent when the method takes nothing', () => {
    const create = { allowed_fields: ['author'], auto_fields: { author: '{ip}' } };
    expectType('type Mutation { createPublicBookRow: CreatePublicBookRowResult @semanticNonNull }', { create });
    expectType('type Mutation { updatePublicBookRow(id: ID!): UpdatePublicBookRowResult @semanticNonNull }', {
      update: { allowed_fields: [] },
    });
  });
});

describe('search', () => {
  const searchOf = (args: string) =>
    `type PublicBook { id: ID! search${args}: PublicBookRowConnection @semanticNonNull }`;

  test.each([
    [['q'], '(query: String)'],
    [['sort', 'limit'], '(orderBy: PublicBookRowOrder, first: Int)'],
    [['offset', 'table_name', 'unknown'], '(after: String, offset: Int)'],
    [[], ''],
  ])('has arguments for the allowed parameters %j alone', (allowed_params, args) => {
    expectType(searchOf(args), { search: { allowed_params } });
  });

  test('takes a table where there are several', () => {
    const args =
      '(query: String, table: PublicBookRowTable!, orderBy: PublicBookRowOrder, first: Int, after: String, offset: Int)';
    expectType(searchOf(args), { search: true }, several);
    expectType('enum PublicBookRowTable { VISITS GUESTS }', { search: true }, several);
    expectType(searchOf('(query: String)'), { search: { allowed_params: ['q'] } }, several);
  });
});

describe('a database with tables', () => {
  test('has the fields of all tables, as JSON where these disagree', () => {
    const row = 'id: ID! upstreamId: ID! place: String at: JSON name: String createdAt: DateTime updatedAt: DateTime';
    expectType(`type PublicBookRow { ${row} extra: JSONObject }`, { list: true }, several);
  });

  test('says that public methods create records of no table', () => {
    const describe = (definition?: object) =>
      bookSchema({ create: true }, definition).getMutationType()?.getFields()['createPublicBookRow']?.description;
    expect(describe(several)).toContain('The record belongs to no table');
    expect(describe()).not.toContain('table');
  });
});
