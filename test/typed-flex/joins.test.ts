import { validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema as base } from '../../src/apis/schema.ts';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { definitionIn } from './definitions.ts';
import { textFile } from './snapshot-files.ts';
import { mappedSnapshot, sharedTypedDatabase } from './support.ts';
import { CREATE, RECORDS, REFUSAL, SEARCH } from '../flex/support.ts';

const CLIENT = 'GET /app/clients/:id.json';
const CLIENTS = 'GET /app/clients.json';

const schema = {
  tables: {
    orders: { fields: { title: 'string', client_id: 'integer' }, indexed_fields: ['title', 'client_id'] },
    items: { fields: { name: 'string', order: 'string' }, indexed_fields: ['order'] },
    bids: { fields: { 'client[id]': 'integer', id: 'integer', sum: 'integer' } },
  },
};

const typedShop = sharedTypedDatabase(
  { code: 'shop', schema },
  {
    orders: { client_id: { name: 'client', references: 'Client', as: 'shopOrders' } },
    items: { order: { name: 'order', references: 'ShopOrder', as: 'items' } },
    bids: {
      'client[id]': { name: 'client', references: 'Client', as: 'bids' },
      id: { name: 'rival', references: 'Client', as: 'lostBids' },
    },
  },
);

type Shop = Awaited<ReturnType<typeof typedShop>>;

/** A shop with three clients, two orders of the first and one of the second, and items of the first order. */
async function openShop() {
  const over = await typedShop();
  const rows = await (made ??= makeRows(over));
  over.sandbox.forgetCalls();
  return { ...over, ...rows };
}

let made: ReturnType<typeof makeRows> | undefined;

async function makeRows({ execute, makeRecords }: Shop) {
  const clients: string[] = [];
  for (const name of ['Ada', 'Bob', 'Cy']) {
    const { data } = await execute(
      'mutation ($name: String!) { createClient(input: { name: $name }) { ... on Client { upstreamId } } }',
      { variables: { name } },
    );
    clients.push(Object(data).createClient.upstreamId);
  }
  const [ada, bob] = clients.map(Number);
  const orderIds = makeRecords(
    [
      { title: 'one', client_id: ada },
      { title: 'two', client_id: ada },
      { title: 'three', client_id: bob },
      { title: 'none', client_id: null },
      { title: 'gone', client_id: 999_999 },
    ],
    'orders',
  );
  const [order] = orderIds;
  makeRecords(
    [
      { name: 'leg', order },
      { name: 'top', order },
    ],
    'items',
  );
  return { clients, orderIds };
}

describe('a field that refers to a record', () => {
  test('is the record, and the records of a list are loaded together', async () => {
    const { ask, sandbox } = await openShop();

    const data = await ask('{ shop { orders(orderBy: { field: TITLE }) { nodes { title client { name } } } } }');
    expect(Object(data).shop.orders.nodes).toEqual([
      { title: 'gone', client: null },
      { title: 'none', client: null },
      { title: 'one', client: { name: 'Ada' } },
      { title: 'three', client: { name: 'Bob' } },
      { title: 'two', client: { name: 'Ada' } },
    ]);
    expect(sandbox.calls()[0]).toBe(SEARCH);
    expect(sandbox.requests[0]?.query).toMatchObject({ fields: 'title,client_id' });
    expect(new Set(sandbox.calls().slice(1))).toEqual(new Set([CLIENT]));
    expect(sandbox.calls()).toHaveLength(4);
  });

  test('of another table is read from one list of the database', async () => {
    const { ask, sandbox } = await openShop();

    const data = await ask('{ shop { items { nodes { name order { title client { name } } } } } }');
    expect(Object(data).shop.items.nodes.map(({ order }: { order: unknown }) => order)).toEqual([
      { title: 'one', client: { name: 'Ada' } },
      { title: 'one', client: { name: 'Ada' } },
    ]);
    expect(sandbox.calls()).toEqual([SEARCH, RECORDS, CLIENT]);
  });

  test('takes a global or an upstream id in inputs and conditions', async () => {
    const { execute, sandbox, clients } = await openShop();
    const [ada, bob] = clients;
    const create = `mutation ($client: ID) { createShopOrder(input: { title: "new", client: $client }) { ${REFUSAL} ... on ShopOrder { title client { name } } } }`;

    const global = await execute(create, { variables: { client: `Client:${ada}` } });
    const upstream = await execute(create, { variables: { client: bob } });
    const found = await execute(
      'query ($client: ID) { shop { orders(filter: { client: $client, title: { equals: "new" } }) { nodes { client { name } } } } }',
      { variables: { client: `Client:${bob}` } },
    );

    expect(global.data).toMatchObject({ createShopOrder: { title: 'new', client: { name: 'Ada' } } });
    expect(upstream.data).toMatchObject({ createShopOrder: { title: 'new', client: { name: 'Bob' } } });
    expect(found.data).toEqual({ shop: { orders: { nodes: [{ client: { name: 'Bob' } }] } } });
    expect(sandbox.calls()).toEqual([CREATE, CLIENT, CREATE, CLIENT, SEARCH, CLIENT]);
    expect(sandbox.requests[0]?.body).toEqual({
      record: { table_name: 'orders', data: { title: 'new', client_id: Number(ada) } },
    });
    expect(sandbox.requests[4]?.query).toMatchObject({ 'filter[client_id]': bob });
  });

  test.each([
    ['Deal:1', 'is of the type Deal'],
    ['x', 'takes the id of a Client, which is a whole number'],
  ])('refuses %s before any call', async (client, reason) => {
    const { execute, sandbox } = await openShop();

    const { data } = await execute(
      `mutation ($client: ID) { createShopOrder(input: { client: $client }) { ${REFUSAL} } }`,
      { variables: { client } },
    );

    expect(data).toMatchObject({ createShopOrder: { fields: [{ field: 'client', messages: [reason] }] } });
    expect(sandbox.calls()).toEqual([]);
  });
});

