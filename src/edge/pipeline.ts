import type { IncomingMessage } from 'node:http';
import { isPromise } from 'graphql-yoga';
import type { Logger } from 'pino';
import { compressResponses } from './compression.ts';
import type { Config } from '../config.ts';
import type { Connections } from './connections.ts';
import type { FastPath } from './fast-path.ts';
import { reportUnexpected } from '../operation/errors/public-error.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { answerByYoga, ENDPOINT, type GraphqlServer } from './graphql-server.ts';
import { PageOrigins, rejectCrossSite } from './origins.ts';
import type { WriteOutcome } from '../errors.ts';
import type { WatchedResponse } from './http-server.ts';
import type { Overload } from './overload/overload.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import type { Pages } from './pages/pages.ts';
import { rejectMalformed } from './rejected-requests.ts';
import { requestIdOf } from '../operation/server-context.ts';
import { dropCredentials, identify, readHead } from './request.ts';
import type { Shutdown } from './shutdown.ts';
import { errorBody, type Next, refusalBody, type ResponseHeaders, sendJson, type Step } from './steps.ts';

/** What answers requests, or refuses them. */
interface Answering {
  readonly connections: Connections;
  readonly shutdown: Shutdown;
  /** Undefined when no pages are served. */
  readonly pages: Pages | undefined;
  readonly overload: Overload;
  readonly fastPath: FastPath;
  readonly yoga: GraphqlServer;
}

/** Creates what happens to each request, from its socket to its response. It is put together once, and each step is joined here. */
export function createPipeline(parts: GatewayParts, answering: Answering): Next {
  const { config, log, headersFor, metrics, rateLimits } = parts;
  const { connections, shutdown, pages, overload, fastPath, yoga } = answering;
  const origins = new PageOrigins(config, log, headersFor);
  return joined(
    [
      // Of all requests.
      connections.letIn.bind(connections),
      identify,
      config.RESPONSE_COMPRESSION === 'true' && compressResponses(log),
      config.PUBLIC === 'true' && dropCredentials,
      shutdown.hold.bind(shutdown),
      origins.answer.bind(origins),
      answerOtherPaths(answering, parts),

      // Of those of /graphql: before their bodies are read.
      metrics?.countEnd.bind(metrics),
      rateLimits?.answer.bind(rateLimits),
      overload.answer.bind(overload),
      config.FLEX_COOKIES.length > 0 && rejectCrossSite(config, log, headersFor),

      readHead(log, headersFor),

      // The operation: straight from Node's request to Node's response, or by Yoga. Both call `runOperation`.
      fastPath.answer.bind(fastPath),
      rejectMalformed(config, log, headersFor),
      pages?.answerGraphiql.bind(pages),
      answerByYoga(yoga, config),
    ],
    failWith(log, headersFor),
  );
}

/**
 * Takes BASE_PATH off the target of a request, and the slash of `/graphql/`. Load balancers may ask for `/health` and `/ready` without
 * the base.
 *
 * @returns where to redirect a page, whose links are relative; undefined for a request that goes on
 */
function stripBasePath(request: IncomingMessage, config: Config): string | undefined {
  const base = config.BASE_PATH;
  if (request.url?.startsWith('/') === false) takeHostOfTarget(request);
  const [given = ''] = (request.url ?? '').split('?', 1);
  const search = request.url?.slice(given.length) ?? '';
  if (base !== '' && given === base) return `${base.slice(base.lastIndexOf('/') + 1)}/${search}`;
  const path = pathBelow(base, given);
  const isEndpoint = path === `${ENDPOINT}/`;
  if (isEndpoint && rendersGraphiql(request, config)) return `..${ENDPOINT}${search}`;
  request.url = (isEndpoint ? ENDPOINT : path) + search;
  return undefined;
}

function pathBelow(base: string, path: string): string {
  if (path.startsWith(`${base}/`)) return path.slice(base.length);
  return path === '/health' || path === '/ready' ? path : '/404';
}

/** Answers the requests of any path but /graphql. `/ready` fails only while the process ends, whatever the parts tell. */
function answerOtherPaths(
  { shutdown, pages }: Answering,
  { config, headersFor, readiness }: Pick<GatewayParts, 'config' | 'headersFor' | 'readiness'>,
): Step {
  const nothingHere = refusalBody(`There is nothing here: GraphQL is at ${config.BASE_PATH}${ENDPOINT}.`);
  const ready = (status: string) => ({ status, ...readiness() });
  return (request, response, next) => {
    if (request.url === ENDPOINT && config.BASE_PATH === '') return next(request, response);
    const place = stripBasePath(request, config);
    if (place !== undefined) return response.writeHead(308, ['Location', place, ...headersFor(request.headers)]).end();
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === ENDPOINT) return next(request, response);
    const send = (status: number, body: object) => sendJson(response, status, body, headersFor(request.headers));
    if (path === '/ready') return shutdown.hasBegun ? send(503, ready('shutting down')) : send(200, ready('ok'));
    if (path === '/health') return send(200, { status: 'ok' });
    const notFound = () => send(404, nothingHere);
    response.setHeader('X-Request-Id', requestIdOf(request.headers)); // the pages have headers of their own
    return pages ? pages.answer(path, request, response, notFound) : notFound();
  };
}

/** Splits an absolute target, such as `http://host/graphql`. Its host counts in the place of the header's (RFC 9112, 3.2.2). */
function takeHostOfTarget(request: IncomingMessage): void {
  const [, host, path = ''] = /^https?:\/\/([^/?#]+)((?:[/?#].*)?)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
}

/**
 * Joins steps. It is done once, at the start.
 *
 * @param fail ends the request in which a step met a defect. Nothing else handles it, and an error that nobody handles would
 *   end the process
 */
function joined(
  steps: readonly (Step | false | undefined)[],
  fail: (request: IncomingMessage, response: WatchedResponse, error: unknown) => void,
): Next {
  const present = steps.filter((step) => step !== false && step !== undefined);
  return present.reduceRight<Next>(
    (next, step) => (request, response) => {
      try {
        const answered = step(request, response, next);
        if (isPromise(answered)) answered.then(undefined, (error: unknown) => fail(request, response, error));
      } catch (error) {
        fail(request, response, error);
      }
    },
    () => {},
  );
}

/** Creates the body of the 500. @param outcome of the writes; undefined unless the request is a POST */
const failed = (outcome: WriteOutcome | undefined) =>
  errorBody('Something went wrong in the gateway.', { code: 'INTERNAL_SERVER_ERROR', outcome });

/**
 * Creates the end of a request in which a step met a defect: a line of the log and the status 500, or a closed connection where
 * the response has begun.
 */
function failWith(log: Logger, headersFor: ResponseHeaders) {
  return (request: IncomingMessage, response: WatchedResponse, error: unknown): void => {
    try {
      reportUnexpected(log, requestIdOf(request.headers))(error);
      const outcome = response.endOperation();
      if (response.headersSent) return void (response.writableEnded || response.destroy());
      sendJson(response, 500, failed(request.method === 'POST' ? outcome : undefined), headersFor(request.headers));
    } catch {
      request.socket.destroy(); // the log or the response cannot be written
    }
  };
}
