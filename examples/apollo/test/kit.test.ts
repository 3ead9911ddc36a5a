// What docs/app.md says of the kit, over a gateway and a sandbox of their own.
import { type ApolloClient, gql, type TypedDocumentNode } from '@apollo/client';
import { connect, createCache, pages } from 'trivium-kits/apollo';
import { outcomeOf } from 'trivium-kits/outcome';
import { type Sandbox, startSandbox } from 'trivium-kits/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const name = 'Ada';
const users = [
  { name: 'Nora', token: 'demo-admin' },
  { name: 'Mia', token: 'demo-member' },
  { name: 'Łucja', token: 'of-the-forum', login: 'żółć', password: 'ключ:日本' },
];
const records = {
  users,
  clients: [{ id: 1, name, city: 'Ulm' }],
  forumCategories: [{ id: 1, name: 'Ideas' }],
};

let gateway: Sandbox;
beforeAll(async () => {
  gateway = await startSandbox({ main: '../../dist/main.js' });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.seed(records));

const clientsDocument = gql`
  query Clients {
    clients(first: 5) {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;
const listClients = 'GET /app/clients.json';

test('a client sends the credentials of all three, with any characters in a password', async () => {
  const client = connect({
    url: gateway.endpoint,
    credentials: () => ({
      token: 'demo-admin',
      crmToken: 'demo-member',
      forum: { login: 'żółć', password: 'ключ:日本' },
    }),
  });
  const query = gql('{ apiTokens { name } clients { totalCount } forumMe { name } }');
  const { data, error } = await client.query({ query });
  expect(error).toBeUndefined();
  expect(data).toMatchObject({ clients: { totalCount: 1 }, forumMe: { name: 'Łucja' } });
});

/** The results of each visit of a page with the query, until it is not loading any more. */
async function visit(client: ApolloClient, query: typeof clientsDocument) {
  const shown = client.watchQuery({ query });
  return new Promise<{ data: unknown; error: unknown }>((resolve) => {
    const subscription = shown.subscribe(({ data, error, loading }) => {
      if (loading) return;
      subscription.unsubscribe();
      resolve({ data, error });
    });
  });
}

describe('a list that could not be read', () => {
  test('is null, and not an empty one with a next page, and is asked for again at the next visit', async () => {
    const client = connect({ url: gateway.endpoint, credentials: () => ({ token: 'demo-admin' }) });
    await gateway.fault({ endpoint: listClients, status: 403 });
    const failed = await visit(client, clientsDocument);
    expect(failed.data).toEqual({ clients: null });
    expect(failed.error).toBeDefined();

    await gateway.recover();
    const { data, error } = await visit(client, clientsDocument);
    expect(data).toMatchObject({ clients: { edges: [{ node: { name } }] } });
    expect(error).toBeUndefined();
  });

  test('keeps the rows that it had', async () => {
    const client = connect({ url: gateway.endpoint, credentials: () => ({ token: 'demo-admin' }) });
    await visit(client, clientsDocument);
    await gateway.fault({ endpoint: listClients, status: 403 });
    const { data, error } = await visit(client, clientsDocument);
    expect(data).toMatchObject({ clients: { edges: [{ node: { name } }] } });
    expect(error).toBeDefined();
  });
});

describe('a credential that is refused', () => {
  const create: TypedDocumentNode<{ createClient: { __typename: 'Client'; id: string } }> = gql`
    mutation Create($input: ClientInput!) {
      createClient(input: $input) {
        ... on Client {
          id
        }
      }
    }
  `;

  test('is renewed once for all operations, which go on with the next one, a write too', async () => {
    let token = 'withdrawn';
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
      await gateway.calls(); // takes a moment, in which the other operation is refused, too
      token = 'demo-admin';
    };
    const client = connect({ url: gateway.endpoint, credentials: () => ({ token }), renew });
    const variables = { input: { name: 'Bob' } };
    const [{ data }, written] = await Promise.all([
      client.query({ query: gql('{ clients { totalCount } }') }),
      client.mutate({ mutation: create, variables }),
    ]);
    expect(data).toMatchObject({ clients: { totalCount: expect.any(Number) as number } });
    expect(outcomeOf(written)).toMatchObject({ outcome: 'APPLIED', record: { __typename: 'Client' } });
    expect(renewals).toBe(1);
    const calls = await gateway.calls();
    expect(calls.filter(({ method, status }) => method === 'POST' && status === 201)).toHaveLength(1);
  });

  test('is the answer when there is no other one', async () => {
    const renew = () => Promise.reject(new Error('The user has logged out.'));
    const client = connect({ url: gateway.endpoint, credentials: () => ({ token: 'withdrawn' }), renew });
    const { data, error } = await client.query({ query: clientsDocument });
    expect(data).toEqual({ clients: null });
    expect(String(error)).toContain('refused');
  });
});

interface Pages {
  readonly clients: {
    readonly edges: readonly { readonly node: { readonly name: string } }[];
    readonly pageInfo: { readonly endCursor: string };
  };
}

describe('the cache', () => {
  const read = async (client: ApolloClient, query: string) =>
    client.query({ query: gql(query), fetchPolicy: 'network-only' });

  test('makes one list of all pages, and another one for other arguments', async () => {
    await gateway.seed({ ...records, clients: ['A', 'B', 'C'].map((each) => ({ name: each })) });
    const client = connect({ url: gateway.endpoint, credentials: () => ({ token: 'demo-admin' }) });
    const query: TypedDocumentNode<Pages> = gql(`query ($after: String, $text: String) {
      clients(first: 2, after: $after, filter: { text: $text }) { edges { node { id name } } pageInfo { endCursor } }
    }`);
    const { data } = await client.query({
      query,
      variables: { text: null },
    });
    await client.query({
      query,
      variables: { text: null, after: data?.clients.pageInfo.endCursor },
      fetchPolicy: 'network-only',
    });
    await client.query({ query, variables: { text: 'B' } });
    const names = (text: string | null) => {
      const list = client.readQuery({
        query,
        variables: { text },
      });
      return list?.clients.edges.map(({ node }) => node.name);
    };
    expect(names(null)).toEqual(['A', 'B', 'C']);
    expect(names('B')).toEqual(['B']);
  });

  test('keeps the fields of an object without an id that another query has read', async () => {
    const client = connect({ url: gateway.endpoint, credentials: () => ({ token: 'demo-admin' }) });
    await read(client, '{ client(id: "Client:1") { id address { city } } }');
    await read(client, '{ client(id: "Client:1") { id address { street } } }');
    const both = gql('{ client(id: "Client:1") { id address { city street } } }');
    expect(client.readQuery({ query: both })).toMatchObject({ client: { address: { city: 'Ulm' } } });
  });

  test('takes the policies of typed databases, beside its own', () => {
    const cache = createCache({ Query: { fields: { tracker: pages() } }, Tracker: { merge: true } });
    const query = (first: string, rows: string) => ({
      query: gql(`{ ${first} { edges { node { id } } pageInfo { hasNextPage } } }`),
      data: { [first]: { edges: [{ node: { __typename: 'Task', id: rows } }], pageInfo: { hasNextPage: false } } },
    });
    for (const field of ['tracker', 'clients']) {
      cache.writeQuery(query(field, 'Task:1'));
      cache.writeQuery({ ...query(field, ''), data: { [field]: null } });
      expect(cache.readQuery(query(field, ''))).toMatchObject({ [field]: { edges: [{ node: { id: 'Task:1' } }] } });
    }
  });

  test('takes the types of typed tables as members of an interface, and all that a schema has', () => {
    const policies = { Tracker: { merge: true, fields: { tasks: pages(), people: pages() } } };
    const cache = createCache(policies, { Node: ['TrackerTask', 'TrackerPerson'] });
    const query = gql(
      '{ node(id: "TrackerTask:1") { ...Title } } fragment Title on Node { id ... on TrackerTask { title } }',
    );
    const data = { node: { __typename: 'TrackerTask', id: 'TrackerTask:1', title: 'Oil the bench' } };
    const whole = createCache(
      {},
      { Node: ['Client', 'TrackerTask'], CreateTrackerTaskResult: ['TrackerTask', 'ValidationError'] },
    );
    for (const each of [cache, whole]) {
      each.writeQuery({ query, data });
      expect(each.readQuery({ query })).toEqual(data);
    }
    const without = createCache(policies);
    without.writeQuery({ query, data });
    expect(without.readQuery({ query })).not.toEqual(data);
  });
});
