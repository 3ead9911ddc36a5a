// What graphcache is told of types that other subgraphs add behind a router.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createCache } from 'trivium-kits/graphcache';
import { connect } from 'trivium-kits/urql';
import { gql } from 'urql';
import { assert, expect, onTestFinished, test } from 'vitest';
import schema from '../src/generated/introspection';

/** The address of a router that gives this answer. */
async function routerThat(answers: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}

const possibleTypes = {
  MutationError: ['PaymentError', 'ConflictError'],
  Node: ['Invoice', 'Client'],
  Payable: ['Invoice'],
};
const at = (url: string) => connect({ url, credentials: () => ({}) }, createCache(schema, { possibleTypes }));

test('the message of an error of another subgraph is there', async () => {
  const payInvoice = { __typename: 'PaymentError', message: 'The invoice was cancelled.' };
  const pay = gql('mutation { payInvoice(id: 7) { __typename ... on MutationError { message } } }');
  const { data, error } = await at(await routerThat({ data: { payInvoice } })).mutation(pay, {});
  expect(error).toBeUndefined();
  expect(data).toEqual({ payInvoice });
});

test.each([
  { __typename: 'Invoice', id: 'Invoice:7' },
  { __typename: 'Client', id: 'Client:7' },
])('a record is known by its id: $id', async (node) => {
  const query = gql('query($id: ID!) { node(id: $id) { __typename ... on Node { id } } }');
  const client = at(await routerThat({ data: { node } }));
  expect((await client.query(query, { id: node.id })).data).toEqual({ node });
  const cached = await client.query(query, { id: node.id }, { requestPolicy: 'cache-only' });
  expect(cached.data).toEqual({ node });
});
