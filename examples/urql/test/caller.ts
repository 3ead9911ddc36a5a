// Sends mutations with the retries of the app, for the trial of the repository (scripts/chaos/writes).
import { Client, fetchExchange } from 'urql';
import { retries } from '../src/retries.ts';

/** @returns sends a mutation, and resolves with its answer; null when there was none in the end */
export function caller(url: string, token: string, options: { attempts: number; delayMs: number }) {
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [...retries(options), fetchExchange],
  });
  return async (mutation: string, variables: Record<string, string>) => {
    const { data, error } = await client.mutation<unknown>(mutation, variables).toPromise();
    if (error?.networkError) return null;
    return { data, errors: error?.graphQLErrors ?? [] };
  };
}
