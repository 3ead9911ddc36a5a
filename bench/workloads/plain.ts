// The workloads in the names of the upstream APIs, for the floor and the peers.
import { at, equals, fields, list } from './checks.ts';
import type { Workloads } from './workload.ts';

/** @param clients how many clients upstream lists */
export const plainWorkloads = (clients: number): Workloads => ({
  W0: { query: 'query W0 { __typename }', check: (data) => equals('Query', data, '__typename') },
  W1: {
    query: `query W1($id: ID!) {
      client(id: $id) { id name email phone city tax_no created_at kind status_id posts_count }
    }`,
    check(data) {
      fields(10, data, 'client');
      equals(7, data, 'client', 'id');
      equals('client7@example.test', data, 'client', 'email');
    },
  },
  W2: {
    query: 'query W2 { posts(limit: 100) { title client { id name email } } }',
    check(data) {
      for (const post of list(100, data, 'posts')) {
        fields(3, post, 'client');
        equals(`client${at(post, 'client', 'id')}@example.test`, post, 'client', 'email');
      }
    },
  },
  W3: {
    query: `query W3 {
      clients {
        id name email phone city street street_no post_code country first_name last_name created_at updated_at kind
        tax_no shortcut discount status_id responsible_id posts_count
      }
    }`,
    check(data) {
      for (const client of list(clients, data, 'clients')) fields(20, client);
      equals(`client${clients}@example.test`, data, 'clients', clients - 1, 'email');
    },
  },
  W4: {
    query: `query W4 {
      deals(limit: 50) {
        id name price
        client { id name posts_count contacts_count appendixes_count contact { id name email phone } }
      }
    }`,
    check(data) {
      for (const deal of list(50, data, 'deals')) {
        fields(6, deal, 'client');
        equals(`contact${at(deal, 'client', 'contact', 'id')}@example.test`, deal, 'client', 'contact', 'email');
      }
    },
  },
  W5: {
    query: 'query W5 { forumPosts { id title content agent comments_cache votes_cache created_at updated_at } }',
    check(data) {
      for (const post of list(100, data, 'forumPosts')) {
        fields(8, post);
        equals(`Suggestion ${at(post, 'id')}: add "export" & import of items`, post, 'content');
      }
    },
  },
  W6: {
    query: 'mutation W6($input: ClientInput!) { createClient(input: $input) { id name email } }',
    check: (data) => equals(clients + 1, data, 'createClient', 'id'),
  },
  W7: {
    query: `query W7 {
      apiTokens { id name code active token_info }
      dashboards { id name context layout { id key size } }
      flexSearch(db: "base1", q: "Row", limit: 20) { id created_at data }
      posts(limit: 20) { id title client { id name email } }
      forumPosts { id title votes_cache }
    }`,
    check(data) {
      fields(5, data, 'apiTokens', list(20, data, 'apiTokens').length - 1);
      for (const board of list(8, data, 'dashboards')) list(12, board, 'layout');
      for (const hit of list(20, data, 'flexSearch')) fields(3, hit, 'data');
      for (const post of list(20, data, 'posts')) at(post, 'client', 'email');
      list(100, data, 'forumPosts');
    },
  },
});
