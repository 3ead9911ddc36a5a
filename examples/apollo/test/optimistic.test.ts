// An optimistic answer changes what is known in place. What its write may have changed besides is read again once the true one is there.
import { gql, type TypedDocumentNode } from '@apollo/client';
import { connect } from 'trivium-kits/apollo';
import { filterAgain } from 'trivium-kits/apollo-lists';
import { type Sandbox, startSandbox } from 'trivium-kits/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let gateway: Sandbox;
beforeAll(async () => {
  const clients = ['Ada', 'Bob'].map((name) => ({ name }));
  gateway = await startSandbox({
    main: '../../dist/main.js',
    seed: { users: [{ name: 'Nora', token: 'demo-admin' }], clients },
  });
});
afterAll(() => gateway.stop());

const byName: TypedDocumentNode<{
  readonly clients: { readonly edges: readonly { readonly node: { readonly name: string } }[] };
}> = gql('query ByName { clients(first: 2, orderBy: { field: NAME }) { edges { node { id name } } } }');
const rename = gql('mutation { updateClient(id: "Client:1", input: { name: "Zoë" }) { ... on Client { id name } } }');

test('a list that its write moves a row in', async () => {
  const client = connect({ url: gateway.endpoint, credentials: () => ({ token: 'demo-admin' }) });
  onTestFinished(() => client.stop());
  const shown: string[] = [];
  const subscription = client
    .watchQuery({ query: byName, fetchPolicy: 'cache-first' })
    .subscribe(({ data }) => void shown.push(data?.clients?.edges?.map((edge) => edge?.node?.name).join() ?? ''));
  onTestFinished(() => subscription.unsubscribe());
  await expect.poll(() => shown.at(-1)).toBe('Ada,Bob');

  const optimisticResponse = { updateClient: { __typename: 'Client', id: 'Client:1', name: 'Zoë' } };
  await client.mutate({ mutation: rename, update: filterAgain('clients'), optimisticResponse });
  await expect.poll(() => shown.at(-1)).toBe('Bob,Zoë');
  expect(shown).toContain('Zoë,Bob');
});
