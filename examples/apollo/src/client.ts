import { ApolloClient, HttpLink } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { createCache } from './cache.ts';

const uri = import.meta.env.VITE_ENDPOINT ?? 'http://127.0.0.1:4000/graphql';

/** A client, with a cache of its own, for the owner of `token`. */
export function connect(token: string): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri, headers: { authorization: `Bearer ${token}` } }),
    cache: createCache(),
    incrementalHandler: new Defer20220824Handler(), // for @defer and @stream
    defaultOptions: {
      watchQuery: { errorPolicy: 'all' }, // an API that is down costs its own fields only
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
  });
}
