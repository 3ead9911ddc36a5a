import { Readable } from 'node:stream';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { PluginContext } from '../operation/context.ts';
import { COST_HEADER } from '../operation/cost/operation-costs.ts';
import { useNoDocuments } from '../operation/documents/requested-id.ts';
import { publicError, reportUnexpected } from '../operation/errors/public-error.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { useIncrementalDelivery } from '../operation/incremental/incremental-delivery.ts';
import { useLimits } from '../operation/limits.ts';
import { useRefusedOperations } from '../operation/refused-operations.ts';
import { useOperations } from '../operation/run-operation.ts';
import type { ServerContext } from '../operation/server-context.ts';
import type { WatchedResponse } from './http-server.ts';
import { openOperation } from './request.ts';
import { chunksOf, type RequestBounds } from './request-body.ts';
import { useReadableBodies } from './rejected-requests.ts';
import { useWrittenResponses } from '../operation/responses/plugin.ts';
import { useResponseHeaders } from './origins.ts';
import type { Step } from './steps.ts';

/** The path of the GraphQL endpoint. */
export const ENDPOINT = '/graphql';

/** The context that Yoga passes to its hooks: Node's request and response. */
interface HttpContext extends ServerContext {
  readonly res: WatchedResponse;
}

export type GraphqlServer = YogaServerInstance<HttpContext, PluginContext>;

type GraphqlParts = Pick<
  GatewayParts,
  'served' | 'upstreams' | 'config' | 'log' | 'headersFor' | 'documents' | 'operations' | 'persisted'
>;

/**
 * Creates the step that answers requests by Yoga. Yoga's own way from Node's request to Node's response prints what goes wrong,
 * and leaves the caller without a word, or sends it a stack trace. Here it is a defect of the step.
 */
export function answerByYoga(yoga: GraphqlServer, bounds: RequestBounds): Step {
  return async (request, response) => {
    if (request.method === 'POST') {
      request.headers['content-type'] = 'application/json'; // Yoga compares it exactly
      Object.assign(request, { body: Readable.from(chunksOf(request, bounds)) });
    }
    const fetched = await yoga.handleNodeRequestAndResponse(request, response, { req: request, res: response });
    const reader = fetched.body?.getReader();
    response.once('close', () => void reader?.cancel().catch(() => {})); // its parts are not needed any more
    let read = await reader?.read(); // cancelling a stream that was never read does not call its source
    if (response.destroyed || response.writableEnded) return;
    response.writeHead(fetched.status, [...fetched.headers].flat());
    // Bytes that the caller has not read yet wait in its connection, where MAX_UNREAD_BYTES counts it.
    for (; read && !read.done; read = await reader?.read()) response.write(read.value);
    response.end();
  };
}

/** Creates the GraphQL server: the schema, and the plugins of an operation. */
export function createGraphqlServer(parts: GraphqlParts): GraphqlServer {
  const { served, config, log, headersFor, documents, operations, persisted } = parts;
  const isProduction = config.NODE_ENV === 'production';
  return createYoga<HttpContext, PluginContext>({
    schema: config.SUBGRAPH === 'true' ? served.subgraph(config).schema : served.schema,
    graphqlEndpoint: ENDPOINT,
    context: ({ req, res }) => ({
      operation: openOperation(parts, req, res),
      wantsCost: req.headers[COST_HEADER] === '1',
    }),
    plugins: [
      ...(persisted?.plugins ?? [useNoDocuments()]),
      useReadableBodies(),
      useLimits(config),
      useIncrementalDelivery(),
      useOperations(operations),
      useRefusedOperations({ log, observer: operations.observer, hidesSuggestions: isProduction }),
      useWrittenResponses(),
      useResponseHeaders(headersFor),
    ],
    maskedErrors: { maskError: (error) => publicError(error, reportUnexpected(log), isProduction) },
    logging: false, // `runOperation` writes one line per operation
    graphiql: false, // pages/ serves it
    cors: () => false, // answers OPTIONS with 204; `useResponseHeaders` sets the headers
    parserAndValidationCache: {
      documentCache: documents,
      // No cache of errors: with one, the hooks that log a refused document would not run for its repetition.
      errorCache: { get: () => undefined, set: () => undefined },
    },
    maxRequestBodySize: false, // `chunksOf` counts the bytes
    multipart: false,
    extraParamNames: persisted ? ['documentId'] : [],
    landingPage: false,
  });
}
