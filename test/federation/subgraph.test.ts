import {
  buildSchema,
  type ConstDirectiveNode,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { gateway, testConfig } from '../support/gateway.ts';

const { schema, printed, subgraph } = await servedSchema(testConfig());
const { sdl } = subgraph();

/** The object types, each with its directives by name and argument, such as `key id`. */
const objects = parse(sdl).definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);

const directivesOf = ({ directives = [] }: { readonly directives?: readonly ConstDirectiveNode[] | undefined }) =>
  directives.map(({ name, arguments: [given] = [] }) =>
    given?.value.kind === Kind.STRING ? `${name.value} ${given.value.value}` : name.value,
  );

const typesWith = (directive: string) =>
  objects.filter((type) => directivesOf(type).includes(directive)).map(({ name }) => name.value);

/** A schema of the SDL that any GraphQL tool can read. */
function withoutFederation(): GraphQLSchema {
  return buildSchema(sdl.replace(/ @(link|key)\([^)]*\)| @shareable/g, ''));
}

test('each record is an entity by its global id, and by its upstream id where that alone identifies it', () => {
  const nodes = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  const implementing = nodes.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
  const names = implementing.map(({ name }) => name).sort();
  expect(typesWith('key id')).toEqual(names);
  expect(typesWith('key upstreamId')).toEqual(names.filter((name) => !name.endsWith('FlexRecord')));
});

test('types without a key are shareable as a whole', () => {
  const entities = new Set(['Query', 'Mutation', ...typesWith('key id')]);
  expect(typesWith('shareable')).toEqual(objects.map(({ name }) => name.value).filter((name) => !entities.has(name)));
  expect(typesWith('shareable')).toEqual(
    expect.arrayContaining(['ClientAddress', 'ForumUser', 'PageInfo', 'FieldError']),
  );
});

test('fields of records that other subgraphs have at hand are shareable, and no others', () => {
  const shared = objects.flatMap(({ name, fields = [] }) =>
    fields
      .filter((field) => directivesOf(field).includes('shareable'))
      .map((field) => `${name.value}.${field.name.value}`),
  );
  expect(shared).toEqual([
    'ApiToken.name',
    ...['address', 'email', 'firstName', 'lastName', 'name'].map((field) => `Client.${field}`),
    ...['email', 'firstName', 'lastName', 'name'].map((field) => `Contact.${field}`),
    ...['ContactList', 'Dashboard', 'Deal', 'FlexDb', 'ForumCategory'].map((type) => `${type}.name`),
    ...['ForumPost', 'Post'].map((type) => `${type}.title`),
  ]);
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
