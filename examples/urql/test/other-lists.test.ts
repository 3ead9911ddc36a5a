// What else a page shows of a type than the list that an updater names: counters, lists of other sizes, lists below records, searches.
import { readFileSync } from 'node:fs';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { addToList, createCache, filterAgain, removeFromList } from 'trivium-kits/graphcache';
import { Client, CombinedError, type Exchange, type ExecutionResult, gql, makeErrorResult, makeResult } from 'urql';
import { beforeEach, expect, test, vi } from 'vitest';
import { delay, filter, fromValue, mergeMap, pipe } from 'wonka';
import { ClientsDocument } from '../src/documents.ts';
import schema from '../src/generated/introspection';

const list = { field: 'clients', query: ClientsDocument };
const Mutation = {
  createClient: addToList(list),
  createClients: addToList(list),
  updateClient: filterAgain(list),
  deleteClient: removeFromList(list),
};
const optimistic = {
  createClient: () => ({ __typename: 'Client', id: 'Client:0', name: 'Expected' }),
  updateClient: () => ({ __typename: 'Client', id: 'Client:1', name: 'Expected' }),
};

/** What the gateway answers to the next operation; an error is that of the network. */
let answer: ExecutionResult | Error;
const gateway: Exchange = () => (operations) =>
  pipe(
    operations,
    filter(({ kind }) => kind !== 'teardown'),
    mergeMap((operation) => {
      const result = answer instanceof Error ? makeErrorResult(operation, answer) : makeResult(operation, answer);
      return operation.kind === 'mutation' ? pipe(fromValue(result), delay(0)) : fromValue(result);
    }),
  );

let urql: Client;
beforeEach(() => {
  const cache = createCache(schema, { updates: { Mutation }, optimistic });
  urql = new Client({ url: 'http://localhost/graphql', preferGetMethod: false, exchanges: [cache, gateway] });
});

const client = (id: number) => ({ __typename: 'Client', id: `Client:${id}`, name: `Client ${id}` });
const clients = (ids: readonly number[], { total = 9, hasNextPage = true } = {}) => ({
  __typename: 'ClientConnection',
  totalCount: total,
  edges: ids.map((id) => ({ __typename: 'ClientEdge', cursor: `c${id}`, node: client(id) })),
  pageInfo: { __typename: 'PageInfo', hasNextPage, endCursor: `c${ids.at(-1)}` },
});
const rows = '{ totalCount edges { cursor node { id name } } pageInfo { hasNextPage endCursor } }';
const newest = 'orderBy: { field: CREATED_AT, direction: DESC }';
const documents = {
  counter: gql('{ clients(first: 0) { totalCount } }'),
  three: gql(`{ clients(first: 3, ${newest}) ${rows} }`),
  four: gql(`{ clients(first: 4, ${newest}) ${rows} }`),
  last: gql(`{ clients(last: 3, ${newest}) ${rows} }`),
  byName: gql(`{ clients(first: 3, orderBy: { field: NAME }) ${rows} }`),
};
type Name = keyof typeof documents;

async function read(query: Name | ReturnType<typeof gql>, data: Record<string, unknown>) {
  answer = { data };
  await urql.query(typeof query === 'string' ? documents[query] : query, {}).toPromise();
}
async function write(field: string, result: unknown, idempotency?: string) {
  answer = { data: { [field]: result }, extensions: { idempotency: { [field]: idempotency } } };
  const selection =
    '{ __typename ... on Client { id name } ... on DeletedNode { deletedIds } ... on MutationError { message } }';
  const args = { createClient: 'input: {}', createClients: 'inputs: []', updateClient: 'id: 1, input: {}' }[field];
  await urql.mutation(gql(`mutation { ${field}(${args ?? 'id: 1'}) ${selection} }`), {}).toPromise();
}
const deletion = (...deletedIds: string[]) => ({ __typename: 'DeletedNode', deletedIds });

interface Data {
  readonly clients?: Partial<ReturnType<typeof clients>>;
  readonly client?: { readonly deals: unknown };
  readonly search?: unknown;
}
/** The data in the cache, or null where it has to be read again. */
const data = (query: ReturnType<typeof gql>) =>
  urql.readQuery<Data, object>(query, {}, { requestPolicy: 'cache-only' })?.data ?? null;
function shown(name: Name) {
  const found = data(documents[name])?.clients;
  if (!found) return null;
  const { totalCount, edges, pageInfo } = found;
  return {
    total: totalCount,
    ids: edges?.map(({ node }) => Number(node.id.slice(7))),
    ...(pageInfo && { next: pageInfo.hasNextPage, end: pageInfo.endCursor }),
  };
}

test('lists of one field with another `first` or `last` are lists of their own', async () => {
  await read('counter', { clients: { __typename: 'ClientConnection', totalCount: 9 } });
  expect(shown('three')).toBeNull();
  await read('three', { clients: clients([9, 8, 7]) });
  await read('last', { clients: clients([3, 2, 1], { hasNextPage: false }) });
  await read('four', { clients: clients([9, 8, 7, 6]) });
  expect(shown('three')?.ids).toEqual([9, 8, 7]);
  expect(shown('last')?.ids).toEqual([3, 2, 1]);
  expect(shown('four')?.ids).toEqual([9, 8, 7, 6]);
});

