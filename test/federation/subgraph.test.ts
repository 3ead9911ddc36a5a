import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  isObjectType,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../../src/schema/served-schema.ts';
import { gateway, testConfig } from '../support/gateway.ts';

const { schema, printed, subgraph } = await servedSchema(testConfig());
const { sdl } = subgraph();

/** The directives of each object type that has any, in the order of the SDL. */
function directivesByType(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const definition of parse(sdl).definitions) {
    if (definition.kind !== 'ObjectTypeDefinition' || !definition.directives?.length) continue;
    found[definition.name.value] = definition.directives.map(({ name, arguments: [key] = [] }) =>
      key?.value.kind === 'StringValue' ? `${name.value} ${key.value.value}` : name.value,
    );
  }
  return found;
}

/** A schema of the SDL that any GraphQL tool can read. */
function withoutFederation(): GraphQLSchema {
  return buildSchema(sdl.replace(/ @(link|key)\([^)]*\)| @shareable/g, ''));
}

test('each record is an entity by its global id, and by its upstream id where that alone identifies it', () => {
  const both = ['key id', 'key upstreamId'];
  const shared = ['shareable'];
  expect(directivesByType()).toEqual({
    ApiToken: both,
    Client: both,
    ConflictError: shared,
    Contact: both,
    ContactList: both,
    Dashboard: both,
    Deal: both,
    FieldError: shared,
    FlexDb: both,
    FlexRecord: ['key id'],
    ForbiddenError: shared,
    ForumCategory: both,
    ForumPost: both,
    NotAttempted: shared,
    NotFoundError: shared,
    PageInfo: shared,
    Post: both,
    PublicFlexRecord: ['key id'],
    ValidationError: shared,
  });
});

test('every type that implements Node is an entity', () => {
  const nodes = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  const implementing = nodes.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
  const entities = Object.entries(directivesByType()).filter(([, directives]) => directives.includes('key id'));
  expect(entities.map(([name]) => name)).toEqual(implementing.map(({ name }) => name).sort());
});

test('the SDL links the specification that its directives are from', () => {
  expect(sdl).toMatch(
    /^schema @link\(url: "https:\/\/specs\.apollo\.dev\/federation\/v2\.\d+", import: \["@key", "@shareable"\]\) \{/,
  );
});

test('the SDL is the schema but for node and nodes, which no one subgraph can answer', () => {
  const removed = ['Query.node was removed.', 'Query.nodes was removed.'];
  const directives = /^(defer|stream|semanticNonNull) was removed\.$/; // a router has its own, and nulls of its own
  const [whole, part] = [buildSchema(printed()), withoutFederation()];
  const changes = findBreakingChanges(whole, part).map(({ description }) => description);
  expect(changes.filter((change) => !directives.test(change))).toEqual(removed);
  expect(findDangerousChanges(whole, part)).toEqual([]);
  expect(findBreakingChanges(part, whole)).toEqual([]);
  expect(sdl).not.toContain('@semanticNonNull');
});

test('a subgraph tells a router its SDL, without a credential and without a call', async () => {
  const { execute, sandbox } = await gateway({ SUBGRAPH: 'true' });
  const { data, errors } = await execute('{ _service { sdl } }', { token: null });
  expect({ data, errors }).toEqual({ data: { _service: { sdl } }, errors: [] });
  expect(sandbox.calls()).toEqual([]);
});

test('a subgraph answers all other fields, and has no node', async () => {
  const { execute } = await gateway({ SUBGRAPH: 'true' });
  expect(await execute('{ apiTokens { __typename } }')).toMatchObject({
    data: { apiTokens: [{ __typename: 'ApiToken' }] },
    errors: [],
  });
  const { errors } = await execute('{ node(id: "Client:1") { id } }');
  expect(errors).toMatchObject([{ message: expect.stringContaining('"node"') }]);
});

test('a gateway that is no subgraph has no federation fields', async () => {
  const { execute } = await gateway();
  const { errors } = await execute('{ _service { sdl } _entities(representations: []) { __typename } }');
  expect(errors).toMatchObject([
    { message: expect.stringContaining('"_service"') },
    { message: expect.stringContaining('"_entities"') },
  ]);
});
