import { graphql } from 'relay-runtime';

export const clientListQuery = graphql`
  query clientListQuery($filter: ClientFilter) {
    ...clientList_query @arguments(filter: $filter)
  }
`;

/** For `usePaginationFragment`: the table of clients, and its next page. */
export const clients = graphql`
  fragment clientList_query on Query
  @refetchable(queryName: "clientListPageQuery")
  @argumentDefinitions(
    filter: { type: "ClientFilter" }
    first: { type: "Int", defaultValue: 20 }
    after: { type: "String" }
  ) {
    clients(first: $first, after: $after, filter: $filter, orderBy: { field: CREATED_AT, direction: DESC })
      @connection(key: "clientList_clients", filters: ["filter"]) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          name
          kind
        }
      }
    }
  }
`;
