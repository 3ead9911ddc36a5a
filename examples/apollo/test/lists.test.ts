// Lists in the cache after a write, by what the write has answered.
import { gql, InMemoryCache, type OperationVariables } from '@apollo/client';
import { createCache, pages } from 'trivium-kits/apollo';
import { addToList, filterAgain, removeFromList } from 'trivium-kits/apollo-lists';
import { beforeEach, describe, expect, test } from 'vitest';
import { clientFields, clientPageDocument, clientsDocument } from '../src/documents.ts';

const client = (id: string) => ({
  __typename: 'Client' as const,
  id: `Client:${id}`,
  name: `Client ${id}`,
  email: null,
  phone: null,
  address: { __typename: 'ClientAddress' as const, city: null },
});
const list = (...ids: string[]) => ({
  clients: {
    __typename: 'ClientConnection' as const,
    totalCount: 50,
    edges: ids.map((id) => ({ __typename: 'ClientEdge' as const, cursor: `c${id}`, node: client(id) })),
    pageInfo: { __typename: 'PageInfo' as const, hasNextPage: false, endCursor: `c${ids.at(-1)}` },
  },
});

let cache: InMemoryCache;
beforeEach(() => {
  cache = createCache();
  cache.writeQuery({ query: clientsDocument, variables: { filter: null }, data: list('2', '1') });
  cache.writeQuery({ query: clientsDocument, variables: { filter: { text: 'i' } }, data: list('1') });
});

/** The rows of a list and its count, or null where it has to be read again. */
function shown(text?: string) {
  const filter = text === undefined ? null : { text };
  const clients = cache.readQuery({ query: clientsDocument, variables: { filter } })?.clients;
  return clients ? { ids: clients.edges?.map((edge) => edge?.node?.id), total: clients.totalCount } : null;
}
const untouched = { ids: ['Client:2', 'Client:1'], total: 50 };
const refused = { __typename: 'ValidationError', message: "name: can't be blank", fields: [] };
const failed = (outcome: string) => [{ message: 'It failed.', path: ['write'], extensions: { outcome } }];

describe.each([
  { name: 'a creation', update: addToList('clients') },
  { name: 'a deletion', update: removeFromList('clients') },
  { name: 'a change', update: filterAgain('clients') },
])('after $name', ({ update }) => {
  test.each([
    { what: 'was refused', answer: { data: { write: refused } } },
    { what: 'failed, and changed nothing', answer: { data: { write: null }, errors: failed('REFUSED') } },
  ])('that $what, all lists are as they were', ({ answer }) => {
    update(cache, answer);
    expect(shown()).toEqual(untouched);
    expect(shown('i')).toEqual({ ids: ['Client:1'], total: 50 });
  });

  test.each(['APPLIED', 'UNKNOWN'])(
    'of which nothing is known but that it is %s, all lists are read again',
    (outcome) => {
      update(cache, { data: { write: null }, errors: failed(outcome) });
      expect(shown()).toBeNull();
      expect(shown('i')).toBeNull();
    },
  );
});

test('a new record comes first and is counted, and lists with a filter are read again', () => {
  cache.writeFragment({ id: 'Client:Client:3', fragment: clientFields, data: client('3') });
  addToList('clients')(cache, { data: { createClient: client('3') } });
  expect(shown()).toEqual({ ids: ['Client:3', ...untouched.ids], total: 51 });
  expect(shown('i')).toBeNull();
});

test('a new record whose answer comes twice is one row', () => {
  cache.writeFragment({ id: 'Client:Client:3', fragment: clientFields, data: client('3') });
  for (const _time of [1, 2]) addToList('clients')(cache, { data: { createClient: client('3') } });
  expect(shown()).toEqual({ ids: ['Client:3', ...untouched.ids], total: 51 });
});

test('each of several writes is one, and each item of a bulk mutation', () => {
  for (const id of ['3', '4', '5'])
    cache.writeFragment({ id: `Client:Client:${id}`, fragment: clientFields, data: client(id) });
  addToList('clients')(cache, {
    data: { __typename: 'Mutation', first: client('3'), second: refused, items: [refused, client('4'), client('5')] },
  });
  expect(shown()).toEqual({ ids: ['Client:5', 'Client:4', 'Client:3', ...untouched.ids], total: 53 });
});

