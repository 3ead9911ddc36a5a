import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { originCheck } from './cors.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import { errorBody, type RefusedRequest } from './request.ts';

/**
 * Creates a check of requests with a cookie of FLEX_COOKIES. A browser adds cookies to requests of any web page, so such a
 * request is refused when it comes from a page of an origin that is neither the gateway's own nor in CORS_ORIGINS. A GET
 * may come from a link or an image, without an origin: it needs a header that these cannot carry.
 *
 * The own origin is `http://` or `https://` with the Host header: a proxy may end TLS. Where a browser takes the two schemes
 * for two sites, its `Sec-Fetch-Site` says so.
 *
 * @returns the response to a refused request, undefined for all others
 */
export function crossSiteCheck(config: Config): (request: IncomingMessage) => RefusedRequest | undefined {
  const { FLEX_COOKIES } = config;
  if (FLEX_COOKIES.length === 0) return () => undefined;
  const isListed = originCheck(config);
  return (request) => {
    const { method, headers } = request;
    if (headers.cookie === undefined || !hasCookie(headers.cookie, FLEX_COOKIES)) return undefined;
    // A preflight executes nothing, and GraphiQL's page neither. A link to the page has to work.
    if (method === 'OPTIONS' || rendersGraphiql(request, config)) return undefined;
    if (!isTrusted(headers, isListed)) return { status: 403, body: forbidden(OTHER_ORIGIN, method) };
    if (method === 'GET' && !PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined)) {
      return { status: 403, body: forbidden(NO_PREFLIGHT, method) };
    }
    return undefined;
  };
}

const PREFLIGHT_HEADERS = ['graphql-require-preflight', 'apollo-require-preflight'];

const OTHER_ORIGIN =
  'The request has a cookie of FLEX_COOKIES and comes from a web page of another origin. Add the origin to CORS_ORIGINS, or send the request without cookies.';

const NO_PREFLIGHT =
  'A GET with a cookie of FLEX_COOKIES needs the header `GraphQL-Require-Preflight: 1` or `Apollo-Require-Preflight: 1`. Add it, or use POST.';

function hasCookie(cookies: string, names: readonly string[]): boolean {
  return cookies.split(';').some((pair) => names.includes(pair.split('=', 1)[0]?.trim() ?? ''));
}

/** Whether a request comes from a page of a trusted origin, or from no page of another site. */
function isTrusted(
  { origin, host, ...headers }: IncomingHttpHeaders,
  isListed: ReturnType<typeof originCheck>,
): boolean {
  if (isListed(origin)) return true;
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

function forbidden(message: string, method: string | undefined) {
  return errorBody(message, { code: 'FORBIDDEN', ...(method === 'POST' && { outcome: 'REFUSED' }) });
}
