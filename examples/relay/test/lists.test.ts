// The list of clients after a write, as the store holds it.
import { ConnectionHandler, type Environment, fetchQuery, getSingularSelector, ROOT_ID } from 'relay-runtime';
import { addToLists, connect, write } from 'trivium-kits/relay';
import { assert, beforeEach, expect, inject, test } from 'vitest';
import createClientNode, { type createClientMutation } from '../src/__generated__/createClientMutation.graphql.ts';
import listFragment, { type clientList_query$data } from '../src/__generated__/clientList_query.graphql.ts';
import listQuery, { type clientListQuery } from '../src/__generated__/clientListQuery.graphql.ts';
import { createClient, deleteClient } from '../src/writes.ts';

let environment: Environment;
let list: () => { names: (string | null | undefined)[]; total: number };

beforeEach(async () => {
  environment = connect({ url: inject('endpoint'), credentials: () => ({ token: 'demo-admin' }) });
  const query = await fetchQuery<clientListQuery>(environment, listQuery, {}).toPromise();
  const selector = getSingularSelector(listFragment, query);
  assert(selector);
  list = () => {
    const snapshot = environment.lookup(selector);
    assert(!snapshot.isMissingData); // or the list would be read again
    const { clients } = snapshot.data as clientList_query$data;
    assert(clients);
    return { names: clients.edges?.map((edge) => edge?.node?.name) ?? [], total: clients.totalCount };
  };
});

test('a new client comes first, and is counted', async () => {
  const { names, total } = list();
  expect(await createClient(environment, { name: 'Zelda Nova' })).toMatchObject({ outcome: 'APPLIED' });
  expect(list()).toEqual({ names: ['Zelda Nova', ...names], total: total + 1 });
});

test('a new client whose answer comes twice is one row', async () => {
  const { names, total } = list();
  for (const _click of [1, 2])
    await write<createClientMutation>(environment, {
      mutation: createClientNode,
      variables: { input: { name: 'Two Clicks' } },
      cacheConfig: { metadata: { idempotencyKey: 'of-the-form-with-two-clicks' } },
      updater: (store) =>
        addToLists(store, 'createClient', [ConnectionHandler.getConnectionID(ROOT_ID, 'clientList_clients')]),
    });
  expect(list()).toEqual({ names: ['Two Clicks', ...names], total: total + 1 });
});

test('a refused creation is no row', async () => {
  const before = list();
  expect(await createClient(environment, { name: '' })).toMatchObject({ outcome: 'REFUSED' });
  expect(list()).toEqual(before);
});

test('a deleted client leaves the list, and is counted no more', async () => {
  const before = list();
  const created = await createClient(environment, { name: 'Brief Visit' });
  assert(created.outcome === 'APPLIED' && created.record?.__typename === 'Client');
  expect(list().names[0]).toBe('Brief Visit');
  expect(await deleteClient(environment, created.record.id)).toMatchObject({ outcome: 'APPLIED' });
  expect(list()).toEqual(before);
});

test('a refused deletion leaves the list as it is', async () => {
  const before = list();
  expect(await deleteClient(environment, 'Client:999999')).toMatchObject({ outcome: 'REFUSED' });
  expect(list()).toEqual(before);
});
