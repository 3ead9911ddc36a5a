import { type ConstDirectiveNode, isTypeDefinitionNode, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { apiNames } from '../../src/config/apis.ts';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { gateway, testConfig } from '../support/gateway.ts';

const SNAPSHOT = 'examples/codegen/flex.schema.json';

interface Tagged {
  readonly name: { readonly value: string };
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
  readonly arguments?: readonly Tagged[] | undefined;
}

function tagsOf({ directives = [] }: Tagged): string[] {
  return directives.flatMap(({ name, arguments: [given] = [] }) =>
    name.value === 'tag' && given?.value.kind === Kind.STRING ? given.value.value : [],
  );
}

/** The definitions of a subgraph with tags, with those of types of tables. */
const { subgraph } = await servedSchema(testConfig({ FLEX_SCHEMA: SNAPSHOT }));
const { sdl } = subgraph({ SUBGRAPH_TAGS: 'true' });
const types = parse(sdl).definitions.filter((definition) => isTypeDefinitionNode(definition));

function fieldsOf(name: string): readonly Tagged[] {
  const type = types.find((each) => each.name.value === name);
  return type && 'fields' in type ? (type.fields ?? []) : [];
}

function fieldOf(type: string, name: string): readonly string[] {
  const field = fieldsOf(type).find((each) => each.name.value === name);
  return field ? tagsOf(field) : [];
}

const isOfApi = (names: readonly string[]) => names.some((name) => apiNames.some((api) => api === name));

test('each type but the roots has the tags of the APIs that use it', () => {
  const untagged = types.filter((type) => !isOfApi(tagsOf(type))).map(({ name }) => name.value);
  expect(untagged).toEqual(['Mutation', 'Query']);
  const tagsOfType = (name: string) => types.filter((type) => type.name.value === name).flatMap(tagsOf);
  expect(tagsOfType('Client')).toEqual(['crm']);
  expect(tagsOfType('ForumPost')).toEqual(['forum']);
  expect(tagsOfType('DashboardTile')).toEqual(['account']);
  expect(tagsOfType('ClientFilter')).toEqual(['crm']);
  expect(tagsOfType('FlexFieldType')).toEqual(['flex']);
  expect(tagsOfType('CreateClientResult')).toEqual(['crm']);
  expect(tagsOfType('SearchResult')).toEqual(['crm', 'flex', 'forum']);
  expect(tagsOfType('PageInfo')).toEqual(['crm', 'flex', 'forum']);
  for (const shared of ['Node', 'MutationError', 'ValidationError', 'JSONObject', 'DateTime'])
    expect(tagsOfType(shared)).toEqual(['account', 'crm', 'flex', 'forum']);
});

test('types of tables are of the flex API', () => {
  const typed = types.filter(({ name }) => /^(?:Create|Update|Public)?(?:Tracker|Products|Guestbook)/.test(name.value));
  expect(typed.length).toBeGreaterThan(20);
  for (const type of typed) expect(tagsOf(type)).toEqual(['flex']);
  expect(fieldOf('Query', 'tracker')).toEqual(['flex']);
  expect(fieldOf('Mutation', 'createTrackerTask')).toEqual(['flex', 'write']);
});

test('each root field and its arguments have the tags of the APIs that it calls, and mutations `write`', () => {
  for (const root of ['Query', 'Mutation']) {
    for (const field of fieldsOf(root)) {
      const names = tagsOf(field);
      expect(isOfApi(names)).toBe(true);
      expect(names.includes('write')).toBe(root === 'Mutation');
      for (const argument of field.arguments ?? []) expect(tagsOf(argument)).toEqual(names);
    }
  }
  expect(fieldOf('Query', 'client')).toEqual(['crm']);
  expect(fieldOf('Query', 'search').toSorted()).toEqual(['crm', 'flex', 'forum']);
  expect(fieldOf('Query', 'credentials').toSorted()).toEqual(['account', 'crm', 'flex', 'forum']);
  expect(fieldOf('Mutation', 'createForumPost')).toEqual(['forum', 'write']);
});

test('fields with tokens are secret, and no others', () => {
  const secret = types.flatMap(({ name }) =>
    fieldsOf(name.value)
      .filter((field) => tagsOf(field).includes('secret'))
      .map((field) => `${name.value}.${field.name.value}`),
  );
  expect(secret).toEqual([
    ...['Client.raw', 'Client.sensitiveData', 'Client.token'],
    ...['CreatedAccount.apiToken', 'CreatedApiToken.token', 'Post.raw', 'Post.uid'],
  ]);
});

test('a record that another API leads to has the tag of that API at its id alone', () => {
  expect(fieldOf('FlexDb', 'id')).toContain('account');
  expect(fieldOf('Post', 'id')).toContain('forum');
  expect(fieldOf('Post', 'title')).toEqual([]);
});

test('the SDL has tags with SUBGRAPH_TAGS alone, and a router reads them', async () => {
  const link = /import: \["@key", "@shareable", "@tag"\]/;
  expect(sdl).toMatch(link);
  expect(subgraph().sdl).not.toContain('@tag');
  expect(subgraph({ SUBGRAPH_TAGS: 'false' }).sdl).not.toContain('@tag');
  const { execute } = await gateway({ SUBGRAPH: 'true', SUBGRAPH_TAGS: 'true' });
  expect((await execute('{ _service { sdl } }')).data).toMatchObject({
    _service: { sdl: expect.stringMatching(link) },
  });
});
