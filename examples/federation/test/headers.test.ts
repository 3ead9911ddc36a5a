import { gql } from '@apollo/client';
import { readFileSync } from 'node:fs';
import { connect } from 'trivium-kits/apollo';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type CuttingProxy, startCuttingProxy } from '../../cutting-proxy.ts';
import { composed, forwarded } from '../src/gateway.ts';
import { startSubgraphs, type Subgraphs } from '../src/graph.ts';
import { admin, type Ask } from './support/ask.ts';
import { type Routers, routers, startRouters } from './support/routers.ts';
import { received } from './support/watch.ts';

let graph: Subgraphs;
let behind: Routers;
/** Between the routers and trivium. */
let toTrivium: CuttingProxy;

beforeAll(async () => {
  graph = await startSubgraphs();
  toTrivium = await startCuttingProxy(graph.trivium.url);
  const trivium = { ...graph.trivium, url: toTrivium.url };
  behind = await startRouters({ supergraph: composed([trivium, graph.billing, graph.reviews, graph.nodes]) });
});
afterAll(async () => {
  await behind.close();
  await toTrivium.close();
  await graph.close();
});

const createDocument =
  'mutation($name: String!) { createClient(input: { name: $name }) { __typename ... on Client { id name } } }';
const creation = (name: string) =>
  createDocument.replace('($name: String!)', '').replace('$name', JSON.stringify(name));

const named = z.object({ clients: z.object({ nodes: z.array(z.object({ name: z.string() })) }) });

/** How many clients have this name. */
async function countOf(ask: Ask, name: string): Promise<number> {
  const { clients } = named.parse((await ask('{ clients(first: 500) { nodes { name } } }')).data);
  return clients.nodes.filter((client) => client.name === name).length;
}

const sent: Readonly<Record<string, string>> = {
  ...admin,
  'x-crm-token': 'demo-admin',
  'idempotency-key': 'canary-key',
  'x-trivium-timeout-ms': '54321',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=canary',
  'apollographql-client-name': 'canary app',
  'apollographql-client-version': '7.6.5',
};

describe.each(routers)('%s', (router) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  test('the listed headers reach trivium as they are, and no other subgraph', async () => {
    expect(Object.keys(sent).sort()).toEqual([...forwarded].sort());
    const [atBilling, atReviews] = [received(graph.billing), received(graph.reviews)];
    const before = toTrivium.requests.length;
    const query = '{ invoices(first: 1) { client { name } } topReviews { record { table averageRating } } }';
    expect((await ask(query, sent)).errors).toEqual([]);
    await ask('mutation { payInvoice(id: "I-1001") { client { name } } }', sent);

    const atTrivium = toTrivium.requests.slice(before);
    expect(atTrivium.length).toBeGreaterThan(1);
    for (const headers of atTrivium) expect(Object.fromEntries(headers)).toMatchObject(sent);
    expect(Math.min(atBilling.length, atReviews.length)).toBeGreaterThan(0);
    for (const headers of [...atBilling, ...atReviews]) {
      expect(Object.keys(headers).filter((name) => forwarded.includes(name))).toEqual([]);
      expect(JSON.stringify(headers)).not.toMatch(/canary|demo-admin|0af76519/);
    }
  });

  test('the same key twice is one write; without a key it is two', async () => {
    const [keyed, keyless] = [`Twice by ${router}`, `Keyless by ${router}`];
    const headers = { ...admin, 'idempotency-key': `twice-${router.replace(' ', '-')}` };
    const first = await ask(creation(keyed), headers);
    expect(first.errors).toEqual([]);
    expect(await ask(creation(keyed), headers)).toEqual(first);
    for (const _time of [1, 2]) await ask(creation(keyless));
    expect([await countOf(ask, keyed), await countOf(ask, keyless)]).toEqual([1, 2]);
  });

  test('a write of another subgraph is made as often as it is sent: billing gets no key', async () => {
    const before = graph.billing.payments.length;
    const payment = 'mutation { payInvoice(id: "I-1002") { id } }';
    for (const _time of [1, 2]) expect((await ask(payment, sent)).errors).toEqual([]);
    expect(graph.billing.payments.slice(before)).toEqual(['I-1002', 'I-1002']);
  });

  test('the time that a caller gives is that of its requests to trivium', async () => {
    const refused = await ask('{ dashboards { name } }', { ...admin, 'x-trivium-timeout-ms': 'soon' });
    expect(refused.errors).toHaveLength(1);
  });

  /** The client of the kit, whose requests to the router go through a proxy. */
  async function app() {
    const proxy = await startCuttingProxy(behind.url[router]);
    onTestFinished(() => proxy.close());
    const client = connect({ url: proxy.url, credentials: () => ({ token: 'demo-admin' }), delayMs: 10 });
    const create = (name: string) => client.mutate({ mutation: gql(createDocument), variables: { name } });
    return { proxy, create };
  }

  test.each(['before-request', 'before-status', 'mid-body'] as const)(
    'a write of the kit whose answer the router sends is cut %s: it is sent again, and made once',
    async (cut) => {
      const { proxy, create } = await app();
      proxy.cutNext(cut);
      const name = `Cut ${cut} by ${router}`;
      const { data, error } = await create(name);
      expect(error).toBeUndefined();
      expect(data).toMatchObject({ createClient: { __typename: 'Client', name } });
      expect(await countOf(ask, name)).toBe(1);
      expect(new Set(proxy.keys).size).toBe(1);
      expect(proxy.keys).toHaveLength(2);
    },
  );

  test.each(['before-status', 'mid-body'] as const)(
    'a write whose answer from trivium is cut %s is an error; sent again under its key it is made once',
    async (cut) => {
      const name = `Cut ${cut} behind ${router}`;
      const headers = { ...admin, 'idempotency-key': `${cut}-${router.replace(' ', '-')}` };
      toTrivium.cutNext(cut);
      expect((await ask(creation(name), headers)).errors).toHaveLength(1);
      const { data, errors } = await ask(creation(name), headers);
      expect(errors).toEqual([]);
      expect(data).toMatchObject({ createClient: { __typename: 'Client', name } });
      expect(await countOf(ask, name)).toBe(1);
    },
  );
});

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the configurations of Apollo Router and of Cosmo forward the same headers, and docs/federation.md says what each is for', () => {
  for (const file of ['apollo/router.yaml', 'cosmo/config.yaml']) {
    const names = [...read(`../routers/${file}`).matchAll(/named: (\S+)/g)].map(([, name = '']) => name.toLowerCase());
    expect(names).toEqual(forwarded);
  }
  const [, table = ''] = /\n## Headers\n(.*?)\n## /s.exec(read('../../../docs/federation.md')) ?? [];
  const rows = [...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(
    ([, names = '']) => names.toLowerCase().match(/[\w-]+/g) ?? [],
  );
  expect(rows).toEqual(expect.arrayContaining([...forwarded]));
});
