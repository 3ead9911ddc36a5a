import { readFileSync } from 'node:fs';
import {
  getNamedType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../src/apis/served-schema.ts';
import { testConfig } from './support/gateway.ts';

const { schema, printed, subgraph } = await servedSchema(testConfig());

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

/** What is no record's decoded value, and so cannot be missing: ids, and what the gateway itself makes. */
const neverNull = [
  // ids, and the key by which a tile is what it is: an entry without them is no tile
  'ApiToken.id',
  'ApiToken.upstreamId',
  'Client.id',
  'Client.upstreamId',
  'Contact.id',
  'Contact.upstreamId',
  'ContactList.id',
  'ContactList.upstreamId',
  'Dashboard.id',
  'Dashboard.upstreamId',
  'DashboardTile.entryId',
  'DashboardTile.key',
  'Deal.id',
  'Deal.upstreamId',
  'FlexDb.id',
  'FlexDb.upstreamId',
  'FlexRecord.id',
  'FlexRecord.upstreamId',
  'ForumCategory.id',
  'ForumCategory.upstreamId',
  'ForumComment.id',
  'ForumComment.upstreamId',
  'ForumPost.id',
  'ForumPost.upstreamId',
  'Node.id',
  'Post.id',
  'Post.upstreamId',
  'PublicFlexRecord.id',
  'PublicFlexRecord.upstreamId',
  // what the caller gave, given back
  'AccountFieldChange.actionType',
  'AccountFieldChange.key',
  'AccountFieldChange.value',
  'CreatedForumUser.login',
  'DashboardWidget.key',
  'DeletedNode.deletedId',
  'DashboardDeletion.deletedId',
  'DisplayedDashboard.context',
  'DisplayedDashboard.contextText',
  'DisplayedDashboard.id',
  'DashboardDeletion.displayedDashboard',
  'PublicFlexDb.code',
  'PublicFlexDb.id',
  'PublicFlexRecord.code',
  // made by the gateway
  'ClientConnection.pageInfo',
  'ClientConnection.totalCount',
  'ClientEdge.cursor',
  'DealConnection.pageInfo',
  'DealConnection.totalCount',
  'DealEdge.cursor',
  'ConflictError.message',
  'DeletedNode.deletedIds',
  'FieldError.field',
  'FieldError.messages',
  'FlexGraphqlChange.criticality',
  'FlexGraphqlChange.message',
  'FlexGraphqlChange.path',
  'FlexGraphqlChanges.problems',
  'FlexRecordConnection.pageInfo',
  'FlexRecordEdge.cursor',
  'ForbiddenError.message',
  'MutationError.message',
  'NotAttempted.message',
  'NotFoundError.message',
  'PageInfo.hasNextPage',
  'PageInfo.hasPreviousPage',
  'ForumPostConnection.pageInfo',
  'ForumPostEdge.cursor',
  'PostConnection.pageInfo',
  'PostConnection.totalCount',
  'PostEdge.cursor',
  'PublicFlexRecordConnection.pageInfo',
  'PublicFlexRecordEdge.cursor',
  'SearchConnection.failures',
  'SearchConnection.pageInfo',
  'SearchEdge.cursor',
  'SearchFailure.code',
  'SearchFailure.message',
  'SearchFailure.target',
  'ValidationError.fields',
  'ValidationError.message',
  'Query.credentials',
  'Query.nodes',
  'Query.publicFlexDb',
  // the record itself, some of its fields together
  'Client.address',
  'Client.avatar',
  'Client.bank',
  'Client.customFields',
  'Client.payments',
  'Post.help',
  'Post.mail',
  'Post.request',
  'Post.spam',
  // by which something is what it is: the key of an object, the name of a method
  'ClientCustomFieldEntry.key',
  'ClientCustomFieldEntry.kind',
  'ExternalId.system',
  'ExternalId.value',
  'FlexAutoField.field',
  'FlexField.name',
  'FlexPublicMethod.operationText',
  'WidgetSetting.name',
];

test('schema.graphql is what the code prints', () => {
  expect(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8')).toBe(printed());
});

test('every type, field, argument and value has a description', () => {
  const described = types.flatMap(descriptions);

  expect(described.length).toBeGreaterThan(200);
  expect(described.filter(([, description]) => !/\S/.test(description ?? '')).map(([name]) => name)).toEqual([]);
});

test('the description of each root field names the endpoints that it calls', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const silent = roots.filter(({ description }) => !/`(GET|POST|PUT|PATCH|DELETE) \/[^` ]+`/.test(description ?? ''));

  expect(roots.length).toBeGreaterThan(10);
  expect(silent.map(({ name }) => name).sort()).toEqual(['node', 'nodes']);
});

test('each scalar of the gateway names a published specification, in the subgraph too', () => {
  const scalars = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type));

  expect(scalars.map(({ name }) => name).sort()).toEqual([
    'Date',
    'DateOrDateTime',
    'DateTime',
    'Decimal',
    'Expiry',
    'JSON',
    'JSONObject',
    'Password',
    'SafeInt',
  ]);
  const { sdl } = subgraph();
  for (const { name, specifiedByURL } of scalars) {
    expect(specifiedByURL, name).toMatch(/^https:\/\/[a-z0-9.-]+\/\S+$/);
    expect(sdl).toContain(`scalar ${name} @specifiedBy(url: "${specifiedByURL}")`);
  }
});

test('a field that holds what upstream sent can be null', () => {
  const fields = types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, type: field.type })),
    );

  expect(
    fields
      .filter(({ type }) => isNonNullType(type))
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...neverNull].sort());
});

/** Everything about a type that GraphiQL shows, and what it says of it. */
function descriptions(type: GraphQLNamedType): (readonly [name: string, description: string | null | undefined])[] {
  const parts: (readonly [string, string | null | undefined])[] = [[type.name, type.description]];
  if (isEnumType(type)) {
    parts.push(...type.getValues().map(({ name, description }) => [`${type.name}.${name}`, description] as const));
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    parts.push(...fields.map(({ name, description }) => [`${type.name}.${name}`, description] as const));
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      parts.push([`${type.name}.${field.name}`, field.description]);
      parts.push(...field.args.map((arg) => [`${type.name}.${field.name}(${arg.name})`, arg.description] as const));
    }
  }
  return parts;
}

test('an output field of the type ID is a global id by its name, or its description says whose id it is', () => {
  const global = new Set(['id', 'deletedId', 'deletedIds']);
  const unclear = types
    .filter((type) => isObjectType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => getNamedType(field.type).name === 'ID' && !global.has(field.name))
    .filter(({ field }) => !/^(Upstream id of|Id in|Id of the \w+ in) /.test(field.description ?? ''))
    .map(({ type, field }) => `${type.name}.${field.name}`);
  expect(unclear).toEqual([]);
});
