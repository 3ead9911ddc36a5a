// What a write makes stale: it is asked for again when it is shown the next time.
import {
  type ConcreteRequest,
  ConnectionHandler,
  createOperationDescriptor,
  type Environment,
  fetchQuery,
  type OperationDescriptor,
  ROOT_ID,
  type Variables,
} from 'relay-runtime';
import { addToLists, connect, removeFromLists, write } from 'trivium-kits/relay';
import { assert, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Cut, startCuttingProxy } from '../../cutting-proxy.ts';
import clientQuery from '../src/__generated__/clientPageQuery.graphql.ts';
import listQuery from '../src/__generated__/clientListQuery.graphql.ts';
import summaryQuery, { type clientSummaryQuery$data } from '../src/__generated__/clientSummaryQuery.graphql.ts';
import createNode, { type createClientMutation } from '../src/__generated__/createClientMutation.graphql.ts';
import deleteNode, { type deleteClientMutation } from '../src/__generated__/deleteClientMutation.graphql.ts';
import { createClient, deleteClient, updateClient } from '../src/writes.ts';

const list = ConnectionHandler.getConnectionID(ROOT_ID, 'clientList_clients');

let environment: Environment;
let cutNext: (...cuts: Cut[]) => void;

beforeEach(async () => {
  const proxy = await startCuttingProxy(inject('endpoint'));
  onTestFinished(() => proxy.close());
  ({ cutNext } = proxy);
  environment = connect({ url: proxy.url, credentials: () => ({ token: 'demo-admin' }), attempts: 2, delayMs: 1 });
});

async function read(query: ConcreteRequest, variables: Variables = {}): Promise<OperationDescriptor> {
  const operation = createOperationDescriptor(query, variables);
  environment.retain(operation);
  await fetchQuery(environment, query, variables).toPromise();
  return operation;
}

const status = (operation: OperationDescriptor) => environment.check(operation).status;

function summary(operation: OperationDescriptor) {
  const { all, newest } = environment.lookup(operation.fragment).data as clientSummaryQuery$data;
  return { total: all?.totalCount, names: newest?.edges?.map((edge) => edge?.node?.name) };
}

/** The list in the store. */
function shown() {
  const source = environment.getStore().getSource();
  const { totalCount, edges } = source.get(list) as unknown as { totalCount: number; edges: { __refs: string[] } };
  return { total: totalCount, rows: edges.__refs.length };
}

async function created(name: string): Promise<string> {
  const outcome = await createClient(environment, { name });
  assert(outcome.outcome === 'APPLIED' && outcome.record?.__typename === 'Client');
  return outcome.record.id;
}

/** Creates a client that no cache knows of. */
async function createdElsewhere(name: string): Promise<string> {
  const query = 'mutation ($name: String!) { createClient(input: { name: $name }) { ... on Client { id } } }';
  const headers = { authorization: 'Bearer demo-admin', 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables: { name } });
  const response = await fetch(inject('endpoint'), { method: 'POST', headers, body });
  return ((await response.json()) as { data: { createClient: { id: string } } }).data.createClient.id;
}

const remove = (id: string, idempotencyKey: string) =>
  write<deleteClientMutation>(environment, {
    mutation: deleteNode,
    variables: { id },
    cacheConfig: { metadata: { idempotencyKey } },
    updater: (store) => removeFromLists(store, 'deleteClient', [list]),
  });

const create = (name: string, idempotencyKey: string) =>
  write<createClientMutation>(environment, {
    mutation: createNode,
    variables: { input: { name } },
    cacheConfig: { metadata: { idempotencyKey } },
    updater: (store) => addToLists(store, 'createClient', [list]),
  });

