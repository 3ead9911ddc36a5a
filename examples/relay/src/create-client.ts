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
      ... on ForbiddenError {
        message
      }
    }
  }
`;