test('one item of which nothing is known makes all be read again', () => {
  const errors = [{ message: 'It failed.', path: ['items', 1], extensions: { outcome: 'UNKNOWN' } }];
  addToList('clients')(cache, { data: { items: [client('3'), null] }, errors });
  expect(shown()).toBeNull();
});

test('an item that failed and changed nothing is none', () => {
  const errors = [{ message: 'It failed.', path: ['items', 1], extensions: { outcome: 'REFUSED' } }];
  cache.writeFragment({ id: 'Client:Client:3', fragment: clientFields, data: client('3') });
  addToList('clients')(cache, { data: { items: [client('3'), null] }, errors });
  expect(shown()).toMatchObject({ total: 51 });
});

test('lists of a field without a policy are read again', () => {
  cache = new InMemoryCache();
  const query = gql`
    query First {
      clients(first: 2) {
        totalCount
        edges {
          node {
            id
          }
        }
      }
    }
  `;
  cache.writeQuery({ query, data: list('1') });
  expect(cache.readQuery({ query })).not.toBeNull();
  filterAgain('clients')(cache, { data: { updateClient: client('1') } });
  expect(cache.readQuery({ query })).toBeNull();
});

test('a new record without its id makes the list be read again', () => {
  addToList('clients')(cache, { data: { createClient: { __typename: 'Client' } } });
  expect(shown()).toBeNull();
});

test('a new record of another type is no row', () => {
  addToList('clients')(cache, { data: { createPost: { __typename: 'Post', id: 'Post:1' } } });
  expect(shown()).toEqual(untouched);
});

test('what is deleted is in no list, and its page is null', () => {
  cache.writeQuery({
    query: clientPageDocument,
    variables: { id: 'Client:2' },
    data: { client: { ...client('2'), posts: null } },
  });
  removeFromList('clients')(cache, {
    data: { deleteClient: { __typename: 'DeletedNode', deletedIds: ['Client:2', 'Post:7'] } },
  });
  expect(shown()).toEqual({ ids: ['Client:1'], total: 49 });
  expect(shown('i')).toEqual({ ids: ['Client:1'], total: 50 }); // it has all of its rows, of which that was none
  expect(cache.readQuery({ query: clientPageDocument, variables: { id: 'Client:2' } })).toEqual({ client: null });
});

test('a change leaves a list of all as it is, and lists with a filter are read again', () => {
  filterAgain('clients')(cache, { data: { updateClient: client('1') } });
  expect(shown()).toEqual(untouched);
  expect(shown('i')).toBeNull();
});

test('lists of which a policy of the app makes the keys are read again', () => {
  cache = createCache({ Query: { fields: { clients: { keyArgs: () => 'of the app' } } } });
  cache.writeQuery({ query: clientsDocument, variables: { filter: null }, data: list('1') });
  filterAgain('clients')(cache, { data: { updateClient: client('1') } });
  expect(shown()).toBeNull();
});