test('a deletion is counted once in each list that has the row, and those that another row fills are read again', async () => {
  await read('three', { clients: clients([3, 2, 1], { total: 3, hasNextPage: false }) });
  await read('four', { clients: clients([3, 2, 1], { total: 3, hasNextPage: false }) });
  await read('byName', { clients: clients([1, 2, 5]) });
  await write('deleteClient', deletion('Client:1'));
  expect(shown('three')).toMatchObject({ ids: [3, 2], total: 2 });
  expect(shown('four')).toMatchObject({ ids: [3, 2], total: 2 });
  expect(shown('byName')).toBeNull();
});

test('a list that has all rows, but not the deleted one, stays, and a counter is read again', async () => {
  await read('counter', { clients: { __typename: 'ClientConnection', totalCount: 9 } });
  await read('three', { clients: clients([3, 2], { total: 2, hasNextPage: false }) });
  await read(gql('{ client(id: "1") { id name } }'), { client: client(1) });
  await write('deleteClient', deletion('Client:1'));
  expect(shown('three')).toMatchObject({ ids: [3, 2], total: 2 });
  expect(shown('counter')).toBeNull();
});

test('what is deleted is in no list below a record, in no search, and on no page by the id of upstream', async () => {
  const page = gql('{ deal(id: "1") { id name } }');
  const node = gql('{ node(id: "Deal:1") { id } }');
  const search = gql('{ search(text: "a") { edges { node { __typename ... on Deal { id name } } } } }');
  const below = gql('{ client(id: "1") { id deals(first: 5) { totalCount edges { node { id name } } } } }');
  const deal = { __typename: 'Deal', id: 'Deal:1', name: 'Chairs' };
  const edges = [{ __typename: 'DealEdge', node: deal }];
  await read(page, { deal });
  await read(node, { node: deal });
  await read(search, { search: { __typename: 'SearchConnection', edges: [{ __typename: 'SearchEdge', node: deal }] } });
  await read(below, { client: { ...client(1), deals: { __typename: 'DealConnection', totalCount: 1, edges } } });
  await write('deleteClient', deletion('Client:9', 'Deal:1'));
  expect(data(page)).toEqual({ deal: null });
  expect(data(node)).toEqual({ node: null });
  expect(data(search)?.search ?? null).toBeNull();
  expect(data(below)?.client?.deals).toBeNull();
});

test.each(['REPLAYED', 'RECONCILED'])('what was %s is not counted again', async (report) => {
  await read('three', { clients: clients([3, 2, 1], { total: 3, hasNextPage: false }) });
  await write('deleteClient', deletion('Client:1'), 'FIRST');
  expect(shown('three')).toMatchObject({ ids: [3, 2], total: 2 });
  await write('deleteClient', deletion('Client:1'), report);
  expect(shown('three')).toBeNull();
  await read('three', { clients: clients([9, 8, 7]) });
  await write('createClient', client(4), report); // others have come since, and it is not among the three
  expect(shown('three')).toBeNull();
});

test('a list whose rows have no id is read again', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined); // graphcache warns of them
  const query = gql('{ clients(first: 5) { totalCount edges { node { name } } pageInfo { hasNextPage } } }');
  const edges = [{ __typename: 'ClientEdge', node: { __typename: 'Client', name: 'Client 2' } }];
  const pageInfo = { __typename: 'PageInfo', hasNextPage: false };
  await read(query, { clients: { __typename: 'ClientConnection', totalCount: 1, edges, pageInfo } });
  await read(gql('{ client(id: "Client:2") { id name } }'), { client: client(2) });
  await write('deleteClient', deletion('Client:2'));
  expect(data(query)).toBeNull();
});

test('a deletion that comes twice without a report is counted once', async () => {
  await read('three', { clients: clients([3, 2, 1], { total: 3, hasNextPage: false }) });
  for (const _time of [1, 2]) await write('deleteClient', deletion('Client:1'));
  expect(shown('three')).toBeNull();
});

test('a new record comes first, a row falls off the end, and other lists are read again', async () => {
  await read('three', { clients: clients([9, 8, 7]) });
  await read('four', { clients: clients([9, 8], { total: 2, hasNextPage: false }) });
  await read('last', { clients: clients([3, 2, 1], { hasNextPage: false }) });
  await read('byName', { clients: clients([1, 2, 3]) });
  await write('createClient', client(10));
  expect(shown('three')).toEqual({ ids: [10, 9, 8], total: 10, next: true, end: 'c8' });
  expect(shown('four')).toMatchObject({ ids: [10, 9, 8], total: 3, next: false });
  expect(shown('last')).toBeNull();
  expect(shown('byName')).toBeNull();
});

async function readPages(...pages: readonly (readonly [after: string | null, ids: readonly number[]])[]) {
  const page = gql(`query ($after: String) { clients(first: 3, after: $after, ${newest}) ${rows} }`);
  for (const [after, ids] of pages) {
    answer = { data: { clients: clients(ids) } };
    await urql.query(page, { after }, { requestPolicy: 'network-only' }).toPromise();
  }
}

