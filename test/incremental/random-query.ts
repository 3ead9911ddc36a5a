import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { dice } from '../support/dice.ts';

/** Arguments by field, for the fields of the demo data. Fields that need other arguments are left out. */
const given: Readonly<Record<string, string>> = {
  client: '(id: 1)',
  deal: '(id: 1)',
  post: '(id: 1)',
  forumPost: '(id: 565)',
  flexDb: '(id: "products")',
  publicFlexDb: '(code: "guestbook")',
  nodes: '(ids: ["Client:1", "Deal:2", "none"])',
  search: '(text: "oak", first: 4)',
  'FlexDb.search': '(query: "oak", first: 3)',
  'PublicFlexDb.search': '(query: "oak")',
  clients: '(first: 3)',
  deals: '(first: 3)',
  posts: '(first: 3)',
  'ForumCategory.posts': '(page: 1)',
  forumPosts: '(first: 3)',
  forumPostList: '(page: 1)',
  records: '(first: 3)',
  list: '(first: 2)',
};

/** A query over the schema, the same for the same seed, with parts of it deferred and streamed in every way. */
export function randomQuery(schema: GraphQLSchema, seed: number): string {
  const { roll } = dice(seed);
  const chance = (of: number) => roll(1_000) < of * 1_000;
  const some = <Item>(items: readonly Item[], most: number) =>
    items.filter(() => chance(most / Math.max(most + 1, items.length))).slice(0, most);
  const fragments: string[] = [];
  let directives = 0;
  const directive = (text: string, likely: number) =>
    directives < 30 && chance(likely) && (directives += 1) ? text : '';

  const fieldOf = (type: GraphQLNamedType, field: GraphQLField<unknown, unknown>, depth: number): string => {
    const args = given[`${type.name}.${field.name}`] ?? (field.args.length > 0 && given[field.name]);
    const initialCount = roll(3);
    const stream = isListType(getNullableType(field.type)) && directive(` @stream(initialCount: ${initialCount})`, 0.5);
    const named = getNamedType(field.type);
    return `${field.name}${args || ''}${stream || ''} ${isLeafType(named) ? '' : selectionOf(named, depth - 1)}`;
  };

  const inFragment = (type: GraphQLNamedType, selection: string): string => {
    if (chance(0.5)) return selection;
    if (chance(0.5)) return `...${directive(' @defer', 0.7)} { ${selection} }`;
    const name = `F${fragments.length}`;
    fragments.push(`fragment ${name} on ${type.name} { ${selection} }`);
    const again = chance(0.3) ? `... @defer { __typename ...${name} }` : '';
    directives += again ? 1 : 0;
    return `${again} ...${name}${directive(' @defer', 0.6)}`;
  };

  const selectionOf = (type: GraphQLNamedType, depth: number): string => {
    const all = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const fields = all.filter((field) => given[field.name] !== undefined || !field.args.some(isRequiredArgument));
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const others = fields.filter((field) => !leaves.includes(field));
    const types = isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
    const selected = [
      ...some(leaves, 2).map((field) => fieldOf(type, field, depth)),
      ...(depth > 0 ? some(others, 2).map((field) => fieldOf(type, field, depth)) : []),
      ...some(types, 3).map((one) => `... on ${one.name}${directive(' @defer', 0.4)} ${selectionOf(one, depth - 1)}`),
    ];
    return `{ __typename ${selected.map((selection) => inFragment(type, selection)).join(' ')} }`;
  };

  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no queries.');
  return [selectionOf(query, 4), ...fragments].join('\n');
}
