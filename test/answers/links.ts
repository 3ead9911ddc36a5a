import { asAda } from '../forum/support.ts';
import { createRecords, flexUuids } from './records.ts';
import type { Scenario } from './support.ts';

/** Fields that read several APIs. `uuid-1` is the database, `uuid-2` its record. */
export const links: Scenario = {
  headers: asAda,
  uuids: flexUuids,
  seed: async (house) => {
    const { store } = house.sandbox;
    store.createUser({ account: house.account, name: 'Ada', login: 'ada', password: 'lovelace' });
    const category_id = store.createForumCategory(house.account, 'Ideas').id;
    await createRecords(house, [
      ['clients', { client: { name: 'Oak & Sons' } }],
      ['deals', { deal: { name: 'Oak chairs', client_id: 1 } }],
      ['contacts', { contact: { name: 'Oakley' } }],
      ['posts', { post: { title: 'Oak or elm', client_id: 1, category_id, task_kind: 'idea' } }],
    ]);
    const { id } = store.createFlexDatabase(house.account, {
      name: 'Woods',
      code: 'woods',
      schema: { fields: { name: { type: 'string' } }, indexed_fields: ['name'] },
      public_methods: { get: true },
    });
    store.createFlexRecords(id, [{ name: 'Oak' }]);
  },
  steps: {
    'a search of all APIs': {
      query: `{ search(text: "oak") {
        nodes { __typename ... on Client { name } ... on Deal { name } ... on Post { title } ... on ForumPost { title }
          ... on FlexRecord { data } }
        failures { target code message }
      } }`,
      calls: 6,
    },
    'a search of one API': {
      query: '{ search(text: "oak", in: [DEALS]) { edges { node { __typename } } } }',
      calls: 1,
    },
    'a node of each type': {
      query: `query ($ids: [ID!]!) { nodes(ids: $ids) {
        __typename id ... on Client { name } ... on Deal { name } ... on Contact { name } ... on Post { title }
        ... on ForumPost { title } ... on ForumCategory { name } ... on FlexDb { name } ... on FlexRecord { data }
        ... on PublicFlexRecord { data } ... on ApiToken { active }
      } }`,
      variables: {
        ids: [
          ...['Client:1', 'Deal:1', 'Contact:1', 'Post:1', 'ForumPost:1', 'ForumCategory:1', 'ApiToken:1'],
          ...['FlexDb:uuid-1', 'FlexRecord:uuid-1:uuid-2', 'PublicFlexRecord:woods:uuid-2'],
          ...['Client:99', 'Nothing:1'],
        ],
      },
      calls: 11,
      errors: [
        {
          path: 'nodes.11',
          message:
            'Not a global id: expected a type and an id, such as Dashboard:42. Types: ApiToken, Client, Contact, ContactList, Dashboard, Deal, FlexDb, ForumCategory, ForumPost, Post, FlexRecord, PublicFlexRecord.',
          code: 'BAD_USER_INPUT',
        },
      ],
    },
    'one node': { query: '{ node(id: "Deal:1") { id ... on Deal { name client { name } } } }', calls: 2 },
    'a suggestion in both APIs': {
      query: '{ post(id: 1) { title forumPost { title } } forumPost(id: 1) { post { title } } }',
      calls: 2,
    },
    'the clients of deals, with their deals': {
      query: '{ deals { nodes { name client { name deals { totalCount } posts { nodes { title } } } } } }',
      calls: 3,
    },
  },
};
