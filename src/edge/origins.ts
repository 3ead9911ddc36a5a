import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isOrigin, LOCALHOST } from '../config/setting.ts';
import type { WatchedResponse } from './http-server.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import { requestIdOf, type ServerContext } from '../operation/server-context.ts';
import { type Next, refusalBody, type ResponseHeaders, sendJson, type Step } from './steps.ts';

// Rules for web pages of other origins: CORS headers, and the refusal of cross-site requests with cookies.

/** The headers that a web page may send: those that the gateway reads, and those that libraries add by themselves. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-CRM-Token',
  'X-Forum-Authorization',
  'X-Trivium-Cost',
  'X-Trivium-Not-Sent',
  'X-Trivium-Timeout-Ms',
  'X-Trivium-Trace',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'GraphQL-Require-Preflight',
  'Apollo-Require-Preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'sentry-trace',
  'baggage',
  'x-requested-with',
];

/** Those that PUBLIC leaves unread. */
const CREDENTIAL_HEADERS = new Set(['Authorization', 'X-CRM-Token', 'X-Forum-Authorization']);

/** The headers of a response that a web page may read, beside those that it always may. */
const READABLE_HEADERS = 'X-Request-Id, Retry-After';

/** How long a browser keeps the answer to a preflight, in seconds: the longest that Chromium does. */
const MAX_AGE = 7_200;

const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Creates a function that tells whether CORS_ORIGINS lists an origin, by itself or by `localhost`. */
export function originCheck({ CORS_ORIGINS }: Config): (origin: string | undefined) => boolean {
  const listed = new Set(CORS_ORIGINS);
  const withLocal = listed.delete(LOCALHOST);
  return (origin) => origin !== undefined && (listed.has(origin) || (withLocal && LOCAL_ORIGIN.test(origin)));
}

// The headers of each response of /graphql. A response may hold the data, or a secret, of one caller. It depends on the
// origin of the request, even when it has no CORS headers: without `Vary` a cache could serve it to another origin.
const COMMON_HEADERS: readonly string[] = ['Cache-Control', 'private, no-store', 'Vary', 'Origin'];