test('a list of several pages keeps its place', async () => {
  await readPages([null, [9, 8, 7]], ['c7', [6, 5, 4]]);
  expect(shown('three')).toEqual({ ids: [9, 8, 7, 6, 5, 4], total: 9, next: true, end: 'c4' });
  await write('deleteClient', deletion('Client:8'));
  expect(shown('three')).toEqual({ ids: [9, 7, 6, 5, 4], total: 8, next: true, end: 'c4' });
  await write('createClient', client(10));
  expect(shown('three')).toEqual({ ids: [10, 9, 7, 6, 5], total: 9, next: true, end: 'c5' });
  await write('deleteClient', deletion('Client:5'));
  expect(shown('three')).toBeNull();
});

test('a next page goes where the page before it ends elsewhere', async () => {
  await readPages([null, [9, 8, 7]], ['c7', [6, 5, 4]], [null, [10, 9, 8]]);
  expect(shown('three')).toEqual({ ids: [10, 9, 8], total: 9, next: true, end: 'c8' });
});

test('a full list whose cursors are not known is read again', async () => {
  const { edges, ...others } = clients([9, 8, 7]);
  const three = gql(
    `{ clients(first: 3, ${newest}) { totalCount edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
  );
  await read(three, { clients: { ...others, edges: edges.map(({ __typename, node }) => ({ __typename, node })) } });
  await write('createClient', client(10));
  expect(data(three)?.clients ?? null).toBeNull();
});

test('each item of a bulk mutation is a write', async () => {
  await read('four', { clients: clients([9, 8], { total: 2, hasNextPage: false }) });
  await write('createClients', [client(10), { __typename: 'ValidationError', message: 'No.' }, client(11)]);
  expect(shown('four')).toMatchObject({ ids: [11, 10, 9, 8], total: 4 });
});

const other = gql('{ deals(first: 0) { totalCount } }');
const counter = { deals: { __typename: 'DealConnection', totalCount: 5 } };

test('after a write without an answer all is read again, what was expected is gone, and no updater is needed', async () => {
  await read('three', { clients: clients([3, 2, 1]) });
  await read(other, counter);
  answer = new TypeError('The answer is lost.');
  const lost = await urql
    .mutation(gql('mutation { deletePublicFlexRecord(db: "a", id: "1") { __typename } }'), {})
    .toPromise();
  expect(lost).toMatchObject({ data: undefined, error: new CombinedError({ networkError: answer }) });
  expect([shown('three'), data(other)]).toEqual([null, null]);
  await read('three', { clients: clients([3, 2, 1]) });
  answer = new TypeError('The answer is lost.');
  const write = gql('mutation { updateClient(id: 1, input: {}) { __typename ... on Client { id name } } }');
  const sent = urql.mutation(write, {}).toPromise();
  expect(JSON.stringify(data(documents.three))).toContain('Expected');
  await sent;
  expect(shown('three')).toBeNull();
  await read('counter', { clients: { __typename: 'ClientConnection', totalCount: 9 } });
  expect(shown('counter')).toEqual({ total: 9, ids: undefined });
});

const nobody = gql('{ client(id: "10") { id name } }');
const creation = gql('mutation { createClient(input: {}) { __typename ... on Client { id name } } }');

test('what was null is read again after a lost answer, of a creation with an optimistic answer, too', async () => {
  await read(nobody, { client: null });
  expect(data(nobody)).toEqual({ client: null });
  answer = new TypeError('The answer is lost.');
  await urql.mutation(creation, {}).toPromise();
  expect(data(nobody)).toBeNull();
});

test('what was null stays null after a refused creation', async () => {
  await read(nobody, { client: null });
  answer = { data: { createClient: { __typename: 'ValidationError', message: 'No.' } } };
  await urql.mutation(creation, {}).toPromise();
  expect(data(nobody)).toEqual({ client: null });
});

test.each([
  ['UNKNOWN', null],
  ['APPLIED', null],
  ['REFUSED', { total: 9, ids: [3, 2, 1], next: true, end: 'c1' }],
])('after an item of which only %s is known, all is read again unless it was refused', async (outcome, left) => {
  await read('three', { clients: clients([3, 2, 1]) });
  const errors = [{ message: 'It failed.', path: ['deleteClients', 1], extensions: { outcome } }];
  answer = { data: { deleteClients: [{ __typename: 'NotFoundError', message: 'No.' }, null] }, errors };
  await urql.mutation(gql('mutation { deleteClients(ids: [7, 8]) { __typename } }'), {}).toPromise();
  expect(shown('three')).toEqual(left);
});

test('a whole introspection is a schema, too', async () => {
  const sdl = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
  const cache = createCache(introspectionFromSchema(buildSchema(sdl)), { updates: { Mutation } });
  urql = new Client({ url: 'http://localhost/graphql', preferGetMethod: false, exchanges: [cache, gateway] });
  await read('three', { clients: clients([3, 2, 1]) });
  expect(shown('three')?.ids).toEqual([3, 2, 1]);
});
