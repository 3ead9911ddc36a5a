import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { idempotencyKeyOf, KEY_HEADER, KEY_RULE } from '../idempotency/writes/key-header.ts';
import { acceptsResponse } from './accept.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import { isHost, requestIdOf, timeoutMsOf } from './request.ts';
import { parseBounded, type RequestBounds } from './request-body.ts';
import { NOT_JSON } from './responses/status.ts';
import { refusalBody, type ResponseHeaders, sendJson, type Step } from './steps.ts';

const TOO_LARGE = 413;

/** The response to a request that is refused before GraphQL sees it. Its headers are a flat [name, value, …] array. */
type Rejection = readonly [status: number, message: string, ...headers: string[]];

/**
 * Creates the step that refuses what GraphQL must not see: a Host or a path that makes no URL, a time that is no number,
 * a key that is none, parameters that are not JSON, a POST that is not JSON (any web page could make a browser send one), one that is packed or in
 * another charset than UTF-8, and an Accept header that no response fits: its operation would run, and the result be thrown away.
 */
export function rejectMalformed(config: Config, log: Logger, headersFor: ResponseHeaders): Step {
  return (request, response, next) => {
    const rejection = rejectionOf(request, config);
    if (!rejection) return next(request, response);
    const [status, message, ...more] = rejection;
    const code = status === TOO_LARGE ? 'QUERY_LIMIT_EXCEEDED' : 'BAD_USER_INPUT';
    log.info({ requestId: requestIdOf(request.headers), status }, 'request refused');
    return sendJson(response, status, refusalBody(message, { code }), [...headersFor(request.headers), ...more]);
  };
}

function rejectionOf(request: IncomingMessage, config: Config): Rejection | undefined {
  const { method, url = '', headers } = request;
  if (!isHost(headers.host)) return [400, 'The Host header names no host.'];
  if (Number.isNaN(timeoutMsOf(headers)))
    return [400, 'The header X-Trivium-Timeout-Ms takes a whole number of milliseconds above 0.'];
  if (headers[KEY_HEADER] !== undefined && idempotencyKeyOf(headers) === null) return [400, KEY_RULE];
  const origin = `http://${headers.host}`;
  if (!URL.canParse(url, origin)) return [400, 'The request names no path.'];
  const ofParameters = method === 'GET' ? rejectionOfParameters(new URL(url, origin).searchParams, config) : undefined;
  if (ofParameters) return ofParameters;
  const ofBody = method === 'POST' ? rejectionOfBody(headers) : undefined;
  if (ofBody) return ofBody;
  if (method !== 'OPTIONS' && !rendersGraphiql(request, config) && !acceptsResponse(headers.accept))
    return [406, 'The Accept header names no type of a response here: send `Accept: application/json`.'];
  return undefined;
}

function rejectionOfBody(headers: IncomingHttpHeaders): Rejection | undefined {
  const { 'content-type': type = '', 'content-encoding': coding = '' } = headers;
  if (!/^application\/json\s*(;|$)/i.test(type))
    return [
      415,
      'Send the operation as JSON, such as {"query":"{ __typename }"}, with the header `Content-Type: application/json`.',
    ];
  const charset = /;\s*charset=([^;\s]*)/i.exec(type.replaceAll('"', ''))?.[1] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) return [415, 'Send the body in UTF-8.'];
  // RFC 9110, 12.5.3: the header tells the codings that a body may have
  if (!/^(?:identity)?$/i.test(coding.trim()))
    return [415, 'Send the body as it is, without `Content-Encoding`.', 'Accept-Encoding', 'identity'];
  return undefined;
}

function rejectionOfParameters(parameters: URLSearchParams, bounds: RequestBounds): Rejection | undefined {
  try {
    for (const name of ['variables', 'extensions']) parseBounded(parameters.get(name) || 'null', bounds);
    return undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return [TOO_LARGE, error.message];
    return [400, 'The parameters `variables` and `extensions` take JSON.'];
  }
}

/** Tells who sends a body that is no JSON, such as GraphQL itself, how a right one begins. Yoga reads it, and refuses it in three words. */
export function useReadableBodies(): Plugin {
  return {
    onRequestParse: ({ requestParser, setRequestParser }) => {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          if (!(error instanceof GraphQLError) || error.extensions['originalError'] === undefined) throw error;
          const message =
            'The body is no JSON. Send the document in it, such as {"query":"{ __typename }"}, and values as "variables".';
          throw new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: NOT_JSON } });
        }
      });
    },
  };
}
