import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { acceptsResponse } from '../operation/accept.ts';
import { rendersGraphiql } from './pages/graphiql.ts';
import { rejecting, type Rejection } from './request.ts';
import { parseBounded, type RequestBounds } from './request-body.ts';
import { NOT_JSON } from '../operation/responses/plugin.ts';
import type { ResponseHeaders, Step } from './steps.ts';

const TOO_LARGE = 413;

/**
 * Creates the step that refuses what GraphQL must not see: a path that makes no URL, parameters that are not JSON, a POST that is not JSON (any web page could make a browser send one), one that is packed or in
 * another charset than UTF-8, and an Accept header that no response fits: its operation would run, and the result be thrown away.
 */
export function rejectMalformed(config: Config, log: Logger, headersFor: ResponseHeaders): Step {
  const reject = rejecting(log, headersFor);
  return (request, response, next) => {
    const rejection = rejectionOf(request, config);
    return rejection ? reject(request, response, rejection) : next(request, response);
  };
}

function rejectionOf(request: IncomingMessage, config: Config): Rejection | undefined {
  const { method, url = '', headers } = request;
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
