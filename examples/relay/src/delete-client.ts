import { graphql } from 'relay-runtime';

export const deleteClientMutation = graphql`
  mutation deleteClientMutation($id: ID!) {
    deleteClient(id: $id) {
      __typename
      ... on DeletedNode {
        deletedIds
      }
      ... on ValidationError {
        message
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
