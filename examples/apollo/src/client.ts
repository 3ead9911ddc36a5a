import { ApolloClient, ApolloLink, HttpLink } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { authorized } from './authorized.ts';
import { createCache } from './cache.ts';
import { retries } from './retries.ts';
import type { Session } from './session.ts';

const uri = import.meta.env.VITE_ENDPOINT ?? 'http://127.0.0.1:4000/graphql';

/** A client, with a cache of its own, for the user of `session`. */
export function connect(session: Session): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([authorized(session), retries(), new HttpLink({ uri })]),
    cache: createCache(),
    incrementalHandler: new Defer20220824Handler(), // for @defer and @stream
    defaultOptions: {
      watchQuery: {
        errorPolicy: 'all', // an API that is down costs its own fields only
        fetchPolicy: 'cache-and-network', // a visit asks again: the cache keeps the null of a field that failed
      },
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
  });
}
