import { gql } from '@apollo/client';
import { readFileSync } from 'node:fs';
import { connect } from 'trivium-kits/apollo';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type CuttingProxy, startCuttingProxy } from '../../cutting-proxy.ts';
import { forwarded } from '../routers/hive/gateway.config.ts';
import { startSubgraphs, type Subgraphs } from '../src/graph.ts';
import { admin, type Ask, codes } from './support/ask.ts';
import { type Routers, routers, startRouters } from './support/routers.ts';
import { received } from './support/watch.ts';

let graph: Subgraphs;
let behind: Routers;
/** Between the routers and trivium. */
let toTrivium: CuttingProxy;

beforeAll(async () => {
  graph = await startSubgraphs();
  toTrivium = await startCuttingProxy(graph.trivium.url);
  behind = await startRouters({ supergraph: graph.supergraph.replace(graph.trivium.url, toTrivium.url) });
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
    const [atBilling, atReviews, atNodes] = [received(graph.billing), received(graph.reviews), received(graph.nodes)];
    const before = toTrivium.requests.length;
    const query = '{ invoices(first: 1) { client { name } } topReviews { record { table averageRating } } }';
    expect((await ask(query, sent)).errors).toEqual([]);
    await ask('mutation { payInvoice(id: "I-1001") { client { name } } }', sent);
    await ask('{ node(id: "Client:1") { id ... on Client { name } } }', sent);

    const atTrivium = toTrivium.requests.slice(before);
    expect(atTrivium.length).toBeGreaterThan(1);
    for (const headers of atTrivium) expect(Object.fromEntries(headers)).toMatchObject(sent);
    expect(Math.min(atBilling.length, atReviews.length, atNodes.length)).toBeGreaterThan(0);
    for (const headers of [...atBilling, ...atReviews, ...atNodes]) {
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

describe.each(routers)('%s, and credentials', (router) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  const TOKENS = '{ apiTokens(scope: ACCOUNT) { name } invoices(first: 1) { id } }';
  const invoices = [{ id: 'I-1000' }];

  test('trivium knows the caller by the Authorization header of the request', async () => {
    const allowed = await ask(TOKENS);
    expect(allowed).toMatchObject({ data: { apiTokens: [{ name: 'Web shop' }], invoices }, errors: [] });

    const member = await ask(TOKENS, { authorization: 'Bearer demo-member' });
    expect(member.data).toEqual({ apiTokens: null, invoices });
    expect(codes(member)).toEqual([['FORBIDDEN', 'apiTokens']]);
  });

  test('callers at the same time are not taken for each other', async () => {
    const callers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'demo-admin' : 'demo-member'));
    const results = await Promise.all(callers.map((token) => ask(TOKENS, { authorization: `Bearer ${token}` })));
    expect(results.map(({ errors }) => errors.length)).toEqual(
      callers.map((token) => (token === 'demo-admin' ? 0 : 1)),
    );
  });

  test('without a credential the fields of trivium are UNAUTHENTICATED, and billing answers', async () => {
    const nobody = await ask('{ forumMe { name } invoices(first: 2) { id client { name balance } } }', {});
    expect(nobody.data).toEqual({
      forumMe: null,
      invoices: [
        { id: 'I-1000', client: { name: null, balance: 155_750 } },
        { id: 'I-1001', client: { name: null, balance: expect.any(Number) } },
      ],
    });
    expect(codes(nobody)).toEqual([
      ['UNAUTHENTICATED', 'forumMe'],
      ['UNAUTHENTICATED', expect.stringMatching(/^invoices\.0\.client/)],
      ['UNAUTHENTICATED', expect.stringMatching(/^invoices\.1\.client/)],
    ]);
  });

  test('a record that cannot be read is null for one reason, also where a field of it is never null', async () => {
    const nobody = await ask('{ invoices(first: 1) { client { id name } } }', {});
    expect(nobody.data).toEqual({ invoices: [{ client: null }] });
    expect(codes(nobody)).toEqual([['UNAUTHENTICATED', expect.stringMatching(/^invoices\.0\.client/)]]);
  });

  test('X-CRM-Token and X-Forum-Authorization are forwarded, each to its own API', async () => {
    const query = '{ dashboards { name } clients(first: 1) { nodes { id } } forumMe { name } }';
    const known = await ask(query, { ...admin, 'x-crm-token': 'demo-editor' });
    expect(known).toMatchObject({ data: { clients: { nodes: [{ id: 'Client:1' }] } }, errors: [] });

    const refused = await ask(query, { ...admin, 'x-crm-token': 'unknown' });
    expect(refused.data).toMatchObject({ clients: null, forumMe: expect.anything(), dashboards: expect.anything() });
    expect(codes(refused)).toEqual([['UNAUTHENTICATED', 'clients']]);

    const stranger = await ask(query, { ...admin, 'x-forum-authorization': `Basic ${btoa('demo:wrong')}` });
    expect(stranger.data).toMatchObject({ clients: expect.anything(), forumMe: null });
    expect(codes(stranger)).toEqual([['UNAUTHENTICATED', 'forumMe']]);
  });

  test('no credential of trivium reaches billing or reviews, and no cookie', async () => {
    const [atBilling, atReviews, atNodes] = [received(graph.billing), received(graph.reviews), received(graph.nodes)];
    const canaries = {
      authorization: 'Bearer canary-1',
      'x-crm-token': 'canary-2',
      'x-forum-authorization': `Basic ${btoa('canary:3')}`,
      cookie: 'flex_key=canary-4',
    };
    await ask(
      '{ invoices(first: 1) { client { name balance } } topReviews { record { table averageRating } } }',
      canaries,
    );
    await ask('{ clients { nodes { balance } } }', { ...canaries, authorization: 'Bearer demo-admin' });

    expect(atBilling.length).toBeGreaterThan(0);
    expect(atReviews.length).toBeGreaterThan(0);
    const names = [...atBilling, ...atReviews, ...atNodes].flatMap((headers) => Object.keys(headers));
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/authorization|token|cookie/)]));
    expect(JSON.stringify([atBilling, atReviews])).not.toMatch(/canary|demo-admin|Y2FuYXJ5/);
  });
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