/** Creates a function that returns the headers of each response, with those of CORS for a page of a listed origin. */
export function responseHeaders(config: Config): ResponseHeaders {
  const isListed = originCheck(config);
  const forPages = [
    ...(config.FLEX_COOKIES.length > 0 ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Expose-Headers', READABLE_HEADERS],
  ];
  return (headers) => {
    const { origin } = headers;
    const common = [...COMMON_HEADERS, 'X-Request-Id', requestIdOf(headers)];
    if (origin !== undefined && isListed(origin)) common.push('Access-Control-Allow-Origin', origin, ...forPages);
    return common;
  };
}

/** Does the same for the responses of Yoga. */
export function useResponseHeaders(headersFor: ResponseHeaders): Plugin<object, ServerContext> {
  return {
    onResponse: ({ serverContext, response: { headers } }) => {
      const common = headersFor(serverContext.req.headers);
      common.forEach((text, index) => index % 2 === 0 && headers.set(text, common[index + 1] ?? ''));
      // By default nginx sends an answer in parts as a whole, when the last part has come.
      if (/^(?:multipart|text\/event-stream)/.test(headers.get('content-type') ?? ''))
        headers.set('X-Accel-Buffering', 'no');
      // Node sets the first two itself: HTTP/1.0 has neither chunks nor keep-alive, and a caller may send `connection: close`. That of
      // an event stream is `none`, which is no coding.
      for (const ofYoga of ['connection', 'transfer-encoding', 'content-encoding']) headers.delete(ofYoga);
    },
  };
}

/** The maximum number of origins that one process logs: callers could invent any number. */
const MAX_ORIGINS = 100;

/** The longest origin that is logged: a scheme, a host name of the longest kind, and a port. */
const MAX_ORIGIN_LENGTH = 280;

const NOT_LISTED = 'web pages of this origin may not read responses: add it to CORS_ORIGINS';

const NO_ORIGIN =
  'a page without an origin, such as a file, may not read responses: serve it by HTTP, and add its origin to CORS_ORIGINS';

/**
 * Answers the preflights of listed origins, by which a browser asks whether a page may send a request, also under overload and
 * during the shutdown. Each origin that is not listed is logged once: its pages see a failed request and no reason.
 */
export class PageOrigins {
  readonly #log: Logger;
  readonly #headersFor: ResponseHeaders;
  readonly #isListed: ReturnType<typeof originCheck>;
  readonly #preflightHeaders: readonly string[];
  readonly #logged = new Set<string>();

  constructor(config: Config, log: Logger, headersFor: ResponseHeaders) {
    this.#log = log;
    this.#headersFor = headersFor;
    this.#isListed = originCheck(config);
    const isRead = (name: string) => config.PUBLIC !== 'true' || !CREDENTIAL_HEADERS.has(name);
    const allowed = [...REQUEST_HEADERS.filter(isRead), ...config.CORS_HEADERS];
    this.#preflightHeaders = [
      ...['Access-Control-Allow-Methods', 'GET, POST'],
      ...['Access-Control-Allow-Headers', allowed.join(', ')],
      ...['Access-Control-Max-Age', String(MAX_AGE)],
    ];
  }

  /** Answers a preflight of a listed origin, and passes any other request on. */
  answer(request: IncomingMessage, response: WatchedResponse, next: Next): unknown {
    const { method, headers } = request;
    if (headers.origin === undefined) return next(request, response);
    const isListed = this.#isListed(headers.origin);
    if (!isListed) this.#report(headers.origin, headers);
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!isListed || !isPreflight) return next(request, response);
    return response.writeHead(204, [...this.#headersFor(headers), ...this.#preflightHeaders]).end();
  }

  #report(origin: string, headers: IncomingHttpHeaders): void {
    const { host } = headers;
    if (this.#logged.has(origin)) return;
    // GraphiQL's page has the gateway's own origin. A proxy may change the host; then the browser tells it.
    if (origin === `http://${host}` || origin === `https://${host}`) return;
    if (headers['sec-fetch-site'] === 'same-origin' || this.#logged.size >= MAX_ORIGINS) return;
    if (origin !== 'null' && (origin.length > MAX_ORIGIN_LENGTH || !isOrigin(origin))) return;
    this.#logged.add(origin);
    this.#log.warn({ requestId: requestIdOf(headers), origin }, origin === 'null' ? NO_ORIGIN : NOT_LISTED);
  }
}

/**
 * Creates the step that refuses requests with a cookie of FLEX_COOKIES from elsewhere. A browser adds cookies to requests of any
 * web page, so such a request is refused when it comes from a page of an origin that is neither the gateway's own nor in
 * CORS_ORIGINS. A GET may come from a link or an image, without an origin: it needs a header that these cannot carry.
 *
 * The own origin is `http://` or `https://` with the Host header: a proxy may end TLS. Where a browser takes the two schemes
 * for two sites, its `Sec-Fetch-Site` says so.
 */
export function rejectCrossSite(config: Config, log: Logger, headersFor: ResponseHeaders): Step {
  const isListed = originCheck(config);
  return (request, response, next) => {
    const { headers } = request;
    if (!headers.cookie || !hasCookie(headers.cookie, config.FLEX_COOKIES)) return next(request, response);
    const problem = crossSiteProblem(request, config, isListed);
    if (problem === undefined) return next(request, response);
    log.info({ requestId: requestIdOf(headers), status: 403 }, 'request refused');
    return sendJson(response, 403, refusalBody(problem, { code: 'FORBIDDEN' }), headersFor(headers));
  };
}

/** Why a request with a cookie of FLEX_COOKIES is refused. Undefined for one that is not. */
function crossSiteProblem(
  request: IncomingMessage,
  config: Config,
  isListed: ReturnType<typeof originCheck>,
): string | undefined {
  const { method, headers } = request;
  // A preflight executes nothing, and GraphiQL's page neither. A link to the page has to work.
  if (method === 'OPTIONS' || rendersGraphiql(request, config)) return undefined;
  if (!isTrusted(headers, isListed)) return OTHER_ORIGIN;
  const isMarked = PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined);
  return method === 'GET' && !isMarked ? NO_PREFLIGHT : undefined;
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