describe('lists of one field on a page', () => {
  const rows = (count: number, from = 1) => Array.from({ length: count }, (_, at) => client(String(from + at)));
  const page = (nodes: readonly object[], hasNextPage = true) => ({
    __typename: 'ClientConnection',
    totalCount: 50,
    edges: nodes.map((node, at) => ({ __typename: 'ClientEdge', cursor: `c${'id' in node ? node.id : at}`, node })),
    pageInfo: {
      __typename: 'PageInfo',
      hasNextPage,
      endCursor: `c${nodes.length > 0 ? Reflect.get(nodes.at(-1) ?? {}, 'id') : ''}`,
    },
  });
  const selection = '{ totalCount edges { cursor node { id } } pageInfo { hasNextPage endCursor } }';
  const query = (args: string, selected = selection) => gql(`query ($after: String) { clients(${args}) ${selected} }`);
  const idsOf = (args: string, variables: OperationVariables = {}) => {
    const data = cache.readQuery<{ clients: { edges: { node: { id: string } }[] } }>({ query: query(args), variables });
    return data?.clients.edges.map(({ node }) => node.id.slice('Client:'.length)) ?? null;
  };
  const write = (args: string, clients: object, variables: OperationVariables = {}) =>
    cache.writeQuery({ query: query(args), data: { clients }, variables });

  test('a counter has no rows for a list', () => {
    cache.writeQuery({
      query: query('first: 0', '{ totalCount }'),
      data: { clients: { __typename: 'ClientConnection', totalCount: 50 } },
    });
    cache.writeQuery({
      query: query('first: 5', '{ totalCount }'),
      data: { clients: { __typename: 'ClientConnection', totalCount: 50 } },
    });
    expect(idsOf('first: 5')).toBeNull();
    expect(idsOf('first: 20')).toBeNull();
  });

  test('a short list cuts no long one, and first and last are two', () => {
    write('first: 4', page(rows(4)));
    write('first: 2', page(rows(2)));
    write('last: 2', page(rows(2, 8)));
    expect([idsOf('first: 4'), idsOf('first: 2'), idsOf('last: 2')]).toEqual([
      ['1', '2', '3', '4'],
      ['1', '2'],
      ['8', '9'],
    ]);
  });

  test('pages are one list, and the place of a page that is read alone is not guessed', () => {
    write('first: 2, after: $after', page(rows(2)), {});
    write('first: 2, after: $after', page(rows(2, 3)), { after: 'cClient:2' });
    expect(idsOf('first: 2')).toEqual(['1', '2', '3', '4']);
    expect(idsOf('first: 2, after: $after', { after: 'cClient:2' })).toEqual(['3', '4']);

    write('first: 2, after: "elsewhere"', page(rows(2, 8)));
    expect(idsOf('first: 2')).toEqual(['1', '2', '3', '4']);
    expect(idsOf('first: 2, after: "elsewhere"')).toEqual(['8', '9']);
  });

  test('a new record comes first where the newest are, and pushes a row out of a short list', () => {
    const newest = 'orderBy: { field: CREATED_AT, direction: DESC }';
    write(`first: 3, ${newest}`, page(rows(3)));
    write(`first: 2, ${newest}`, page(rows(2), false));
    write(`first: 9, orderBy: [{ field: ID, direction: DESC }]`, page(rows(9)));
    for (const args of [
      'first: 3',
      'first: 3, orderBy: { field: NAME }',
      `last: 3, ${newest}`,
      `first: 3, filter: { text: "a" }, ${newest}`,
    ])
      write(args, page(rows(3)));
    cache.writeQuery({
      query: query('first: 0', '{ totalCount }'),
      data: { clients: { __typename: 'ClientConnection', totalCount: 50 } },
    });
    cache.writeFragment({ id: 'Client:Client:30', fragment: clientFields, data: client('30') });
    addToList('clients')(cache, { data: { createClient: client('30') } });

    expect(idsOf(`first: 3, ${newest}`)).toEqual(['30', '1', '2']);
    expect(cache.readQuery({ query: query(`first: 2, ${newest}`) })).toMatchObject({
      clients: { totalCount: 51, pageInfo: { hasNextPage: true, endCursor: 'cClient:1' } },
    });
    expect(idsOf('first: 9, orderBy: [{ field: ID, direction: DESC }]')).toHaveLength(9);
    for (const args of [
      'first: 3',
      'first: 3, orderBy: { field: NAME }',
      `last: 3, ${newest}`,
      `first: 3, filter: { text: "a" }, ${newest}`,
    ])
      expect(idsOf(args)).toBeNull();
    expect(cache.readQuery({ query: query('first: 0', '{ totalCount }') })).toBeNull();
  });

  test('a deletion keeps a long list, and has a short one read again, in which a row comes up', () => {
    write('first: 2', page(rows(2)));
    write('first: 2, after: $after', page(rows(2, 3)), { after: 'cClient:2' });
    write('first: 3', page(rows(3)));
    write('first: 10', page(rows(6), false));
    write('first: 11', page(rows(5, 2), false));
    write('first: 5, orderBy: { field: NAME }', page(rows(5, 20)));
    removeFromList('clients')(cache, {
      data: { deleteClient: { __typename: 'DeletedNode', deletedIds: ['Client:4', 'Client:1'] } },
    });
    expect(idsOf('first: 2')).toEqual(['2', '3']);
    expect(cache.readQuery({ query: query('first: 2') })).toMatchObject({
      clients: { totalCount: 48, pageInfo: { hasNextPage: true, endCursor: 'cClient:3' } },
    });
    expect(idsOf('first: 3')).toBeNull();
    expect(idsOf('first: 10')).toEqual(['2', '3', '5', '6']);
    expect(idsOf('first: 11')).toEqual(['2', '3', '5', '6']);
    expect(idsOf('first: 5, orderBy: { field: NAME }')).toBeNull();
    expect(idsOf('first: 2, after: $after', { after: 'cClient:2' })).toBeNull();
  });

  test('a change leaves lists whose order it cannot change', () => {
    const orders = [
      '{ field: CREATED_AT }',
      '{ field: ID, direction: DESC }',
      '{ field: NAME }',
      '[{ field: ID }, { field: NAME }]',
    ];
    for (const order of orders) write(`first: 3, orderBy: ${order}`, page(rows(3)));
    write('first: 3', page(rows(3)));
    filterAgain('clients')(cache, { data: { updateClient: client('1') } });
    expect(orders.map((order) => idsOf(`first: 3, orderBy: ${order}`)?.length)).toEqual([3, 3, undefined, undefined]);
    expect(idsOf('first: 3')).toBeNull();
  });

  test('where another query has read the rows, their end is not that of other ones', () => {
    write('first: 2', page(rows(2)));
    const { edges } = page(rows(2, 7));
    const fewer = query('first: 2', '{ edges { cursor node { id } } }');
    cache.writeQuery({ query: fewer, data: { clients: { __typename: 'ClientConnection', edges } } });
    expect(cache.readQuery({ query: fewer })).not.toBeNull();
    expect(idsOf('first: 2')).toBeNull();
  });
});

