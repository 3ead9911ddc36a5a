// The kit for Apollo Client behind routers: what it sends again, and what its cache knows of another subgraph. docs/app.md
import { gql, type TypedDocumentNode } from '@apollo/client';
import { connect, createCache } from 'trivium-kits/apollo';
import { outcomeOf } from 'trivium-kits/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startCuttingProxy } from '../../cutting-proxy.ts';
import { type Running, startTrivium } from '../../trivium.ts';
import { composed } from '../src/gateway.ts';
import { sdlAt } from '../src/graph.ts';
import { type Service, startSubgraph, type Subgraph } from '../src/subgraph.ts';
import { type Routers, routers, startRouters } from './support/routers.ts';

/** The invoices that were paid, one for each payment. */
const payments: string[] = [];

const paymentsSdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { payment(id: ID!): Invoice }
  type Mutation { payInvoice(id: ID!): PayInvoiceResult }
  union PayInvoiceResult = Invoice | PaymentError
  type Invoice @key(fields: "id") { id: ID! }
  interface MutationError { message: String! }
  type PaymentError implements MutationError { message: String! }
`;

const startPayments = () =>
  startSubgraph(
    'payments',
    {
      Mutation: {
        payInvoice: (_: unknown, { id }: { id: string }) => {
          if (id === 'unpayable') return { __typename: 'PaymentError', message: 'The invoice was cancelled.' };
          payments.push(id);
          return { __typename: 'Invoice', id };
        },
      },
    },
    paymentsSdl,
  );

const create =
  'createClient(input: { name: $name }) { __typename ... on Client { id } ... on MutationError { message } }';
const pay = 'payInvoice(id: $id) { __typename ... on Invoice { id } ... on MutationError { message } }';
interface Written {
  readonly __typename: string;
}

const createClient: TypedDocumentNode<{ createClient: Written | null }> = gql(
  `mutation Create($name: String!) { ${create} }`,
);
const payInvoice: TypedDocumentNode<{ payInvoice: Written | null }> = gql(`mutation Pay($id: ID!) { ${pay} }`);
const both: TypedDocumentNode<{ created: Written | null; paid: Written | null }> = gql(
  `mutation Both($name: String!, $id: ID!) { created: ${create} paid: ${pay} }`,
);

let trivium: Running;
let subgraph: Service & Subgraph;
let running: Routers;
beforeAll(async () => {
  trivium = await startTrivium(['serve', '--subgraph'], { LOG_LEVEL: 'error' });
  subgraph = await startPayments();
  const { url } = trivium;
  running = await startRouters({ supergraph: composed([{ name: 'trivium', url, sdl: await sdlAt(url) }, subgraph]) });
});
afterAll(async () => {
  await running.close();
  await subgraph.close();
  await trivium.close();
});
beforeEach(() => void payments.splice(0));

/** How many clients have this name. */
async function countOf(name: string): Promise<number> {
  const sandbox = /Sandbox +(http\S+)/.exec(trivium.banner)?.[1];
  const response = await fetch(new URL('/app/clients.json?api_token=demo-admin', sandbox));
  const clients: readonly { name: string }[] = await response.json();
  return clients.filter((client) => client.name === name).length;
}

describe.each(routers)('behind %s', (router) => {
  /** A client whose first answer is cut between the router and the app. */
  async function cutting() {
    const proxy = await startCuttingProxy(running.url[router]);
    onTestFinished(() => proxy.close());
    proxy.cutNext('mid-body');
    const credentials = () => ({ token: 'demo-admin' });
    return { proxy, client: connect({ url: proxy.url, credentials, delayMs: 10 }) };
  }

  test('a write of trivium is sent again with its key, and made once', async () => {
    const { proxy, client } = await cutting();
    const name = `Cut behind ${router}`;
    const result = await client.mutate({ mutation: createClient, variables: { name } });
    expect(outcomeOf(result)).toMatchObject({ outcome: 'APPLIED', record: { __typename: 'Client' } });
    expect(await countOf(name)).toBe(1);
    expect(proxy.keys).toEqual([expect.any(String), proxy.keys[0]]);
  });

  test('a mutation of another subgraph is sent once', async () => {
    const { proxy, client } = await cutting();
    const result = await client.mutate({ mutation: payInvoice, variables: { id: '7' } });
    expect(outcomeOf(result).outcome).toBe('UNKNOWN');
    expect(payments).toEqual(['7']);
    expect(proxy.keys).toEqual([expect.any(String)]);
  });

  test('a write of trivium beside one of another subgraph is sent once, too', async () => {
    const { proxy, client } = await cutting();
    const name = `Beside a payment, ${router}`;
    const result = await client.mutate({ mutation: both, variables: { name, id: '7' } });
    expect(outcomeOf(result, 'created').outcome).toBe('UNKNOWN');
    expect(await countOf(name)).toBe(1);
    expect(payments).toEqual(['7']);
    expect(proxy.keys).toHaveLength(1);
  });

  test('the message of an error of another subgraph is there, where the cache knows its type', async () => {
    const message = 'The invoice was cancelled.';
    const url = running.url[router];
    const credentials = () => ({ token: 'demo-admin' });
    const pay = { mutation: payInvoice, variables: { id: 'unpayable' } };
    const members = { MutationError: ['PaymentError'], PayInvoiceResult: ['Invoice', 'PaymentError'] };
    const client = connect({ url, credentials, keyedMutations: ['payInvoice'] }, createCache({}, members));
    const { data } = await client.mutate(pay);
    expect(data).toEqual({ payInvoice: { __typename: 'PaymentError', message } });
    const { data: without } = await connect({ url, credentials }).mutate(pay);
    expect(without).toEqual({ payInvoice: { __typename: 'PaymentError' } });
  });
});
