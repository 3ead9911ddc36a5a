// The same workloads in the names of trivium's schema.
import { at, equals, fields, list } from './checks.ts';
import type { Workloads } from './workload.ts';

const upstreamId = (globalId: unknown) => String(globalId).split(':')[1];

/** @param clients how many clients upstream lists */
export const gatewayWorkloads = (clients: number): Workloads => ({
  W0: { query: 'query W0 { __typename }', check: (data) => equals('Query', data, '__typename') },
  W1: {
    query: `query W1($id: ID!) {
      client(id: $id) { id name email phone address { city } taxNo createdAt kind statusId postsCount }
    }`,
    check(data) {
      fields(10, data, 'client');
      equals('Client:7', data, 'client', 'id');
      equals('client7@example.test', data, 'client', 'email');
    },
  },
  W2: {
    query: 'query W2 { posts(first: 100) { nodes { title client { id name email } } } }',
    check(data) {
      for (const post of list(100, data, 'posts', 'nodes')) {
        fields(3, post, 'client');
        equals(`client${upstreamId(at(post, 'client', 'id'))}@example.test`, post, 'client', 'email');
      }
    },
  },
  W3: {
    query: `query W3 {
      clients(first: ${clients}) {
        nodes {
          id name email phone address { city street streetNo postCode country } firstName lastName createdAt updatedAt
          kind taxNo shortcut discount statusId responsibleId postsCount
        }
      }
    }`,
    check(data) {
      for (const client of list(clients, data, 'clients', 'nodes')) {
        fields(16, client);
        fields(5, client, 'address');
      }
      equals(`client${clients}@example.test`, data, 'clients', 'nodes', clients - 1, 'email');
    },
  },
  W4: {
    query: `query W4 {
      deals(first: 50) {
        nodes {
          id name price
          client { id name postsCount contactsCount appendixesCount contact { id name email phone } }
        }
      }
    }`,
    check(data) {
      for (const deal of list(50, data, 'deals', 'nodes')) {
        fields(6, deal, 'client');
        const id = upstreamId(at(deal, 'client', 'contact', 'id'));
        equals(`contact${id}@example.test`, deal, 'client', 'contact', 'email');
      }
    },
  },
  W5: {
    query:
      'query W5 { forumPosts(first: 100) { nodes { id title content agent commentsCount votesCount createdAt updatedAt } } }',
    check(data) {
      for (const post of list(100, data, 'forumPosts', 'nodes')) {
        fields(8, post);
        equals(`Suggestion ${upstreamId(at(post, 'id'))}: add "export" & import of items`, post, 'content');
      }
    },
  },
  W6: {
    query: 'mutation W6($input: ClientInput!) { createClient(input: $input) { ... on Client { id name email } } }',
    check: (data) => equals(`Client:${clients + 1}`, data, 'createClient', 'id'),
  },
  W7: {
    query: `query W7 {
      apiTokens { id name code active tokenInfo }
      dashboards { id name context layout { entryId key size } }
      flexDb(id: "FlexDb:1") { search(query: "Row", first: 20) { nodes { id createdAt data } } }
      posts(first: 20) { nodes { id title client { id name email } } }
      forumPosts(first: 100) { nodes { id title votesCount } }
    }`,
    check(data) {
      fields(5, data, 'apiTokens', list(20, data, 'apiTokens').length - 1);
      for (const board of list(8, data, 'dashboards')) list(12, board, 'layout');
      for (const hit of list(20, data, 'flexDb', 'search', 'nodes')) fields(3, hit, 'data');
      for (const post of list(20, data, 'posts', 'nodes')) at(post, 'client', 'email');
      list(100, data, 'forumPosts', 'nodes');
    },
  },
});
