import { graphql } from 'relay-runtime';

/** With `@catch`, a client that could not be read is told from one that does not exist. */
export const clientViewQuery = graphql`
  query clientViewQuery($id: ID!) {
    client(id: $id) @catch(to: RESULT) {
      id
      name
      ...clientView_form
      ...clientView_posts @defer
    }
  }
`;

/** The fields that a user can change. */
export const form = graphql`
  fragment clientView_form on Client {
    name
    email
    phone
    address {
      city
    }
  }
`;

/** For `useFragment`: it suspends until the deferred part has come. */
export const posts = graphql`
  fragment clientView_posts on Client {
    posts(first: 5, filter: { isComment: false }) {
      totalCount
      edges {
        node {
          id
          title
        }
      }
    }
  }
`;
