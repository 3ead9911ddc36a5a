import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startSubgraphs, type Subgraphs } from '../src/graph.ts';
import { admin, codes, type Result } from './support/ask.ts';
import { type RouterName, type Routers, routers, startRouters } from './support/routers.ts';

// Routers send a mutation in parts, one for each run of fields of a subgraph, under the key of the whole.

let graph: Subgraphs;
let behind: Routers;

beforeAll(async () => {
  graph = await startSubgraphs();
  behind = await startRouters(graph);
});
afterAll(async () => {
  await behind.close();
  await graph.close();
});

const under = (router: RouterName, key: string, query: string): Promise<Result> =>
  behind.ask[router](query, { ...admin, 'idempotency-key': key.replaceAll(/\W/g, '-') });

const counted = z.object({
  clients: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  deals: z.object({ nodes: z.array(z.object({ name: z.string().nullable() })) }),
});

/** How many clients and deals have this name. */
async function countOf(name: string): Promise<[number, number]> {
  const query = '{ clients(first: 500) { nodes { name } } deals(first: 500) { nodes { name } } }';
  const { clients, deals } = counted.parse((await behind.ask['@apollo/gateway'](query)).data);
  const isNamed = (record: { name: string | null }) => record.name === name;
  return [clients.nodes.filter(isNamed).length, deals.nodes.filter(isNamed).length];
}

const order = (name: string) => `mutation {
  createClient(input: { name: "${name}" }) { __typename ... on Client { id } }
  payInvoice(id: "I-1003") { id }
  createDeal(input: { name: "${name}", price: 1.0 }) { __typename ... on Deal { id } }
}`;

describe.each(routers)('%s', (router) => {
  test('writes around one of another subgraph are made once under one key, and sent again, too', async () => {
    const name = `Order by ${router}`;
    const before = graph.billing.payments.length;
    const first = await under(router, name, order(name));
    expect(first.errors).toEqual([]);
    expect(first.data).toMatchObject({ createClient: { __typename: 'Client' }, createDeal: { __typename: 'Deal' } });
    expect(await under(router, name, order(name))).toEqual(first);
    expect(await countOf(name)).toEqual([1, 1]);
    expect(graph.billing.payments.slice(before)).toHaveLength(2); // billing knows no key
  });

  test('what one router has sent is known when another one sends it', async () => {
    const name = `Moved from ${router}`;
    const first = await under(router, name, order(name));
    for (const other of routers) expect(await under(other, name, order(name))).toEqual(first);
    expect(await countOf(name)).toEqual([1, 1]);
  });

  test('of two writes of one mutation in two parts the second is refused, and an equal one is a repetition', async () => {
    const [name, other] = [`Twice by ${router}`, `Other by ${router}`];
    const parts = (second: string) => `mutation {
      first: createClient(input: { name: "${name}" }) { ... on Client { id } }
      payInvoice(id: "I-1003") { id }
      second: createClient(input: { name: "${second}" }) { ... on Client { id } }
    }`;
    expect(codes(await under(router, name, parts(other)))).toEqual([['IDEMPOTENCY_KEY_REUSED', 'second']]);
    const { data, errors } = await under(router, name, parts(name));
    expect(errors).toEqual([]);
    const { first, second } = z.object({ first: z.unknown(), second: z.unknown() }).parse(data);
    expect(second).toEqual(first);
    expect([await countOf(name), await countOf(other)]).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });
});
