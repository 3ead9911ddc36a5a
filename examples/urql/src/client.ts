import { Client, fetchExchange } from 'urql';
import { cache } from './cache';

const endpoint: string = import.meta.env['VITE_ENDPOINT'] ?? 'http://127.0.0.1:4000/graphql';

/** Connects one user. Another user gets a client of their own: the cache holds what this one may see. */
export function connect(token: string): Client {
  return new Client({
    url: endpoint,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [cache(), fetchExchange],
  });
}
