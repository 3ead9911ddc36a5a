import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isPreflight, originCheck, preflightHeaders } from './cors.ts';
import { crossSiteCheck } from './cross-site.ts';
import type { DirectPosts } from './direct/direct-posts.ts';
import type { Failsafe } from './failsafe.ts';
import { ForbiddenOrigins } from './forbidden-origins.ts';
import { answerByYoga, ENDPOINT, type GraphqlServer } from './graphql-server.ts';
import type { Overload } from './overload/overload.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import type { Pages } from './pages/pages.ts';
import type { RateLimits } from './rate-limits/rate-limits.ts';
import { readiness, type ReadinessParts } from './readiness.ts';
import { requestIdOf } from './request-id.ts';
import { errorBody, refusedRequest } from './request.ts';
import type { ResponseHeaders } from './response-headers.ts';
import type { Shutdown } from './shutdown.ts';

/** The parts of a gateway that answer requests, or refuse them. */
export interface RoutesOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly yoga: GraphqlServer;
  readonly directPosts: DirectPosts;
  /** Undefined when no pages are served. */
  readonly pages: Pages | undefined;
  readonly ready: ReadinessParts;
  readonly headersFor: ResponseHeaders;
  readonly rateLimits: RateLimits | undefined;
  readonly overload: Overload;
  readonly shutdown: Shutdown;
  readonly metrics: Metrics | undefined;
  readonly failsafe: Failsafe;
}

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

const NOTHING_HERE = errorBody('There is nothing here: GraphQL is at /graphql.');

/** Leads each request to what answers it: preflights, `/ready`, `/health`, pages, and GraphQL behind its limits. */
export function createRoutes(options: RoutesOptions): Route {
  const { config, pages, ready, headersFor, rateLimits, shutdown, metrics, failsafe } = options;
  const isListed = originCheck(config);
  const forbiddenOrigins = new ForbiddenOrigins(config, options.log);
  const beginGraphql = graphqlRoute(options);
  const forPreflights = preflightHeaders(config);

  return (request, response) => {
    const path = pathOf(request.url);
    const send = (status: number, body: object) => sendJson(response, status, body, headersFor(request.headers));
    forbiddenOrigins.see(request);
    if (isPreflight(request) && isListed(request.headers.origin)) {
      return sendPreflight(response, [...headersFor(request.headers), ...forPreflights]);
    }
    if (path === '/ready') return send(...readiness(shutdown.isEnding, ready));
    if (path === '/health') return send(200, { status: 'ok' });
    if (path !== ENDPOINT) {
      const notFound = () => send(404, NOTHING_HERE);
      response.setHeader('X-Request-Id', requestIdOf(request.headers)); // the pages have headers of their own
      return pages ? pages.answer(path, request, response, notFound) : notFound();
    }
    metrics?.countEnd(response);
    if (!rateLimits || request.method === 'OPTIONS' || rendersGraphiql(request, config))
      return beginGraphql(request, response);
    const begin = () => failsafe(request, response, () => beginGraphql(request, response));
    return rateLimits.answer(request, response, begin);
  };
}

/** The requests of `/graphql`: operations, and the page of GraphiQL. */
function graphqlRoute(options: RoutesOptions): Route {
  const { config, log, yoga, directPosts, pages, headersFor, overload, shutdown } = options;
  const checkCrossSite = crossSiteCheck(config);
  const answer: Route = (request, response) => {
    const crossSite = checkCrossSite(request);
    if (!crossSite && directPosts.serves(request)) return directPosts.serve(request, response);
    const isForPage = rendersGraphiql(request, config);
    const refused = crossSite ?? refusedRequest(request, isForPage);
    if (refused) {
      log.info({ requestId: requestIdOf(request.headers), status: refused.status }, 'request refused');
      return sendJson(response, refused.status, refused.body, headersFor(request.headers));
    }
    if (isForPage) return pages?.answerGraphiql(request, response, headersFor(request.headers));
    if (request.method === 'POST') request.headers['content-type'] = 'application/json'; // Yoga compares it exactly
    return answerByYoga(yoga, request, response);
  };
  return (request, response) => {
    if (shutdown.hasBegun) return answer(request, response); // its caller was told to go elsewhere next time
    return overload.answer(request, response, () => answer(request, response));
  };
}

/** The path of a request target, without its query. */
function pathOf(target = ''): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function sendJson(response: ServerResponse, status: number, body: object, headers: readonly string[] = []): void {
  response.writeHead(status, ['content-type', 'application/json; charset=utf-8', ...headers]).end(JSON.stringify(body));
}

/** Answers the preflight of a page that may call. Its request is answered later, also under overload or at the end. */
function sendPreflight(response: ServerResponse, headers: readonly string[]): void {
  response.writeHead(204, [...headers]).end();
}