describe('a list that is changed in place, and a counter and the newest three beside it', () => {
  test('are stale after a creation, and right when they are read again', async () => {
    const open = await read(listQuery);
    const beside = await read(summaryQuery);
    const before = summary(beside);
    const { total, rows } = shown();
    await created('Beside One');
    expect(shown()).toEqual({ total: total + 1, rows: rows + 1 });
    expect([status(open), status(beside)]).toEqual(['stale', 'stale']);
    await read(summaryQuery);
    expect(status(beside)).toBe('available');
    expect(summary(beside)).toEqual({
      total: (before.total ?? 0) + 1,
      names: ['Beside One', ...(before.names?.slice(0, 2) ?? [])],
    });
  });

  test('are stale after a deletion, and show three rows when they are read again', async () => {
    const id = await created('Beside Two');
    const beside = await read(summaryQuery);
    expect(summary(beside).names?.[0]).toBe('Beside Two');
    await deleteClient(environment, id);
    expect(status(beside)).toBe('stale');
    await read(summaryQuery);
    expect(summary(beside).names).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    expect(summary(beside).names).not.toContain('Beside Two');
  });

  test('stay as they are after a change', async () => {
    const id = await created('Beside Three');
    const open = await read(listQuery);
    const beside = await read(summaryQuery);
    const filtered = await read(listQuery, { filter: { text: 'Beside' } });
    await updateClient(environment, id, { name: 'Beside 3' });
    expect([status(open), status(beside), status(filtered)]).toEqual(['available', 'available', 'stale']);
    expect(summary(beside).names?.[0]).toBe('Beside 3');
  });
});

describe('a write under the key of an earlier one', () => {
  test('counts a deletion once, and makes the list stale', async () => {
    const id = await created('Twice Deleted');
    const open = await read(listQuery);
    const { total } = shown();
    await remove(id, 'twice-deleted');
    expect(shown().total).toBe(total - 1);
    await remove(id, 'twice-deleted');
    expect(shown().total).toBe(total - 1);
    expect(status(open)).toBe('stale');
  });

  test('counts no creation that may be in the list already', async () => {
    await create('Twice Created', 'twice-created');
    const open = await read(listQuery);
    const before = shown();
    await remove(await createdElsewhere('Another'), 'another');
    await read(listQuery);
    await create('Twice Created', 'twice-created');
    expect(shown()).toEqual(before);
    expect(status(open)).toBe('stale');
  });
});

describe('a deletion', () => {
  test('of a row that the list does not hold is not counted, but makes it stale', async () => {
    const open = await read(listQuery);
    const before = shown();
    await deleteClient(environment, await createdElsewhere('Unread'));
    expect(shown()).toEqual(before);
    expect(status(open)).toBe('stale');
  });

  test('takes the row out of the list, which is stale: another row moves up', async () => {
    const id = await createdElsewhere('First Page');
    const open = await read(listQuery);
    const before = shown();
    await deleteClient(environment, id);
    expect(shown()).toEqual({ total: before.total - 1, rows: before.rows - 1 });
    expect(status(open)).toBe('stale');
  });

  test('without an updater takes the record out, and makes lists stale', async () => {
    const id = await createdElsewhere('No Updater');
    const open = await read(listQuery);
    const page = await read(clientQuery, { id });
    await write<deleteClientMutation>(environment, { mutation: deleteNode, variables: { id } });
    expect(status(open)).toBe('stale');
    expect(environment.lookup(page.fragment).data).toEqual({ node: null });
    expect(status(page)).toBe('available');
  });
});

describe('what is not known of a write makes all stale', () => {
  test('without any answer', async () => {
    const open = await read(listQuery);
    const beside = await read(summaryQuery);
    cutNext('before-status', 'before-status');
    expect(await createClient(environment, { name: 'Lost' })).toMatchObject({ outcome: 'UNKNOWN' });
    expect([status(open), status(beside)]).toEqual(['stale', 'stale']);
  });

  test('that was made by an attempt without an answer: it is not counted', async () => {
    const open = await read(listQuery);
    const before = shown();
    cutNext('before-status');
    await created('Second Attempt');
    expect(shown()).toEqual(before);
    expect(status(open)).toBe('stale');
  });
});

test('a refusal leaves all as it is', async () => {
  const open = await read(listQuery);
  const beside = await read(summaryQuery);
  await createClient(environment, { name: '' });
  await deleteClient(environment, 'Client:999999');
  expect([status(open), status(beside)]).toEqual(['available', 'available']);
});

test('what was asked for in vain is asked for again after a creation', async () => {
  const last = Number((await createdElsewhere('The Last')).split(':')[1]);
  const vain = await read(clientQuery, { id: `Client:${last + 1}` });
  expect(environment.lookup(vain.fragment).data).toEqual({ node: null });
  expect(await created('The Next')).toBe(`Client:${last + 1}`);
  expect(status(vain)).not.toBe('available');
});
