import { readFileSync } from 'node:fs';
import {
  assertInterfaceType,
  buildSchema,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { expect, test } from 'vitest';
import { apolloPages, apolloSettings, graphcachePages, graphcacheSettings, possibleTypes } from '../src/settings.ts';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

/** The object types that a query can answer. */
const queried = new Set<GraphQLObjectType>();
collect('Query');

function collect(name: string) {
  const type = schema.getType(name);
  const members = isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
  for (const member of members) collect(member.name);
  if (!isObjectType(type) || queried.has(type)) return;
  queried.add(type);
  for (const { type: fieldType } of Object.values(type.getFields())) collect(getNamedType(fieldType).name);
}

const fields = [...queried].flatMap((parent) =>
  Object.values(parent.getFields()).map((field) => ({ parent, field, type: getNamedType(field.type) })),
);
const connections = fields.filter(({ type }) => type.name.endsWith('Connection'));
const isPart = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && !('id' in type.getFields()) && !/^Query$|^PageInfo$|(?:Connection|Edge)$/.test(type.name);

test('possibleTypes has every refusal of the schema', () => {
  const members = schema.getPossibleTypes(assertInterfaceType(schema.getType('MutationError')));
  expect(possibleTypes.MutationError).toEqual(members.map(({ name }) => name).sort());
});

test.each(connections.map(({ parent, field }) => ({ name: `${parent.name}.${field.name}`, parent, field })))(
  'both caches know the pages of $name, by its other arguments',
  ({ parent, field }) => {
    const args = field.args.map(({ name }) => name).filter((name) => !/^(?:last|after|before)$/.test(name));
    const policy = apolloPages[parent.name]?.fields?.[field.name];
    const keyArgs = typeof policy === 'object' && Array.isArray(policy.keyArgs) ? policy.keyArgs : [];
    expect(policy).toBeDefined();
    expect(keyArgs.toSorted()).toEqual([...args, 'last'].sort());
    expect(graphcachePages[parent.name]?.[field.name]).toBeTypeOf('function');
  },
);

test('Apollo Client merges each type without an id of which a record has one', () => {
  const single = fields.filter(({ field, type }) => isPart(type) && getNullableType(field.type) === type);
  const merged = Object.entries(apolloSettings.typePolicies ?? {}).filter(([, { merge }]) => merge === true);
  expect(merged.map(([name]) => name)).toEqual([...new Set(single.map(({ type }) => type.name))].sort());
});

test('graphcache keeps each type without an id inside of its record', () => {
  const parts = [...queried].filter(isPart).map(({ name }) => name);
  expect(Object.keys(graphcacheSettings.keys ?? {})).toEqual(parts.sort());
});
