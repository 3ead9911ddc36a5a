// After a write of which nobody knows what it has changed, the cache shows nothing of before, and nothing of an optimistic answer.
import { type ApolloClient, gql, type TypedDocumentNode } from '@apollo/client';
import { connect } from 'trivium-kits/apollo';
import { type Sandbox, startSandbox } from 'trivium-kits/testing';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startCuttingProxy } from '../../cutting-proxy.ts';

let gateway: Sandbox;
beforeAll(async () => {
  gateway = await startSandbox({ main: '../../dist/main.js' });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.seed({ users: [{ name: 'Nora', token: 'demo-admin' }], clients: [{ id: 1, name: 'Ada' }] }));

interface Named {
  readonly client: { readonly name: string };
}

const named: TypedDocumentNode<Named> = gql('query Named { client(id: "1") { id name } }');
const count = gql('query Count { clients(first: 0) { totalCount } }');
const rename: TypedDocumentNode<{ updateClient: { __typename: 'Client'; id: string; name: string } | null }> = gql`
  mutation Rename($name: String!) {
    updateClient(id: "1", input: { name: $name }) {
      ... on Client {
        id
        name
      }
    }
  }
`;
const optimisticResponse = { updateClient: { __typename: 'Client' as const, id: 'Client:1', name: 'Guessed' } };

/** A client that has read both queries, and shows the first one. */
async function reading(url = gateway.endpoint) {
  const client = connect({ url, credentials: () => ({ token: 'demo-admin' }), attempts: 1 });
  onTestFinished(() => client.stop());
  await client.query({ query: count });
  const shown: (string | undefined)[] = [];
  const subscription = client
    .watchQuery({ query: named, fetchPolicy: 'cache-first' })
    .subscribe(({ data }) => void (shown.at(-1) !== data?.client?.name && shown.push(data?.client?.name)));
  onTestFinished(() => subscription.unsubscribe());
  await expect.poll(() => shown.at(-1)).toBe('Ada');
  return { client, shown };
}

const read = (client: ApolloClient) => [client.readQuery({ query: named }), client.readQuery({ query: count })];

test('an unknown outcome', async () => {
  const { client, shown } = await reading();
  await gateway.fault({ endpoint: 'PUT /app/clients/:id.json', applyThenCut: 'before-status', times: 1 });
  await gateway.fault({ endpoint: 'GET /app/clients/:id.json', status: 500, times: 1 });
  const { error } = await client.mutate({ mutation: rename, variables: { name: 'Bob' }, optimisticResponse });
  expect(error).toBeDefined();
  expect(read(client)).toEqual([null, null]);
  await expect.poll(() => shown.at(-1)).toBe('Bob');
  expect(shown.slice(shown.indexOf('Guessed') + 1)).not.toContain('Guessed');
});

test('a lost answer', async () => {
  const proxy = await startCuttingProxy(gateway.endpoint);
  onTestFinished(() => proxy.close());
  const { client, shown } = await reading(proxy.url);
  proxy.cutNext('before-status');
  await client.mutate({ mutation: rename, variables: { name: 'Bob' }, optimisticResponse });
  expect(read(client)).toEqual([null, null]);
  await expect.poll(() => shown.at(-1)).toBe('Bob');
});

test('a refusal changes nothing', async () => {
  const { client } = await reading();
  const before = read(client);
  await client.mutate({ mutation: rename, variables: { name: '' }, optimisticResponse });
  expect(before).not.toContain(null);
  expect(read(client)).toEqual(before);
});
