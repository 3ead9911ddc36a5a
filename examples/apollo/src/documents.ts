// The operations of the app. `npm run generate` makes their types, in generated/.
import { graphql } from './generated/gql.ts';

export const clientFields = graphql(`
  fragment ClientFields on Client {
    id
    name
    email
    phone
    address {
      city
    }
  }
`);

export const clientsDocument = graphql(`
  query Clients($filter: ClientFilter, $after: String) {
    clients(first: 20, after: $after, filter: $filter, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      edges {
        cursor
        node {
          ...ClientFields
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const newestClientsDocument = graphql(`
  query NewestClients {
    all: clients(first: 0) {
      totalCount
    }
    newest: clients(first: 3, orderBy: { field: CREATED_AT, direction: DESC }) {
      edges {
        node {
          id
          name
        }
      }
    }
  }
`);

export const clientPosts = graphql(`
  fragment ClientPosts on Client {
    posts(first: 5, filter: { isComment: false }, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      edges {
        node {
          id
          title
        }
      }
    }
  }
`);

export const clientPageDocument = graphql(`
  query ClientPage($id: ID!) {
    client(id: $id) {
      ...ClientFields
      ...ClientPosts @defer
    }
  }
`);

export const refusal = graphql(`
  fragment Refusal on MutationError {
    message
    ... on ValidationError {
      fields {
        field
        messages
      }
    }
  }
`);

export const createClientDocument = graphql(`
  mutation CreateClient($input: ClientInput!) {
    createClient(input: $input) {
      ...ClientFields
      ...Refusal
    }
  }
`);

export const updateClientDocument = graphql(`
  mutation UpdateClient($id: ID!, $input: ClientInput!) {
    updateClient(id: $id, input: $input) {
      ...ClientFields
      ...Refusal
    }
  }
`);

export const deleteClientDocument = graphql(`
  mutation DeleteClient($id: ID!) {
    deleteClient(id: $id) {
      ... on DeletedNode {
        deletedIds
      }
      ...Refusal
    }
  }
`);

export const productsDocument = graphql(`
  query Products($text: String) {
    flexDb(id: "products") {
      id
      search(query: $text, first: 20) {
        edges {
          node {
            id
            data(fields: ["name", "sku", "price", "stock"])
          }
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
`);
