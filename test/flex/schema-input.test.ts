import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { REFUSAL } from './support.ts';

const create = `mutation ($schema: FlexSchemaInput) {
  createFlexDb(input: { name: "Shop", schema: $schema }) { ${REFUSAL} }
}`;

/** The request body of a creation with this schema. */
async function sent(schema: unknown) {
  const { ask, sent } = await gatewayOverAnswers({ 'POST /flex/dbs.json': { id: 'a' } });
  await ask(create, { variables: { schema } });
  return sent;
}

/** Fields of every type, as the input writes them. */
const fields = [
  { name: 'a', type: 'STRING' },
  { name: 'b', type: 'TEXT', required: false },
  { name: 'c', type: 'INTEGER', required: true },
  { name: 'd', type: 'NUMBER', required: null },
  { name: 'e', type: 'BOOLEAN' },
  { name: 'f', type: 'DATETIME' },
  { name: 'g', type: 'DATE' },
  { name: 'h', type: 'TIME' },
];
const written =
  '{"a":"string","b":"text","c":{"type":"integer","required":true},"d":"number","e":"boolean","f":"datetime","g":"date","h":"time"}';

describe('the schema on the wire', () => {
  test('a single table is sent as top-level fields', async () => {
    expect(await sent({ table: { fields, indexedFields: ['a', 'c'] } })).toEqual([
      `{"db":{"name":"Shop","schema":{"fields":${written},"indexed_fields":["a","c"]}}}`,
    ]);
    expect(await sent({ table: { fields: [] } })).toEqual(['{"db":{"name":"Shop","schema":{"fields":{}}}}']);
  });

  test('tables are sent as `tables`, in their order, without top-level fields', async () => {
    const tables = [
      { name: 'zeta', fields, indexedFields: ['b'] },
      { name: 'alpha', fields: [] },
    ];
    expect(await sent({ tables })).toEqual([
      `{"db":{"name":"Shop","schema":{"tables":{"zeta":{"fields":${written},"indexed_fields":["b"]},"alpha":{"fields":{}}}}}}`,
    ]);
  });

  test('a schema that is left out or null is not sent', async () => {
    expect(await sent(undefined)).toEqual(['{"db":{"name":"Shop"}}']);
    expect(await sent(null)).toEqual(['{"db":{"name":"Shop"}}']);
  });

  test('a table or field may be called __proto__ or constructor', async () => {
    const odd = [
      { name: '__proto__', type: 'TEXT' },
      { name: 'constructor', type: 'TEXT' },
    ];
    expect(await sent({ tables: [{ name: '__proto__', fields: odd }] })).toEqual([
      '{"db":{"name":"Shop","schema":{"tables":{"__proto__":{"fields":{"__proto__":"text","constructor":"text"}}}}}}',
    ]);
  });
});

describe('GraphQL refuses a schema before any call, with the path', () => {
  const table = { fields: [] };
  test.each([
    ['both forms', { table, tables: [] }, '"$schema" got'],
    ['neither form', {}, '"$schema" got'],
    ['a form that is null', { table: null }, 'at "schema.table";'],
    ['an unknown type', { table: { fields: [{ name: 'a', type: 'BLOB' }] } }, 'at "schema.table.fields[0].type";'],
    ['a type of the wire', { table: { fields: [{ name: 'a', type: 'text' }] } }, 'at "schema.table.fields[0].type";'],
    ['no type', { table: { fields: [{ name: 'a' }] } }, 'at "schema.table.fields[0]";'],
    ['no name', { tables: [{ name: 'x', fields: [{ type: 'TEXT' }] }] }, 'at "schema.tables[0].fields[0]";'],
    ['no fields', { tables: [{ name: 'x' }] }, 'at "schema.tables[0]";'],
    ['the form of the wire', { fields: { a: 'string' } }, '"$schema" got'],
    ['a part that no schema has', { table: { fields: [], columns: {} } }, 'at "schema.table";'],
  ])('%s', async (_name, schema, path) => {
    const { execute, received } = await gatewayOverAnswers({});

    const { errors } = await execute(create, { variables: { schema } });

    expect(errors).not.toEqual([]);
    for (const { message, extensions } of errors) {
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(message).toContain(path);
    }
    expect(received).toEqual([]);
  });

  test('GraphQL refuses both forms at once in the query document', async () => {
    const { execute, received } = await gatewayOverAnswers({});

    for (const schema of ['{}', '{ table: { fields: [] }, tables: [] }', '{ table: null }']) {
      const { errors } = await execute(
        `mutation { createFlexDb(input: { name: "x", schema: ${schema} }) { __typename } }`,
      );
      expect(errors).not.toEqual([]);
      expect(errors[0]).toMatchObject({
        message: expect.stringContaining('FlexSchemaInput'),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
    }
    expect(received).toEqual([]);
  });
});

describe('duplicate names are refused before any call, because they would be lost', () => {
  const twice = [
    { name: 'a', type: 'TEXT' },
    { name: 'b', type: 'TEXT' },
    { name: 'a', type: 'DATE' },
  ];
  const empty = { name: 'x', fields: [] };
  test.each([
    ['of one table', { table: { fields: twice } }, 'schema.table.fields.2.name'],
    ['of several tables', { tables: [empty, { name: 'y', fields: twice }] }, 'schema.tables.1.fields.2.name'],
    ['tables', { tables: [empty, empty] }, 'schema.tables.1.name'],
  ])('%s', async (_name, schema, field) => {
    const { execute, received } = await gatewayOverAnswers({});
    const update = create.replace('createFlexDb(input: { name: "Shop",', 'updateFlexDb(id: 1, input: {');

    for (const mutation of [create, update]) {
      const { data } = await execute(mutation, { variables: { schema } });
      expect(Object.values(Object(data))).toMatchObject([
        { __typename: 'ValidationError', fields: [{ field, messages: ['appears twice'] }] },
      ]);
    }
    expect(received).toEqual([]);
  });

  test('two tables may have a field of the same name', async () => {
    const tables = ['x', 'y'].map((name) => ({ name, fields: [{ name: 'a', type: 'TEXT' }] }));
    expect(await sent({ tables })).toHaveLength(1);
  });
});