describe('after a write that was answered before', () => {
  const replayed = (field: string, report = 'REPLAYED') => ({ extensions: { idempotency: { [field]: report } } });
  const deletion = { data: { deleteClient: { __typename: 'DeletedNode', deletedIds: ['Client:2'] } } };

  test('a deletion is counted once', () => {
    removeFromList('clients')(cache, { ...deletion, ...replayed('deleteClient', 'FIRST') });
    expect(shown()).toEqual({ ids: ['Client:1'], total: 49 });
    removeFromList('clients')(cache, { ...deletion, ...replayed('deleteClient') });
    expect(shown()).toBeNull();
  });

  test('a deletion is counted once behind a router that drops extensions', () => {
    removeFromList('clients')(cache, deletion);
    cache.writeQuery({ query: clientsDocument, variables: { filter: null }, data: list('1') });
    removeFromList('clients')(cache, deletion);
    expect(shown()).toBeNull();
  });

  test.each(['REPLAYED', 'RECONCILED'])('that is %s a creation and a change are not counted', (report) => {
    addToList('clients')(cache, { data: { created: client('3') }, ...replayed('created', report) });
    expect(shown()).toBeNull();
    cache.writeQuery({ query: clientsDocument, variables: { filter: null }, data: list('2', '1') });
    filterAgain('clients')(cache, { data: { items: [client('1')] }, ...replayed('items.0', report) });
    expect(shown()).toBeNull();
  });
});

