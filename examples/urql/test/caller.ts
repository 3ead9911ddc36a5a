// Sends mutations with the kit of urql, for the trial of the repository (scripts/chaos/writes).
import { connect } from 'trivium-kits/urql';
import { cacheExchange } from 'urql';

/** @returns sends a mutation, and resolves with its answer; null when there was none in the end */
export function caller(url: string, token: string, options: { attempts: number; delayMs: number }) {
  const client = connect({ url, credentials: () => ({ token }), ...options }, cacheExchange);
  return async (mutation: string, variables: Record<string, string>) => {
    const { data, error } = await client.mutation<unknown>(mutation, variables).toPromise();
    if (error?.networkError) return null;
    return { data, errors: error?.graphQLErrors ?? [] };
  };
}
