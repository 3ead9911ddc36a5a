// The kit for Apollo Client behind routers: what it sends again, and what its cache knows of another subgraph. docs/app.md
import { gql, type TypedDocumentNode } from '@apollo/client';
import { connect, createCache } from 'trivium-kits/apollo';
import { outcomeOf } from 'trivium-kits/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Cut, startCuttingProxy } from '../../cutting-proxy.ts';
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
  type Mutation { payInvoice(id: ID!): PayInvoiceResult settle(id: ID!): Boolean }
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
        settle: (_: unknown, { id }: { id: string }) => {
          payments.push(id);
          return null;
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

const sign = 'signed: createPublicFlexRecord(code: "guestbook", data: { message: $message }) { __typename }';
const signing = (rest: string): TypedDocumentNode<{ signed: Written | null }> =>
  gql(`mutation Sign($message: JSON!${rest && ', $id: ID!'}) { ${sign} ${rest} }`);

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

/** How many entries of the guest book have this message. */
async function entriesOf(message: string): Promise<number> {
  const body = JSON.stringify({ query: '{ flexDb(id: "guestbook") { records(first: 100) { nodes { data } } } }' });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-admin' };
  const response = await fetch(trivium.url, { method: 'POST', headers, body });
  return (await response.text()).split(JSON.stringify(message)).length - 1;
}

describe.each(routers)('behind %s', (router) => {
  /** A client whose first answers are cut between the router and the app. */
  async function behindRouter(...cuts: readonly Cut[]) {
    const proxy = await startCuttingProxy(running.url[router]);
    onTestFinished(() => proxy.close());
    proxy.cutNext(...cuts);
    const credentials = () => ({ token: 'demo-admin' });
    return { proxy, client: connect({ url: proxy.url, credentials, delayMs: 10 }) };
  }

  test('a write of trivium is sent again with its key, and made once', async () => {
    const { proxy, client } = await behindRouter('mid-body');
    const name = `Cut behind ${router}`;
    const result = await client.mutate({ mutation: createClient, variables: { name } });
    expect(outcomeOf(result)).toMatchObject({ outcome: 'APPLIED', record: { __typename: 'Client' } });
    expect(await countOf(name)).toBe(1);
    expect(proxy.keys).toEqual([expect.any(String), proxy.keys[0]]);
  });

  test('a mutation of another subgraph is sent once', async () => {
    const { proxy, client } = await behindRouter('mid-body');
    const result = await client.mutate({ mutation: payInvoice, variables: { id: '7' } });
    expect(outcomeOf(result).outcome).toBe('UNKNOWN');
    expect(payments).toEqual(['7']);
    expect(proxy.keys).toEqual([expect.any(String)]);
  });

  test('a write of trivium beside one of another subgraph is sent once, too', async () => {
    const { proxy, client } = await behindRouter('mid-body');
    const name = `Beside a payment, ${router}`;
    const result = await client.mutate({ mutation: both, variables: { name, id: '7' } });
    expect(outcomeOf(result, 'created').outcome).toBe('UNKNOWN');
    expect(await countOf(name)).toBe(1);
    expect(payments).toEqual(['7']);
    expect(proxy.keys).toHaveLength(1);
  });

  test('one that takes no key is sent a second time, without it', async () => {
    const { proxy, client } = await behindRouter();
    const message = `Signed behind ${router}`;
    const result = await client.mutate({ mutation: signing(''), variables: { message } });
    expect(outcomeOf(result)).toMatchObject({ outcome: 'APPLIED', record: { __typename: 'PublicFlexRecord' } });
    expect(await entriesOf(message)).toBe(1);
    expect(proxy.keys).toEqual([expect.any(String), undefined]);
  });

  test.each([
    ['with a result', pay],
    ['that answers null', 'settle(id: $id)'],
  ])(
    'one that takes no key is refused beside a mutation of another subgraph %s, which is made once',
    async (_case, other) => {
      const { proxy, client } = await behindRouter();
      const message = `Beside a payment, ${router}`;
      const result = await client.mutate({ mutation: signing(other), variables: { message, id: '7' } });
      expect(outcomeOf(result, 'signed').outcome).toBe('REFUSED');
      expect(payments).toEqual(['7']);
      expect(await entriesOf(message)).toBe(0);
      expect(proxy.keys).toHaveLength(1);
    },
  );

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
