import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Connections } from './connections.ts';
import type { DirectPosts } from './direct-posts.ts';
import { reportUnexpected } from './errors/public-error.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { answerByYoga, ENDPOINT, type GraphqlServer } from './graphql-server.ts';
import { answerPreflights, ForbiddenOrigins, rejectCrossSite } from './origins.ts';
import type { Overload } from './overload/overload.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import type { Pages } from './pages/pages.ts';
import { readiness, type ReadinessParts } from './readiness.ts';
import { rejectMalformed } from './rejected-requests.ts';
import { dropCredentials, identify, requestIdOf } from './request.ts';
import type { Shutdown } from './shutdown.ts';
import { errorBody, joined, type Next, type ResponseHeaders, sendJson, type Step } from './steps.ts';

/** What answers requests, or refuses them. */
interface Answering {
  readonly connections: Connections;
  readonly shutdown: Shutdown;
  readonly ready: ReadinessParts;
  /** Undefined when no pages are served. */
  readonly pages: Pages | undefined;
  readonly overload: Overload;
  readonly directPosts: DirectPosts;
  readonly yoga: GraphqlServer;
}

/** Creates what happens to each request, from its socket to its response. It is put together once, and each step is joined here. */
export function createPipeline(parts: GatewayParts, answering: Answering): Next {
  const { config, log, headersFor, metrics, rateLimits } = parts;
  const { connections, shutdown, pages, overload, directPosts, yoga } = answering;
  const forbiddenOrigins = new ForbiddenOrigins(config, log);
  /** Whether a request of /graphql is no operation: it counts for no limit of rates. */
  const isNoOperation = (request: IncomingMessage) => request.method === 'OPTIONS' || rendersGraphiql(request, config);
  return joined(
    [
      // Of all requests.
      (request, response, next) => connections.letIn(request, response, next),
      identify,
      config.PUBLIC === 'true' && dropCredentials,
      (request, response, next) => shutdown.hold(request, response, next),
      (request, response, next) => forbiddenOrigins.see(request, response, next),
      answerPreflights(config, headersFor),
      answerOtherPaths(answering, headersFor),

      // Of those of /graphql: before their bodies are read.
      metrics &&
        ((request, response, next) => {
          metrics.countEnd(response);
          next(request, response);
        }),
      rateLimits &&
        ((request, response, next) => {
          if (isNoOperation(request)) return next(request, response);
          return rateLimits.answer(request, response, next);
        }),
      (request, response, next) => {
        if (shutdown.hasBegun) return next(request, response); // its caller was told to go elsewhere next time
        return overload.answer(request, response, next);
      },
      config.FLEX_COOKIES.length > 0 && rejectCrossSite(config, log, headersFor),

      // The operation: straight from Node's request to Node's response, or by Yoga. Both call `runOperation`.
      (request, response, next) => directPosts.answer(request, response, next),
      rejectMalformed(config, log, headersFor),
      pages && answerGraphiql(parts, pages),
      (request, response) => {
        if (request.method === 'POST') request.headers['content-type'] = 'application/json'; // Yoga compares it exactly
        return answerByYoga(yoga, request, response);
      },
    ],
    failWith(log, headersFor),
  );
}

const NOTHING_HERE = errorBody('There is nothing here: GraphQL is at /graphql.');

/** Answers the requests of any path but /graphql. */
function answerOtherPaths({ shutdown, ready, pages }: Answering, headersFor: ResponseHeaders): Step {
  return (request, response, next) => {
    const path = pathOf(request.url);
    if (path === ENDPOINT) return next(request, response);
    const send = (status: number, body: object) => sendJson(response, status, body, headersFor(request.headers));
    if (path === '/ready') return send(...readiness(shutdown.isEnding, ready));
    if (path === '/health') return send(200, { status: 'ok' });
    const notFound = () => send(404, NOTHING_HERE);
    response.setHeader('X-Request-Id', requestIdOf(request.headers)); // the pages have headers of their own
    return pages ? pages.answer(path, request, response, notFound) : notFound();
  };
}

function answerGraphiql({ config, headersFor }: GatewayParts, pages: Pages): Step {
  return (request, response, next) => {
    if (!rendersGraphiql(request, config)) return next(request, response);
    return pages.answerGraphiql(request, response, headersFor(request.headers));
  };
}

/** The path of a request target, without its query. */
function pathOf(target = ''): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

const MESSAGE = 'Something went wrong in the gateway.';
const CODE = { code: 'INTERNAL_SERVER_ERROR' };
const FAILED = JSON.stringify(errorBody(MESSAGE, CODE));
/** A POST may be a mutation, and nobody knows how far it came. */
const FAILED_POST = JSON.stringify(errorBody(MESSAGE, { ...CODE, outcome: 'UNKNOWN' }));

/**
 * Creates the end of a request in which a step met a defect: a line of the log and the status 500, or a closed connection where
 * the response has begun.
 */
function failWith(log: Logger, headersFor: ResponseHeaders) {
  return (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    try {
      reportUnexpected(log, requestIdOf(request.headers))(error);
      if (response.headersSent) return void (response.writableEnded || response.destroy());
      const body = request.method === 'POST' ? FAILED_POST : FAILED;
      const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
      response.writeHead(500, [...headers, ...headersFor(request.headers)]).end(body);
    } catch {
      request.socket.destroy(); // the log or the response cannot be written
    }
  };
}
