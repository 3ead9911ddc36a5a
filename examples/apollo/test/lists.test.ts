// Lists in the cache after a write, by what the write has answered.
import { gql, InMemoryCache } from '@apollo/client';
import { createCache } from 'trivium-kits/apollo';
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
    pageInfo: { __typename: 'PageInfo' as const, hasNextPage: true, endCursor: `c${ids.at(-1)}` },
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

test('lists are read again after several writes, and after a bulk mutation', () => {
  addToList('clients')(cache, { data: { first: client('3'), second: client('4') } });
  expect(shown()).toBeNull();
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
  expect(shown('i')).toBeNull();
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
