import { graphql } from 'relay-runtime';

export const clientPageQuery = graphql`
  query clientPageQuery($id: ID!) {
    node(id: $id) {
      ...clientPage_card @alias(as: "card")
      ...clientPage_deals @alias(as: "deals")
    }
  }
`;

/** For `useRefetchableFragment`: it is read anew by `node(id:)`. */
export const card = graphql`
  fragment clientPage_card on Client @refetchable(queryName: "clientPageCardQuery") {
    name
    discount
    contact {
      phone
    }
  }
`;

/** For `usePaginationFragment`: its next page is read by `node(id:)`, too. */
export const deals = graphql`
  fragment clientPage_deals on Client
  @refetchable(queryName: "clientPageDealsQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 5 }, after: { type: "String" }) {
    deals(first: $first, after: $after, orderBy: { field: PRICE, direction: DESC })
      @connection(key: "clientPage_deals") {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          name
          price
          externalIds {
            system
            value
          }
        }
      }
    }
  }
`;
