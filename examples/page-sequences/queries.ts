// What a page may show. The documents are fixed, as Relay's compiler has to know them; their variables are drawn.
import type { PageQuery, Variables } from './kit.ts';

const rows = { clients: 'id name', deals: 'id name price', posts: 'id title' };
type Field = keyof typeof rows;
const types = { clients: 'Client', deals: 'Deal', posts: 'Post' };
const newest = { clients: 'CREATED_AT', deals: 'ID', posts: 'CREATED_AT' };
const byName = { clients: 'NAME', deals: 'NAME', posts: 'TITLE' };
const fields: readonly Field[] = ['clients', 'deals', 'posts'];

const newestFirst = (field: Field) => `orderBy: { field: ${newest[field]}, direction: DESC }`;
/** A list with its count and pages. */
const list = (row: string) => `{ totalCount edges { cursor node { ${row} } } pageInfo { hasNextPage endCursor } }`;
/** One without a count. */
const pages = (row: string) => `{ edges { cursor node { ${row} } } pageInfo { hasNextPage endCursor } }`;

/** The id of one of the first twelve records, as a global id or as that of upstream. */
const idOf = (type: string) => (one: number, other: number) => ({
  id: other % 2 ? `${type}:${one + 1}` : `${one + 1}`,
});

function listQueries(field: Field): PageQuery[] {
  const type = types[field];
  const row = rows[field];
  const named = (name: string, args: string, selection: string, more?: Partial<PageQuery>): PageQuery => ({
    name: `${type}${name}`,
    text: `query ${type}${name}${args.includes('$after') ? '($after: String)' : ''} { ${field}(${args})${more?.list ? ' @page' : ''} ${selection} }`,
    ...more,
  });
  return [
    named('Newest', `first: 4, after: $after, ${newestFirst(field)}`, list(row), { list: [field] }),
    named('NewestThree', `first: 3, ${newestFirst(field)}`, `{ edges { node { ${row} } } }`),
    named('Counter', 'first: 0', '{ totalCount }'),
    named('CounterOfFilter', 'first: 0, filter: { text: "a" }', '{ totalCount }'),
    named('Last', `last: 3, ${newestFirst(field)}`, list(row)),
    named('ByName', `first: 5, after: $after, orderBy: { field: ${byName[field]} }`, list(row), { list: [field] }),
    named('AsUpstream', 'first: 2, after: $after', pages(row), { list: [field] }),
    named('WithText', `first: 3, after: $after, filter: { text: "a" }, ${newestFirst(field)}`, list(row), {
      list: [field],
    }),
    {
      name: `${type}sDrawn`,
      text: `query ${type}sDrawn($first: Int, $after: String, $filter: ${type}Filter, $orderBy: [${type}Order!]) {
        ${field}(first: $first, after: $after, filter: $filter, orderBy: $orderBy) @page ${list(row)}
      }`,
      list: [field],
      variables: (one, other) => ({
        first: [2, 3, 5, 10][one % 4],
        ...(other % 3 === 0 && { filter: { text: 'a' } }),
        ...(other % 4 !== 0 && {
          orderBy: [other % 4 === 1 ? { field: byName[field] } : { field: newest[field], direction: 'DESC' }],
        }),
      }),
    },
    {
      name: `${type}sDrawnFromEnd`,
      text: `query ${type}sDrawnFromEnd($last: Int, $orderBy: [${type}Order!]) { ${field}(last: $last, orderBy: $orderBy) ${list(row)} }`,
      variables: (one, other) => ({
        last: 1 + (one % 4),
        ...(other % 2 === 0 && { orderBy: [{ field: newest[field], direction: 'DESC' }] }),
      }),
    },
  ];
}

const anyId = (type: string, one: number) => `${type}:${one + 1}`;
const nodesOf = (one: number, other: number): Variables => ({
  ids: [anyId('Client', one), anyId('Deal', other), anyId('Client', other), anyId('Post', one)],
});
const onMembers = '... on Client { name } ... on Deal { name price } ... on Post { title }';

