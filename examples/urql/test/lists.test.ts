// Lists in the cache after a write, by what the write has answered.
import assert from 'node:assert';
import { Client, type Exchange, type ExecutionResult, makeResult } from 'urql';
import { beforeEach, describe, expect, test } from 'vitest';
import { filter as keep, map, pipe } from 'wonka';
import { newCache } from '../src/cache.ts';
import {
  ClientDocument,
  ClientsDocument,
  CreateClientDocument,
  DeleteClientDocument,
  UpdateClientDocument,
} from '../src/documents.ts';

const client = (id: string) => ({
  __typename: 'Client',
  id: `Client:${id}`,
  name: `Client ${id}`,
  email: null,
  phone: null,
  address: { __typename: 'ClientAddress', city: null },
});
const list = (...ids: string[]) => ({
  clients: {
    __typename: 'ClientConnection',
    totalCount: 50,
    edges: ids.map((id) => ({ __typename: 'ClientEdge', cursor: `c${id}`, node: client(id) })),
    pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: `c${ids.at(-1)}` },
  },
});
const untouched = { ids: ['Client:2', 'Client:1'], total: 50 };
const refused = { __typename: 'ValidationError', message: "name: can't be blank", fields: [] };

/** What the gateway answers to the next operation. */
let answer: ExecutionResult;
const gateway: Exchange = () => (operations) =>
  pipe(
    operations,
    keep(({ kind }) => kind !== 'teardown'),
    map((operation) => makeResult(operation, answer)),
  );

let urql: Client;
beforeEach(async () => {
  urql = new Client({ url: 'http://localhost/graphql', preferGetMethod: false, exchanges: [newCache(), gateway] });
  answer = { data: list('2', '1') };
  await urql.query(ClientsDocument, { filter: null }).toPromise();
  answer = { data: list('1') };
  await urql.query(ClientsDocument, { filter: { text: 'i' } }).toPromise();
});

/** The rows of a list and its count, or null where it has to be read again. */
function shown(text?: string) {
  const variables = { filter: text === undefined ? null : { text } };
  const { clients } = urql.readQuery(ClientsDocument, variables, { requestPolicy: 'cache-only' })?.data ?? {};
  return clients ? { ids: clients.edges?.map((edge) => idOf(edge?.node)), total: clients.totalCount } : null;
}
const idOf = (node: object | null | undefined) => (node && 'id' in node ? node.id : null);

const writes = [
  { name: 'creation', field: 'createClient', document: CreateClientDocument, variables: { input: { name: 'x' } } },
  { name: 'change', field: 'updateClient', document: UpdateClientDocument, variables: { id: 'Client:1', input: {} } },
  { name: 'deletion', field: 'deleteClient', document: DeleteClientDocument, variables: { id: 'Client:1' } },
] as const;
type Named = (typeof writes)[number]['name'];

/** Writes, and has this as the result. */
async function write(name: Named, result: object | null, errors?: ExecutionResult['errors']) {
  const found = writes.find((one) => one.name === name);
  assert.ok(found);
  answer = { data: { [found.field]: result }, ...(errors && { errors }) };
  await urql.mutation<object>(found.document, found.variables).toPromise();
}
const failed = (path: string, outcome: string) => [{ message: 'It failed.', path: [path], extensions: { outcome } }];

describe.each(writes)('after a $name', ({ name, field }) => {
  test('that was refused, all lists are as they were', async () => {
    await write(name, refused);
    expect(shown()).toEqual(untouched);
    expect(shown('i')).toEqual({ ids: ['Client:1'], total: 50 });
  });

  test('that failed, and changed nothing, all lists are as they were', async () => {
    await write(name, null, failed(field, 'REFUSED'));
    expect(shown()).toEqual(untouched);
    expect(shown('i')).toEqual({ ids: ['Client:1'], total: 50 });
  });

  test.each(['APPLIED', 'UNKNOWN'])(
    'of which nothing is known but that it is %s, all lists are read again',
    async (outcome) => {
      await write(name, null, failed(field, outcome));
      expect(shown()).toBeNull();
      expect(shown('i')).toBeNull();
    },
  );
});

test('a new record comes first and is counted, and lists with a filter are read again', async () => {
  await write('creation', client('3'));
  expect(shown()).toEqual({ ids: ['Client:3', ...untouched.ids], total: 51 });
  expect(shown('i')).toBeNull();
});

test('a new record whose answer comes twice is one row', async () => {
  for (const _time of [1, 2]) await write('creation', client('3'));
  expect(shown()).toEqual({ ids: ['Client:3', ...untouched.ids], total: 51 });
});

test('what is deleted is in no list, and is counted no more', async () => {
  await write('deletion', { __typename: 'DeletedNode', deletedIds: ['Client:1'] });
  expect(shown()).toEqual({ ids: ['Client:2'], total: 49 });
  expect(shown('i')).toEqual({ ids: [], total: 49 });
});

test('the open page of what is deleted is null, and is not read again', async () => {
  answer = { data: { client: { ...client('1'), posts: { __typename: 'PostConnection', totalCount: 0, edges: [] } } } };
  await urql.query(ClientDocument, { id: 'Client:1' }).toPromise();
  const page = () => urql.readQuery(ClientDocument, { id: 'Client:1' }, { requestPolicy: 'cache-only' })?.data?.client;
  expect(page()).toMatchObject({ id: 'Client:1' });
  await write('deletion', { __typename: 'DeletedNode', deletedIds: ['Client:1'] });
  expect(page()).toBeNull();
});

test('a new record of another type is no row', async () => {
  await write('creation', { __typename: 'Contact', id: 'Contact:3' });
  expect(shown()).toEqual(untouched);
});

test('a change leaves a list of all as it is, and lists with a filter are read again', async () => {
  await write('change', client('1'));
  expect(shown()).toEqual(untouched);
  expect(shown('i')).toBeNull();
});
