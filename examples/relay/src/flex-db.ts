import { graphql } from 'relay-runtime';

export const flexDbQuery = graphql`
  query flexDbQuery($id: ID!, $query: String) {
    flexDb(id: $id) {
      id
      ...flexDb_search @arguments(query: $query)
    }
  }
`;

/**
 * For `usePaginationFragment`: a search in a database. Another `query` is another connection in the store. A component that reads
 * it throws when the search failed, so its types have no null that stands for an error.
 */
export const search = graphql`
  fragment flexDb_search on FlexDb
  @throwOnFieldError
  @refetchable(queryName: "flexDbSearchQuery")
  @argumentDefinitions(query: { type: "String" }, first: { type: "Int", defaultValue: 10 }, after: { type: "String" }) {
    name
    search(query: $query, first: $first, after: $after) @connection(key: "flexDb_search") {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          data
        }
      }
    }
  }
`;