const records: PageQuery[] = [
  { name: 'OneClient', text: 'query OneClient($id: ID!) { client(id: $id) { id name } }', variables: idOf('Client') },
  {
    name: 'OneDeal',
    text: 'query OneDeal($id: ID!) { deal(id: $id) { id name price client { id name } } }',
    variables: idOf('Deal'),
  },
  { name: 'OnePost', text: 'query OnePost($id: ID!) { post(id: $id) { id title } }', variables: idOf('Post') },
  {
    name: 'OneNode',
    text: `query OneNode($id: ID!) { node(id: $id) { __typename id ${onMembers} } }`,
    variables: (one, other) => ({ id: anyId(['Client', 'Deal', 'Post'][other % 3] ?? '', one) }),
  },
  {
    name: 'Nodes',
    text: `query Nodes($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Node { id } ${onMembers} } }`,
    variables: nodesOf,
  },
  {
    name: 'ClientAndDeals',
    text: `query ClientAndDeals($id: ID!, $after: String) {
      client(id: $id) { id name deals(first: 2, after: $after, orderBy: { field: ID, direction: DESC }) @page ${list(rows.deals)} }
    }`,
    list: ['client', 'deals'],
    variables: idOf('Client'),
  },
  {
    name: 'ClientAndCounters',
    text: 'query ClientAndCounters($id: ID!) { client(id: $id) { id deals(first: 0) { totalCount } posts(first: 0) { totalCount } } }',
    variables: idOf('Client'),
  },
  {
    name: 'ClientAndPosts',
    text: `query ClientAndPosts($id: ID!) { client(id: $id) { id name posts(first: 3, filter: { isComment: false }) ${list(rows.posts)} } }`,
    variables: idOf('Client'),
  },
  {
    name: 'PostAndComments',
    text: `query PostAndComments($id: ID!, $after: String) { post(id: $id) { id title comments(first: 2, after: $after) @page ${list(rows.posts)} } }`,
    list: ['post', 'comments'],
    variables: idOf('Post'),
  },
  {
    name: 'Search',
    text: `{ search(text: "a", in: [CLIENTS, DEALS, POSTS], first: 20) { edges { node { __typename ... on Node { id } ${onMembers} } } } }`.replace(
      '{',
      'query Search {',
    ),
  },
];

const ofProducts = 'id data(fields: ["name"])';

const taskId = (one: number) => `TrackerTask:00000000-0000-4000-9000-${String(one + 1).padStart(12, '0')}`;

/** Of flexible databases. A table with a type has the fields of that type alone: its records have another id elsewhere. */
const databases: PageQuery[] = [
  {
    name: 'Products',
    text: `query Products($after: String) { flexDb(id: "products") { id records(first: 3, after: $after) @page ${pages(ofProducts)} } }`,
    list: ['flexDb', 'records'],
  },
  {
    name: 'ProductsLast',
    text: `query ProductsLast { flexDb(id: "products") { id records(last: 2) ${pages(ofProducts)} } }`,
  },
  {
    name: 'ProductSearch',
    text: `query ProductSearch($after: String) {
      flexDb(id: "products") { id search(filter: [{ field: "category", is: { equals: "wood" } }], first: 2, after: $after) @page ${pages(ofProducts)} }
    }`,
    list: ['flexDb', 'search'],
  },
  {
    name: 'Tasks',
    text: `query Tasks($after: String) { tracker { tasks(first: 3, after: $after) @page ${pages('id title status')} } }`,
    list: ['tracker', 'tasks'],
  },
  {
    name: 'OpenTasks',
    text: `query OpenTasks($first: Int) { tracker { tasks(first: $first, filter: { status: { equals: "open" } }) ${pages('id title status')} } }`,
    variables: (one) => ({ first: 1 + (one % 4) }),
  },
  {
    name: 'OneTask',
    text: 'query OneTask($id: ID!) { tracker { task(id: $id) { id title status } } }',
    variables: (one) => ({ id: taskId(one) }),
  },
  {
    name: 'TaskNode',
    text: 'query TaskNode($id: ID!) { node(id: $id) { __typename ... on Node { id } ... on TrackerTask { title status } } }',
    variables: (one) => ({ id: taskId(one) }),
  },
];

export const queries: readonly PageQuery[] = [...fields.flatMap(listQueries), ...records, ...databases];
