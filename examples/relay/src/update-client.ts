import { graphql } from 'relay-runtime';

export const updateClientMutation = graphql`
  mutation updateClientMutation($id: ID!, $input: ClientInput!) {
    updateClient(id: $id, input: $input) {
      __typename
      ... on Client {
        id
        name
        email
        phone
        address {
          city
        }
      }
      ... on ValidationError {
        message
        fields {
          field
          messages
        }
      }
      ... on ConflictError {
        message
      }
      ... on ForbiddenError {
        message
      }
      ... on NotFoundError {
        message
      }
    }
  }
`;
