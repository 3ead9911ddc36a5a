// Sends mutations with the retries of the app, for the trial of the repository (scripts/chaos/writes).
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { retries } from '../src/retries.ts';

/** @returns sends a mutation, and resolves with its answer; null when there was none in the end */
export function caller(uri: string, token: string, options: { attempts: number; delayMs: number }) {
  const headers = { authorization: `Bearer ${token}` };
  const client = new ApolloClient({
    link: ApolloLink.from([retries(options), new HttpLink({ uri, headers })]),
    cache: new InMemoryCache(),
    defaultOptions: {
      watchQuery: { errorPolicy: 'all' },
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
  });
  return async (mutation: string, variables: Record<string, string>) => {
    const { data, error } = await client.mutate({ mutation: gql(mutation), variables, fetchPolicy: 'no-cache' });
    if (error && !CombinedGraphQLErrors.is(error)) return null;
    return { data, errors: error?.errors ?? [] };
  };
}