describe('the list at the other end', () => {
  test('of one record is one search', async () => {
    const { ask, sandbox, clients } = await openShop();

    const data = await ask(
      'query ($id: ID!) { client(id: $id) { name shopOrders(first: 1) { nodes { title } pageInfo { hasNextPage } } } }',
      { variables: { id: clients[0] } },
    );
    expect(data).toEqual({
      client: {
        name: 'Ada',
        shopOrders: { nodes: [{ title: expect.stringMatching(/one|two|new/) }], pageInfo: { hasNextPage: true } },
      },
    });
    expect(sandbox.calls()).toEqual([CLIENT, SEARCH]);
    expect(sandbox.requests[1]?.query).toEqual({
      table_name: 'orders',
      sort: 'id',
      fields: 'title',
      'filter[client_id]': clients[0],
      limit: '2',
      offset: '0',
    });
  });

  test('of several records is one read of the database, with the pages that searches have', async () => {
    const { execute, ask, sandbox, clients } = await openShop();
    const selected =
      '{ name shopOrders(first: 1) { edges { cursor node { title extra client { name } } } pageInfo { hasNextPage } } }';

    const data = await ask(`{ clients { nodes ${selected} } }`);
    const calls = sandbox.calls();
    const alone = await Promise.all(
      clients.map((id) => execute(`query ($id: ID!) { client(id: $id) ${selected} }`, { variables: { id } })),
    );
    expect(calls).toEqual([CLIENTS, RECORDS]);
    const together: unknown[] = Object(data).clients.nodes;
    expect(new Set(together)).toEqual(new Set(alone.map((result) => Object(result.data).client)));
    expect(together).toContainEqual(
      expect.objectContaining({ name: 'Cy', shopOrders: expect.objectContaining({ edges: [] }) }),
    );
  });

  test('of records of a table reaches the records of another one', async () => {
    const { ask, sandbox, orderIds } = await openShop();

    const data = await ask(
      'query ($id: ID!) { shop { order(id: $id) { title items { nodes { name order { title } } } } } }',
      { variables: { id: orderIds[0] } },
    );
    const { order } = Object(data).shop;
    expect(order.items.nodes.map(({ name }: { name: string }) => name).sort()).toEqual(['leg', 'top']);
    expect(sandbox.calls()).toEqual([RECORDS, SEARCH]);
  });

  test('is read from the list of records where no search can have a condition on the field', async () => {
    const { ask, sandbox, clients, makeRecords } = await openShop();
    const [ada, bob] = clients.map(Number);
    makeRecords([{ 'client[id]': ada, id: bob, sum: 5 }], 'bids');

    const data = await ask(
      'query ($ada: ID!, $bob: ID!) { a: client(id: $ada) { bids { nodes { sum } } } b: client(id: $bob) { lostBids { nodes { sum } } } }',
      { variables: { ada, bob } },
    );
    const bids = { nodes: [{ sum: 5 }] };
    expect(data).toEqual({ a: { bids }, b: { lostBids: bids } });
    expect(sandbox.calls()).not.toContain(SEARCH);
  });
});

test('types of other APIs have such lists in a typed schema alone, which is valid and a subgraph', async () => {
  const snapshot = mappedSnapshot(
    [{ id: '7', code: 'notes', schema: { fields: { about: 'integer', text: 'string' } } }],
    {
      about: { name: 'client', references: 'Client', as: 'notes' },
    },
  );
  const served = await servedSchema({ FLEX_SCHEMA: await textFile(snapshot) });
  const { schema: subgraph, sdl } = served.subgraph();

  expect(validateSchema(served.schema)).toEqual([]);
  expect(validateSchema(subgraph)).toEqual([]);
  expect(definitionIn(served.schema, 'Client')).toContain(
    'notes(first: Int, after: String, offset: Int): NotesRowConnection',
  );
  expect(definitionIn(served.schema, 'NotesRow')).toContain('client: Client @flexField(name: "about")');
  expect(definitionIn(served.schema, 'TextMatch')).toContain('@oneOf');
  expect(definitionIn(served.schema, 'FlexMatch')).toContain('@oneOf');
  expect(sdl).toContain('notes(');
  expect(definitionIn(base, 'Client')).not.toContain('notes');
});
