import {
  type ConcreteRequest,
  type Environment,
  fetchQuery,
  getSingularSelector,
  type OperationType,
  type ReaderFragment,
} from 'relay-runtime';
import { outcomeOf } from 'trivium-kits/outcome';
import { connect, write } from 'trivium-kits/relay';
import { assert, beforeAll, expect, inject, test } from 'vitest';
import listFragment, { type clientList_query$key } from '../src/__generated__/clientList_query.graphql.ts';
import listPageQuery, { type clientListPageQuery } from '../src/__generated__/clientListPageQuery.graphql.ts';
import listQuery, { type clientListQuery } from '../src/__generated__/clientListQuery.graphql.ts';
import cardFragment, { type clientPage_card$key } from '../src/__generated__/clientPage_card.graphql.ts';
import cardQuery, { type clientPageCardQuery } from '../src/__generated__/clientPageCardQuery.graphql.ts';
import dealsFragment, { type clientPage_deals$key } from '../src/__generated__/clientPage_deals.graphql.ts';
import dealsQuery, { type clientPageDealsQuery } from '../src/__generated__/clientPageDealsQuery.graphql.ts';
import pageQuery, { type clientPageQuery } from '../src/__generated__/clientPageQuery.graphql.ts';
import createClient, { type createClientMutation } from '../src/__generated__/createClientMutation.graphql.ts';
import searchFragment, { type flexDb_search$key } from '../src/__generated__/flexDb_search.graphql.ts';
import dbQuery, { type flexDbQuery } from '../src/__generated__/flexDbQuery.graphql.ts';
import searchQuery, { type flexDbSearchQuery } from '../src/__generated__/flexDbSearchQuery.graphql.ts';

let environment: Environment;

const endpoint = inject('endpoint');

beforeAll(() => {
  environment = connect({ url: endpoint, credentials: () => ({ token: 'demo-admin' }) });
});

async function run<T extends OperationType>(query: ConcreteRequest, variables: T['variables']): Promise<T['response']> {
  const data = await fetchQuery<T>(environment, query, variables).toPromise();
  assert(data);
  return data;
}

/** What a component with this fragment reads from the store. */
function read<TKey extends { readonly ' $data'?: unknown }>(fragment: ReaderFragment, key: TKey | null | undefined) {
  const { data } = environment.lookup(getSingularSelector(fragment, key));
  assert(data);
  return data as NonNullable<TKey[' $data']>;
}

const create = async (input: createClientMutation['variables']['input']) =>
  outcomeOf(await write<createClientMutation>(environment, { mutation: createClient, variables: { input } }));

async function createdClient(input: createClientMutation['variables']['input']) {
  const outcome = await create(input);
  assert(outcome.outcome === 'APPLIED' && outcome.record?.__typename === 'Client');
  return outcome.record;
}

/** Creates a deal behind the store's back. */
async function createDealOf(clientId: string, externalIds: readonly object[]): Promise<void> {
  const query = 'mutation ($input: DealInput!) { createDeal(input: $input) { __typename } }';
  const body = JSON.stringify({ query, variables: { input: { name: 'Lathe', clientId, externalIds } } });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-admin' };
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  expect(await response.json()).toEqual({ data: { createDeal: { __typename: 'Deal' } } });
}

test.each([cardQuery, dealsQuery, searchQuery])('$params.name reads its record anew by node(id:)', ({ params }) => {
  expect(params.text).toMatch(/^ {2}node\(id: \$id\) \{$/m);
});

test('the deals of a client go on with the next page', async () => {
  const id = 'Client:1';
  const { node } = await run<clientPageQuery>(pageQuery, { id });
  const deals = () => read<clientPage_deals$key>(dealsFragment, node?.deals).deals;
  const whole = deals()?.edges;
  expect(whole).toHaveLength(2);

  await run<clientPageDealsQuery>(dealsQuery, { id, first: 1 });
  expect(deals()?.edges).toEqual(whole?.slice(0, 1));
  await run<clientPageDealsQuery>(dealsQuery, { id, first: 1, after: deals()?.pageInfo.endCursor });
  expect(deals()?.edges).toEqual(whole);
});

test('a search in a flexible database goes on with the next page', async () => {
  const { flexDb } = await run<flexDbQuery>(dbQuery, { id: 'products', query: 'oak' });
  assert(flexDb);
  const found = () => read<flexDb_search$key>(searchFragment, flexDb).search;
  expect(found().edges).toHaveLength(10);

  const after = found().pageInfo.endCursor;
  await run<flexDbSearchQuery>(searchQuery, { id: flexDb.id, query: 'oak', first: 10, after });
  expect(new Set(found().edges.map(({ node }) => node.id)).size).toBe(20);
});

test('the table of clients goes on with the next page', async () => {
  const filter = { kinds: ['BUYER'] } as const;
  const data = await run<clientListQuery>(listQuery, { filter });
  const clients = () => read<clientList_query$key>(listFragment, data).clients;
  await run<clientListPageQuery>(listPageQuery, { filter, first: 20, after: clients()?.pageInfo.endCursor });
  expect(new Set(clients()?.edges?.map((edge) => edge?.node?.id)).size).toBe(40);
});

test('the card of a client is read anew', async () => {
  const client = await createdClient({ name: 'Joinery', discount: '2.50' });
  const { node } = await run<clientPageCardQuery>(cardQuery, { id: client.id });
  expect(read<clientPage_card$key>(cardFragment, node)).toMatchObject({ name: 'Joinery', discount: '2.50' });
});

test('external ids of two systems with one value are two in the store', async () => {
  const client = await createdClient({ name: 'Turnery' });
  const externalIds = [
    { system: 'shop', value: '7' },
    { system: 'ledger', value: '7' },
  ];
  for (const own of externalIds) await createDealOf(client.id, [own]);
  await createDealOf(client.id, externalIds);

  const { node } = await run<clientPageQuery>(pageQuery, { id: client.id });
  const { deals } = read<clientPage_deals$key>(dealsFragment, node?.deals);
  const byDeal = deals?.edges?.map((edge) => edge?.node?.externalIds);
  expect(byDeal).toHaveLength(3);
  expect(byDeal).toEqual(expect.arrayContaining([[externalIds[0]], [externalIds[1]], externalIds]));
});

test('a refusal has messages for the fields to mark', async () => {
  const outcome = await create({ name: 'Ada', email: 'nobody' });
  assert(outcome.outcome === 'REFUSED');
  expect([...outcome.fields.keys()]).toEqual(['email']);
  expect(outcome.message).not.toBe('');
});
