import { Client, type Exchange, fetchExchange } from 'urql';
import { askAgain } from './ask-again';
import { authorized } from './authorized';
import { cache } from './cache';
import { retries } from './retries';
import type { Session } from './session';

const endpoint: string = import.meta.env['VITE_ENDPOINT'] ?? 'http://127.0.0.1:4000/graphql';

/** Connects one user. Another user gets a client of their own: the cache holds what this one may see. */
export function connect(session: Session, cacheExchange: Exchange = cache()): Client {
  return new Client({
    url: endpoint,
    preferGetMethod: false,
    exchanges: [askAgain, cacheExchange, authorized(session), ...retries(), fetchExchange],
  });
}
