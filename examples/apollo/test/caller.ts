// Sends mutations with the retries of the kit, for the trial of the repository (scripts/chaos/writes).
import { CombinedGraphQLErrors, gql } from '@apollo/client';
import { connect } from 'trivium-kits/apollo';

/** @returns sends a mutation, and resolves with its answer; null when there was none in the end */
export function caller(url: string, token: string, options: { attempts: number; delayMs: number }) {
  const client = connect({ url, credentials: () => ({ token }), ...options });
  return async (mutation: string, variables: Record<string, string>) => {
    const { data, error } = await client.mutate({ mutation: gql(mutation), variables, fetchPolicy: 'no-cache' });
    if (error && !CombinedGraphQLErrors.is(error)) return null;
    return { data, errors: error?.errors ?? [] };
  };
}
