import { graphql } from './generated';

export const ClientRowFragment = graphql(`
  fragment ClientRow on Client {
    id
    name
    email
  }
`);

export const ClientDetailsFragment = graphql(`
  fragment ClientDetails on Client {
    ...ClientRow
    phone
    address {
      city
    }
  }
`);

export const RefusalFragment = graphql(`
  fragment Refusal on MutationError {
    __typename
    message
    ... on ValidationError {
      fields {
        field
        messages
      }
    }
  }
`);

export const ClientsDocument = graphql(`
  query Clients($after: String, $filter: ClientFilter) {
    clients(first: 20, after: $after, filter: $filter, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      edges {
        cursor
        node {
          ...ClientRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const OverviewDocument = graphql(`
  query Overview {
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

export const ClientDocument = graphql(`
  query Client($id: ID!) {
    client(id: $id) {
      ...ClientDetails
      ... @defer {
        posts(first: 5, filter: { isComment: false }) {
          totalCount
          edges {
            node {
              id
              title
              createdAt
            }
          }
        }
      }
    }
  }
`);

export const CreateClientDocument = graphql(`
  mutation CreateClient($input: ClientInput!) {
    createClient(input: $input) {
      __typename
      ...ClientDetails
      ...Refusal
    }
  }
`);

export const UpdateClientDocument = graphql(`
  mutation UpdateClient($id: ID!, $input: ClientInput!) {
    updateClient(id: $id, input: $input) {
      __typename
      ...ClientDetails
      ...Refusal
    }
  }
`);

export const DeleteClientDocument = graphql(`
  mutation DeleteClient($id: ID!) {
    deleteClient(id: $id) {
      __typename
      ... on DeletedNode {
        deletedIds
      }
      ...Refusal
    }
  }
`);

export const ProductsDocument = graphql(`
  query Products($query: String, $after: String) {
    flexDb(id: "products") {
      id
      search(query: $query, first: 10, after: $after) @_required {
        edges {
          node {
            id
            data(fields: ["name", "sku", "category", "price", "stock"])
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);
