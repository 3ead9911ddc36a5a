import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Running, startTrivium } from '../../trivium.ts';
import { composed } from '../src/gateway.ts';
import { sdlAt } from '../src/graph.ts';
import { type Service, startSubgraph } from '../src/subgraph.ts';
import { admin } from './support/ask.ts';
import { type RouterName, type Routers, routers, startRouters } from './support/routers.ts';

// A subgraph that has drifted: it answers null where its published schema has none. And it refers to clients that are gone.

const schema = (nonNull: '' | '!') => `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])

  type Query {
    stock: Int${nonNull}
    parts: [Part!]
    orders: [Order!]
    lost: Int
  }

  type Part @key(fields: "id") {
    id: ID!
    size: Int${nonNull}
  }

  type Order {
    client: Client
    payer: Client${nonNull}
  }

  type Client @key(fields: "upstreamId") {
    upstreamId: ID!
    score: Int${nonNull}
  }
`;

const client = (upstreamId: string) => ({ client: { upstreamId }, payer: { upstreamId } });
const GONE = '99999';

let trivium: Running;
let drifted: Service;
let behind: Routers;

beforeAll(async () => {
  trivium = await startTrivium(['serve', '--subgraph']);
  const resolvers = {
    Query: {
      stock: () => null,
      lost: () => {
        throw new GraphQLError('The count is lost.', { extensions: { code: 'RECORD_GONE' } });
      },
      parts: () => [
        { id: 'P-1', size: 3 },
        { id: 'P-2', size: null },
      ],
      orders: () => [client('1'), client(GONE), client('2'), client(GONE)],
    },
    Client: { score: ({ upstreamId }: { upstreamId: string }) => (upstreamId === '2' ? null : 7) },
  };
  const served = await startSubgraph('orders', resolvers, schema(''));
  drifted = served;
  const subgraphs = [
    { ...trivium, name: 'trivium', sdl: await sdlAt(trivium.url) },
    { ...served, sdl: schema('!') },
  ];
  behind = await startRouters({ supergraph: composed(subgraphs) });
});
afterAll(async () => {
  await behind.close();
  await drifted.close();
  await trivium.close();
});

const problem = z.object({ path: z.array(z.union([z.string(), z.int()])) });
const answer = z.object({
  data: z.unknown(),
  errors: z.array(problem).default([]),
  extensions: z.object({ valueCompletion: z.array(problem).default([]) }).default({ valueCompletion: [] }),
});

/** The data, the paths of the errors, and those that @apollo/gateway notes beside them. */
async function asked(router: RouterName, query: string) {
  const headers = { 'content-type': 'application/json', ...admin };
  const response = await fetch(behind.url[router], { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors, extensions } = answer.parse(await response.json());
  const paths = (problems: readonly z.output<typeof problem>[]) => problems.map(({ path }) => path.join('.'));
  return { data, errors: paths(errors), noted: paths(extensions.valueCompletion) };
}

const drifts = [
  { where: 'at the root', query: '{ stock }', path: 'stock', data: null },
  { where: 'in a list', query: '{ parts { id size } }', path: 'parts.1.size', data: { parts: null } },
  {
    where: 'below a record of trivium',
    query: '{ clients(first: 3) { nodes { id score } } }',
    path: 'clients.nodes.1.score',
    data: { clients: { nodes: [{ id: 'Client:1', score: 7 }, null, { id: 'Client:3', score: 7 }] } },
  },
  {
    where: 'below a reference, beside some that are gone',
    query: '{ orders { client { id score } } }',
    path: 'orders.2.client.score',
    data: { orders: [{ client: { id: 'Client:1', score: 7 } }, { client: null }, { client: null }, { client: null }] },
  },
];

describe('a null of another subgraph where its schema has none', () => {
  test.each(drifts)('$where is an error at its path with Hive Gateway', async ({ query, path, data }) => {
    expect(await asked('Hive Gateway', query)).toEqual({ data, errors: [path], noted: [] });
  });

  test.each(drifts)('$where is noted at its path by @apollo/gateway', async ({ query, path, data }) => {
    const result = await asked('@apollo/gateway', query);
    expect(result).toEqual({ data, errors: [], noted: expect.arrayContaining([path]) });
  });

  test('is passed on by Router Runtime without an error: the example does not recommend it', async () => {
    expect(await asked('Router Runtime', '{ stock parts { size } }')).toEqual({
      data: { stock: null, parts: [{ size: 3 }, { size: null }] },
      errors: [],
      noted: [],
    });
  });
});

describe.each(routers)('%s', (router) => {
  test('a reference to a record that is gone is null without an error, wherever it stands', async () => {
    const { data, errors } = await asked(router, '{ orders { client { id } } }');
    const gone = { client: null };
    expect(data).toEqual({ orders: [{ client: { id: 'Client:1' } }, gone, { client: { id: 'Client:2' } }, gone] });
    expect(errors).toEqual([]);
  });

  test('without a field that is never null the reference has what the other subgraph knows', async () => {
    const { data, errors } = await asked(router, '{ orders { client { upstreamId name } } }');
    const known = (upstreamId: string) => ({ client: { upstreamId, name: expect.any(String) } });
    const gone = { client: { upstreamId: GONE, name: null } };
    expect(data).toEqual({ orders: [known('1'), gone, known('2'), gone] });
    expect(errors).toEqual([]);
  });
});

test('an error of another subgraph that speaks of a gone record stays with Hive Gateway', async () => {
  expect(await asked('Hive Gateway', '{ lost }')).toEqual({ data: { lost: null }, errors: ['lost'], noted: [] });
});

test('a reference that is never null takes what is above it along, with an error', async () => {
  const result = await asked('Hive Gateway', '{ orders { payer { id } } }');
  expect(result).toEqual({ data: { orders: null }, errors: ['orders.1.payer.id'], noted: [] });
});