describe('a record that is deleted', () => {
  const post = (id: string) => ({ __typename: 'Post', id: `Post:${id}`, title: `Post ${id}` });
  const posts = (totalCount: number, ...ids: string[]) => ({
    __typename: 'PostConnection',
    totalCount,
    edges: ids.map((id) => ({ __typename: 'PostEdge', node: post(id) })),
    pageInfo: { __typename: 'PageInfo', hasNextPage: false },
  });
  const selection = '{ totalCount edges { node { id title } } pageInfo { hasNextPage } }';
  const below = gql(
    `{ client(id: "1") { id postsCount posts(first: 5) ${selection} } other: client(id: "2") { id posts(first: 5) ${selection} } }`,
  );
  const alone = gql('{ post(id: "7") { id title } global: post(id: "Post:7") { id title } node(id: "Post:7") { id } }');
  const several = gql('{ nodes(ids: ["Post:7", "Post:8"]) { id ... on Post { title } } }');
  const search = gql('{ search(text: "a") { edges { node { ... on Post { id title } } } } }');

  beforeEach(() => {
    const data = {
      client: { __typename: 'Client', id: 'Client:1', postsCount: 2, posts: posts(2, '7', '8') },
      other: { __typename: 'Client', id: 'Client:2', posts: posts(1, '8') },
    };
    cache.writeQuery({ query: below, data });
    cache.writeQuery({ query: alone, data: { post: post('7'), global: post('7'), node: post('7') } });
    cache.writeQuery({ query: several, data: { nodes: [post('7'), post('8')] } });
    cache.writeQuery({
      query: search,
      data: { search: { __typename: 'SearchConnection', edges: [{ __typename: 'SearchEdge', node: post('7') }] } },
    });
    removeFromList('posts')(cache, { data: { deletePosts: [{ __typename: 'DeletedNode', deletedIds: ['Post:7'] }] } });
  });

  test('is in no list below another one, which is counted', () => {
    const counted = gql(
      `{ client(id: "1") { id posts(first: 5) ${selection} } other: client(id: "2") { id posts(first: 5) ${selection} } }`,
    );
    expect(cache.readQuery({ query: counted })).toMatchObject({
      client: { posts: posts(1, '8') },
      other: { posts: posts(1, '8') },
    });
    expect(cache.readQuery({ query: below })).toBeNull(); // postsCount
  });

  test('is null by any of its ids', () => {
    expect(cache.readQuery({ query: alone })).toEqual({ post: null, global: null, node: null });
    expect(cache.readQuery({ query: several })).toEqual({ nodes: [null, post('8')] });
  });

  test('makes searches be read again', () => expect(cache.readQuery({ query: search })).toBeNull());
});

test('two updaters take what is theirs of two writes in one document', () => {
  const query = gql(`{ deals(first: 5) { totalCount edges { node { id } } pageInfo { hasNextPage } } }`);
  const edges = ['2', '1'].map((id) => ({ __typename: 'DealEdge', node: { __typename: 'Deal', id: `Deal:${id}` } }));
  const pageInfo = { __typename: 'PageInfo', hasNextPage: false };
  cache.writeQuery({ query, data: { deals: { __typename: 'DealConnection', totalCount: 2, edges, pageInfo } } });
  cache.writeFragment({ id: 'Client:Client:3', fragment: clientFields, data: client('3') });
  const deletion = { __typename: 'DeletedNode', deletedIds: ['Deal:2'] };
  for (const update of [addToList('clients'), removeFromList('deals')])
    update(cache, { data: { createClient: client('3'), deleteDeal: deletion } });
  expect(shown()).toEqual({ ids: ['Client:3', ...untouched.ids], total: 51 });
  expect(cache.readQuery({ query })).toMatchObject({ deals: { totalCount: 1, edges: edges.slice(1) } });
});

test('a list whose rows have no id is read again', () => {
  const query = gql(`{ clients(first: 5) { edges { node { name } } pageInfo { hasNextPage } } }`);
  const edges = [{ __typename: 'ClientEdge', node: { __typename: 'Client', name: 'Client 2' } }];
  const pageInfo = { __typename: 'PageInfo', hasNextPage: false };
  cache.writeQuery({ query, data: { clients: { __typename: 'ClientConnection', edges, pageInfo } } });
  removeFromList('clients')(cache, {
    data: { deleteClient: { __typename: 'DeletedNode', deletedIds: ['Client:2'] } },
  });
  expect(cache.readQuery({ query })).toBeNull();
});

test('a list with a next page has as many rows as before, whatever the size of a page is', () => {
  const order = 'orderBy: { field: CREATED_AT, direction: DESC }';
  const query = gql(
    `{ clients(${order}) { totalCount edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }`,
  );
  const { clients } = list('2', '1');
  const pageInfo = { ...clients.pageInfo, hasNextPage: true };
  cache.writeFragment({ id: 'Client:Client:3', fragment: clientFields, data: client('3') });
  cache.writeQuery({ query, data: { clients: { ...clients, pageInfo } } });
  addToList('clients')(cache, { data: { createClient: client('3') } });
  expect(cache.readQuery({ query })).toMatchObject({
    clients: { totalCount: 51, edges: [{ node: { id: 'Client:3' } }, { node: { id: 'Client:2' } }] },
  });
});

