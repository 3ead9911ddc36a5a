import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startSubgraphs, type Subgraphs } from '../src/graph.ts';
import { admin, type Ask } from './support/ask.ts';
import { compiled } from './support/relay.ts';
import { callCounter } from './support/watch.ts';
import { type Routers, routers, startRouters } from './support/routers.ts';

let graph: Subgraphs;
let behind: Routers;
let counted: ReturnType<typeof callCounter>;

beforeAll(async () => {
  // Measured times would decide between one list call and reads by id, and here they are those of a busy machine.
  graph = await startSubgraphs({ LOG_LEVEL: 'info', BATCH_READS: 'list' });
  behind = await startRouters(graph);
  counted = callCounter(graph.trivium);
});
afterAll(async () => {
  await behind.close();
  await graph.close();
});

describe.each(routers)('%s', (router) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  test('clients of trivium have the invoices of billing', async () => {
    const { data, errors } = await ask('{ clients(first: 2) { nodes { id name balance invoices { id amount } } } }');
    expect(errors).toEqual([]);
    expect(data).toEqual({
      clients: {
        nodes: [
          {
            id: 'Client:1',
            name: expect.any(String),
            balance: 155_750,
            invoices: [
              { id: 'I-1000', amount: 4_900 },
              { id: 'I-1050', amount: 150_850 },
            ],
          },
          { id: 'Client:2', name: expect.any(String), balance: expect.any(Number), invoices: expect.any(Array) },
        ],
      },
    });
  });

  test('fifty invoices of billing have their clients, by upstreamId, for one call upstream', async () => {
    const { result, ...calls } = await counted(() =>
      ask('query Dunning { invoices(first: 50) { id client { id upstreamId name } } }'),
    );
    const { data, errors } = result;
    expect(errors).toEqual([]);
    const invoices = Array.from({ length: 50 }, (_, index) => ({
      id: `I-${1000 + index}`,
      client: { id: `Client:${index + 1}`, upstreamId: String(index + 1), name: expect.any(String) },
    }));
    expect(data).toEqual({ invoices });
    expect(calls).toEqual({ requests: 1, upstreamCalls: 1 });
  });

  test('records of trivium have the reviews of reviews', async () => {
    const { data, errors } = await ask(`{
    flexDb(id: "products") { search(first: 1) { nodes { id averageRating reviews { stars text } } } }
  }`);
    expect(errors).toEqual([]);
    const reviews = [
      { stars: 5, text: 'Solid, and well packed.' },
      { stars: 3, text: 'Came early, looks great.' },
    ];
    const node = { id: expect.stringMatching(/^FlexRecord:/), averageRating: 4, reviews };
    expect(data).toEqual({ flexDb: { search: { nodes: [node] } } });
  });

  test('reviews have their records, by the global id, for one call upstream', async () => {
    const { result, ...calls } = await counted(() =>
      ask('query Praise { topReviews { stars record { id data(fields: ["name"]) averageRating } } }'),
    );
    const { data, errors } = result;
    expect(errors).toEqual([]);
    const record = {
      id: expect.stringMatching(/^FlexRecord:/),
      data: { name: expect.any(String) },
      averageRating: expect.any(Number),
    };
    expect(data).toEqual({ topReviews: Array.from({ length: 5 }, () => ({ stars: expect.any(Number), record })) });
    expect(calls).toEqual({ requests: 1, upstreamCalls: 1 });
  });

  test('an operation over all three subgraphs and all APIs of trivium', async () => {
    const { data, errors } = await ask(`{
    invoices(first: 1) { id client { name deals(first: 1) { totalCount } balance } }
    topReviews(first: 1) { stars record { data(fields: ["name"]) db { name } averageRating } }
    dashboards { name }
    forumPosts { nodes { title } }
  }`);
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      invoices: [{ client: { name: expect.any(String), deals: { totalCount: expect.any(Number) }, balance: 155_750 } }],
      topReviews: [{ stars: 5, record: { db: { name: 'Products' }, averageRating: expect.any(Number) } }],
      dashboards: expect.arrayContaining([{ name: 'Company overview' }]),
      forumPosts: { nodes: expect.arrayContaining([{ title: expect.any(String) }]) },
    });
  });

  test('a mutation answers its record, which other subgraphs extend at once', async () => {
    const { data, errors } = await ask(`mutation {
    createClient(input: { name: "Biblioteka Portowa" }) {
      __typename
      ... on Client { id name balance invoices { id } }
      ... on MutationError { message }
    }
  }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      createClient: {
        __typename: 'Client',
        id: expect.stringMatching(/^Client:\d+$/),
        name: 'Biblioteka Portowa',
        balance: 0,
        invoices: [],
      },
    });
  });

  test('a mutation of billing reaches billing alone, and its record has the fields of trivium', async () => {
    const before = graph.billing.payments.length;
    const { data, errors } = await ask('mutation { payInvoice(id: "I-1003") { paid client { name } } }');
    expect(errors).toEqual([]);
    expect(data).toEqual({ payInvoice: { paid: expect.any(Number), client: { name: expect.any(String) } } });
    expect(graph.billing.payments.slice(before)).toEqual(['I-1003']);
  });

  test('a mutation that is refused answers the refusal of its union', async () => {
    const { data, errors } = await ask(`mutation {
    createClient(input: { name: "" }) {
      __typename
      ... on Client { id }
      ... on ValidationError { fields { field messages } }
    }
  }`);
    expect(errors).toEqual([]);
    const fields = [{ field: 'name', messages: [expect.any(String)] }];
    expect(data).toEqual({ createClient: { __typename: 'ValidationError', fields } });
  });

  test('an input of exactly one field is refused with two, by the router or by trivium', async () => {
    const { errors } = await ask(`{
      flexDb(id: "products") {
        search(filter: [{ field: "category", is: { equals: "Kitchen", matches: "K*" } }]) { nodes { id } }
      }
    }`);
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });
});

const page = readFileSync(new URL('../../../docs/federation.md', import.meta.url), 'utf8');

/** The table of calls in docs/federation.md: an operation, the requests to trivium, and its calls upstream. */
const measured = [...page.matchAll(/^\| `([^`]+)` +\| (\d+) +\| (\d+) +\|$/gm)].map(
  ([, operation = '', requests, upstreamCalls]) => ({
    operation,
    calls: { requests: Number(requests), upstreamCalls: Number(upstreamCalls) },
  }),
);

describe.each(routers)('%s, by the table of calls in docs/federation.md', (router) => {
  test.each(measured)('$operation', async ({ operation, calls }) => {
    const { result, ...counts } = await counted(() => behind.ask[router](operation));
    expect(result.errors).toEqual([]);
    expect(counts).toEqual(calls);
  });
});

test('docs/federation.md has a table of calls', () => {
  expect(measured.length).toBeGreaterThan(5);
});

const source = `
  import { graphql } from 'react-relay';
  graphql\`fragment Balance_client on Client @refetchable(queryName: "BalanceRefetchQuery") { name balance }\`;
  graphql\`query BalanceQuery { clients(first: 1) { nodes { ...Balance_client } } }\`;
`;

test("Relay's compiler makes a query of node for a fragment with @refetchable, which each router answers", async () => {
  const operations = await compiled(graph, source);
  expect([...operations.keys()].sort()).toEqual(['BalanceQuery', 'BalanceRefetchQuery']);
  const query = operations.get('BalanceRefetchQuery') ?? '';
  expect(query).toContain('node(id: $id)');
  const node = { __typename: 'Client', id: 'Client:1', name: expect.any(String), balance: 155_750 };
  for (const router of routers) {
    const text = query.replace(/\(\s*\$id: ID!\s*\)/, '').replace('$id', '"Client:1"');
    expect(await behind.ask[router](text)).toEqual({ data: { node }, errors: [] });
  }
});

describe.each(routers)('%s', (router) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  test('node and nodes have the fields of each subgraph', async () => {
    const { data, errors } = await ask(`{
      node(id: "Deal:1") { __typename id ... on Deal { name client { name balance } } }
      nodes(ids: ["Client:2", "Dashboard:1", "Parcel:1"]) { id ... on Client { balance } ... on Dashboard { name } }
    }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      node: {
        __typename: 'Deal',
        id: 'Deal:1',
        name: expect.any(String),
        client: { name: expect.any(String), balance: expect.any(Number) },
      },
      nodes: [{ id: 'Client:2', balance: expect.any(Number) }, { id: 'Dashboard:1', name: expect.any(String) }, null],
    });
  });

  test('of a record that is gone the id is left, and the other fields are null without an error', async () => {
    const { data, errors } = await ask('{ node(id: "Client:99999") { id ... on Client { name } } }');
    expect({ data, errors }).toEqual({ data: { node: { id: 'Client:99999', name: null } }, errors: [] });
  });
});

describe.each(routers.map((router, index) => ({ router, index })))('$router, and what is gone', ({ router, index }) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  test('of a client that the CRM does not know any more only billing answers', async () => {
    const upstreamId = String(7 + index);
    const id = `I-${1006 + index}`;
    await ask(`mutation { deleteClient(id: "Client:${upstreamId}") { __typename } }`);
    const { data, errors } = await ask('{ invoices(first: 20) { id client { upstreamId name balance } } }');
    expect(errors).toEqual([]);
    const gone = { upstreamId, name: null, balance: expect.any(Number) };
    expect(data).toMatchObject({ invoices: expect.arrayContaining([{ id, client: gone }]) });

    // Its id is never null, so that it is itself, and that is no error.
    const withId = await ask('{ invoices(first: 60) { id client { id } } }');
    expect(withId.data).toMatchObject({
      invoices: expect.arrayContaining([
        { id, client: null },
        { id: 'I-1012', client: { id: 'Client:13' } },
        { id: `I-${1056 + index}`, client: null },
      ]),
    });
    expect(withId.errors).toEqual([]);
  });

  test('a reference by the global id of a record that is gone has this id alone, without an error', async () => {
    const QUERY = '{ topReviews(first: 1) { record { id table } } }';
    const review = z.object({ topReviews: z.tuple([z.object({ record: z.object({ id: z.string() }) })]) });
    const [{ record }] = review.parse((await ask(QUERY)).data).topReviews;
    await ask(`mutation { deleteFlexRecord(id: "${record.id}") { __typename } }`);
    expect(await ask(QUERY)).toEqual({
      data: { topReviews: [{ record: { id: record.id, table: null } }] },
      errors: [],
    });
  });
});

describe('what is lost on the way', () => {
  const posted = async (url: string, query: string, key: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...admin };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return response.text();
  };

  test.each(routers)('%s: the extensions of an answer, and not those of an error', async (router) => {
    const creation = 'mutation { createClient(input: { name: "Lost" }) { __typename } }';
    const key = router.replace(' ', '-');
    expect(await posted(graph.trivium.url, creation, `direct-${key}`)).toContain('"idempotency":{');
    const answer = await posted(behind.url[router], creation, `routed-${key}`);
    expect(answer).toContain('"__typename":"Client"');
    expect(answer).not.toContain('idempotency');
    const { errors } = await behind.ask[router]('{ forumMe { name } }', {});
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', serviceName: 'trivium' } }]);
  });

  test.each(routers)('%s: @defer, which it refuses as it is configured', async (router) => {
    const { errors } = await behind.ask[router]('{ invoices(first: 1) { id ... @defer { client { name } } } }');
    expect(errors).toMatchObject([{ message: expect.stringContaining('@defer') }]);
  });
});
