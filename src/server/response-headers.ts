import type { IncomingHttpHeaders } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../config.ts';
import { corsHeaders, originCheck } from './cors.ts';
import { requestIdOf } from './request-id.ts';
import type { ServerContext } from './request.ts';

// The headers of each response of /graphql. A response may hold the data, or a secret, of one caller. It depends on the
// origin of the request, even when it has no CORS headers: without `Vary` a cache could serve it to another origin.
const CACHE_CONTROL = 'private, no-store';
const VARY = 'Origin';
const REQUEST_ID = 'X-Request-Id';
const WITHOUT_CORS: readonly string[] = ['Cache-Control', CACHE_CONTROL, 'Vary', VARY];

/** Returns the headers of each response to a request with these headers, as names and values in turns. */
export type ResponseHeaders = (headers: IncomingHttpHeaders) => readonly string[];

/** Creates a function that returns the headers of each response. */
export function responseHeaders(config: Config): ResponseHeaders {
  const isListed = originCheck(config);
  return (headers) => {
    const { origin } = headers;
    const common = [...WITHOUT_CORS, REQUEST_ID, requestIdOf(headers)];
    if (origin !== undefined && isListed(origin)) common.push(...corsHeaders(origin, config));
    return common;
  };
}

/** Does the same for the responses of Yoga. */
export function useResponseHeaders(config: Config): Plugin<object, ServerContext> {
  const headersFor = responseHeaders(config);
  return {
    onResponse: ({ serverContext, response: { headers } }) => {
      const common = headersFor(serverContext.req.headers);
      common.forEach((text, index) => index % 2 === 0 && headers.set(text, common[index + 1] ?? ''));
      // Node sets these headers itself: HTTP/1.0 has neither chunks nor keep-alive, and a caller may send `connection: close`.
      for (const ofTheConnection of ['connection', 'transfer-encoding']) headers.delete(ofTheConnection);
    },
  };
}