test('what a write does not change is not written again', () => {
  const before = cache.extract()['Client:Client:1'];
  removeFromList('clients')(cache, {
    data: { deleteClient: { __typename: 'DeletedNode', deletedIds: ['Client:2'] } },
  });
  expect(cache.extract()['Client:Client:1']).toBe(before);
});

test('a record that is created is looked for again where there was none', () => {
  const query = gql(
    '{ client(id: "3") { id } byId: clientByExternalId(value: "x") { id } node(id: "Client:3") { id } nodes(ids: ["Client:3"]) { id } forumMe { name } }',
  );
  const none = gql('{ forumMe { name } }');
  cache.writeQuery({
    query,
    data: { client: null, byId: { __typename: 'Client', id: 'Client:1' }, node: null, nodes: [null], forumMe: null },
  });
  addToList('clients')(cache, { data: { createClient: client('3') } });
  expect(cache.diff({ query, optimistic: false, returnPartialData: true }).result).toEqual({ forumMe: null });
  expect(cache.readQuery({ query: none })).toEqual({ forumMe: null });
});

describe('a record of a typed table', () => {
  const task = (id: string, title = `Task ${id}`) => ({ __typename: 'TrackerTask', id: `TrackerTask:${id}`, title });
  const tasks = gql('{ tracker { tasks(first: 5) { edges { node { id title } } pageInfo { hasNextPage } } } }');
  const records = gql(
    '{ flexDb(id: "tracker") { id records(first: 5) { edges { node { id data } } } record(id: "3") { id } } }',
  );
  const record = {
    __typename: 'FlexRecord',
    id: 'FlexRecord:1:1',
    data: { title: null, nodes: [null], '2 words': null },
  };

  beforeEach(() => {
    cache = createCache({ Query: { fields: { tracker: { merge: true } } }, Tracker: { fields: { tasks: pages() } } });
    const edges = ['2', '1'].map((id) => ({ __typename: 'TrackerTaskEdge', node: task(id) }));
    const list = {
      __typename: 'TrackerTaskConnection',
      edges,
      pageInfo: { __typename: 'PageInfo', hasNextPage: false },
    };
    cache.writeQuery({ query: tasks, data: { tracker: { __typename: 'Tracker', tasks: list } } });
    const listed = { __typename: 'FlexRecordConnection', edges: [{ __typename: 'FlexRecordEdge', node: record }] };
    cache.writeQuery({
      query: records,
      data: { flexDb: { __typename: 'FlexDb', id: 'FlexDb:1', records: listed, record: null } },
    });
  });

  test('is in no list when it is deleted, under none of its ids', () => {
    removeFromList('tasks')(cache, {
      data: { deleteTrackerTask: { __typename: 'DeletedNode', deletedIds: ['TrackerTask:1', 'FlexRecord:1:1'] } },
    });
    expect(cache.readQuery({ query: tasks })).toMatchObject({ tracker: { tasks: { edges: [{ node: task('2') }] } } });
    expect(cache.extract()).not.toHaveProperty('FlexRecord:FlexRecord:1:1');
  });

  test('is read again under its other ids when it is changed', () => {
    const query = gql('{ flexDbs { id } }');
    cache.writeQuery({ query, data: { flexDbs: [{ __typename: 'FlexDb', id: 'FlexDb:1' }] } }); // another record that ends in 1
    filterAgain('tasks')(cache, { data: { updateTrackerTask: task('1', 'Changed') } });
    expect(cache.extract()['FlexRecord:FlexRecord:1:1']).toEqual({ __typename: 'FlexRecord' });
    expect(cache.readQuery({ query })).toBeNull(); // with its row left out, the array would seem complete
  });

  test('makes lists be read again when it is created, and no values of others', () => {
    addToList('tasks')(cache, { data: { createTrackerTask: task('3') } });
    expect(cache.readQuery({ query: tasks })).toBeNull();
    expect(cache.readQuery({ query: records })).toBeNull();
    const data = gql('fragment Data on FlexRecord { id data }');
    expect(cache.readFragment({ id: 'FlexRecord:FlexRecord:1:1', fragment: data })).toEqual(record);
  });
});
