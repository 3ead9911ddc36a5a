import type { Plugin } from 'graphql-yoga';
import type { Config } from '../config.ts';
import { corsHeaders } from './cors.ts';

// The headers of each response of /graphql. A response may hold the data, or a secret, of one caller. It depends on the
// origin of the request, even when it has no CORS headers: without `Vary` a cache could serve it to another origin.
const CACHE_CONTROL = 'private, no-store';
const VARY = 'Origin';
const WITHOUT_CORS: readonly string[] = ['Cache-Control', CACHE_CONTROL, 'Vary', VARY];

/**
 * Creates a function that returns the headers of each response of /graphql to a request of an origin, as names and values
 * in turns. The lists are made once.
 */
export function responseHeaders(config: Config): (origin: string | undefined) => readonly string[] {
  const byOrigin = new Map(
    config.CORS_ORIGINS.map((origin) => [origin, [...WITHOUT_CORS, ...corsHeaders(origin, config)]]),
  );
  return (origin) => (origin === undefined ? undefined : byOrigin.get(origin)) ?? WITHOUT_CORS;
}

/** Does the same for the responses of Yoga, which adds the headers of CORS itself. */
export const useResponseHeaders: Plugin = {
  onResponse: ({ response: { headers } }) => {
    headers.set('cache-control', CACHE_CONTROL);
    // The response to a preflight varies by the headers that it asks for, too.
    const others = (headers.get('vary') ?? '').split(',').map((name) => name.trim());
    headers.set('vary', [VARY, ...others.filter((name) => name !== '' && name !== VARY)].join(', '));
    // Node sets these headers itself: HTTP/1.0 has neither chunks nor keep-alive, and a caller may send `connection: close`.
    for (const ofTheConnection of ['connection', 'transfer-encoding']) headers.delete(ofTheConnection);
  },
};
