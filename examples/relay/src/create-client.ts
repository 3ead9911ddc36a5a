import { graphql } from 'relay-runtime';

export const createClientMutation = graphql`
  mutation createClientMutation($input: ClientInput!) {
    createClient(input: $input) {
      __typename
      ... on Client {
        id
        name
      }
      ... on ValidationError {
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
