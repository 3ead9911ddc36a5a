import { graphql } from 'relay-runtime';

/** What stands beside the list: how many clients there are, and the newest three. `__id` is for `useSubscribeToInvalidationState`. */
export const clientSummaryQuery = graphql`
  query clientSummaryQuery {
    all: clients(first: 0) {
      __id
      totalCount
    }
    newest: clients(first: 3, orderBy: { field: CREATED_AT, direction: DESC }) {
      __id
      edges {
        node {
          id
          name
        }
      }
    }
  }
`;
