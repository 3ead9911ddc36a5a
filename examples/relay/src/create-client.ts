import { graphql } from 'relay-runtime';

/** One fragment for each member: with one on `MutationError` the type would be an object of optional fields. */
export const createClientMutation = graphql`
  mutation createClientMutation($input: ClientInput!) {
    createClient(input: $input) {
      __typename
      ... on Client {
        id
        name
        kind
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
